import { afterEach, expect, it } from "vitest";
import { stubServer } from "./harness.ts";
import { startGatewayHttp } from "./start-gateway.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Fields that no revision knows, of every kind that JSON has, at each level. */
const odd = {
  text: 'ü\u2028\\"',
  number: 1.5e-7,
  none: null,
  yes: true,
  deep: { list: [[], {}, [null, { x: 0 }]], "": "an empty key", __proto__x: 1 },
};

it.each(["application/json", "application/json, text/event-stream"])(
  "every field of a request and of all that answers it passes through, for a client that takes %s",
  async (accept) => {
    const { url, close } = await startGatewayHttp([stubServer("s", { STUB_MIRROR: "1" })]);
    cleanups.push(close);
    const params = {
      name: "s_mirror",
      arguments: { ...odd, _meta: odd },
      _meta: { progressToken: "mine", "x/y": odd },
      unknown: odd,
    };
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept },
      body: JSON.stringify({ jsonrpc: "2.0", id: "an id", method: "tools/call", params }),
    });
    const body = await response.text();
    const isStream = response.headers.get("content-type") === "text/event-stream";
    const messages = isStream
      ? body.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []))
      : [JSON.parse(body)];
    const { result, id } = messages.at(-1);
    expect(id).toBe("an id");
    const { _meta, ...sent } = result.seen;
    expect(sent).toEqual({ name: "mirror", arguments: params.arguments, unknown: odd });
    expect(_meta).toEqual({ progressToken: expect.anything(), "x/y": odd });
    expect(result).toEqual({
      content: [{ type: "x", odd }],
      structuredContent: odd,
      _meta: odd,
      isError: false,
      seen: result.seen,
      odd,
    });
    if (!isStream) return expect(accept).not.toContain("event-stream");
    const progress = messages.find((it) => it.method === "notifications/progress");
    expect(progress).toEqual({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "mine", progress: 1, odd, _meta: odd },
    });
  },
);
