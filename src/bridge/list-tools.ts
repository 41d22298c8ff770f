import { McpDispatchError } from "./errors.ts";
import type { McpSession, McpTool } from "./session.ts";
import { timeLimited } from "./time-limit.ts";

const maxPages = 1_000;

/** Every tool on every page; of two with one name, the first. `callTimeout` holds for all pages together. */
export async function listAllTools(session: McpSession, callTimeout: number): Promise<readonly McpTool[]> {
  try {
    return await timeLimited(session, callTimeout, async (options) => {
      const tools = new Map<string, McpTool>();
      const seen = new Set<string>();
      let cursor: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const params = cursor === undefined ? undefined : { cursor };
        const answer = await (options === undefined ? session.listTools(params) : session.listTools(params, options));
        for (const tool of answer.tools) if (!tools.has(tool.name)) tools.set(tool.name, tool);
        cursor = answer.nextCursor ?? undefined;
        if (cursor === undefined) return [...tools.values()];
        if (seen.has(cursor)) throw new Error(`the server gave the page cursor ${JSON.stringify(cursor)} twice`);
        seen.add(cursor);
      }
      throw new Error(`the server has more than ${maxPages} pages of tools`);
    });
  } catch (error) {
    throw new McpDispatchError("list_tools", {}, error);
  }
}
