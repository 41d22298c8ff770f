/** How often a property is tried: the full count under IAIP_LONG=1, a quick one otherwise. */
export function count(quick: number, full: number): number {
  return process.env.IAIP_LONG === "1" ? full : quick;
}
