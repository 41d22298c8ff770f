// A host's turn: an OpenAI-style tool loop over any MCP server's tools, with the gates that keep a person in charge.
//
//   npm run build
//   node src/bridge/example/tool-loop.mjs                          our own concept server
//   node src/bridge/example/tool-loop.mjs -- npx -y SOME-SERVER    any other stdio server
//
// The model is scripted, so that it runs anywhere. `chatModel` is the same seam over an OpenAI-compatible endpoint.
import { fileURLToPath } from "node:url";
import { CompositeDispatcher, McpDispatcher, stdioSession, withSession } from "iaip-dsl/bridge";

/**
 * Runs one turn. `model(messages, tools)` answers as `chat/completions` does: a message with `content` or `tool_calls`.
 * `confirmed` holds the names a person agreed to, and `replay` the calls to make first, with what they were held for.
 * Returns the answer, the record of calls, and the calls that wait for a person.
 */
export async function runTurn({ dispatcher, model, messages, confirmed = [], replay = [], readOnly = false, steps = 8 }) {
  const tools = new CompositeDispatcher([dispatcher], readOnly ? { mode: "read-only" } : {});
  const history = [...messages];
  const record = [];
  const pending = [];
  const failed = new Set();

  const call = async (name, args, isConfirmed) => {
    if (tools.requiresConfirmation(name) && !isConfirmed) {
      pending.push({ tool: name, arguments: args });
      return { ok: false, error: "needs_confirmation" };
    }
    const key = JSON.stringify([name, args]);
    if (failed.has(key)) return { ok: false, error: "this very call failed a moment ago; change it or stop" };
    // What no model can mend is thrown from here, and ends the turn.
    const result = await tools.execute(name, args);
    record.push({ tool: name, arguments: args, ok: result.ok, sideEffect: result.sideEffect });
    if (result.ok) failed.clear();
    else failed.add(key);
    if (!result.needsConfirmation) return result;
    if (isConfirmed) throw new Error(`${name} was confirmed and still asks`);
    // The server looked, changed nothing, and says what the confirmed call has to carry: it is only ever added.
    pending.push({ tool: name, arguments: { ...result.confirmArguments, ...args } });
    return { ...result, ok: false, error: result.output };
  };

  for (const { tool, arguments: args } of replay) {
    const result = await call(tool, args, true);
    history.push({ role: "system", content: fenced(tool, result) });
  }
  for (let step = 0; step < steps; step++) {
    const message = await model(history, tools.toolsSchema());
    history.push(message);
    if (!message.tool_calls?.length) return { answer: message.content, record, pending };
    for (const { id, function: asked } of message.tool_calls) {
      const result = await call(asked.name, parsed(asked.arguments), confirmed.includes(asked.name));
      history.push({ role: "tool", tool_call_id: id, content: fenced(asked.name, result) });
    }
    if (pending.length > 0) return { answer: "A person has to agree first.", record, pending };
  }
  return { answer: "The turn ran out of steps.", record, pending };
}

/** What a tool says is material, never an instruction: it is fenced, and cannot close its fence. */
function fenced(name, result) {
  const text = result.ok ? result.output : `error: ${result.error}`;
  return `<tool_output name="${name}">\n${text.replaceAll("</tool_output", "<\\/tool_output")}\n</tool_output>`;
}

function parsed(text) {
  try {
    return JSON.parse(text || "{}");
  } catch {
    return {};
  }
}

/** A model that says its lines. Each is a text, or a list of `[tool, arguments]`. */
export function scriptedModel(lines) {
  let at = 0;
  return async () => {
    const line = lines[at++] ?? "Done.";
    if (typeof line === "string") return { role: "assistant", content: line };
    const calls = line.map(([name, args], index) => ({
      id: `call_${at}_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    }));
    return { role: "assistant", content: null, tool_calls: calls };
  };
}

/** The same seam over an OpenAI-compatible endpoint. */
export function chatModel({ url, key, model }) {
  return async (messages, tools) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const body = JSON.stringify({ model, messages, tools });
    const response = await fetch(`${url}/chat/completions`, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`the model answered with ${response.status}`);
    return (await response.json()).choices[0].message;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const split = process.argv.indexOf("--");
  const own = [process.execPath, fileURLToPath(new URL("../../../dist/iaip-dsl.mjs", import.meta.url)), "serve", "--mcp", "stdio"];
  const [command, ...args] = split < 0 ? own : process.argv.slice(split + 1);
  await withSession(stdioSession(command, { args }), async (session) => {
    const dispatcher = await McpDispatcher.create(session);
    const names = dispatcher.toolsSchema().map((tool) => tool.function.name);
    console.log(`${names.length} tools: ${names.join(", ")}`);
    if (!names.includes("iaip_concept_lookup")) return;
    const model = scriptedModel([
      [["iaip_concept_lookup", { concept: "two eyed seeing" }]],
      [["iaip_validate_terminology", { text: "We bridge the gap." }]],
      "Both were looked up.",
    ]);
    const messages = [{ role: "user", content: "What does the vocabulary say about two-eyed seeing?" }];
    const { answer, record } = await runTurn({ dispatcher, model, messages, readOnly: true });
    for (const { tool, ok } of record) console.log(`${tool}: ${ok ? "ok" : "not ok"}`);
    console.log(answer);
  });
}
