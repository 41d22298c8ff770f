import { buildNameMatcher } from "../text/names/name-matcher.ts";

/**
 * The places of a text that the project accepts: a wording shields itself and the shorter ones inside it. Case, hyphens
 * and apostrophe style do not matter.
 */
export function acceptedPlaces(text: string, accept: ReadonlySet<string>): (start: number, end: number) => boolean {
  if (accept.size === 0) return () => false;
  const entries = [...accept].map(
    (wording) => ({ id: wording, text: wording, kind: "alias", match: "loose" }) as const,
  );
  const places = buildNameMatcher(entries).find(text);
  return (start, end) => {
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((places[middle]?.end ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    const place = places[low];
    return place !== undefined && place.start <= start && end <= place.end;
  };
}
