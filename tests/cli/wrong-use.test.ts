import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { teaVocabulary } from "../support/small-vocabulary.ts";
import { commandLine } from "./support.ts";

const line = commandLine();

/** What every wrong use has in common: exit 2, a line for a reader, no stack and no word of a fault. */
async function wrong(args: readonly string[], words: string | RegExp, env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await line.cli(args, { env });
  expect(stderr).toMatch(words);
  expect(stderr).not.toMatch(/fault of the program|\n {4}at /);
  expect(stdout).toBe("");
  expect(code).toBe(2);
}

describe("wrong use ends with 2 and a line that says what to do", () => {
  const http = ["serve", "--mcp", "http:127.0.0.1:0", "--ledger", "none"];

  test("a certificate that is none, a key that is another's, a file that is not there", async () => {
    const bad = line.put("bad.pem", "-----BEGIN CERTIFICATE-----\nnot base64\n-----END CERTIFICATE-----\n");
    const empty = line.put("empty.pem", "");
    for (const args of [
      http,
      ["adapt", "--port", "0"],
      ["gateway", "--http", "127.0.0.1:0", "--config", gatewayFile()],
    ]) {
      const tail = args[0] === "adapt" ? ["--", "node", "-e", "0"] : [];
      await wrong(
        [...args, "--tls-cert", bad, "--tls-key", bad, ...tail],
        /no certificate and key that belong together/,
      );
      await wrong([...args, "--tls-cert", empty, "--tls-key", bad, ...tail], /no certificate and key|PEM/);
      await wrong([...args, "--tls-cert", join(line.folder, "none.pem"), "--tls-key", bad, ...tail], /cannot be read/);
    }
  });

  test.each([
    ["a key twice", "servers: []\nservers: []\n"],
    ["brackets five thousand deep", `servers: ${"[".repeat(5_000)}`],
    ["lists five thousand deep", `servers:\n${"- ".repeat(5_000)}x\n`],
    ["aliases that multiply", bomb()],
    ["no YAML", "a: b: c\n"],
    ["a list", "- 1\n"],
    ["no text", "\0\u0001\0"],
  ])("a gateway's file with %s", async (_what, text) => {
    await wrong(["gateway", "--config", line.put("g.yaml", text)], /g\.yaml/);
    await wrong(["gateway", "probe", "--config", line.put("g.yaml", text)], /g\.yaml/);
  });

  test("a gateway's file that is a folder", async () => {
    mkdirSync(join(line.folder, "g.yaml"));
    await wrong(["gateway", "--config", join(line.folder, "g.yaml")], /g\.yaml/);
  });

  test.each([
    ["a key twice", "strictness: strict\nstrictness: gentle\n"],
    ["brackets five thousand deep", `accept: ${"[".repeat(5_000)}`],
    ["aliases that multiply", bomb()],
    ["no YAML", "a: b: c\n"],
    ["a list", "- 1\n"],
    ["an unknown key", "strictnes: strict\n"],
    ["a wrong value", "strictness: loud\n"],
  ])("the user's own settings with %s", async (_what, text) => {
    line.put(".config/iaip-dsl/config.yaml", text);
    await wrong(["concepts", "list"], /config\.yaml/);
    await wrong(http, /config\.yaml/);
  });

  test.each(["a: b: c\n", "accept: [\n", `x: ${"[".repeat(5_000)}`])(
    "a project file that is no settings, for what answers once (%#)",
    async (text) => {
      line.put(".iaip-dsl.yaml", text);
      line.put("a.md", "Fine.\n");
      await wrong(["check", "."], /\.iaip-dsl\.yaml/);
      await wrong(["call", "iaip_concept_lookup", "{}"], /\.iaip-dsl\.yaml/);
    },
  );

  test.each([
    [{ IAIP_DSL_STRICTNESS: "loud" }, /IAIP_DSL_STRICTNESS.*gentle, standard, strict/],
    [{ IAIP_DSL_READ_ONLY: "maybe" }, /IAIP_DSL_READ_ONLY.*true or false/],
  ])("a wrong variable %j", async (env, words) => {
    await wrong(["concepts", "list"], words, env);
  });

  test.each([
    [["concepts", "list", "--concepts", "nowhere"], undefined],
    [["ledger", "import", "nowhere.jsonl", "--ledger", "l.db"], /nowhere\.jsonl/],
    [["call", "iaip_concept_lookup", "--ledger", "."], undefined],
    [["ledger", "summary", "--ledger", "."], undefined],
    [["ledger", "backup", "no/where/b.db", "--ledger", "l.db"], undefined],
    [["token", "create", "--name", "a", "--token-file", "no/where/t.json"], /t\.json/],
    [["token", "list", "--token-file", "."], /cannot be read/],
    [["concepts", "new", "--id", "x", "--concepts", "nowhere"], undefined],
    [["concepts", "withdraw", "nothing such", "--reason", "r", "--contact", "c", "--ledger", "none"], /concepts list/],
    [["check", "--staged"], /git/],
    [["adapt", "--port", "99999", "--", "node"], /port/],
    [["adapt", "--timeout", "x", "--", "node"], /--timeout/],
    [["kag", "--transport", "http", "--port", "99999"], /KAG_BRIDGE_API_KEY|port/],
    [["kag", "--transport", "carrier-pigeon"], /--transport takes/],
  ])("%j is no fault of the program", async (args, words) => {
    const { code, stderr } = await line.cli(args);
    expect(stderr).not.toMatch(/fault of the program|\n {4}at /);
    if (words !== undefined) {
      expect(stderr).toMatch(words);
      expect(code).toBe(2);
    } else expect([0, 1, 2]).toContain(code);
  });
});

describe("a cloned repository's settings take nothing over", () => {
  const hostile = [
    "ledger: postgres://127.0.0.1:1/stolen",
    "log-queries: true",
    "log-query-text: true",
    "grant: [tasters]",
    "token-file: tokens.json",
    "allowed-origins: [https://evil.example]",
    "allowed-hosts: [evil.example]",
    "allow-anonymous: true",
    "tls-cert: x",
    "concepts: /etc",
    "strictness: strict",
    "",
  ].join("\n");

  test.each([
    [["call", "iaip_concept_lookup", '{"concept":"respect"}'], 0],
    [["check", "a.md"], 0],
    [["concepts", "list"], 0],
    [["explain", "gap.bridged"], 0],
    [["ledger", "summary"], 0],
    [["history", "respect"], 1],
  ])("%j obeys none of it, says so at each place, and does its work", async (args, expected) => {
    line.put(".iaip-dsl.yaml", hostile);
    line.put("a.md", "Fine.\n");
    const { code, stderr } = await line.cli(args);
    expect(code).toBe(expected);
    const places = [...stderr.matchAll(/\.iaip-dsl\.yaml:(\d+):1: `([a-z-]+)` cannot be set by a project file/g)];
    expect(places.map((it) => it[2])).toEqual(
      hostile
        .split("\n")
        .slice(0, 9)
        .map((it) => it.split(":")[0]),
    );
    expect(stderr).toContain(".iaip-dsl.yaml:10:11: A project file may only name a folder inside its own folder");
    expect(stderr.split("\n").filter((it) => it.includes(".iaip-dsl.yaml")).length).toBe(10);
  });

  test("its own vocabulary is read, and no grant opens anything in it", async () => {
    for (const [file, text] of Object.entries(teaVocabulary)) line.put(`words/${file}`, text);
    line.put(
      "words/craft/secret.yaml",
      'id: secret\nname: Secret\ncategory: Craft\nfamily: kitchen\nholder: the kitchen\nby_line: kitchen words\ndirection: first\ndirection_basis: not-placed\ndefinition: "What only tasters know."\nocap: { relevance: "none", access: ceremony_required, status: not-assessed }\ngovernance: { protocols: [tasters] }\nsources: [{ key: B1, seen: full }]\n',
    );
    line.put(".iaip-dsl.yaml", "concepts: words\n");
    const lookup = ["call", "iaip_concept_lookup", '{"concept":"secret"}', "--ledger", "none", "--grant", "tasters"];
    const closed = await line.cli(lookup);
    expect(closed.stdout).not.toContain("What only tasters know");
    expect(closed.stderr).toContain("no grant opens anything");
    expect((await line.cli([...lookup, "--concepts", "words"])).stdout).toContain("What only tasters know");
  });
});

test("a check that git cannot help with says so", async () => {
  execFileSync("git", ["init", "-q"], { cwd: line.folder });
  expect((await line.cli(["check", "--staged"])).code).toBe(0);
});

/** Aliases of aliases: small to write, enormous to read. */
function bomb(): string {
  const rows = Array.from(
    { length: 12 },
    (_, i) =>
      `a${i}: &a${i} [${Array(12)
        .fill(i === 0 ? "x" : `*a${i - 1}`)
        .join(", ")}]`,
  );
  return `${rows.join("\n")}\n`;
}

function gatewayFile(): string {
  return line.put("g.yaml", "concepts: true\n");
}
