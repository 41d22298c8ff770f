import { afterEach, describe, expect, it } from "vitest";
import { closeGateways, openGateway, stubServer } from "./harness.ts";
import { httpUpstream } from "./http-upstream.ts";
import { startGatewayHttp } from "./start-gateway.ts";

afterEach(closeGateways);
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("trace context", () => {
  it("reaches an upstream behind a URL in headers", async () => {
    const http = await httpUpstream([{ name: "look", inputSchema: { type: "object" } }]);
    const client = await openGateway([{ name: "h", toolsPrefix: "h", url: http.url }]).client();
    await client.call("h_look", {}, { _meta: { traceparent, tracestate: "a=1" } });
    expect(http.headers.at(-1)).toMatchObject({ traceparent, tracestate: "a=1" });
    await http.stop();
  });

  it("goes on in _meta when it came in headers, and what the message says itself wins", async () => {
    const gateway = await startGatewayHttp([stubServer("s")]);
    const headers = { "content-type": "application/json", accept: "application/json", traceparent };
    const ask = async (_meta: object) => {
      const params = { name: "s_echo", arguments: { text: "x" }, _meta };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const answer = await fetch(gateway.url, { method: "POST", headers, body });
      return ((await answer.json()) as { result: { _meta: object } }).result._meta;
    };
    expect(await ask({})).toEqual({ traceparent });
    expect(await ask({ traceparent: "00-own" })).toEqual({ traceparent: "00-own" });
    await gateway.close();
  });
});
