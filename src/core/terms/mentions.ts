import { breaks } from "../text/words/tokens.ts";
import type { Hit } from "./automaton.ts";
import type { CompiledRule } from "./compile-rules.ts";
import type { PassageView } from "./passage-view.ts";

/** Why a match is not a use: the text speaks about the word, teaches it, or says that it is not so. */
export function mentionReason(view: PassageView, hit: Hit, rule: CompiledRule): string | undefined {
  if (
    isTaught(view, hit) ||
    (!rule.readings.some((reading) => reading.outcome) && isBehind(view, hit, "mention-avoid"))
  )
    return "the text speaks about the wording";
  if (rule.rule.self_naming === "silent" && isSelfNamed(view, hit))
    return "a person's or people's own name for themselves";
  if (rule.rule.negation === "silent" && isNegated(view, hit)) return "the text says that it is not so";
  return undefined;
}

function isTaught(view: PassageView, hit: Hit): boolean {
  if (isBehind(view, hit, "mention-before")) return true;
  if (isContrasted(view, hit)) return true;
  const after = view.after(view.rules.set("mention-after"), hit.to, 3);
  if (after !== undefined && onlyFillers(view, hit.to, after.start)) return true;
  if (isArrow(view, hit)) return true;
  if (isWeighed(view, hit) || isLeft(view, hit)) return true;
  const whole = view.sentence(hit.from);
  return view.within(view.rules.set("teaching-sentence"), whole.from, whole.to) !== undefined;
}

/** `Is spirit animal offensive?`, `Is it OK to say powwow?`: a question about the wording. */
function isWeighed(view: PassageView, hit: Hit): boolean {
  const { from, to } = view.sentence(hit.from);
  const end = view.tokens.end[to - 1] ?? 0;
  if (!/^["'”’)\s]*\?/.test(view.passage.text.slice(end, end + 6)) && view.passage.kind !== "heading") return false;
  const asks = view.within(view.rules.set("weighing-question"), from, hit.from);
  if (asks !== undefined && onlyFillers(view, asks.end, hit.from)) return true;
  const verdict = view.after(view.rules.set("verdict"), hit.to, 3);
  return verdict !== undefined && hit.from - from <= 4 && verdict.end <= to;
}

/** `shift from X to Y`, `X versus Y`, `X → Y`: what the text leaves, or weighs against what it wants. */
function isLeft(view: PassageView, hit: Hit): boolean {
  const leaves = view.before(view.rules.set("leaving"), hit.from, 4);
  if (leaves !== undefined && onlyFillers(view, leaves.end, hit.from)) {
    const toward = view.after(view.rules.set("toward"), hit.to, 6);
    if (toward !== undefined && toward.end <= view.sentence(hit.from).to) return true;
  }
  const against = view.after(view.rules.set("versus"), hit.to, 0);
  if (against !== undefined && (view.tokens.gap[against.start] ?? 0) <= breaks.phrase) return true;
  const before = view.before(view.rules.set("versus"), hit.from, 1);
  return before !== undefined && onlyFillers(view, before.end, hit.from);
}

function isBehind(view: PassageView, hit: Hit, set: string): boolean {
  const before = view.before(view.rules.set(set), hit.from, listReach);
  return before !== undefined && onlyFillers(view, before.end, hit.from);
}

/** `say rights holders, not stakeholders`: a "not" that a comma parts from what is said instead. */
function isContrasted(view: PassageView, hit: Hit): boolean {
  let at = hit.from - 1;
  while (at > 0 && hit.from - at < 4 && /^(?:an?|the|as)$/.test(view.tokens.key[at] ?? "")) at -= 1;
  return (
    at > 0 &&
    /^(?:not|never|formerly|previously)$/.test(view.tokens.key[at] ?? "") &&
    view.tokens.gap[at] === breaks.phrase
  );
}

/** How far a list of named wordings may reach behind "avoid". */
const listReach = 16;

/** Between a cue and the match stand only articles, "the word", quotation marks, or further items of a list. */
function onlyFillers(view: PassageView, from: number, to: number): boolean {
  if (to - from > listReach) return false;
  const fillers = view.rules.set("mention-fillers");
  let inList = true;
  let loose = 0;
  for (let at = from; at < to; at += 1) {
    if (view.within(fillers, at, at + 1) !== undefined) continue;
    loose += 1;
    const next = view.tokens.gap[at + 1] ?? breaks.none;
    const key = view.tokens.key[at + 1] ?? "";
    if (next === breaks.none && key !== "or" && key !== "and" && key !== "nor" && loose > 3) inList = false;
    if (next !== breaks.none || key === "or" || key === "and" || key === "nor") loose = 0;
  }
  return inList && loose === 0;
}

/** `close the gap → advance`: the match is on the left of an arrow. */
function isArrow(view: PassageView, hit: Hit): boolean {
  const { to } = view.sentence(hit.from);
  for (let at = hit.to; at < to && at - hit.to < 8; at += 1) if (view.tokens.key[at] === "→") return true;
  return false;
}

function isSelfNamed(view: PassageView, hit: Hit): boolean {
  const cue = view.before(view.rules.set("self-naming"), hit.from, 2);
  if (cue === undefined || (view.tokens.gap[hit.from] ?? 0) > breaks.phrase) return false;
  // "As a Cree woman, I …" places the speaker; "is listed as an Indian" does not.
  if (view.tokens.key[cue.start] === "as" && view.sentence(cue.start).from !== cue.start) return false;
  for (let at = cue.end; at < hit.from; at += 1)
    if (!/^(?:an?|the|proud)$/.test(view.tokens.key[at] ?? "")) return false;
  return true;
}

/** A negation up to six words before, in the clause; or right behind, "cannot", "is not". */
function isNegated(view: PassageView, hit: Hit): boolean {
  const clause = view.clause(hit.from, hit.to);
  const before = view.before(view.rules.set("negation"), hit.from, 7);
  if (before !== undefined && before.start >= clause.from && !isParted(view, before.end, hit.from)) {
    return view.overlapping(view.rules.set("no-negation"), before.start, before.end) === undefined;
  }
  const after = view.after(view.rules.set("negation-after"), hit.to, 1);
  return after !== undefined && after.end <= clause.to;
}

/** A comma or bracket stands between. */
function isParted(view: PassageView, from: number, to: number): boolean {
  for (let at = from; at <= to; at += 1) if ((view.tokens.gap[at] ?? 0) >= breaks.phrase) return true;
  return false;
}
