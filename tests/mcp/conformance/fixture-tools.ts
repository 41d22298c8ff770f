import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
  type Result,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Change, Changes } from "../../../src/mcp/changes.ts";

export interface FixtureTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** What the client must have declared, as our own tools ask before they ask the client's model. */
  readonly needs?: "sampling";
  run(args: Readonly<Record<string, unknown>>, context: ServerContext): Promise<Result> | Result;
}

export const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAESsAACJWAAACABAAZGF0YQAAAAA=";

const none = { type: "object", properties: {} };
const text = (said: string): Result => ({ content: [{ type: "text", text: said }] });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const codec = createRequestStateCodec({ key: "k".repeat(32), ttlSeconds: 300 });

/** A conditional, as text: an object that can be awaited is no schema. */
const phoneOrEmail = `{
  "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
  "then": { "required": ["phone"] },
  "else": { "required": ["email"] }
}`;

/** The tools that the conformance suite calls, on our doors. The suite's own names and words. */
export function fixtureTools(changes: Changes): readonly FixtureTool[] {
  return [...contentTools, ...duringTools, ...elicitationTools, ...roundTools, ...changeTools(changes)];
}

const contentTools: readonly FixtureTool[] = [
  tool("test_simple_text", () => text("This is a simple text response for testing.")),
  tool("test_image_content", () => ({ content: [{ type: "image", data: png, mimeType: "image/png" }] })),
  tool("test_audio_content", () => ({ content: [{ type: "audio", data: wav, mimeType: "audio/wav" }] })),
  tool("test_embedded_resource", () => ({
    content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  })),
  tool("test_multiple_content_types", () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: png, mimeType: "image/png" },
      embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  })),
  tool("test_error_handling", () => ({
    ...text("This tool intentionally returns an error for testing"),
    isError: true,
  })),
  tool("json_schema_2020_12_tool", () => text("ok"), {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string" },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    ...(JSON.parse(phoneOrEmail) as object),
    additionalProperties: false,
  }),
  tool("test_x_mcp_header", ({ region }) => text(String(region)), {
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": "Region" }, query: { type: "string" } },
    required: ["region"],
  }),
  tool("test_streaming_elicitation", () => text("result frames only")),
];

const duringTools: readonly FixtureTool[] = [
  tool("test_tool_with_logging", async (_args, { mcpReq }) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.log("info", data);
      await pause(50);
    }
    return text("done");
  }),
  tool("test_logging_tool", async (_args, { mcpReq }) => {
    await mcpReq.log("info", "test_logging_tool ran");
    return text("logged");
  }),
  tool("test_tool_with_progress", async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      if (progressToken !== undefined) await mcpReq.notify({ method: "notifications/progress", params });
      await pause(50);
    }
    return text("done");
  }),
  tool("test_reconnection", async (_args, { http }) => {
    await pause(100);
    http?.closeSSE?.();
    await pause(100);
    return text("Reconnection test completed successfully.");
  }),
  {
    ...tool("test_sampling", async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: String(prompt) } }];
      const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 });
      return text(`LLM response: ${"text" in content ? content.text : ""}`);
    }),
    needs: "sampling",
  },
];

const elicitationTools: readonly FixtureTool[] = [
  elicits("test_elicitation", {
    properties: {
      username: { type: "string", description: "User's response" },
      email: { type: "string", description: "User's email address" },
    },
    required: ["username", "email"],
  }),
  elicits("test_elicitation_sep1034_defaults", {
    properties: {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    },
  }),
  elicits("test_elicitation_sep1330_enums", {
    properties: {
      untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
      titledSingle: { type: "string", oneOf: titled("value", ["First Option", "Second Option", "Third Option"]) },
      legacyEnum: {
        type: "string",
        enum: ["opt1", "opt2", "opt3"],
        enumNames: ["Option One", "Option Two", "Option Three"],
      },
      untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
      titledMulti: {
        type: "array",
        items: { anyOf: titled("value", ["First Choice", "Second Choice", "Third Choice"]) },
      },
    },
  }),
];

const nameSchema = { type: "object" as const, properties: { name: { type: "string" as const } }, required: ["name"] };
const okSchema = { type: "object" as const, properties: { ok: { type: "boolean" as const } }, required: ["ok"] };
const askName = () => inputRequired.elicit({ message: "What is your name?", requestedSchema: nameSchema });
const askModel = (prompt: string, maxTokens = 50) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: prompt } }], maxTokens });

const roundTools: readonly FixtureTool[] = [
  rounds("elicitation", (_args, { mcpReq }) => {
    const told = acceptedContent(mcpReq.inputResponses, "user_name", z.object({ name: z.string() }));
    return told === undefined
      ? inputRequired({ inputRequests: { user_name: askName() } })
      : text(`Hello, ${told.name}!`);
  }),
  rounds("sampling", (_args, { mcpReq }) => {
    const told = inputResponse(mcpReq.inputResponses, "capital_question");
    if (told.kind !== "sampling") {
      return inputRequired({ inputRequests: { capital_question: askModel("What is the capital of France?", 100) } });
    }
    return text(JSON.stringify(told.result));
  }),
  rounds("list_roots", (_args, { mcpReq }) => {
    const told = inputResponse(mcpReq.inputResponses, "client_roots");
    if (told.kind === "roots") return text(JSON.stringify(told.roots));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  }),
  rounds("request_state", withState),
  rounds("tampered_state", withState),
  rounds("multiple_inputs", async (_args, context) => {
    const { inputResponses = {} } = context.mcpReq;
    const told = ["user_name", "greeting", "client_roots"].every((key) => key in inputResponses);
    if ((await stateOf(context)) !== undefined && told) return text("all inputs received");
    const inputRequests = {
      user_name: askName(),
      greeting: askModel("Generate a greeting"),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await codec.mint({ round: 0 }) });
  }),
  rounds("multi_round", async (_args, context) => {
    const state = await stateOf(context);
    if (state === undefined) {
      return inputRequired({ inputRequests: { step1: askName() }, requestState: await codec.mint({ round: 1 }) });
    }
    if (state.round !== 1) return text("done");
    const requestedSchema = {
      type: "object" as const,
      properties: { color: { type: "string" as const } },
      required: ["color"],
    };
    const step2 = inputRequired.elicit({ message: "Favorite color?", requestedSchema });
    return inputRequired({ inputRequests: { step2 }, requestState: await codec.mint({ round: 2 }) });
  }),
  rounds("capabilities", (_args, { mcpReq }) => {
    if (mcpReq.inputResponses !== undefined) return text("done");
    const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
    const declared = (envelope["io.modelcontextprotocol/clientCapabilities"] ?? {}) as Readonly<
      Record<string, unknown>
    >;
    return inputRequired({
      inputRequests: {
        ...(declared.sampling === undefined ? {} : { s: askModel("hi") }),
        ...(declared.elicitation === undefined ? {} : { e: askName() }),
      },
    });
  }),
  tool("test_missing_capability", (_args, { mcpReq }) =>
    mcpReq.inputResponses?.llm === undefined
      ? inputRequired({ inputRequests: { llm: askModel("ping", 16) } })
      : text("ok"),
  ),
];

function changeTools(changes: Changes): readonly FixtureTool[] {
  const nothing: Change = { tools: false, prompts: false, resources: false, updated: [], message: "a fixture changed" };
  return [
    tool("test_trigger_tool_change", () => {
      changes.tell({ ...nothing, tools: true });
      return text("ok");
    }),
    tool("test_trigger_prompt_change", () => {
      changes.tell({ ...nothing, prompts: true });
      return text("ok");
    }),
  ];
}

function tool(name: string, run: FixtureTool["run"], inputSchema: FixtureTool["inputSchema"] = none): FixtureTool {
  return { name, run, inputSchema };
}

function rounds(name: string, run: FixtureTool["run"]): FixtureTool {
  return tool(`test_input_required_result_${name}`, run);
}

function elicits(name: string, schema: object): FixtureTool {
  const input = { type: "object", properties: { message: { type: "string" } } };
  return tool(
    name,
    async ({ message = "Please fill" }, { mcpReq }) => {
      const requestedSchema = { type: "object", ...schema } as Parameters<typeof mcpReq.elicitInput>[0] extends infer P
        ? P extends { requestedSchema: infer S }
          ? S
          : never
        : never;
      const { action, content } = await mcpReq.elicitInput({ mode: "form", message: String(message), requestedSchema });
      return text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`);
    },
    input,
  );
}

async function withState(_args: unknown, context: ServerContext): Promise<Result> {
  const state = await stateOf(context);
  if (state !== undefined && context.mcpReq.inputResponses !== undefined) return text("state-ok");
  const confirm = inputRequired.elicit({ message: "Please confirm", requestedSchema: okSchema });
  return inputRequired({ inputRequests: { confirm }, requestState: await codec.mint({ round: 1 }) });
}

async function stateOf(context: ServerContext): Promise<{ readonly round?: number } | undefined> {
  const state: unknown = context.mcpReq.requestState();
  if (typeof state !== "string") return undefined;
  try {
    return (await codec.verify(state, context)) as { readonly round?: number };
  } catch {
    throw new ProtocolError(-32602, "Invalid or expired requestState");
  }
}

function titled(value: string, titles: readonly string[]) {
  return titles.map((title, index) => ({ const: `${value}${index + 1}`, title }));
}

function embedded(uri: string, mimeType: string, said: string) {
  return { type: "resource", resource: { uri, mimeType, text: said } };
}
