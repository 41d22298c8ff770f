export const scopes = ["read", "log", "steward"] as const;
export type Scope = (typeof scopes)[number];

/** Who is asking. Every question carries one; what a caller is given is decided from it in one place, `concept/disclosure.ts`. */
export interface Caller {
  readonly kind: "local" | "token" | "anonymous";
  /** How logs and the ledger may name the caller; never a secret. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Community protocols granted to the caller; they open concepts whose `governance.protocols` they cover. */
  readonly protocols: ReadonlySet<string>;
}

/** The person at this machine: may read and log; no community protocol unless granted by name. */
export function localCaller(protocols: Iterable<string> = []): Caller {
  return { kind: "local", name: "local", scopes: new Set<Scope>(["read", "log"]), protocols: new Set(protocols) };
}
