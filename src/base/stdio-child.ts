import { jsonLines } from "./json-lines.ts";
import { isRecord, type JsonRpcMessage, type MessageChannel } from "./json-rpc.ts";
import { type Line, LineReader } from "./line-reader.ts";
import { type GroupOptions, type ProcessGroup, startGroup } from "./process-group.ts";

export interface StdioChildOptions extends GroupOptions {
  /** One call per stderr line of the child; the stream is always drained. */
  readonly onStderr?: (line: string) => void;
  /** Takes secrets out of what is quoted of the child, before it is shortened. */
  readonly redact?: (text: string) => string;
  readonly maxLineBytes?: number;
  /** How long `close` waits after the end of stdin, and after SIGTERM. */
  readonly patienceMs?: number;
  readonly termMs?: number;
}

/** Of a longer line on stderr, in bytes, only the length is passed on. */
const maxStderrLine = 64 * 1024;

/** A child process that speaks JSON-RPC, one message a line. Closing it ends its whole process group. */
export class StdioChild implements MessageChannel {
  onmessage: ((message: JsonRpcMessage) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  readonly #options: StdioChildOptions;
  #group: ProcessGroup | undefined;
  #closed = false;
  #lastStderr = "";
  #closeReason: string | undefined;

  constructor(options: StdioChildOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#group?.pid;
  }

  get closeReason(): string | undefined {
    return this.#closeReason;
  }

  /** Rejects with a sentence when the command cannot be started. */
  async start(): Promise<void> {
    const group = await startGroup(this.#options);
    this.#group = group;
    const lines = jsonLines(
      (parsed) => this.#take(parsed),
      (line, reason) => this.#garbage(line, reason),
      this.#options.maxLineBytes,
    );
    group.stdout.on("data", (chunk: Buffer) => lines.append(chunk));
    group.stdout.on("error", () => {});
    const stderr = new LineReader(maxStderrLine, (line) => this.#stderr(line));
    group.stderr.on("data", (chunk: Buffer) => stderr.append(chunk));
    group.stderr.on("end", () => stderr.finish());
    group.stderr.on("error", () => {});
    const drained = new Promise<void>((resolve) => group.stdout.once("end", resolve));
    void group.exited.then(async (how) => {
      // What it still said before it ended is read first, unless something it started holds the stream open.
      await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, 100).unref())]);
      if (this.#closed) return;
      this.#closeReason = `${this.#options.command} ended with ${how}${this.#lastLine()}`;
      void this.close();
    });
    if (this.#closed) await group.stop();
  }

  async send(message: JsonRpcMessage): Promise<void> {
    const group = this.#group;
    if (group === undefined || this.#closed || !group.stdin.writable) {
      throw new Error(`${this.#options.command} is not running`);
    }
    if (group.stdin.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        group.stdin.off("drain", done);
        group.stdin.off("close", done);
        resolve();
      };
      group.stdin.once("drain", done);
      group.stdin.once("close", done);
    });
  }

  async close(): Promise<void> {
    const first = !this.#closed;
    this.#closed = true;
    if (first) this.onclose?.();
    const { patienceMs, termMs } = this.#options;
    await this.#group?.stop({
      ...(patienceMs === undefined ? {} : { patienceMs }),
      ...(termMs === undefined ? {} : { termMs }),
    });
  }

  #take(parsed: unknown): void {
    for (const one of Array.isArray(parsed) ? parsed : [parsed]) {
      if (isRecord(one)) this.onmessage?.(one as unknown as JsonRpcMessage);
      else this.onerror?.(new Error(`${this.#options.command} wrote a line that is no message`));
    }
  }

  #garbage(line: string, reason: string): void {
    const quoted = line === "" ? "" : `: ${this.#shown(line, 200)}`;
    this.onerror?.(new Error(`${this.#options.command} wrote on stdout: ${reason}${quoted}`));
  }

  #stderr(line: Line): void {
    const text = line.kind === "line" ? line.text : `(a line of ${line.bytes} bytes)`;
    if (text.trim() === "") return;
    this.#lastStderr = this.#shown(text.trim(), 300);
    this.#options.onStderr?.(this.#shown(text.trimEnd(), maxStderrLine));
  }

  /** Redacted as a whole, then shortened: a secret that the cut would halve must not show its first half. */
  #shown(text: string, maxChars: number): string {
    return (this.#options.redact?.(text) ?? text).slice(0, maxChars);
  }

  #lastLine(): string {
    return this.#lastStderr === "" ? "" : `; its last line on stderr was: ${this.#lastStderr}`;
  }
}
