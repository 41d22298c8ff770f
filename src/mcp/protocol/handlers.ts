import { complete } from "./completion.ts";
import { isMessageLevel, messageLevels } from "./connection.ts";
import { Fault, faultCodes } from "./fault.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import type { Handlers, Serving } from "./request.ts";
import { listResources, listTemplates, readResource, subscribe, unsubscribe } from "./resources.ts";
import { callTool, listTools } from "./tools.ts";

/** Every request that this server answers beyond the handshake, in words that no SDK has a say in. */
export function protocolHandlers(serving: Serving): Handlers {
  return new Map([
    ["tools/list", listTools(serving)],
    ["tools/call", callTool(serving)],
    ["resources/list", listResources(serving)],
    ["resources/templates/list", listTemplates(serving)],
    ["resources/read", readResource(serving)],
    ["resources/subscribe", subscribe(serving)],
    ["resources/unsubscribe", unsubscribe()],
    ["prompts/list", listPrompts(serving)],
    ["prompts/get", getPrompt(serving)],
    ["completion/complete", complete(serving)],
    [
      "logging/setLevel",
      async (params, asked) => {
        if (!isMessageLevel(params.level)) {
          throw new Fault(faultCodes.invalidParams, `A level is one of ${messageLevels.join(", ")}.`);
        }
        asked.connection.setLevel(params.level);
        return {};
      },
    ],
  ]);
}
