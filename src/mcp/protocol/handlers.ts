import { complete } from "./completion.ts";
import { isMessageLevel, messageLevels } from "./connection.ts";
import { Fault, faultCodes } from "./fault.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import type { Handler, Handlers } from "./request.ts";
import { listResources, listTemplates, readResource, subscribe, unsubscribe } from "./resources.ts";
import { callTool, listTools } from "./tools.ts";

const setLevel: Handler = ({ level }, { connection }) => {
  if (!isMessageLevel(level)) {
    throw new Fault(faultCodes.invalidParams, `A level is one of ${messageLevels.join(", ")}.`);
  }
  connection.setLevel(level);
  return {};
};

/** Every request that this server answers beyond the handshake, independent of any SDK. */
export const protocolHandlers: Handlers = new Map([
  ["tools/list", listTools],
  ["tools/call", callTool],
  ["resources/list", listResources],
  ["resources/templates/list", listTemplates],
  ["resources/read", readResource],
  ["resources/subscribe", subscribe],
  ["resources/unsubscribe", unsubscribe],
  ["prompts/list", listPrompts],
  ["prompts/get", getPrompt],
  ["completion/complete", complete],
  ["logging/setLevel", setLevel],
]);
