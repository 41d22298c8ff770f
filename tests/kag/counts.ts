/** How many cases a property test runs: the full number with `IAIP_LONG=1`. */
export function counts({ full, small }: { readonly full: number; readonly small: number }): number {
  return process.env.IAIP_LONG === "1" ? full : small;
}
