/**
 * Text that may be shown on a terminal: control characters, lone surrogates and the marks that reorder a line become
 * `\uXXXX`; line feeds and tabs stay. JSON stays the same JSON.
 */
export function visibleText(text: string): string {
  return unseen.test(text) ? text.replace(unprintable, escaped) : text;
}

/** The same for what must stay on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\t\n]/g, escaped);
}

const unseen = /[^ -~\t\n]/;
/** Under `u`, `Cs` are surrogates without their other half. */
const unprintable = /(?![\t\n])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
