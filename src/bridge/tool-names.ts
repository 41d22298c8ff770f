import { createHash } from "node:crypto";

const legal = /^[A-Za-z0-9_-]{1,64}$/;

/** Names both ways. Every legal name is `[A-Za-z0-9_-]{1,64}`; no two raw names share one. */
export interface ToolNames {
  toLegal(raw: string): string | undefined;
  toRaw(legalName: string): string | undefined;
}

/**
 * Makes names that model providers accept. A legal name stays; another becomes ten characters of its digest and its
 * own tail, where names differ most. The outcome depends on the set of names alone, not on order or on time.
 */
export function toolNames(raw: Iterable<string>): ToolNames {
  const names = [...new Set(raw)];
  const toLegal = new Map<string, string>();
  const toRaw = new Map<string, string>();
  const put = (name: string, legalName: string) => {
    toLegal.set(name, legalName);
    toRaw.set(legalName, name);
  };
  for (const name of names) if (legal.test(name)) put(name, name);
  for (const name of names.filter((one) => !legal.test(one)).sort()) {
    let round = 0;
    let made = digested(name, round);
    while (toRaw.has(made)) made = digested(name, ++round);
    put(name, made);
  }
  return { toLegal: (name) => toLegal.get(name), toRaw: (name) => toRaw.get(name) };
}

function digested(name: string, round: number): string {
  const digest = createHash("sha256").update(`${round}\0${name}`).digest("hex");
  const short = BigInt(`0x${digest}`).toString(36).slice(0, 10);
  return `${short}_${name.replace(/[^A-Za-z0-9_-]/g, "_").slice(-53)}`;
}
