import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { conceptFile, teaVocabulary } from "../support/small-vocabulary.ts";

const folder = mkdtempSync(join(tmpdir(), "reload-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("a snapshot that was replaced is let go, with the views that were made of it", async () => {
  mkdirSync(join(folder, "craft"));
  for (const [name, text] of Object.entries(teaVocabulary)) writeFileSync(join(folder, name), text);
  const workspace = openWorkspace(folder, { log: silentLog, watch: true });
  await workspace.ready;
  const seen: WeakRef<object>[] = [];
  for (let round = 0; round < 5; round++) {
    const { snapshot } = workspace;
    seen.push(new WeakRef(snapshot), new WeakRef(snapshot.viewFor(localCaller())));
    const changed = new Promise<void>((resolve) => {
      const stop = workspace.onDidChange(() => {
        stop();
        resolve();
      });
    });
    writeFileSync(join(folder, "craft", "steeping.yaml"), conceptFile("steeping", "", { by_line: `round ${round}` }));
    await changed;
  }
  await new Promise((resume) => setTimeout(resume, 0));
  collectGarbage();
  // The newest of them may still be named by whoever was told of the last change.
  expect(seen.slice(0, -2).filter((it) => it.deref() !== undefined)).toEqual([]);
  await workspace.dispose();
}, 30_000);
