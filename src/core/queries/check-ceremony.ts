import type { Disclosed } from "../concept/disclosure.ts";
import { searchTerms } from "../snapshot/search-terms.ts";
import type { CallerView } from "../snapshot/view.ts";

/** The only three things a ceremony check may say. It never advises on ceremony itself. */
export interface CeremonyCheck {
  readonly kind: "stop" | "ask" | "not-marked";
  readonly answer: string;
  /** The concepts that decided it. */
  readonly concepts: readonly Disclosed[];
}

/** Reads a proposed action for what touches ceremony: concepts it names, and the words people use around ceremony. */
export function checkCeremony(view: CallerView, action: string): CeremonyCheck {
  const text = action.replace(borrowedSense, " ");
  const named = mentioned(view, text);
  const level = (wanted: string) => named.filter((it) => it.concept.indigenous_connections.ceremonial.level === wanted);
  const held = level("not-for-this-tool");
  if (held.length > 0) return stop(held);
  const cue = ceremonyCue(text.toLowerCase());
  if (cue === "stop") return stop([]);
  const touching = level("may-touch");
  if (touching.length > 0 || cue === "ask") return ask(touching);
  return {
    kind: "not-marked",
    concepts: [],
    answer:
      "Nothing in this vocabulary marks this action; that is not permission. If people, their knowledge or their land are concerned, ask them.",
  };
}

function stop(concepts: readonly Disclosed[]): CeremonyCheck {
  return {
    kind: "stop",
    concepts,
    answer: `Stop: this touches ceremony, and ceremony is not for this tool. ${whom(concepts)} Do not proceed until they answer.`,
  };
}

function ask(concepts: readonly Disclosed[]): CeremonyCheck {
  return {
    kind: "ask",
    concepts,
    answer: `Ask first: this may touch ceremony or what belongs to it. ${whom(concepts)} Do not proceed until they answer.`,
  };
}

function whom(concepts: readonly Disclosed[]): string {
  const holders = concepts
    .slice(0, 3)
    .map(({ concept }) => `${concept.name}: ${concept.holder.replace(/[.\s]+$/, "")}`);
  const named =
    holders.length > 0 ? `Ask the people who hold it (${holders.join("; ")})` : "Ask the people who hold it";
  return `${named}: the Elders, Knowledge Keepers or community concerned.`;
}

function mentioned(view: CallerView, text: string): readonly Disclosed[] {
  const ids = view.names.find(text).flatMap((it) => it.candidates.map((candidate) => candidate.id));
  return [...new Set(ids)].map((id) => view.concepts.get(id)!);
}

/** Words for ceremony that name no concept of the vocabulary. Deciding to stop asks for one; asking, for a hint. */
function ceremonyCue(text: string): "stop" | "ask" | undefined {
  if (stopCues.test(text)) return "stop";
  const stems = new Set(searchTerms(text).map((it) => it.stem));
  return askCues.test(text) || (stems.has("elder") && !/\belder (?:care|brother|sister|scrolls|sign)\b/.test(text))
    ? "ask"
    : undefined;
}

const stopCues =
  /\b(?:sweat ?lodges?|sun ?dances?|vision quests?|pipe ceremon\w+|sacred pipes?|smudg\w+|naming ceremon\w+|ceremonial songs?|honou?r songs?|medicine bundles?|sacred bundles?|midewiwin|shaking tents?|ghost dances?|potlatch\w*|sacred fires?|grave goods?|burial grounds?|powwow songs?|prayers?|blessings?(?! in disguise| of the (?:boss|board|team))|burn(?:s|ed|ing)? (?:some |the |white )?sage|ceremon(?:y|ies|ial)|sacred (?:songs?|stories|objects?|items?|sites?|knowledge|teachings?|medicines?)|spirit names?|wampum (?:belt )?readings?)\b/;
const askCues =
  /\b(?:sacred|rituals?|medicines|sweetgrass|sage bundle|tobacco|eagle feathers?|regalia|land acknowledg\w+|knowledge (?:keepers?|holders?)|oral (?:history|histories|tradition\w*)|creation stor(?:y|ies)|traditional stor(?:y|ies)|clan stor(?:y|ies)|opening words|in a good way|drum(?:s|ming)? (?:songs?|group|circle)|spiritual\w*|ancestors?|repatriat\w+)\b/;

/**
 * Meetings and software that borrow the word: "agile ceremonies", "release ceremony", "key ceremony". Only these words
 * are set aside; what else the action says is read as it stands.
 */
const borrowedSense =
  /\b(?:agile|scrum|sprint|release|deploy(?:ment)?|merge|git|stand-?ups?|retro(?:spective)?s?|key(?:-signing)?|signing|code|awards?|opening|graduation|ribbon) ceremon(?:y|ies)\b|\bceremon(?:y|ies) (?:like|such as) (?:stand-?ups?|retro)/gi;
