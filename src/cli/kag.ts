import { existsSync } from "node:fs";
import { join } from "node:path";
import { readEnabledTools } from "../kag/enabled-tools.ts";
import { keyPattern, serveKagHttp } from "../kag/endpoint/serve-kag-http.ts";
import { taskReport } from "../kag/endpoint/task-report.ts";
import { type KagSurfaceOptions, kagSurfaceOf } from "../kag/kag-surface.ts";
import { openAiModel } from "../kag/solve/open-ai-model.ts";
import { namespacePattern } from "../kag/type-names.ts";
import type { Settings } from "../settings/schema.ts";
import { exitCodes, type Io, UsageError } from "./io.ts";
import type { KagArgs } from "./kag-flags.ts";
import { type Opened, open } from "./open.ts";
import { untilStopped } from "./until-stopped.ts";
import { version } from "./version.ts";

/** Serves the frozen `kag_*` tools on stdio or HTTP until the client's stream ends or a signal comes. */
export async function runKag(args: KagArgs, settings: Settings, io: Io): Promise<number> {
  const door = readDoor(args, io);
  const tools = surfaceOptions(args, io);
  const opened = await open({ ...settings, ...folderSetting(settings, io), ledger: "none" }, { watch: true });
  const options: KagSurfaceOptions = { ...tools, log: opened.log, ...reporting(opened, io) };
  const told = untilStopped();
  try {
    const serving = door.kind === "stdio" ? await onStdio(opened, options) : await onHttp(door, opened, options, io);
    void opened.workspace.ready;
    await Promise.race([told, serving.closed]);
    await serving.close();
  } finally {
    await opened.workspace.dispose();
  }
  return exitCodes.ok;
}

type Door =
  | { readonly kind: "stdio" }
  | { readonly kind: "http"; readonly host: string; readonly port: number; readonly key: string };

function readDoor({ transport, host, port }: KagArgs, { env }: Io): Door {
  const asked = transport ?? env.KAG_BRIDGE_TRANSPORT?.trim().toLowerCase() ?? "stdio";
  if (asked === "stdio" || asked === "") return { kind: "stdio" };
  if (asked !== "http" && asked !== "streamable-http")
    throw new UsageError(`--transport takes stdio or http; \`${asked}\` was given.`);
  const key = env.KAG_BRIDGE_API_KEY?.trim() ?? "";
  if (key === "")
    throw new UsageError(
      "Set KAG_BRIDGE_API_KEY: over HTTP every request must carry it, and without one nothing is served.",
    );
  if (!keyPattern.test(key))
    throw new UsageError("KAG_BRIDGE_API_KEY may hold letters, digits and . _ ~ + / = - only, as a bearer token does.");
  const number = port ?? env.KAG_BRIDGE_HTTP_PORT?.trim() ?? "8890";
  if (!/^\d{1,5}$/.test(number) || Number(number) > 65_535)
    throw new UsageError(
      `The port must be a number from 0 to 65535; \`${number}\` was given (--port, KAG_BRIDGE_HTTP_PORT).`,
    );
  return { kind: "http", host: host ?? env.KAG_BRIDGE_HTTP_HOST?.trim() ?? "127.0.0.1", port: Number(number), key };
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
  const found = [folder, join(folder, "concepts")].find((it) => existsSync(join(it, "vocabulary.yaml")));
  if (found !== undefined) return { concepts: found };
  stderr.write(`iaip-dsl: KAG_PROJECT_DIR holds no vocabulary.yaml; the shipped vocabulary is served.\n`);
  return {};
}

function reporting({ log }: Opened, { env }: Io): Pick<KagSurfaceOptions, "onSolved"> {
  const url = env.KAGWEB_API_URL?.trim() ?? "";
  const key = env.KAG_BRIDGE_API_KEY?.trim() ?? "";
  if (!URL.canParse(url) || key === "") return {};
  return { onSolved: taskReport({ url, key, sessionId: env.KAG_SESSION_ID ?? "", log }) };
}

async function onStdio({ workspace, ledger, caller, log }: Opened, options: KagSurfaceOptions) {
  const { serveMcpStdio } = await import("../mcp/stdio.ts");
  return serveMcpStdio({ surface: kagSurfaceOf(workspace, options), source: workspace, ledger, caller, log });
}

async function onHttp(
  door: Extract<Door, { kind: "http" }>,
  { workspace, ledger, log }: Opened,
  options: KagSurfaceOptions,
  io: Io,
) {
  const { host, port, key } = door;
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
  }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot listen on ${host}:${port}: ${error.message}`);
  });
  io.stderr.write(`iaip-dsl: kag tools are served at ${url}/mcp\n`);
  return { close, closed: new Promise<void>(() => {}) };
}

/** A port after a name says nothing: a name is allowed with every port. */
function extraHosts({ env }: Io): readonly string[] {
  return (env.KAG_BRIDGE_EXTRA_HOSTS ?? "")
    .split(",")
    .map((it) => it.trim().replace(/:(?:\*|\d+)$/, ""))
    .filter((it) => it !== "");
}
