import { parseFile } from "../../src/core/concept/parse-file.ts";
import type { SnapshotSource } from "../../src/core/ports.ts";
import type { Snapshot } from "../../src/core/snapshot/snapshot.ts";
import { buildSnapshot } from "../../src/core/snapshot/snapshot.ts";
import type { Ledger, LedgerEvent } from "../../src/ledger/port.ts";
import type { RequestContext } from "../../src/mcp/request-context.ts";
import type { Surface, ToolAnswer, ToolDefinition } from "../../src/mcp/surface.ts";

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

/** A surface with one of everything, so that a test of the bindings says nothing about concepts. */
export function smallSurface(more: Partial<Surface> = {}): Surface {
  return {
    name: "small",
    title: "A small surface",
    version: "1.0.0",
    instructions: "Echo what you like.",
    tools: [
      tool("echo", ({ args }) => told(String(args.text ?? ""))),
      tool("null", () => told("ok")),
      tool("slow", slow),
      tool("refuse", () => ({ kind: "refused", text: "no: give a `text`", didYouMean: [], candidates: [] })),
      tool("break", () => {
        throw new Error("a secret detail");
      }),
      tool("big", ({ args }) => told("x".repeat(Number(args.text)))),
      tool("protocols", ({ context }) => told([...context.caller.protocols].join(","))),
      {
        ...tool("log", logged),
        scope: "log",
        annotations: { ...readOnly, readOnlyHint: false, idempotentHint: false },
      },
    ],
    resources: [
      resource("test://registry", () => "the registry"),
      resource("iaip://wisdom/ledger", () => "the ledger"),
    ],
    templates: [
      {
        uriTemplate: "test://item/{id}",
        variable: "id",
        name: "item",
        title: "An item",
        description: "One item by its id",
        mimeType: "text/plain",
        list: () => items.map((value) => ({ value, name: value, description: `The ${value}` })),
        changed: () => items,
        read: (_context, value) =>
          items.includes(value) || value === "a b/ü#%"
            ? { uri: `test://item/${encodeURIComponent(value)}`, mimeType: "text/plain", text: `item ${value}` }
            : undefined,
      },
    ],
    prompts: [
      {
        name: "greet",
        title: "Greet",
        description: "Greets somebody",
        arguments: [{ name: "who", description: "the one to greet", required: true }],
        get: (_context, { who }) => [
          { role: "user", content: { type: "text", text: `Greet ${who}` } },
          {
            role: "user",
            content: { type: "resource", resource: { uri: "test://registry", mimeType: "text/plain", text: "it" } },
          },
        ],
        complete: (_context, _argument, value) => ["ada", "alan"].filter((name) => name.startsWith(value)),
      },
    ],
    ...more,
  };
}

export const items: readonly string[] = Array.from({ length: 250 }, (_, index) => `item-${index}`);

type Call = { readonly context: RequestContext; readonly args: Readonly<Record<string, unknown>> };

export function tool(name: string, call: (asked: Call) => ToolAnswer | Promise<ToolAnswer>): ToolDefinition {
  return {
    name,
    title: name,
    description: `The tool ${name}`,
    inputSchema: { ...text, required: [] },
    outputSchema: { type: "object", properties: { said: { type: "string" } }, required: ["said"] },
    annotations: readOnly,
    scope: "read",
    toolset: "small",
    call: (context, args) => call({ context, args: args as Readonly<Record<string, unknown>> }),
  };
}

export function told(said: string): ToolAnswer {
  return { kind: "ok", text: said, structured: { said } };
}

async function slow({ context, args }: Call): Promise<ToolAnswer> {
  context.progress?.(1, 2, "half");
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Number(args.text ?? 100));
    context.signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  context.progress?.(2, 2);
  return told("done");
}

async function logged({ context, args }: Call): Promise<ToolAnswer> {
  const event: LedgerEvent = { agent: context.caller.name, context: String(args.text) };
  const { eventId } = await context.ledger.record(event);
  return told(eventId);
}

function resource(uri: string, read: () => string): Surface["resources"][number] {
  return {
    uri,
    name: uri,
    title: uri,
    description: `The resource ${uri}`,
    mimeType: "text/plain",
    read: () => ({ uri, mimeType: "text/plain", text: read() }),
  };
}

/** A source that a test turns by hand. */
export function handSource(ready: Promise<void> = Promise.resolve()) {
  const listeners = new Set<(previous: Snapshot, next: Snapshot) => void>();
  let snapshot = buildSnapshot([], { sequence: 0 });
  const source: SnapshotSource = {
    get snapshot() {
      return snapshot;
    },
    ready,
    onDidChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const turn = (): void => {
    const previous = snapshot;
    const sequence = previous.sequence + 1;
    // A bibliography that differs each time: something that a client can find changed.
    const sources = `T${sequence}: { citation: "Turn ${sequence}", authors: [Nobody], seen: full, url: "https://example.org" }\n`;
    snapshot = buildSnapshot([parseFile("sources.yaml", sources)], { sequence });
    for (const listener of listeners) listener(previous, snapshot);
  };
  return { source, turn, listeners };
}

/** Keeps events in an array: what the bindings do with a ledger, not what a ledger does. */
export function arrayLedger(): Ledger & { readonly kept: LedgerEvent[] } {
  const kept: LedgerEvent[] = [];
  const ledger: Pick<Ledger, "record" | "close" | "where"> & { kept: LedgerEvent[] } = {
    kept,
    where: "an array",
    record: async (event) => {
      kept.push(event);
      const totals = { concept: kept.length, agent: kept.length };
      return { eventId: `event-${kept.length}`, at: "2026-01-01T00:00:00.000Z", storedIn: "sqlite", totals };
    },
    close: async () => {},
  };
  return ledger as Ledger & { readonly kept: LedgerEvent[] };
}
