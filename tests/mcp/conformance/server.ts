/** The real surface over the shipped vocabulary, on the real doors, with the conformance fixtures added: for tests only. */
import { stderrLog } from "../../../src/base/log.ts";
import { openAccess } from "../../../src/http/auth/open-access.ts";
import { serveMcpHttp } from "../../../src/mcp/http/serve.ts";
import { surfaceFor } from "../../../src/mcp/surface-for.ts";
import { openWorkspace } from "../../../src/workspace/workspace.ts";
import { endWhenDone } from "../end-when-done.ts";
import { arrayLedger } from "../small-surface.ts";
import { addFixtures } from "./add-fixtures.ts";

const log = stderrLog("warn");
const { concepts, ...more } = JSON.parse(process.env.OPTIONS ?? "{}") as { readonly concepts: string };
const workspace = openWorkspace(concepts, { log, watch: false });
await workspace.ready;
const surface = surfaceFor(workspace.snapshot, "1.0.0");
const server = await serveMcpHttp({
  surface: () => surface,
  source: workspace,
  ledger: arrayLedger(),
  log,
  host: "localhost",
  port: 0,
  access: await openAccess({ host: "localhost", log }),
  probeLedger: async () => {},
  wrapServer: addFixtures,
  ...more,
});
process.send?.(server.url);
endWhenDone({ close: server.close, graceMs: 11_000, log });
