import { isRecord } from "../../base/json-rpc.ts";

/** How long an answer may take before its stream is opened, so that a client can follow and resume it. */
const holdMs = 250;

/**
 * The SDK's sessions answer every request with a stream. Where nothing but the answer comes, and comes soon, this makes
 * plain JSON of it; otherwise the stream goes on as it was, with what was held back in front.
 */
export async function plainWhenSingle(web: Response): Promise<Response> {
  if (!isStream(web) || web.body === null) return web;
  const reader = web.body.getReader();
  const held: Uint8Array[] = [];
  const hold = timeout(holdMs);
  let answer: string | undefined;
  for (;;) {
    const reading = reader.read();
    const next = await Promise.race([reading, hold.over]);
    if (next === undefined) return continued(web, held, reader, reading);
    if (next.done) break;
    held.push(next.value);
    const message = messageIn(next.value);
    if (message === undefined) continue;
    if (answer !== undefined || message.isRequest) return continued(web, held, reader);
    answer = message.text;
  }
  hold.end();
  return answer === undefined ? continued(web, held, reader) : plain(web, answer);
}

function plain(web: Response, answer: string): Response {
  const session = web.headers.get("mcp-session-id");
  const headers = { "content-type": "application/json", ...(session === null ? {} : { "mcp-session-id": session }) };
  return new Response(answer, { status: web.status, headers });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function continued(web: Response, held: readonly Uint8Array[], reader: Reader, reading?: ReturnType<Reader["read"]>) {
  let next = reading;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of held) controller.enqueue(chunk);
    },
    pull: async (controller) => {
      const { done, value } = await (next ?? reader.read());
      next = undefined;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: web.status, headers: web.headers });
}

/** The message of one event, as the SDK writes one event a chunk; none in comments and in the event that opens a stream. */
function messageIn(chunk: Uint8Array): { readonly text: string; readonly isRequest: boolean } | undefined {
  const text = /^data: (.+)$/m.exec(new TextDecoder().decode(chunk))?.[1];
  if (text === undefined) return undefined;
  const message: unknown = JSON.parse(text);
  return { text, isRequest: isRecord(message) && "method" in message };
}

function timeout(ms: number): { readonly over: Promise<undefined>; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return { over, end: () => clearTimeout(timer) };
}

export function isStream(web: Response): boolean {
  return web.headers.get("content-type")?.startsWith("text/event-stream") === true;
}
