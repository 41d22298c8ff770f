#!/usr/bin/env node
// One foreign client, one door: lists the tools, calls what it is told to, and prints what came as one line of JSON.
// node probe.mjs CLIENT '{"door":"stdio","command":"node","args":[…]} or {"door":"http"|"sse","url":"…"}' '[{"tool","arguments"}…]'
const [client = "", target = "{}", calls = "[]"] = process.argv.slice(2);
const where = JSON.parse(target);

const clients = {
  async langchain() {
    const { MultiServerMCPClient } = await import("@langchain/mcp-adapters");
    const connection =
      where.door === "stdio"
        ? { transport: "stdio", command: where.command, args: where.args, stderr: "ignore" }
        : { transport: where.door, url: where.url };
    const many = new MultiServerMCPClient({ mcpServers: { iaip: connection } });
    const tools = await many.getTools();
    const call = async (name, args) => textOf(await tools.find((tool) => tool.name === name).invoke(args));
    return { names: tools.map(({ name }) => name), call, close: () => many.close() };
  },

  async ai() {
    const { experimental_createMCPClient: create, createMCPClient = create } = await import("@ai-sdk/mcp");
    const transport = where.door === "stdio" ? await stdioOfAi() : { type: where.door, url: where.url };
    const one = await createMCPClient({ transport });
    const tools = await one.tools();
    const call = async (name, args) => textOf(await tools[name].execute(args, { toolCallId: "1", messages: [] }));
    return { names: Object.keys(tools), call, close: () => one.close() };
  },

  async openai() {
    // Its five seconds are short for a cold start on a busy machine.
    const patient = { clientSessionTimeoutSeconds: 60, timeout: 60_000 };
    const { MCPServerSSE, MCPServerStdio, MCPServerStreamableHttp } = await import("@openai/agents");
    const server =
      where.door === "stdio"
        ? new MCPServerStdio({ command: where.command, args: where.args, ...patient })
        : new { http: MCPServerStreamableHttp, sse: MCPServerSSE }[where.door]({ url: where.url, ...patient });
    await server.connect();
    const tools = await server.listTools();
    const call = async (name, args) => textOf(await server.callTool(name, args));
    return { names: tools.map(({ name }) => name), call, close: () => server.close() };
  },
};

async function stdioOfAi() {
  const { Experimental_StdioMCPTransport: Transport } = await import("@ai-sdk/mcp/mcp-stdio");
  return new Transport({ command: where.command, args: where.args, stderr: "ignore" });
}

function textOf(told) {
  if (typeof told === "string") return told;
  const blocks = Array.isArray(told) ? told : (told.content ?? [told]);
  return typeof blocks === "string" ? blocks : blocks.map(({ text }) => text ?? "").join("\n");
}

const { names, call, close } = await clients[client]();
const answers = {};
for (const { tool, arguments: args } of JSON.parse(calls)) answers[tool] = await call(tool, args);
process.stdout.write(`${JSON.stringify({ names, answers })}\n`);
await close();
process.exit(0);
