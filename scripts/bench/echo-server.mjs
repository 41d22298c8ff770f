// The least MCP server that answers a call: the floor under every gateway that is measured.
import { createInterface } from "node:readline";

const say = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
const inputSchema = { type: "object", properties: { text: { type: "string" } } };

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize") {
    const { protocolVersion } = params;
    say(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "echo", version: "1" } });
  } else if (method === "tools/list") say(id, { tools: [{ name: "echo", inputSchema }] });
  else if (method === "tools/call") say(id, { content: [{ type: "text", text: params.arguments.text }] });
  else say(id, {});
});
