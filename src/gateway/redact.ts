/** Words in which no secret of a set is left. Secrets under six characters are too common to be taken out. */
export type Redact = (text: string) => string;

export function redactor(secrets: Iterable<string>): Redact {
  const known = [...new Set(secrets)].filter((one) => one.length >= 6).sort((a, b) => b.length - a.length);
  return (text) => known.reduce((left, secret) => left.replaceAll(secret, "[secret]"), text);
}

/** An address that can be shown: no user, no password, no query. */
export function shownUrl(url: string): string {
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}${parsed.pathname === "/" ? "" : parsed.pathname}`;
}
