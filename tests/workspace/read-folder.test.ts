import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { conceptFile, teaVocabulary } from "../support/small-vocabulary.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "iaip-folder-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function loaded(files: Readonly<Record<string, string>>) {
  for (const [file, text] of Object.entries({ ...teaVocabulary, ...files })) write(`concepts/${file}`, text);
  const workspace = openWorkspace(join(folder, "concepts"), { log: silentLog, watch: false });
  await workspace.ready;
  return workspace;
}

const codes = (problems: readonly { readonly code: string; readonly file: string }[]) =>
  problems.map((it) => `${it.file} ${it.code}`);

describe("a link in a vocabulary folder", () => {
  test("that leads to a file outside is named and not read", async () => {
    const outside = write("private/notes.yaml", "id: [secret words\n");
    mkdirSync(join(folder, "concepts/craft"), { recursive: true });
    symlinkSync(outside, join(folder, "concepts/craft/notes.yaml"));
    const { snapshot } = await loaded({});
    expect(codes(snapshot.problems)).toEqual(["craft/notes.yaml file.outside"]);
    expect(JSON.stringify(snapshot.problems)).not.toContain("secret words");
  });

  test("that leads to a folder outside is named and not entered", async () => {
    write("elsewhere/pour.yaml", conceptFile("pour"));
    mkdirSync(join(folder, "concepts"), { recursive: true });
    symlinkSync(join(folder, "elsewhere"), join(folder, "concepts/craft"));
    const { snapshot } = await loaded({});
    expect(codes(snapshot.problems)).toEqual(["craft file.outside"]);
    expect(snapshot.undisclosed.size).toBe(0);
  });

  test("that stays inside is read, as mounted configuration has it", async () => {
    write("concepts/..data/pour.yaml", conceptFile("pour"));
    mkdirSync(join(folder, "concepts/craft"), { recursive: true });
    symlinkSync("../..data/pour.yaml", join(folder, "concepts/craft/pour.yaml"));
    const { snapshot } = await loaded({});
    expect(snapshot.problems).toEqual([]);
    expect([...snapshot.undisclosed.keys()]).toEqual(["pour"]);
  });

  test("that is turned outward between two reads is named, and its concept goes", async () => {
    const outside = write("private/pour.yaml", conceptFile("pour", "", { definition: "Other people's words." }));
    const workspace = await loaded({ "craft/pour.yaml": conceptFile("pour") });
    const path = join(folder, "concepts/craft/pour.yaml");
    rmSync(path);
    symlinkSync(outside, path);
    await workspace.reload();
    expect(codes(workspace.snapshot.problems)).toContain("craft/pour.yaml file.outside");
    expect(workspace.snapshot.undisclosed.has("pour")).toBe(false);
  });
});

describe("loading", () => {
  test("reads a file whose ending is in capitals", async () => {
    const { snapshot } = await loaded({
      "craft/pour.YAML": conceptFile("pour"),
      "craft/boil.Yml": conceptFile("boil"),
    });
    expect(snapshot.problems).toEqual([]);
    expect(snapshot.undisclosed.size).toBe(2);
  });

  test("names a second document at its place and keeps the first", async () => {
    const first = conceptFile("pour");
    const { snapshot } = await loaded({ "craft/pour.yaml": `${first}---\n${conceptFile("boil")}` });
    expect(codes(snapshot.problems)).toEqual(["craft/pour.yaml yaml.second-document"]);
    expect(snapshot.problems[0]?.range.start).toEqual({ line: first.split("\n").length - 1, character: 0 });
    expect([...snapshot.undisclosed.keys()]).toEqual(["pour"]);
  });

  test("lets no file name decide between two files with one id", async () => {
    const [a, b] = [
      conceptFile("pour"),
      conceptFile("pour", "", { definition: "Another definition of the same word." }),
    ];
    const one = (await loaded({ "craft/a.yaml": a, "craft/b.yaml": b })).snapshot;
    expect(codes(one.problems)).toEqual(["craft/a.yaml id.duplicate", "craft/b.yaml id.duplicate"]);
    expect(one.undisclosed.has("pour")).toBe(false);
  });

  test("keeps the concept that was there when a copy of its file appears, whatever the copy is called", async () => {
    const workspace = await loaded({ "craft/pour.yaml": conceptFile("pour") });
    write(
      "concepts/craft/a-copy.yaml",
      conceptFile("pour", "", { definition: "Another definition of the same word." }),
    );
    await workspace.reload();
    expect(codes(workspace.snapshot.problems)).toEqual(["craft/a-copy.yaml id.duplicate"]);
    expect(workspace.snapshot.undisclosed.get("pour")?.definition).toContain("What cooks");
  });

  test("tells every listener, though another one fails", async () => {
    const lines: string[] = [];
    for (const [file, text] of Object.entries(teaVocabulary)) write(`concepts/${file}`, text);
    const workspace = openWorkspace(join(folder, "concepts"), {
      log: (_level, it) => void lines.push(it),
      watch: false,
    });
    const heard: number[] = [];
    workspace.onDidChange(() => {
      throw new Error("a listener's own fault");
    });
    workspace.onDidChange((_previous, next) => void heard.push(next.sequence));
    await workspace.ready;
    expect(heard).toEqual([1]);
    expect(lines).toContain("a listener to vocabulary changes failed");
  });
});
