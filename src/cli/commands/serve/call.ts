import { createInterface } from "node:readline";
import { lazy } from "../../../base/lazy.ts";
import { nearest } from "../../../core/concept/nearest.ts";
import type { RequestContext } from "../../../mcp/request-context.ts";
import type { ToolAnswer, ToolDefinition } from "../../../mcp/surface.ts";
import { surfaceFor } from "../../../mcp/surface-for.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print, printExact, UsageError } from "../../kit/io.ts";
import { open } from "../../kit/open.ts";
import { ruleDocs } from "../../kit/rule-docs.ts";
import { version } from "../../kit/version.ts";

export interface CallArgs {
  readonly tool?: string | undefined;
  readonly json?: string | undefined;
  /** Print the structured answer instead of the text. */
  readonly structured: boolean;
  /** Read calls from stdin, one JSON object a line. */
  readonly stream: boolean;
}

/** Calls tools from the shell: one by name, or one a line with `--stream`. */
export async function runCall(args: CallArgs, settings: Settings, io: Io): Promise<number> {
  const { workspace, ledger, caller, log } = await open(settings, { watch: false });
  try {
    await workspace.ready;
    const tools = lazy(() => surfaceFor(workspace.snapshot, version, ruleDocs(import.meta.url)).tools);
    const view = workspace.snapshot.viewFor(caller);
    const context: RequestContext = { view, ledger, caller, signal: new AbortController().signal };
    if (args.stream) return await answerLines(tools(), context, io);
    if (args.tool === undefined)
      throw new UsageError(
        `Name a tool: ${tools()
          .map((it) => it.name)
          .join(", ")}.`,
      );
    const tool = find(tools(), args.tool);
    const answer = await tool.call(context, args.json);
    print(io, args.structured ? JSON.stringify(structured(answer), undefined, 2) : answer.text);
    return answer.kind === "refused" ? exitCodes.found : exitCodes.ok;
  } finally {
    await ledger.close().catch((error: unknown) => log("warn", "the ledger did not close", { error: String(error) }));
    await workspace.dispose();
  }
}

async function answerLines(tools: readonly ToolDefinition[], context: RequestContext, io: Io): Promise<number> {
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    io.stdout.once("error", () => {
      isGone = true;
      resolve();
    });
  });
  for await (const line of createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const text = `${JSON.stringify(structured(await answerLine(tools, context, line)))}\n`;
    if (!printExact(io, text)) await Promise.race([gone, new Promise((resolve) => io.stdout.once("drain", resolve))]);
    if (isGone) break;
  }
  return exitCodes.ok;
}

async function answerLine(
  tools: readonly ToolDefinition[],
  context: RequestContext,
  line: string,
): Promise<ToolAnswer> {
  try {
    const request = JSON.parse(line) as { readonly tool?: unknown; readonly arguments?: unknown } | null;
    return await find(tools, String(request?.tool)).call(context, request?.arguments);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof UsageError)) throw error;
    const text =
      error instanceof UsageError
        ? error.message
        : `This line is not JSON: ${error.message}. Write {"tool": …, "arguments": …}.`;
    return { kind: "refused", text, didYouMean: [], candidates: [] };
  }
}

function find(tools: readonly ToolDefinition[], name: string): ToolDefinition {
  const tool = tools.find((it) => it.name === name || it.name === `iaip_${name}`);
  if (tool) return tool;
  const near = nearest(
    name,
    tools.map((it) => it.name),
  );
  throw new UsageError(
    `There is no tool \`${name}\`. ${near ? `Did you mean \`${near}\`?` : `Tools: ${tools.map((it) => it.name).join(", ")}.`}`,
  );
}

function structured(answer: ToolAnswer): unknown {
  if (answer.kind === "ok") return answer.structured;
  if (answer.kind === "verbatim") return JSON.parse(answer.text);
  return { refused: { text: answer.text, did_you_mean: answer.didYouMean, candidates: answer.candidates } };
}
