import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { resolve } from "../../src/core/queries/resolve.ts";
import { conceptsFolder, openShipped, type Shipped } from "./shipped.ts";

/** Ids and terms that the public repositories of the ecosystem use, by the concept that answers for them. */
const terms: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "ecosystem-terms.json"), "utf8"),
);
const { refused, ...answered } = terms;

let shipped: Shipped;
beforeAll(async () => {
  shipped = await openShipped();
});

test("each term of the ecosystem leads to the concept that speaks of it", () => {
  const wrong = Object.entries(answered).flatMap(([id, asked]) =>
    asked.flatMap((it) => {
      const found = resolve(shipped.view, it);
      const said = found.kind === "found" ? found.concept.concept.id : found.kind;
      return said === id ? [] : [`${it}: ${said} instead of ${id}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test("each term that has no file is refused in writing, with the reason", () => {
  const readme = readFileSync(join(conceptsFolder, "README.md"), "utf8");
  const rows = new Map([...readme.matchAll(/^\| (\S[^|]*?) \| (.+) \|$/gm)].map(([, word, why]) => [word!, why!]));
  for (const word of refused!) {
    expect(rows.get(word)?.length ?? 0, word).toBeGreaterThan(8);
    expect(resolve(shipped.view, word).kind, word).toBe("unknown");
  }
});
