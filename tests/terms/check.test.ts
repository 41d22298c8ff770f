import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CheckOptions } from "../../src/cli/commands/check/check.ts";
import { runCheck } from "../../src/cli/commands/check/check.ts";
import { runExplain } from "../../src/cli/commands/check/explain.ts";
import { readSettingsOf } from "../../src/cli/kit/command.ts";
import { type Io, UsageError } from "../../src/cli/kit/io.ts";
import { readSettings } from "../../src/settings/read-settings.ts";
import type { Settings } from "../../src/settings/schema.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "check-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function run(
  options: Partial<CheckOptions> = {},
  more: { stdin?: string; isTerminal?: boolean; failOn?: Settings["fail-on"] } = {},
) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const io: Io = {
    stdin: Readable.from([more.stdin ?? ""]),
    stdout,
    stderr,
    env: { XDG_CONFIG_HOME: folder },
    cwd: folder,
    isTerminal: more.isTerminal ?? false,
  };
  const settings = await readSettingsOf({ failOn: more.failOn }, io, "wording");
  const code = await runCheck({ paths: [], ...options }, settings, io);
  return { code, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? "") };
}

describe("iaip-dsl check", () => {
  it("names the place, the advice and the rule, and exits 1", async () => {
    put("a.md", "Fine.\n\nCoffee is my spirit animal.\n");
    const { code, out } = await run();
    expect(code).toBe(1);
    expect(out).toContain("a.md\n  3:14");
    expect(out).toContain("borrowed.spirit-animal");
    expect(out).toContain("1 file read, 1 finding");
    expect(out).not.toContain("\u001b[");
  });

  it("colors only a terminal", async () => {
    put("a.md", "Coffee is my spirit animal.\n");
    expect((await run({}, { isTerminal: true })).out).toContain("\u001b[31m");
  });

  it("exits 0 on clean texts and by --fail-on", async () => {
    put("a.md", "Steps to bridge the gap to our vision.\n");
    expect((await run()).code).toBe(0);
    expect((await run({}, { failOn: "information" })).code).toBe(1);
    expect((await run({}, { failOn: "none" })).code).toBe(0);
  });

  it("takes files, folders and globs, and says what is not there", async () => {
    put("docs/a.md", "My spirit animal.\n");
    put("docs/deep/b.txt", "My spirit animal.\n");
    put("c.md", "My spirit animal.\n");
    expect((await run({ paths: ["docs"] })).out).toContain("2 files read, 2 findings");
    expect((await run({ paths: ["docs/**/*.md"] })).out).toContain("1 file read, 1 finding");
    expect((await run({ paths: ["c.md"] })).out).toContain("1 file read, 1 finding");
    await expect(run({ paths: ["nowhere.md"] })).rejects.toThrow(UsageError);
  });

  it("leaves out what git ignores, and node_modules", async () => {
    put(".gitignore", "build/\n*.log.md\n!keep.log.md\n");
    put("build/a.md", "My spirit animal.\n");
    put("x.log.md", "My spirit animal.\n");
    put("keep.log.md", "My spirit animal.\n");
    put("sub/.gitignore", "own.md\n");
    put("sub/own.md", "My spirit animal.\n");
    put("node_modules/p/README.md", "My spirit animal.\n");
    const { out } = await run({ format: "json" });
    const { files } = JSON.parse(out) as { files: { file: string }[] };
    expect(files.map((file) => file.file)).toEqual(["keep.log.md"]);
  });

  it("names files of unknown kinds instead of passing them", async () => {
    put("a.xyz", "My spirit animal.\n");
    put("b.md", "Clean.\n");
    const { out } = await run();
    expect(out).toContain("Not read, since their kind is unknown: a.xyz");
  });

  it("reads the comments of source files", async () => {
    put("a.ts", 'const a = "my spirit animal"; // my spirit animal\n');
    expect((await run()).out).toContain("1:37");
  });

  it("reads standard input under a name", async () => {
    const { code, out } = await run({ stdinFilename: "x.py" }, { stdin: "# my spirit animal\n" });
    expect(code).toBe(1);
    expect(out).toContain("x.py\n  1:6");
    await expect(run({ stdinFilename: "x.xyz" })).rejects.toThrow(UsageError);
  });

  it("reads what is staged, as it is staged", async () => {
    const git = (...args: string[]) => spawnSync("git", args, { cwd: folder, encoding: "utf8" });
    git("init", "-q");
    put("a.md", "My spirit animal.\n");
    put("b.md", "My spirit animal.\n");
    git("add", "a.md");
    writeFileSync(join(folder, "a.md"), "Clean now.\n");
    const { code, out } = await run({ staged: true });
    expect(code).toBe(1);
    expect(out).toContain("1 file read, 1 finding");
  });

  it("makes only the changes that are always right", async () => {
    put("a.md", "We follow OCAP with indigenous communities, and my spirit animal agrees.\n");
    const { out } = await run({ fix: true });
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe(
      "We follow OCAP® with Indigenous communities, and my spirit animal agrees.\n",
    );
    expect(out).toContain("1 finding, 2 fixed");
    await run({ fix: true });
    expect(readFileSync(join(folder, "a.md"), "utf8")).toContain("OCAP® with Indigenous");
  });

  it("prints SARIF, workflow commands and Checkstyle", async () => {
    put("a b.md", 'My "spirit" & my spirit animal.\n');
    const sarif = JSON.parse((await run({ format: "sarif" })).out) as {
      runs: { results: { ruleId: string; locations: unknown[] }[] }[];
    };
    expect(sarif.runs[0]?.results[0]?.ruleId).toBe("borrowed.spirit-animal");
    expect((await run({ format: "github" })).out).toMatch(
      /^::error file=a b\.md,line=1,endLine=1,col=18,endColumn=31,/,
    );
    expect((await run({ format: "checkstyle" })).out).toContain('<error line="1" column="18" severity="error"');
  });

  it("obeys the project file: rules, accepted wordings, paths and what is left out", async () => {
    put(
      ".iaip-dsl.yaml",
      [
        "strictness: standard",
        "rules: { gap.bridged: error }",
        "accept: [our tribe of makers]",
        "ignore: [vendor/]",
        "overrides:",
        "  - files: [legal/**]",
        "    rules: { people.indian: off }",
        "",
      ].join("\n"),
    );
    put("a.md", "Bridge the gap to the vision with our tribe of makers.\n");
    put("legal/b.md", "The Indians who signed.\n");
    put("vendor/c.md", "My spirit animal.\n");
    const { code, out } = await run({ format: "json" });
    const { files } = JSON.parse(out) as { files: { file: string; findings: { rule: string; severity: string }[] }[] };
    expect(code).toBe(1);
    const found = files.map((file) => [file.file, file.findings.map((it) => `${it.rule} ${it.severity}`)]);
    expect(found).toEqual([
      [".iaip-dsl.yaml", []],
      ["a.md", ["gap.bridged error"]],
      ["legal/b.md", []],
    ]);
  });

  it("refuses a project file that it cannot understand", async () => {
    put(".iaip-dsl.yaml", "rules: { gap.bridged: loud }\n");
    await expect(run()).rejects.toThrow(/rules\.gap\.bridged/);
  });

  it("reports suppressions that silence nothing", async () => {
    put("a.md", "<!-- iaip-dsl-disable-next-line gap.bridged -->\nClean text.\n");
    expect((await run()).out).toContain('Nothing here needed "gap.bridged" to be disabled');
  });
});

describe("iaip-dsl explain", () => {
  it("prints a rule's page, the table of all, and a near name for a wrong one", async () => {
    const stdout = new PassThrough();
    const io: Io = {
      stdin: Readable.from([]),
      stdout,
      stderr: new PassThrough(),
      env: {},
      cwd: folder,
      isTerminal: false,
    };
    const { settings } = await readSettings({ flags: {}, env: {}, cwd: folder, home: folder });
    await runExplain("gap.bridged", settings, io);
    expect(String(stdout.read())).toContain("# gap.bridged\n");
    await runExplain(undefined, settings, io);
    expect(String(stdout.read())).toContain("| `ocap.claimed` | error |");
    await expect(runExplain("gap.brigded", settings, io)).rejects.toThrow(/Did you mean `gap\.bridged`/);
  });
});
