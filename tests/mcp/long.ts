/** Counts as the issues name them when `IAIP_LONG=1`, and small ones otherwise. */
export function count(full: number, small: number): number {
  return process.env.IAIP_LONG === "1" ? full : small;
}
