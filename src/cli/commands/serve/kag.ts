import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { readEnabledTools } from "../../../kag/enabled-tools.ts";
import { keyPattern, serveKagHttp } from "../../../kag/endpoint/serve-kag-http.ts";
import { taskReport } from "../../../kag/endpoint/task-report.ts";
import { type KagSurfaceOptions, kagSurfaceOf } from "../../../kag/kag-surface.ts";
import { openAiModel } from "../../../kag/solve/open-ai-model.ts";
import { namespacePattern } from "../../../kag/type-names.ts";
import type { Settings } from "../../../settings/schema.ts";
import { type Address, parsePort } from "../../kit/address.ts";
import { type Io, UsageError } from "../../kit/io.ts";
import { type Opened, open } from "../../kit/open.ts";
import { type Endpoint, runServer } from "../../kit/run-server.ts";
import { version } from "../../kit/version.ts";
import type { KagArgs } from "./kag-flags.ts";

/** Serves the frozen `kag_*` tools on stdio or HTTP until the client's stream ends or a signal comes. */
export async function runKag(args: KagArgs, settings: Settings, io: Io): Promise<number> {
  const target = readTarget(args, io);
  const tools = surfaceOptions(args, io);
  const opened = await open({ ...settings, ...folderSetting(settings, io), ledger: "none" }, { watch: true });
  const options: KagSurfaceOptions = { ...tools, log: opened.log, ...reporting(opened, io) };
  return runServer({
    log: opened.log,
    endpoints: [() => (target.kind === "stdio" ? onStdio(opened, options) : onHttp(target, opened, options, io))],
    started: async ([endpoint]) => {
      if (target.kind === "http") io.stderr.write(`iaip-dsl: kag tools are served at ${endpoint?.address}\n`);
      void opened.workspace.ready;
      return undefined;
    },
    behind: [() => opened.workspace.dispose()],
    maxCloseMs: 1_200,
  });
}

type Target = { readonly kind: "stdio" } | ({ readonly kind: "http"; readonly key: string } & Address);

/** The names of transports that hosts know: all but stdio are one listener. */
const httpTransports = ["http", "streamable-http", "sse"];

function readTarget({ transport, host, port }: KagArgs, { env }: Io): Target {
  const variable = (name: string): string | undefined => env[name]?.trim() || undefined;
  const named = transport ?? variable("KAG_BRIDGE_TRANSPORT")?.toLowerCase() ?? "stdio";
  if (named === "stdio") return { kind: "stdio" };
  if (!httpTransports.includes(named))
    throw new UsageError(`--transport takes stdio, http or sse; \`${named}\` was given.`);
  const key = variable("KAG_BRIDGE_API_KEY");
  if (key === undefined)
    throw new UsageError(
      "Set KAG_BRIDGE_API_KEY: over HTTP every request must carry it, and without one nothing is served.",
    );
  if (!keyPattern.test(key))
    throw new UsageError("KAG_BRIDGE_API_KEY may hold letters, digits and . _ ~ + / = - only, as a bearer token does.");
  const number = parsePort("--port (or KAG_BRIDGE_HTTP_PORT)", port ?? variable("KAG_BRIDGE_HTTP_PORT") ?? "8890");
  return { kind: "http", host: host ?? variable("KAG_BRIDGE_HTTP_HOST") ?? "127.0.0.1", port: number, key };
}

function surfaceOptions(args: KagArgs, { env }: Io): Omit<KagSurfaceOptions, "log"> {
  const enabled = readEnabledTools(args.enabledTools ?? "all");
  if (enabled.kind === "wrong") throw new UsageError(enabled.message);
  const { namespace, projectId } = args;
  if (namespace !== undefined && !namespacePattern.test(namespace))
    throw new UsageError(`--namespace takes a letter and 2 to 63 letters or digits; \`${namespace}\` was given.`);
  const key = env.IAIP_DSL_LLM_KEY;
  return {
    version,
    enabled: enabled.names,
    ...(namespace === undefined ? {} : { namespace }),
    ...(projectId === undefined ? {} : { projectId }),
    ...(args.llm === undefined ? {} : { model: openAiModel({ ...endpoint(args), ...(key ? { key } : {}) }) }),
  };
}

function endpoint({ llm = "", llmModel }: KagArgs): { readonly url: string; readonly model: string } {
  const scheme = URL.canParse(llm) ? new URL(llm).protocol : "";
  if (scheme !== "http:" && scheme !== "https:")
    throw new UsageError(`--llm takes the address of an OpenAI-compatible endpoint, such as http://127.0.0.1:8080/v1.`);
  if (llmModel === undefined || llmModel === "")
    throw new UsageError("--llm also needs --llm-model NAME, the model to ask for.");
  return { url: llm, model: llmModel };
}

/** A host's project folder counts as the vocabulary where it holds one. */
function folderSetting({ concepts }: Settings, { env, stderr }: Io): { readonly concepts?: string } {
  const folder = env.KAG_PROJECT_DIR?.trim() ?? "";
  if (concepts !== undefined || folder === "") return {};
  if (!isFolder(folder))
    throw new UsageError(
      `KAG_PROJECT_DIR is ${folder}, and there is no such folder. Name the folder of a vocabulary, or leave it out to serve the shipped one.`,
    );
  const found = [folder, join(folder, "concepts")].find((it) => existsSync(join(it, "vocabulary.yaml")));
  if (found !== undefined) return { concepts: found };
  stderr.write(`iaip-dsl: KAG_PROJECT_DIR holds no vocabulary.yaml; the shipped vocabulary is served.\n`);
  return {};
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function reporting({ log }: Opened, { env }: Io): Pick<KagSurfaceOptions, "onSolved"> {
  const url = env.KAGWEB_API_URL?.trim() ?? "";
  const key = env.KAG_BRIDGE_API_KEY?.trim() ?? "";
  if (!URL.canParse(url) || key === "") return {};
  return { onSolved: taskReport({ url, key, sessionId: env.KAG_SESSION_ID ?? "", log }) };
}

async function onStdio({ workspace, ledger, caller, log }: Opened, options: KagSurfaceOptions): Promise<Endpoint> {
  const { serveMcpStdio } = await import("../../../mcp/stdio.ts");
  const surface = kagSurfaceOf(workspace, options);
  // The handshake names the vocabulary, so it waits for it.
  await workspace.ready;
  const { closed, close } = serveMcpStdio({ surface, source: workspace, ledger, caller, log });
  return { name: "kag", address: "stdio", closed, close };
}

async function onHttp(
  { host, port, key }: Extract<Target, { kind: "http" }>,
  { workspace, ledger, log }: Opened,
  options: KagSurfaceOptions,
  io: Io,
): Promise<Endpoint> {
  if (host === "0.0.0.0" || host === "::")
    io.stderr.write(
      `iaip-dsl: listening on every interface. Name the hosts that clients ask for in KAG_BRIDGE_EXTRA_HOSTS; others are refused.\n`,
    );
  const projectId = (): string | undefined => {
    const { sequence, vocabulary } = workspace.snapshot;
    return sequence === 0 ? undefined : (options.projectId ?? vocabulary.name);
  };
  const { url, close } = await serveKagHttp({
    host,
    port,
    key,
    projectId,
    allowHosts: extraHosts(io),
    surface: kagSurfaceOf(workspace, options),
    source: workspace,
    ledger,
    log,
    drainMs: 900,
  });
  return { name: "kag", address: `${url}/mcp`, close };
}

/** A port after a name says nothing: a name is allowed with every port. */
function extraHosts({ env }: Io): readonly string[] {
  return (env.KAG_BRIDGE_EXTRA_HOSTS ?? "")
    .split(",")
    .map((it) => it.trim().replace(/:(?:\*|\d+)$/, ""))
    .filter((it) => it !== "");
}
