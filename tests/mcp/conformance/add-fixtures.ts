import {
  inputRequired,
  inputResponse,
  McpServer,
  ProtocolError,
  type Result,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Changes } from "../../../src/mcp/changes.ts";
import type { MakeServer } from "../../../src/mcp/http/endpoint.ts";
import { type FixtureTool, fixtureTools, png } from "./fixture-tools.ts";

type Params = Readonly<Record<string, unknown>>;
type Own = (method: string, params: Params, context: ServerContext) => Promise<Result>;

/** Adds the conformance suite's fixtures to the servers that the endpoints make; everything else is answered as ever. */
export function addFixtures(make: MakeServer, changes: Changes): MakeServer {
  const tools = fixtureTools(changes);
  return (asked) => {
    const server = make(asked) as Server;
    const { fallbackRequestHandler } = server;
    const own: Own = async (method, params, context) =>
      (await fallbackRequestHandler?.({ jsonrpc: "2.0", id: 0, method, params }, context)) ?? {};
    addTools(server, own, tools);
    addResources(server, own, asked.delivers === "changes" && asked.era === "legacy");
    addPrompts(server, own);
    const product = new McpServer({ name: "with-fixtures", version: "1" });
    // The SDK asks a high-level server for the schema whose headers it checks; ours are low-level ones.
    const toolInputSchemaJson = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema;
    return asked.era === "modern" ? Object.assign(product, { server, toolInputSchemaJson }) : server;
  };
}

function addTools(server: Server, own: Own, tools: readonly FixtureTool[]): void {
  server.setRequestHandler("tools/list", async ({ params = {} }, context) => {
    const told = await own("tools/list", params, context);
    const fixtures = tools.map(({ name, inputSchema }) => ({ name, description: name, inputSchema }));
    return { ...told, tools: [...(told.tools as object[]), ...fixtures] } as never;
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const fixture = tools.find(({ name }) => name === params.name);
    if (fixture?.needs !== undefined && server.getClientCapabilities()?.[fixture.needs] === undefined) {
      throw new ProtocolError(-32603, `The client declared no ${fixture.needs}`);
    }
    return (
      fixture === undefined
        ? await own("tools/call", params, context)
        : await fixture.run(params.arguments ?? {}, context)
    ) as never;
  });
}

const resources = [
  {
    uri: "test://static-text",
    name: "static-text",
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  },
  { uri: "test://static-binary", name: "static-binary", mimeType: "image/png", blob: png },
  { uri: "test://watched-resource", name: "watched", mimeType: "text/plain", text: "watched" },
];

function addResources(server: Server, own: Own, subscribable: boolean): void {
  server.setRequestHandler("resources/list", async ({ params = {} }, context) => {
    const told = await own("resources/list", params, context);
    const fixtures = resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType }));
    return { ...told, resources: [...fixtures, ...(told.resources as object[])] } as never;
  });
  server.setRequestHandler("resources/templates/list", async ({ params = {} }, context) => {
    const told = await own("resources/templates/list", params, context);
    const fixture = { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" };
    return { ...told, resourceTemplates: [...(told.resourceTemplates as object[]), fixture] } as never;
  });
  server.setRequestHandler("resources/read", async ({ params }, context) => {
    const found = resources.find(({ uri }) => uri === params.uri);
    if (found !== undefined) return { contents: [found] } as never;
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(params.uri)?.[1];
    if (id === undefined) return (await own("resources/read", params, context)) as never;
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri: params.uri, mimeType: "application/json", text: data }] };
  });
  if (!subscribable) return;
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const) {
    server.setRequestHandler(method, async ({ params }, context) =>
      params.uri.startsWith("test://") ? {} : await own(method, params, context),
    );
  }
}

const user = (content: object) => ({ messages: [{ role: "user", content }] });

const prompts: Readonly<
  Record<string, { readonly args: readonly string[]; get(args: Params, context: ServerContext): object }>
> = {
  test_simple_prompt: { args: [], get: () => user({ type: "text", text: "This is a simple prompt for testing." }) },
  test_prompt_with_arguments: {
    args: ["arg1", "arg2"],
    get: ({ arg1, arg2 }) => user({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  },
  test_prompt_with_embedded_resource: {
    args: ["resourceUri"],
    get: ({ resourceUri }) => {
      const resource = { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." };
      const ask = { role: "user", content: { type: "text", text: "Please process the embedded resource above." } };
      return { messages: [...user({ type: "resource", resource }).messages, ask] };
    },
  },
  test_prompt_with_image: { args: [], get: () => user({ type: "image", data: png, mimeType: "image/png" }) },
  test_input_required_result_prompt: {
    args: [],
    get: (_args, { mcpReq }) => {
      const told = inputResponse(mcpReq.inputResponses, "user_context");
      if (told.kind === "elicit") return user({ type: "text", text: JSON.stringify(told.content ?? {}) });
      const requestedSchema = {
        type: "object" as const,
        properties: { context: { type: "string" as const } },
        required: ["context"],
      };
      return inputRequired({
        inputRequests: { user_context: inputRequired.elicit({ message: "Context?", requestedSchema }) },
      });
    },
  },
};

function addPrompts(server: Server, own: Own): void {
  server.setRequestHandler("prompts/list", async ({ params = {} }, context) => {
    const told = await own("prompts/list", params, context);
    const fixtures = Object.entries(prompts).map(([name, { args }]) => ({
      name,
      description: name,
      arguments: args.map((argument) => ({ name: argument, required: true })),
    }));
    return { ...told, prompts: [...(told.prompts as object[]), ...fixtures] } as never;
  });
  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    const found = prompts[params.name];
    return (
      found === undefined ? await own("prompts/get", params, context) : found.get(params.arguments ?? {}, context)
    ) as never;
  });
  server.setRequestHandler("completion/complete", async ({ params }, context) => {
    const isFixture = params.ref.type === "ref/prompt" && params.ref.name in prompts;
    const nothing = { completion: { values: [], total: 0, hasMore: false } };
    return (isFixture ? nothing : await own("completion/complete", params, context)) as never;
  });
}
