import type { Concept } from "../concept/concept.ts";
import type { Problem } from "../concept/problem.ts";
import { storedType } from "../concept/relation-rules.ts";
import { compare } from "../snapshot/relation-graph.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { checkLabels, type Fault } from "./check-labels.ts";
import { checkRemarks } from "./check-remarks.ts";
import { componentsOf, cyclesOf } from "./graph-shape.ts";
import { sentences } from "./sentences.ts";

/** What thesaurus people check beyond what loading needs; each finding has a name, a severity and a place. */
export function checkConcepts(snapshot: Snapshot): readonly Problem[] {
  const all = [...snapshot.undisclosed.values()];
  const fault: Fault = (concept, code, severity, message, path = []) => {
    const place = snapshot.placeOf(concept.id, path)!;
    return { code, severity, file: place.file, range: place.range, message };
  };
  return [
    ...checkLabels(all, fault),
    ...all.flatMap((it) => documentation(it, fault)),
    ...all.flatMap((it) => pointer(it, fault)),
    ...all.flatMap((it) => openCeremony(it, fault)),
    ...all.flatMap((it) => misplaced(snapshot, it, fault)),
    ...shape(snapshot, all, fault),
    ...redundantRelations(all, fault),
    ...checkRemarks(snapshot, all, fault),
    ...brokenLinks(snapshot),
  ].sort((a, b) => compare(a.file, b.file) || a.range.start.line - b.range.start.line || compare(a.code, b.code));
}

function documentation(concept: Concept, fault: Fault): Problem[] {
  const problems: Problem[] = [];
  const definition = concept.definition ?? "";
  const count = sentences(definition).length;
  if (concept.tier === "full" && definition.length < 40)
    problems.push(
      fault(
        concept,
        "concept.undocumented",
        "warning",
        `The definition of \`${concept.id}\` is a few words only. Say in two to four sentences what it is.`,
        ["definition"],
      ),
    );
  if (concept.tier !== "boundary" && concept.sources.length === 0)
    problems.push(
      fault(concept, "concept.unsourced", "warning", `\`${concept.id}\` names no source. Add one from sources.yaml.`),
    );
  if (concept.tier === "full" && 8 < count)
    problems.push(
      fault(concept, "definition.long", "information", `The definition has ${count} sentences. Two to four are read.`, [
        "definition",
      ]),
    );
  return problems;
}

function pointer(concept: Concept, fault: Fault): Problem[] {
  if (concept.tier !== "pointer") return [];
  const problems: Problem[] = [];
  const { two_eyed_seeing, polycentric } = concept.indigenous_connections;
  if (2 < sentences(concept.definition ?? "").length)
    problems.push(
      fault(
        concept,
        "pointer.elaborated",
        "error",
        `\`${concept.id}\` is a pointer and says more than two sentences. Leave the rest to its holders.`,
        ["definition"],
      ),
    );
  if (two_eyed_seeing !== null || polycentric !== null || concept.examples.length > 0)
    problems.push(
      fault(
        concept,
        "pointer.elaborated",
        "error",
        `\`${concept.id}\` is a pointer and carries context or examples. Remove them.`,
      ),
    );
  return problems;
}

/** A practice of ceremony is never open: what its file says beyond a name waits for those who hold it. */
function openCeremony(concept: Concept, fault: Fault): Problem[] {
  const { level } = concept.indigenous_connections.ceremonial;
  if (level !== "not-for-this-tool" || concept.node_type !== "practice" || concept.ocap.access !== "open") return [];
  const message = `\`${concept.id}\` is a practice that is not for this tool, with access \`open\`. Use \`ceremony_required\`.`;
  return [fault(concept, "ceremony.open", "warning", message, ["ocap", "access"])];
}

function misplaced(snapshot: Snapshot, concept: Concept, fault: Fault): Problem[] {
  const folder = snapshot.vocabulary.categories.find((it) => it.id === concept.category)!.folder;
  const wanted = [`${folder}/${concept.id}.yaml`, `${folder}/${concept.id}.yml`];
  const { file } = snapshot.placeOf(concept.id)!;
  if (wanted.includes(file)) return [];
  return [
    fault(
      concept,
      "file.misplaced",
      "warning",
      `\`${concept.id}\` of category ${concept.category} belongs in ${wanted[0]}. Move the file.`,
      ["id"],
    ),
  ];
}

function shape(snapshot: Snapshot, all: readonly Concept[], fault: Fault): Problem[] {
  const byId = snapshot.undisclosed;
  const links = all.flatMap((it) => it.relations.map(({ type, to }) => ({ from: it.id, type, to })));
  const components = componentsOf([...byId.keys()], links);
  const orphans = components.filter((it) => it.length === 1 && 1 < all.length).map(([id]) => byId.get(id!)!);
  const clusters = components.filter((it) => 1 < it.length).slice(1);
  const symmetric = new Set(snapshot.vocabulary.relation_types.filter((it) => it.symmetric).map((it) => it.id));
  const directed = links.flatMap((it) => {
    const stored = storedType(snapshot.vocabulary, it.type);
    if (symmetric.has(stored)) return [];
    return [stored === it.type ? it : { from: it.to, type: stored, to: it.from }];
  });
  const oneWay = snapshot.vocabulary.relation_types.filter((it) => !it.symmetric && it.inverse === undefined);
  return [
    ...orphans
      .filter((it) => it.tier !== "boundary")
      .map((it) =>
        fault(
          it,
          "concept.orphan",
          "warning",
          `\`${it.id}\` is related to no concept. Relate it, or ask whether it belongs here.`,
          ["id"],
        ),
      ),
    ...clusters.map((ids) =>
      fault(
        byId.get(ids[0]!)!,
        "cluster.disconnected",
        "warning",
        `These ${ids.length} concepts are not connected to the rest: ${ids.slice(0, 8).join(", ")}. Relate one of them to another.`,
        ["id"],
      ),
    ),
    ...cyclesOf(directed).map(({ type, ids }) =>
      fault(
        byId.get(ids[0]!)!,
        "relation.cycle",
        "warning",
        `\`${type}\` goes round in a circle: ${[...ids, ids[0]].join(" → ")}. Remove one of the relations.`,
        ["relations"],
      ),
    ),
    ...oneWay.flatMap(({ id }) =>
      all
        .filter((it) => it.relations.some((relation) => relation.type === id))
        .slice(0, 1)
        .map((it) =>
          fault(
            it,
            "relation.one-way",
            "warning",
            `\`${id}\` has no inverse, so it cannot be read from the other side. Give it one in vocabulary.yaml.`,
            ["relations"],
          ),
        ),
    ),
  ];
}

function redundantRelations(all: readonly Concept[], fault: Fault): Problem[] {
  const seen = new Map<string, string>();
  return all.flatMap((concept) =>
    concept.relations.flatMap(({ to }, i) => {
      const pair = [concept.id, to].sort(compare).join(" ");
      const before = seen.get(pair);
      seen.set(pair, before ?? concept.id);
      if (before === undefined) return [];
      return [
        fault(
          concept,
          "relation.redundant",
          "warning",
          `\`${concept.id}\` and \`${to}\` are already related in the file of \`${before}\`. Keep one relation for a pair.`,
          ["relations", i],
        ),
      ];
    }),
  );
}

/** Addresses that are none; whether they answer is not asked. */
function brokenLinks(snapshot: Snapshot): Problem[] {
  return Object.entries(snapshot.sources).flatMap(([key, { url, doi }]) => {
    const isLink = url === undefined || /^https?:\/\/[^\s/.]+\.[^\s]+$/.test(url);
    const isDoi = doi === undefined || /^10\.\d{4,9}\/\S+$/.test(doi);
    if (isLink && isDoi) return [];
    const place = snapshot.placeOfSource(key);
    const message = isLink
      ? `\`${doi}\` is no DOI. Write it like \`10.5334/dsj-2020-043\`.`
      : `\`${url}\` is no address. Write it with https://.`;
    return [{ code: "source.broken-link", severity: "warning" as const, ...place, message }];
  });
}
