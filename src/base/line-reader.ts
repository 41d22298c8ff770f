export type Line =
  | { readonly kind: "line"; readonly text: string }
  /** Longer than the limit: only how it begins and ends is kept. */
  | { readonly kind: "too-long"; readonly bytes: number; readonly head: string; readonly tail: string };

const keptBytes = 512;
const newline = 0x0a;

/** Splits a byte stream into lines in linear time. A line over `limit` bytes is skipped, and reported as such. */
export class LineReader {
  readonly #limit: number;
  readonly #onLine: (line: Line) => void;
  #parts: Buffer[] = [];
  #bytes = 0;
  #overlong: { head: string; tail: Buffer } | undefined;

  constructor(limit: number, onLine: (line: Line) => void) {
    this.#limit = limit;
    this.#onLine = onLine;
  }

  append(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      this.#take(rest.subarray(0, end));
      this.#end();
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#take(rest);
  }

  /** Reports what stands after the last line break, if anything does. */
  finish(): void {
    if (this.#bytes > 0) this.#end();
  }

  #take(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#overlong !== undefined) {
      this.#overlong.tail = Buffer.concat([this.#overlong.tail, part]).subarray(-keptBytes);
      return;
    }
    this.#parts.push(part);
    if (this.#bytes <= this.#limit) return;
    const all = Buffer.concat(this.#parts);
    this.#overlong = { head: all.toString("utf8", 0, keptBytes), tail: Buffer.from(all.subarray(-keptBytes)) };
    this.#parts = [];
  }

  #end(): void {
    const overlong = this.#overlong;
    const bytes = this.#bytes;
    const [only] = this.#parts;
    const whole = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    this.#overlong = undefined;
    if (overlong === undefined) this.#onLine({ kind: "line", text: whole.toString("utf8") });
    else this.#onLine({ kind: "too-long", bytes, head: overlong.head, tail: overlong.tail.toString("utf8") });
  }
}
