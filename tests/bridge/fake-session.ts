import type { McpSession, McpTool } from "../../src/bridge/session.ts";

export interface FakeSession extends McpSession {
  readonly calls: { readonly name: string; readonly arguments: unknown }[];
  change(tools: readonly McpTool[]): void;
}

/** A session over nothing: `answer` says what a call gives back. */
export function fakeSession(
  tools: readonly McpTool[],
  answer: (name: string, args: unknown) => unknown = () => ({ content: [] }),
): FakeSession {
  let present = tools;
  const listeners = new Set<() => void>();
  const calls: { name: string; arguments: unknown }[] = [];
  return {
    calls,
    async listTools() {
      return { tools: present };
    },
    async callTool(call) {
      calls.push(call);
      return answer(call.name, call.arguments);
    },
    onToolsChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(next) {
      present = next;
      for (const listener of listeners) listener();
    },
  };
}

export const textResult = (text: string, more: object = {}) => ({ content: [{ type: "text", text }], ...more });
