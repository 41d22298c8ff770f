/**
 * Text as both stores can hold it, and back without loss. PostgreSQL refuses U+0000, UTF-8 has no lone surrogates, and
 * other control characters could speak to a terminal that prints a raw row: each becomes `\uXXXX`, and `\` becomes `\\`.
 * Tab and line feed stay.
 */
export function storedText(text: string): string {
  if (!unusual.test(text)) return text;
  return text.replace(unstorable, (unit) =>
    unit === "\\" ? "\\\\" : `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The text that `storedText` was given. */
export function originalText(stored: string): string {
  return stored.includes("\\") ? stored.replace(escaped, (_, hex?: string) => (hex ? fromHex(hex) : "\\")) : stored;
}

/** Most texts are plain ASCII without a backslash: one quick look tells. */
const unusual = /[^ -[\]-~\t\n]/;
const loneSurrogate = "[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]";
const unstorable = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\\\]|${loneSurrogate}`, "g");
const escaped = /\\(?:u([0-9a-f]{4})|\\)/g;

function fromHex(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}
