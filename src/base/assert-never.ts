/** For the end of a switch over a union: the compiler rejects a missed case, and a wrong value at run time says so. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}
