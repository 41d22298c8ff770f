/// <reference lib="esnext.disposable" preserve="true" />
// The public entry `iaip-dsl/bridge`. It imports no SDK; the session functions load one when they are called.
export { CompositeDispatcher, type CompositeOptions } from "./composite-dispatcher.ts";
export { META_CONFIRM_ARGUMENTS, META_NEEDS_CONFIRMATION } from "./confirmation.ts";
export {
  type FunctionDefinition,
  hasPolicy,
  type JsonSchema,
  type ToolDispatcher,
  type ToolPolicyDispatcher,
  type ToolResult,
} from "./dispatcher.ts";
export { McpDispatchError, McpError, McpUnavailableError } from "./errors.ts";
export { McpDispatcher, type McpDispatcherOptions, type StrictReport } from "./mcp-dispatcher.ts";
export type { StructuredUse } from "./result-content.ts";
export type {
  ConnectOptions,
  ContentBlock,
  McpSession,
  McpTool,
  OpenSession,
  RequestOptions,
  ToolPage,
} from "./session.ts";
export {
  type HttpSessionOptions,
  httpSession,
  type StdioSessionOptions,
  sseSession,
  stdioSession,
  withSession,
} from "./sessions.ts";
export { type StrictNote, type StrictSchema, strictSchema } from "./strict-schema.ts";
export { type ToolNames, toolNames } from "./tool-names.ts";
