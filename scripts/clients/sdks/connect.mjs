#!/usr/bin/env node
// One version of the SDK's client over one transport: initialize, tools/list, one call. Prints what came as one line of JSON.
// node connect.mjs sdk-1.0.4 '{"transport":"stdio","command":"node","args":[…]} or {"transport":"http"|"sse","url":"…"}'
const [sdk = "", target = "{}"] = process.argv.slice(2);
const { transport: kind, url, ...stdio } = JSON.parse(target);

/** The packages of long ago name no sub-paths, so files are imported as such. */
const load = (file) => import(new URL(`./node_modules/${sdk}/dist/${file}`, import.meta.url).href);
const firstOf = (files) =>
  files.reduce((before, file) => before.catch(() => load(file)), Promise.reject(new Error("none was tried")));
const part = (file) => firstOf([`esm/${file}`, file]);

const [{ Client }, transport] = await Promise.all([part("client/index.js"), makeTransport()]);
if (transport === undefined) console.log(JSON.stringify({ kind: "absent" }));
else {
  const client = new Client({ name: sdk, version: "1" }, { capabilities: {} });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const answer = await client.callTool({ name: "iaip_concept_search", arguments: { query: "respect" } });
  console.log(JSON.stringify({ kind: "connected", tools: tools.length, isError: answer.isError === true }));
  await client.close();
}
process.exit(0);

async function makeTransport() {
  if (kind === "stdio") {
    const { StdioClientTransport } = await part("client/stdio.js");
    return new StdioClientTransport({ ...stdio, stderr: "ignore" });
  }
  if (kind === "sse") {
    const { SSEClientTransport } = await part("client/sse.js");
    globalThis.EventSource ??= (await import("eventsource").catch(() => ({}))).EventSource;
    return new SSEClientTransport(new URL(url));
  }
  // Streamable HTTP came with 1.10.
  const { StreamableHTTPClientTransport } = await part("client/streamableHttp.js").catch(() => ({}));
  return StreamableHTTPClientTransport && new StreamableHTTPClientTransport(new URL(url));
}
