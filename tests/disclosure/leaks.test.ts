import { afterEach, describe, expect, test } from "vitest";
import { type OpenPair, openPair } from "./open-world.ts";
import { surfaces } from "./surfaces.ts";
import { pairs, secret } from "./worlds.ts";

const open: OpenPair[] = [];
afterEach(async () => {
  for (const world of open.splice(0)) await world.close();
});

/** What differs from run to run and says nothing: folders, ports, ids of events, moments. */
function comparable(world: OpenPair, answers: unknown): string {
  const plain = JSON.stringify(answers, (_key, value: unknown) => (value instanceof Set ? [...value] : value));
  return plain
    .replaceAll(world.both.folder, "FOLDER")
    .replaceAll(world.http.url, "URL")
    .replace(/01[0-9A-HJKMNP-TV-Z]{24}|[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "MOMENT");
}

/** Told one by one, so that a difference is read at a glance. */
const parts = (text: string): readonly string[] => text.split(/(?<=[,{])/);

describe.each(pairs)("$name", ({ guarded, absent, edited }) => {
  test.each(surfaces)("is not to be found through $name", async ({ answers }) => {
    const [one, other] = [await openPair(guarded, edited), await openPair(absent, {})];
    open.push(one, other);
    const [told, wanted] = [comparable(one, await answers(one)), comparable(other, await answers(other))];
    expect(parts(told)).toEqual(parts(wanted));
  });

  test("is found by those who are granted it", async () => {
    const world = await openPair(guarded, edited, ["tasters"]);
    open.push(world);
    const { text } = await world.both.call("iaip_concept_lookup", { concept: "night-pour" });
    expect(text).toContain(secret);
  });
});
