// The least an SDK server can be: what a cold start is compared with.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1.0.0" });
  server.registerTool("null", { description: "Does nothing", inputSchema: z.object({}) }, async () => ({
    content: [{ type: "text", text: "ok" }],
  }));
  return server;
});
