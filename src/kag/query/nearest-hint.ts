import { nearest } from "../../core/concept/nearest.ts";

/** "did you mean 'x'?", or what there is. */
export function nearestHint(given: string, known: Iterable<string>, listed: string): string {
  const all = [...known];
  const close = nearest(given, all);
  if (close) return `did you mean '${close}'?`;
  const shown = all.slice(0, 12).join(", ") || "nothing";
  return `${listed} ${shown}${all.length > 12 ? ` and ${all.length - 12} more` : ""}`;
}
