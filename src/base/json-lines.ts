import { StringDecoder } from "node:string_decoder";

export interface JsonLines {
  push(chunk: Buffer): void;
}

/**
 * Splits a byte stream into lines and parses each as JSON. Blank lines are skipped; a line that is not JSON goes to
 * `garbage`; a line longer than `maxChars` (UTF-16 units) is dropped whole and told to `garbage` once.
 */
export function jsonLines(
  value: (parsed: unknown) => void,
  garbage: (line: string, reason: string) => void,
  maxChars = 64 * 1024 * 1024,
): JsonLines {
  const decoder = new StringDecoder("utf8");
  let held: string[] = [];
  let heldChars = 0;
  let dropping = false;
  const line = (text: string) => {
    const trimmed = text.trim();
    if (trimmed === "") return;
    let parsed: unknown;
    try {
      parsed = JSON.parse(trimmed);
    } catch {
      garbage(trimmed.slice(0, 200), "the line is not JSON");
      return;
    }
    value(parsed);
  };
  return {
    push(chunk) {
      let text = decoder.write(chunk);
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n")) {
        held.push(text.slice(0, at));
        text = text.slice(at + 1);
        const whole = held.length === 1 ? held[0]! : held.join("");
        const dropped = dropping;
        held = [];
        heldChars = 0;
        dropping = false;
        if (!dropped) line(whole);
      }
      if (text === "" || dropping) return;
      held.push(text);
      heldChars += text.length;
      if (heldChars <= maxChars) return;
      garbage(held[0]!.slice(0, 200), `the line is longer than ${maxChars} characters`);
      held = [];
      heldChars = 0;
      dropping = true;
    },
  };
}
