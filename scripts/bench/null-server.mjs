// What the benches compare with: the same SDK, a tool that does nothing, and one that does a bare insert.
// null-server.mjs stdio [DATABASE] | http
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const [kind, database] = process.argv.slice(2);
const said = { content: [{ type: "text", text: "ok" }], structuredContent: { said: "ok" } };
const insert = database === undefined ? () => undefined : await inserter(database);

function make() {
  const server = new McpServer({ name: "null", version: "1.0.0" });
  const schemas = { inputSchema: z.object({}).loose(), outputSchema: z.object({ said: z.string() }) };
  server.registerTool("null", { description: "Does nothing", ...schemas }, async () => said);
  server.registerTool("insert", { description: "Inserts a row", ...schemas }, async (args) => {
    insert(args);
    return said;
  });
  return server;
}

async function inserter(file) {
  const { default: Database } = await import("better-sqlite3");
  const db = new Database(file);
  db.pragma("journal_mode = wal");
  db.pragma("synchronous = full");
  db.exec("create table event (id integer primary key, at text, concept text, agent text, context text)");
  const statement = db.prepare("insert into event (at, concept, agent, context) values (?, ?, ?, ?)");
  return ({ concept, agent_id, context }) => statement.run(new Date().toISOString(), concept, agent_id, context);
}

if (kind === "stdio") {
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
  serveStdio(make);
} else {
  const [{ createServer }, { toNodeHandler }] = await Promise.all([
    import("node:http"),
    import("@modelcontextprotocol/node"),
  ]);
  const handle = toNodeHandler(createMcpHandler(make));
  const server = createServer((request, response) => {
    if (request.url === "/memory") {
      globalThis.gc?.();
      response.end(JSON.stringify(process.memoryUsage()));
    } else void handle(request, response);
  });
  server.listen(0, "127.0.0.1", () => process.send?.(`http://127.0.0.1:${server.address().port}`));
}
