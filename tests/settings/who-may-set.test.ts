import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { settingsOf } from "../../src/settings/merge.ts";
import { editorLayer, problemLine, type ReadSettings, readSettings } from "../../src/settings/read-settings.ts";
import { type SettingName, type SettingSource, settingNames } from "../../src/settings/schema.ts";

let top = "";
let project = "";
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "settings-")));
  project = join(top, "project");
  mkdirSync(join(project, "words"), { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** `user` and `project` are the text of the two settings files. */
async function read(
  from: { flags?: object; env?: Record<string, string>; user?: string; project?: string } = {},
): Promise<ReadSettings> {
  if (from.user !== undefined) put(join(top, "config/iaip-dsl/config.yaml"), from.user);
  if (from.project !== undefined) put(join(project, ".iaip-dsl.yaml"), from.project);
  const env = { XDG_CONFIG_HOME: join(top, "config"), ...from.env };
  return readSettings({ flags: from.flags ?? {}, env, cwd: project, platform: "linux", home: top });
}

const person: readonly SettingSource[] = ["flag", "environment", "user"];
const reader: readonly SettingSource[] = ["editor", "user", "project"];

/** Written by hand, so that a change of the schema is a change of this table too: a value, how a text says it, who may. */
const table: Readonly<Record<SettingName, readonly [value: unknown, who: readonly SettingSource[], text?: string]>> = {
  concepts: ["words", [...person, "project"]],
  ledger: ["postgres://elsewhere/x", person],
  "log-level": ["debug", person],
  strictness: ["strict", ["flag", "environment", ...reader]],
  rules: [{ "gap.bridged": "off" }, reader],
  accept: [["native app"], reader],
  ignore: [["vendor/"], ["user", "project"]],
  overrides: [[{ files: ["*.txt"], strictness: "gentle" }], ["user", "project"]],
  "fail-on": ["hint", ["flag", "environment", "user", "project"]],
  diagnostics: [{ max: 7 }, reader],
  maxFileSize: [99, reader],
  inlayHints: [{ enable: true }, reader],
  codeLens: [{ enable: false }, reader],
  semanticTokens: [{ enable: false }, reader],
  rename: [{ prose: true }, reader],
  grant: [["tasters"], person, "tasters"],
  tools: [["iaip_concept_lookup"], person, "iaip_concept_lookup"],
  toolsets: [["concepts"], person, "concepts"],
  "read-only": [true, person, "1"],
  "log-queries": [true, person, "1"],
  "log-query-text": [true, person, "1"],
  sessions: [true, person, "1"],
  "token-file": ["/tokens.json", person],
  "oauth-issuer": ["https://elsewhere", person],
  "oauth-audience": ["https://here", person],
  "oauth-jwks": ["https://elsewhere/keys", person],
  "allow-anonymous": [true, person, "1"],
  "allow-remote-editors": [true, person, "1"],
  "allowed-hosts": [["evil.example"], person, "evil.example"],
  "public-url": ["https://evil.example/iaip", person, "https://evil.example/iaip"],
  "trusted-proxies": [["10.0.0.0/8"], person, "10.0.0.0/8"],
  "allowed-origins": [["https://evil.example"], person, "https://evil.example"],
  "tls-cert": ["/cert.pem", person],
  "tls-key": ["/key.pem", person],
};

const cells = settingNames.flatMap((name) =>
  (["flag", "environment", "user", "project", "editor"] as const).map((source) => [name, source] as const),
);

describe("who may set what", () => {
  test("the table has every setting", () => {
    expect(Object.keys(table).sort()).toEqual([...settingNames].sort());
  });

  test.each(cells)("%s by %s", async (name, source) => {
    const [value, who, text = String(value)] = table[name];
    const before = (await read()).settings[name];
    const file = { [name]: value };
    const variable = { [`IAIP_DSL_${name.toUpperCase().replaceAll("-", "_")}`]: text };
    let after: unknown;
    let problems: readonly string[];
    if (source === "editor") {
      const layer = editorLayer(file);
      after = settingsOf([layer])[name];
      problems = layer.problems.map(problemLine);
    } else {
      const given = {
        flag: { flags: { [name]: value } },
        environment: { env: variable },
        user: { user: JSON.stringify(file) },
        project: { project: JSON.stringify(file) },
      }[source];
      const found = await read(given);
      after = found.settings[name];
      problems = found.problems.map(problemLine);
    }
    if (who.includes(source)) {
      expect(problems).toEqual([]);
      expect(after).not.toEqual(before);
      if (typeof value === "string") expect(String(after)).toContain(value);
      else expect(after).toMatchObject(value as object);
    } else {
      expect(after).toEqual(before);
      // A variable of a setting that has none is nobody's: it is read by no one.
      if (source !== "environment") expect(problems.join("\n")).toContain(`\`${name}\` cannot be set by`);
      if (source === "project") expect(problems[0]).toContain(`${join(project, ".iaip-dsl.yaml")}:1:2: `);
    }
  });
});

describe("a project file", () => {
  test("names only a folder inside the project, by real path", async () => {
    mkdirSync(join(top, "elsewhere"));
    symlinkSync(join(top, "elsewhere"), join(project, "link"));
    symlinkSync(join(project, "words"), join(project, "inner"));
    put(join(project, "file.txt"), "");
    for (const concepts of [
      "../elsewhere",
      "link",
      join(top, "elsewhere"),
      "file.txt",
      "absent",
      "words/../../elsewhere",
    ]) {
      const { settings, problems } = await read({ project: `strictness: strict\nconcepts: ${concepts}\n` });
      expect([concepts, settings.concepts, settings.strictness]).toEqual([concepts, undefined, "strict"]);
      expect(problems.map(problemLine)).toEqual([
        expect.stringMatching(/\.iaip-dsl\.yaml:2:11: .*inside its own folder/),
      ]);
    }
    expect((await read({ project: "concepts: inner\n" })).settings.concepts).toBe(join(project, "words"));
  });

  test("'s vocabulary opens no grant; one that the person named does", async () => {
    const flags = { grant: "tasters" };
    const own = await read({ flags, project: "concepts: words\n" });
    expect(own.settings.grant).toEqual([]);
    expect(own.problems.map(problemLine)).toEqual([expect.stringMatching(/^--grant: .*--concepts/)]);
    expect(own.isProjectVocabulary).toBe(true);
    const named = await read({ flags: { ...flags, concepts: "words" }, project: "concepts: words\n" });
    expect(named.settings.grant).toEqual(["tasters"]);
    expect(named.problems).toEqual([]);
    expect(named.isProjectVocabulary).toBe(false);
  });

  test.each([
    ["strictnes: strict\naccept: [x]\n", "1:1", "Did you mean `strictness`?"],
    ["accept: [x]\ndiagnostics: { mx: 3 }\n", "2:16", "Did you mean `diagnostics.max`?"],
    ["accept: [x]\nrules: { gap.bridged: loud }\n", "2:23", "It takes one of error, warning, information, hint, off."],
    ["accept: [x, 3]\n", "1:13", "It takes text."],
    ["accept: [x]\noverrides: [{ strictness: strict }]\n", "2:13", "overrides.0"],
    ["accept: [x]\nstrictness: strict\nledger: postgres://elsewhere\n", "3:1", "IAIP_DSL_LEDGER"],
  ])("%j has a problem at its place, and the rest is obeyed", async (text, place, words) => {
    const { settings, problems } = await read({ project: text });
    expect(problems.map(problemLine)).toEqual([expect.stringContaining(`.iaip-dsl.yaml:${place}: `)]);
    expect(problemLine(problems[0]!)).toContain(words);
    expect(settings.accept).toEqual(["x"]);
  });

  test.each([
    ["strictness: strict\nstrictness: gentle\n", "2:1"],
    [`a: ${"[".repeat(5_000)}`, "1:1"],
    ["a: &a [*a, *a]\nb: *a", ""],
    ["- a\n- b\n", ""],
    ["just text", ""],
    ["a: b: c", "1:4"],
    ["\0\0\0", "1:1"],
  ])("that cannot be understood is a problem, and nothing of it is obeyed (%#)", async (text, place) => {
    const { settings, problems } = await read({ project: text });
    expect(problems.length).toBeGreaterThan(0);
    expect(problemLine(problems[0]!)).toContain(`.iaip-dsl.yaml:${place}`);
    expect(settings).toEqual((await read({ project: "" })).settings);
  });

  test.each([
    ["a file too large", () => put(join(project, ".iaip-dsl.yaml"), `# ${"x".repeat(1_100_000)}\n`)],
    ["a device", () => symlinkSync("/dev/zero", join(project, ".iaip-dsl.yaml"))],
  ])("that is %s is not read", async (_what, make) => {
    make();
    const { problems } = await read();
    expect(problems.map((it) => it.code)).toEqual(["settings.unreadable"]);
  });
});

describe("precedence", () => {
  test("a flag, else the environment, else the user's file, else the project's, else the default", async () => {
    const all = {
      flags: { strictness: "strict" },
      env: { IAIP_DSL_STRICTNESS: "gentle" },
      user: "strictness: strict\n",
      project: "strictness: gentle\n",
    };
    expect((await read(all)).settings.strictness).toBe("strict");
    expect((await read({ ...all, flags: {} })).settings.strictness).toBe("gentle");
    expect((await read({ user: all.user, project: all.project })).settings.strictness).toBe("strict");
    put(join(top, "config/iaip-dsl/config.yaml"), "");
    expect((await read({ project: all.project })).settings.strictness).toBe("gentle");
    expect((await read({ project: "" })).settings.strictness).toBe("standard");
  });

  test("an editor's setting wins over every other, and an empty variable counts as none", async () => {
    const { started, project: file } = await read({
      env: { IAIP_DSL_STRICTNESS: "gentle" },
      project: "strictness: gentle\n",
    });
    expect(settingsOf([editorLayer({ strictness: "strict" }), ...started, file!]).strictness).toBe("strict");
    const unset = editorLayer({ strictness: null, diagnostics: { max: null }, server: { path: "/x" } });
    expect(unset.problems).toEqual([]);
    expect(settingsOf([unset, ...started, file!])).toMatchObject({ strictness: "gentle", diagnostics: { max: 200 } });
    expect((await read({ env: { IAIP_DSL_STRICTNESS: "" }, project: "" })).settings.strictness).toBe("standard");
  });

  test("groups and rules are merged by key, accepted wordings joined, other lists replaced", async () => {
    const { settings } = await read({
      flags: { tools: "a" },
      env: { IAIP_DSL_TOOLS: "b" },
      user: "rules: { a.b: off }\naccept: [one]\ndiagnostics: { max: 3 }\n",
      project: "rules: { a.b: error, c.d: hint }\naccept: [two]\ndiagnostics: { max: 9, debounce: 5 }\n",
    });
    expect(settings.tools).toEqual(["a"]);
    expect(settings.rules).toEqual({ "a.b": "off", "c.d": "hint" });
    expect([...settings.accept].sort()).toEqual(["one", "two"]);
    expect(settings.diagnostics).toEqual({ enable: true, mode: "auto", max: 3, debounce: 5 });
  });

  test("relative paths are taken from where they are written", async () => {
    const { settings } = await read({ flags: { "tls-cert": "c.pem" }, user: "ledger: my.db\ntls-key: /k.pem\n" });
    expect(settings).toMatchObject({
      "tls-cert": join(project, "c.pem"),
      ledger: join(top, "config/iaip-dsl/my.db"),
      "tls-key": "/k.pem",
    });
    expect((await read({ user: "ledger: none\n" })).settings.ledger).toBe("none");
  });
});
