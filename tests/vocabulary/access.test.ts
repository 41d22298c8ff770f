import { beforeAll, expect, test } from "vitest";
import { accessLevels, type Concept } from "../../src/core/concept/concept.ts";
import { openShipped } from "./shipped.ts";

/**
 * How the material on a concept stands in public, file by file. The rule is in `concepts/README.md`: it is the most
 * that a file may open, and a practice that is not for this tool opens less.
 */
const standing = {
  /** Fritz's, RISE's and IAIP's own terms, commons governance, rights instruments, and scholarship published by its authors. */
  published: [
    ...["advancing-pattern", "creating-vs-problem-solving", "creative-cycle", "creative-orientation"],
    ...["current-reality", "delayed-resolution", "desired-outcome", "gap-analysis", "managerial-moment-of-truth"],
    ...["oscillating-pattern", "premature-resolution", "reactive-responsive-orientation", "strategic-choices"],
    ...["structural-dynamics", "structural-tension", "structural-tension-chart", "structural-thinking"],
    ...["rise-export", "rise-framework", "rise-intent-extract", "rise-reverse-engineer", "rise-specify", "speclang"],
    ...["ceremonial-technology", "community-review", "consent-lifecycle", "eight-feelings", "extraction"],
    ...["importance-unit", "kinship-hub", "mia-and-miette", "narrative-beat", "polycentricity"],
    ...["prompt-decomposition", "relational-science", "three-universes", "wisdom-ledger"],
    ...["conversational-method", "decolonizing-methodologies", "desire-based-research", "ethical-space", "four-rs"],
    ...["indigenous-protocol-and-ai", "indigenous-research-paradigm", "reciprocity", "refusal"],
    ...["relational-accountability", "relationality", "research-as-ceremony", "respect", "responsibility"],
    ...["self-location", "elders-and-knowledge-keepers", "protocol", "restricted-knowledge"],
    ...["care-principles", "distinctions-based-governance", "fpic", "indigenous-data-governance"],
    ...["indigenous-data-sovereignty", "inuit-nisr", "nagoya-abs", "ocap", "tcps2-chapter-9", "tk-bc-labels"],
    ...["undrip", "usidsn"],
  ],
  /** Shared publicly by a holder or a community that is named. */
  "shared publicly": [
    ...["braiding-knowledges", "dish-with-one-spoon", "four-directions", "honorable-harvest"],
    ...["indigenous-storywork", "inuit-qaujimajatuqangit", "land-as-pedagogy", "maori-data-sovereignty"],
    ...["mino-bimaadiziwin", "msit-nokmaq", "netukulimk", "ohenton-karihwatehkwen", "seven-generations"],
    ...["seven-grandfather-teachings", "smudging", "talking-circle", "tobacco-offering", "two-eyed-seeing"],
  ],
  /** Mentioned in public, with a meaning or a part that is its holders' to give. */
  "pointed to": ["ceremony", "firekeeper", "kaswentha", "medicine-wheel", "wahkohtowin"],
  /** A name and whom to ask. */
  "not told": [
    ...["ceremonial-fast", "ghost-dance", "inawendiwin", "medicine-bundle", "medicine-masks", "midewiwin"],
    ...["moon-ceremony", "pipe-ceremony", "potlatch", "saah-naaghai-bikeh-hozhoon", "shaking-tent", "spirit-feeding"],
    ...["spirit-name", "sun-dance", "sweat-lodge", "vision-quest", "wetiko"],
  ],
} as const;

type Standing = keyof typeof standing;

const mostOpen: Readonly<Record<Standing, Concept["ocap"]["access"]>> = {
  published: "open",
  "shared publicly": "open",
  "pointed to": "restricted",
  "not told": "ceremony_required",
};

const isHeldPractice = ({ node_type, indigenous_connections }: Concept) =>
  node_type === "practice" && indigenous_connections.ceremonial.level === "not-for-this-tool";

let concepts: readonly Concept[];
beforeAll(async () => {
  concepts = (await openShipped()).concepts;
});

const standingOf = (id: string) =>
  (Object.keys(standing) as Standing[]).filter((it) => (standing[it] as readonly string[]).includes(id));

test("each file stands in the table once", () => {
  expect(concepts.filter(({ id }) => standingOf(id).length !== 1).map((it) => it.id)).toEqual([]);
  const known = new Set(concepts.map((it) => it.id));
  const told = Object.values(standing).flat();
  expect(told.filter((id) => !known.has(id))).toEqual([]);
});

test("access is what the rule says, file by file", () => {
  const wrong = concepts.flatMap((concept) => {
    const rule = isHeldPractice(concept) ? "ceremony_required" : mostOpen[standingOf(concept.id)[0]!];
    return concept.ocap.access === rule ? [] : [`${concept.id}: ${concept.ocap.access}, by the rule ${rule}`];
  });
  expect(wrong).toEqual([]);
});

test("no file opens more than the public standing of its material", () => {
  const wider = concepts.filter(({ id, ocap }) => {
    const [told] = standingOf(id);
    return accessLevels.indexOf(ocap.access) < accessLevels.indexOf(mostOpen[told!]);
  });
  expect(wider.map((it) => it.id)).toEqual([]);
});

test("what is not told carries a name and whom to ask", () => {
  for (const { id, tier, holder, names } of concepts.filter((it) => standingOf(it.id)[0] === "not told")) {
    expect(tier, id).toBe("boundary");
    expect(holder, id).not.toBe("");
    expect(names.length, id).toBeGreaterThan(0);
  }
});
