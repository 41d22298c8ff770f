import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeText } from "../../src/base/decode-text.ts";
import { teaVocabulary } from "../support/small-vocabulary.ts";
import { commandLine } from "./support.ts";

const line = commandLine();
const bytesOf = (path: string): Buffer => readFileSync(join(line.folder, path));
const utf16be = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
const le = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
const be = (text: string): Buffer => Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be(text)]);
const marked = (text: string): Buffer => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]);
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

function rules(): string {
  return `rules:
  - id: bill.named
    title: bills have names
    severity: warning
    phrases: [money bill]
    preferred: [appropriation act]
    reason: It is its name.
    source: { key: B1, standing: seen }
    fix: replace
    examples: { flags: ["a money bill"], passes: ["an appropriation act"] }
  - id: pot.named
    title: pots have names
    severity: warning
    phrases: [nameless pot]
    preferred: ["“named” pot — ☕"]
    reason: Every pot has a name.
    source: { key: B1, standing: seen }
    fix: replace
    examples: { flags: ["a nameless pot"], passes: ["a named pot"] }
  - id: act.loud
    title: acts are quiet
    severity: warning
    phrases: [loud bill]
    preferred: [money bill]
    reason: Nobody shouts.
    source: { key: B1, standing: seen }
    fix: replace
    examples: { flags: ["a loud bill"], passes: ["a quiet act"] }
`;
}

function tea(): readonly string[] {
  for (const [file, text] of Object.entries(teaVocabulary)) line.put(`words/${file}`, text);
  line.put("words/terminology.yaml", rules());
  return ["--concepts", "words"];
}

describe("a text is read as what its bytes are", () => {
  test.each([
    ["UTF-8", (text: string) => Buffer.from(text)],
    ["UTF-8 with a mark", marked],
    ["UTF-16, little end first", le],
    ["UTF-16, big end first", be],
    ["Latin-1", latin1],
  ])("%s", async (_name, encode) => {
    line.put("a.md", encode("Café naïve.\r\n\r\nIt is my spirit animal.\r\n"));
    const { code, stdout } = await line.cli(["check", "a.md", "--format", "json"]);
    expect(code).toBe(1);
    const [file] = (JSON.parse(stdout) as { files: { findings: { line: number; column: number; text: string }[] }[] })
      .files;
    expect(file?.findings).toMatchObject([{ line: 3, column: 10, text: "spirit animal" }]);
    const piped = await line.cli(["check", "-", "--format", "json"], {
      stdin: encode("Café naïve.\r\n\r\nIt is my spirit animal.\r\n"),
    });
    expect(piped.code).toBe(1);
  });

  test("decoding and encoding again gives the bytes back, for any bytes that are text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.constantFrom((text: string) => Buffer.from(text), marked, le, be),
        (text, encode) => {
          const bytes = encode(text);
          const decoded = decodeText(bytes);
          expect(decoded.encode(decoded.text)?.equals(bytes)).toBe(true);
        },
      ),
    );
  });
});

describe("--fix changes what it says and no byte beside", () => {
  test.each([
    ["UTF-8", (text: string) => Buffer.from(text)],
    ["UTF-8 with a mark", marked],
    ["UTF-16, little end first", le],
    ["UTF-16, big end first", be],
    ["Latin-1", latin1],
  ])("%s", async (_name, encode) => {
    const flags = tea();
    line.put("a.md", encode("Café: a money bill.\r\n"));
    const { code, stdout } = await line.cli(["check", "a.md", "--fix", ...flags]);
    expect(bytesOf("a.md")).toEqual(encode("Café: a appropriation act.\r\n"));
    expect(stdout).toContain("1 fixed");
    expect(code).toBe(0);
    const piped = await line.cli(["check", "--stdin-filename", "a.md", "--fix", ...flags], { stdin: "a money bill" });
    expect(piped.stdout).toBe("a appropriation act");
  });

  test("an encoding without room for the replacement, and bytes that are no text, are left as they are", async () => {
    const flags = tea();
    const before = latin1("Café: a nameless pot.\n");
    line.put("a.md", before);
    const { stderr, code } = await line.cli(["check", "a.md", "--fix", ...flags]);
    expect(stderr).toContain("a.md: windows-1252 has no room for a replacement, so it was not changed.");
    expect(bytesOf("a.md")).toEqual(before);
    expect(code).toBe(1);
    const odd = Buffer.concat([le("a money bill "), Buffer.from([0x00, 0xd8])]);
    line.put("b.md", odd);
    expect((await line.cli(["check", "b.md", "--fix", ...flags])).stderr).toContain(
      "b.md: its bytes are not valid utf-16le",
    );
    expect(bytesOf("b.md")).toEqual(odd);
  });

  test.each([
    ["Money bills pass.", "Appropriation acts pass."],
    ["The money bill passed.", "The appropriation act passed."],
    ["A MONEY BILL passed.", "A APPROPRIATION ACT passed."],
    ["The Money Bills of old.", "The Appropriation Acts of old."],
  ])("%j keeps its capitals and its number", async (before, after) => {
    const flags = tea();
    line.put("a.md", `${before}\n`);
    await line.cli(["check", "a.md", "--fix", ...flags]);
    expect(bytesOf("a.md").toString()).toBe(`${after}\n`);
  });

  test("a replacement that would make another finding is not made, and those beside it are", async () => {
    const flags = tea();
    line.put("a.md", "A loud bill. The money bill.\n");
    const { code, stdout } = await line.cli(["check", "a.md", "--fix", ...flags]);
    expect(bytesOf("a.md").toString()).toBe("A loud bill. The appropriation act.\n");
    expect(stdout).toContain("1 finding, 1 fixed");
    expect(code).toBe(1);
  });
});

describe("nothing that was named is passed over in silence", () => {
  test.each([
    [["a.xyz"], 1, "`a.xyz` is of no kind that can be read; it was not checked."],
    [["*.xyz"], 1, "`*.xyz` is of no kind that can be read; it was not checked."],
    [["*.rst"], 1, "No file matches `*.rst`."],
    [["a.xyz", "clean.md"], 1, "`a.xyz` is of no kind that can be read"],
    [["vendor/c.md"], 0, "`vendor/c.md` is left out by the project's `ignore`."],
    [["vendor/*.md"], 0, "`vendor/*.md` is left out by the project's `ignore`."],
    [["vendor/c.md", "bad.md"], 1, "`vendor/c.md` is left out"],
    [["--stdin-filename", "vendor/c.md"], 0, "`vendor/c.md` is left out"],
    [["--stdin-filename", "a.xyz"], 2, "`a.xyz` is of no kind that can be read."],
    [["/dev/null"], 2, "`/dev/null` is no file"],
    [["nowhere.md"], 2, "There is no file or folder `nowhere.md`"],
  ])("%j ends with %d", async (paths, expected, notice) => {
    line.put(".iaip-dsl.yaml", "ignore: [vendor/]\n");
    line.put("a.xyz", "My spirit animal.\n");
    line.put("clean.md", "Clean.\n");
    line.put("bad.md", "My spirit animal.\n");
    line.put("vendor/c.md", "My spirit animal.\n");
    const { code, stderr } = await line.cli(["check", ...paths], { stdin: "My spirit animal.\n" });
    expect(stderr).toContain(notice);
    expect(code).toBe(expected);
  });

  test("a folder names what it could not read and goes on", async () => {
    line.put("a.xyz", "x");
    line.put("b.md", "Clean.\n");
    expect(await line.cli(["check", "."])).toMatchObject({ code: 0, stdout: expect.stringContaining("a.xyz") });
  });

  test.each(["X.YAML", "X.MD", "x.Markdown", "X.TXT"])("%s is read, whatever its capitals", async (name) => {
    line.put(name, name.endsWith("YAML") ? "# My spirit animal.\n" : "My spirit animal.\n");
    expect((await line.cli(["check", name])).code).toBe(1);
  });
});

describe("--staged --fix", () => {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: line.folder, encoding: "utf8" });
  const start = (): void => {
    git("init", "-q");
    git("config", "user.email", "t@example.org");
    git("config", "user.name", "t");
  };

  test("changes what is staged, in the file and in the index", async () => {
    const flags = tea();
    start();
    line.put("a.md", "The money bill.\n");
    line.put("b.md", "The money bill.\n");
    git("add", "a.md");
    const { code, stdout } = await line.cli(["check", "--staged", "--fix", ...flags]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("1 fixed") });
    expect(git("show", ":a.md")).toBe("The appropriation act.\n");
    expect(bytesOf("a.md").toString()).toBe("The appropriation act.\n");
    expect(bytesOf("b.md").toString()).toBe("The money bill.\n");
  });

  test("leaves a file alone that holds more than is staged, and says so", async () => {
    const flags = tea();
    start();
    line.put("a.md", "The money bill.\n");
    git("add", "a.md");
    writeFileSync(join(line.folder, "a.md"), "The money bill. And more to come.\n");
    const { code, stderr } = await line.cli(["check", "--staged", "--fix", ...flags]);
    expect(code).toBe(1);
    expect(stderr).toContain("a.md holds changes that are not staged; it was not changed.");
    expect(git("show", ":a.md")).toBe("The money bill.\n");
    expect(bytesOf("a.md").toString()).toBe("The money bill. And more to come.\n");
  });
});

describe("settings of the place where a text lies", () => {
  test("rules, strictness and fail-on of a nested project file count for what lies below it", async () => {
    line.put(".iaip-dsl.yaml", "rules: { borrowed.spirit-animal: off }\n");
    line.put("a.md", "My spirit animal.\n");
    line.put("sub/.iaip-dsl.yaml", "rules: { borrowed.spirit-animal: hint }\nfail-on: hint\n");
    line.put("sub/deep/b.md", "My spirit animal.\n");
    const { code, stdout } = await line.cli(["check", ".", "--format", "json"]);
    const { files } = JSON.parse(stdout) as { files: { file: string; findings: { severity: string }[] }[] };
    const found = files.map((it) => [it.file, it.findings.map(({ severity }) => severity)]);
    expect(found.filter(([name]) => String(name).endsWith(".md"))).toEqual([
      ["a.md", []],
      ["sub/deep/b.md", ["hint"]],
    ]);
    expect(code).toBe(1);
    expect((await line.cli(["check", "."], { env: { IAIP_DSL_FAIL_ON: "error" } })).code).toBe(0);
    expect((await line.cli(["check", ".", "--fail-on", "hint"], { env: { IAIP_DSL_FAIL_ON: "error" } })).code).toBe(1);
  });

  test("a nested project file that cannot be understood ends the check with its place", async () => {
    line.put("sub/.iaip-dsl.yaml", "strictness: loud\n");
    line.put("sub/a.md", "Fine.\n");
    const { code, stderr } = await line.cli(["check", "."]);
    expect(code).toBe(2);
    expect(stderr).toContain("sub/.iaip-dsl.yaml:1:13: ");
  });

  test("SARIF links the pages that are there, and none for a rule of one's own", async () => {
    const flags = tea();
    line.put("a.md", "A money bill.\n");
    const { stdout } = await line.cli(["check", "a.md", "--format", "sarif", ...flags]);
    const { runs } = JSON.parse(stdout) as {
      runs: { tool: { driver: { rules: { id: string; helpUri?: string }[] } } }[];
    };
    expect(runs[0]?.tool.driver.rules).toMatchObject([{ id: "bill.named" }]);
    expect(runs[0]?.tool.driver.rules[0]).not.toHaveProperty("helpUri");
  });
});
