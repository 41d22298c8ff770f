import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpUpstream {
  readonly url: string;
  /** `METHOD` or `tools/call NAME`, in the order in which they were answered. */
  readonly seen: string[];
  readonly headers: IncomingHttpHeaders[];
  /** Forgets every session, as a restart does. */
  forget(): void;
  stop(): Promise<void>;
  start(): Promise<void>;
  token: string | undefined;
  /** Milliseconds before a list is answered. */
  delay: number;
  tools: readonly object[];
}

/** A Streamable HTTP server with sessions, plain JSON answers and no stream of its own. */
export async function httpUpstream(tools: readonly object[]): Promise<HttpUpstream> {
  const sessions = new Set<string>();
  let server: Server | undefined;
  let port = 0;
  let made = 0;
  const upstream: HttpUpstream = {
    get url() {
      return `http://127.0.0.1:${port}/mcp`;
    },
    seen: [],
    headers: [],
    token: undefined,
    delay: 0,
    tools,
    forget: () => sessions.clear(),
    start: () => {
      server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
          upstream.headers.push(request.headers);
          if (upstream.token !== undefined && request.headers.authorization !== `Bearer ${upstream.token}`) {
            response.writeHead(401).end("who are you");
            return;
          }
          if (request.method !== "POST") return void response.writeHead(405).end();
          const message = JSON.parse(Buffer.concat(chunks).toString());
          const session = request.headers["mcp-session-id"];
          if (message.method !== "initialize" && !sessions.has(String(session))) {
            response.writeHead(404, { "content-type": "application/json" }).end('{"error":"some words that change"}');
            return;
          }
          const name = message.method === "tools/call" ? `tools/call ${message.params.name}` : message.method;
          upstream.seen.push(name);
          if (message.id === undefined) return void response.writeHead(202).end();
          const result = answer(message, upstream.tools);
          const id = message.method === "initialize" ? `s${made++}` : String(session);
          sessions.add(id);
          const send = () => {
            response.writeHead(200, { "content-type": "application/json", "mcp-session-id": id });
            response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
          };
          if (message.method === "tools/list" && upstream.delay > 0) setTimeout(send, upstream.delay);
          else send();
        });
      });
      return new Promise((resolve) => {
        server!.listen(port, "127.0.0.1", () => {
          port = (server!.address() as AddressInfo).port;
          resolve();
        });
      });
    },
    stop: () => {
      sessions.clear();
      return new Promise((resolve) => {
        server!.close(() => resolve());
        server!.closeAllConnections();
      });
    },
  };
  await upstream.start();
  return upstream;
}

function answer(
  message: { method: string; params: { name?: string; protocolVersion?: string } },
  tools: readonly object[],
): object {
  switch (message.method) {
    case "initialize":
      return {
        protocolVersion: message.params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "http", version: "1" },
      };
    case "tools/list":
      return { tools };
    default:
      return { content: [{ type: "text", text: `did ${message.params.name}` }] };
  }
}
