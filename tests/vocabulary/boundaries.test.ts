import { beforeAll, describe, expect, test } from "vitest";
import { checkCeremony } from "../../src/core/queries/check-ceremony.ts";
import { resolve } from "../../src/core/queries/resolve.ts";
import { suggest } from "../../src/core/queries/suggest.ts";
import { openShipped, type Shipped } from "./shipped.ts";

let shipped: Shipped;
beforeAll(async () => {
  shipped = await openShipped();
});

const boundaries = () => shipped.concepts.filter((it) => it.tier === "boundary");

describe("names of what is not told here", () => {
  test.each(["sun dance", "Vision Quest", "wetiko", "windigo", "sweat lodges", "potlatch", "hozho", "pipe ceremony"])(
    "%s is answered with whom to ask and nothing else",
    (asked) => {
      const found = resolve(shipped.view, asked);
      expect(found.kind).toBe("found");
      if (found.kind !== "found") return;
      const { concept, disclosure, notice } = found.concept;
      expect(disclosure).toBe("withheld");
      expect(notice).toMatch(/^Not told here\. Whom to ask: /);
      expect([concept.definition, concept.examples, concept.usage_contexts, concept.relations]).toEqual([
        null,
        [],
        [],
        [],
      ]);
    },
  );

  test("every one of them stops the ceremony check, by each of its names", () => {
    const passed = boundaries().flatMap(({ names }) =>
      names.filter(({ text }) => checkCeremony(shipped.view, `Plan a ${text} for the team.`).kind !== "stop"),
    );
    expect(passed.map((it) => it.text)).toEqual([]);
  });

  test("none of them is ever suggested, not even where the task names it", () => {
    const suggested = boundaries().flatMap(({ id, name }) =>
      suggest(shipped.view, `Write about ${name} and how it is done, for our app.`, 20).filter((it) => it.id === id),
    );
    expect(suggested).toEqual([]);
  });
});
