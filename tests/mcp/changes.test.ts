import { expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { type Caller, localCaller } from "../../src/core/concept/caller.ts";
import { parseFile } from "../../src/core/concept/parse-file.ts";
import { buildSnapshot, type Snapshot } from "../../src/core/snapshot/snapshot.ts";
import { noLedger } from "../../src/ledger/no-ledger.ts";
import { type Change, surfaceChanges } from "../../src/mcp/changes.ts";
import { surfaceFor } from "../../src/mcp/surface-for.ts";
import { conceptFile, type Files, teaVocabulary } from "../support/small-vocabulary.ts";

const before: Files = {
  ...teaVocabulary,
  "craft/boil.yaml": conceptFile("boil"),
  "craft/pour.yaml": conceptFile("pour"),
  "craft/rest.yaml": conceptFile("rest", "relations: [{ type: enables, to: steep, source: B1 }]\n"),
  "craft/steep.yaml": conceptFile("steep", "relations: [{ type: enables, to: boil, source: B1 }]\n"),
};

/** What a reload tells each caller when these files change, the others being parsed only once, as the workspace does. */
async function changesFor(
  callers: readonly Caller[],
  changed: Files,
  old: Files = before,
): Promise<readonly (Change | undefined)[]> {
  const parsed = new Map(Object.entries(old).map(([file, text]) => [file, parseFile(file, text)]));
  let snapshot = buildSnapshot([...parsed.values()], { sequence: 1 });
  let announce: (previous: Snapshot, next: Snapshot) => void = () => undefined;
  const source = {
    get snapshot() {
      return snapshot;
    },
    ready: Promise.resolve(),
    onDidChange(listener: typeof announce) {
      announce = listener;
      return () => undefined;
    },
  };
  const surface = () => surfaceFor(snapshot, "0.0.0");
  const changes = surfaceChanges({ surface, source, ledger: noLedger(), log: silentLog });
  const all: (Change | undefined)[] = callers.map(() => undefined);
  callers.forEach((caller, index) => {
    changes.listen(
      () => caller,
      (change) => {
        all[index] = change;
      },
    );
  });
  for (const [file, text] of Object.entries(changed)) parsed.set(file, parseFile(file, text));
  const previous = snapshot;
  snapshot = buildSnapshot([...parsed.values()], { sequence: 2 });
  announce(previous, snapshot);
  return all;
}

async function told(changed: Files): Promise<Change> {
  return (await changesFor([localCaller()], changed))[0]!;
}

const concepts = ({ updated }: Change) =>
  updated.filter((it) => /^iaip:\/\/concepts\/(?:boil|pour|rest|steep)$/.test(it)).map((it) => it.split("/").at(-1));

test("a changed concept is announced with those that tell its name, and no other", async () => {
  const steep = conceptFile("steep", "relations: [{ type: enables, to: boil, source: B1 }]\n", { name: "Steeping" });
  expect(concepts(await told({ "craft/steep.yaml": steep })).sort()).toEqual(["boil", "rest", "steep"]);
  expect(concepts(await told({ "craft/pour.yaml": conceptFile("pour", "aliases: [tip]\n") }))).toEqual(["pour"]);
});

test("a relation that went is announced at both its ends", async () => {
  expect(concepts(await told({ "craft/steep.yaml": conceptFile("steep") })).sort()).toEqual(["boil", "rest", "steep"]);
});

test("a changed scheme is announced for every concept, and registry, graph and directions always", async () => {
  const vocabulary = before["vocabulary.yaml"]!.replace("name: First,", "name: To begin with,");
  const change = await told({ "vocabulary.yaml": vocabulary });
  expect(concepts(change)).toHaveLength(4);
  for (const uri of ["iaip://concepts/registry", "iaip://concepts/graph", "iaip://concepts/directions/first"])
    expect(change.updated).toContain(uri);
});

test("a guarded file that changes is announced to those who are given it, and to nobody else", async () => {
  const guard = `ocap: { relevance: some, access: ceremony_required, status: not-assessed }
governance: { care: [], protocols: [tasters], agent_may: [], agent_may_not: [] }
`;
  const night = (definition: string): Files => ({ "craft/night.yaml": conceptFile("night", guard, { definition }) });
  const callers = [localCaller(["tasters"]), localCaller()];
  const [granted, plain] = await changesFor(callers, night("Other words."), { ...before, ...night("Some words.") });
  expect(granted?.updated).toContain("iaip://concepts/night");
  expect(plain).toBeUndefined();
});
