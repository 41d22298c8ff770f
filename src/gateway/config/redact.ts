import { isRecord } from "../../base/json-rpc.ts";

/** A text without the secrets that a redactor knows. */
export type Redact = (text: string) => string;

/** Shorter values are too common in ordinary text to be taken out of it. */
const minLength = 6;
const replacement = "[secret]";

/** Takes out each secret as it is, as JSON writes it inside a string, and as an address writes it. */
export function redactor(secrets: Iterable<string>): Redact {
  const forms = [...secrets]
    .flatMap((it) => [it, it.trim()])
    .filter((it) => it.length >= minLength)
    .flatMap((it) => [it, JSON.stringify(it).slice(1, -1), encodeURIComponent(it.replaceAll(/[\ud800-\udfff]/gu, ""))]);
  const known = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) =>
    known.reduce((left, secret) => (left.includes(secret) ? left.replaceAll(secret, replacement) : left), text);
}

/** Nesting beyond this is refused: writing it as JSON again would overflow the stack. */
const maxDepth = 500;

/** A value of JSON with every text and key redacted: the same object where nothing was found. Throws when it is nested too deep. */
export function redactJson(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) throw new Error(`it is nested more than ${maxDepth} deep`);
  if (Array.isArray(value)) {
    const items = value.map((it) => redactJson(it, redact, depth + 1));
    return items.some((it, index) => it !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, it]) => [redact(key), redactJson(it, redact, depth + 1)] as const);
  const differs = entries.some(([key, it]) => value[key] !== it);
  return differs ? Object.fromEntries(entries) : value;
}

/** An address that can be shown: no user, no password, no query. */
export function shownUrl(url: string): string {
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}${parsed.pathname === "/" ? "" : parsed.pathname}`;
}
