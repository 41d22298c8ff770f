import { LineReader } from "./line-reader.ts";

/**
 * Splits a byte stream into lines and parses each as JSON. Blank lines are skipped; what is no JSON, or longer than
 * `maxBytes`, goes to `onGarbage` with the reason; nothing of a long line is passed on, since a cut may halve a secret.
 */
export function jsonLines(
  onValue: (parsed: unknown) => void,
  onGarbage: (line: string, reason: string) => void,
  maxBytes = 64 * 1024 * 1024,
): LineReader {
  return new LineReader(maxBytes, (line) => {
    if (line.kind === "too-long") return onGarbage("", `the line is longer than ${maxBytes} bytes`);
    const text = line.text.trim();
    if (text === "") return;
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return onGarbage(text, "the line is not JSON");
    }
    onValue(parsed);
  });
}
