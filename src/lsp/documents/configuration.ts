import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Connection, WorkspaceFolder } from "vscode-languageserver";
import { isRecord } from "../../base/json-rpc.ts";
import type { Log } from "../../base/log.ts";
import type { SettingsLayer } from "../../settings/layer.ts";
import { settingsOf } from "../../settings/merge.ts";
import { editorLayer, problemLine } from "../../settings/read-settings.ts";
import { type Settings, settingsFrom } from "../../settings/schema.ts";
import { SettingsFiles } from "../../settings/settings-file.ts";
import { section } from "../protocol/capabilities.ts";
import type { ClientFeatures } from "../protocol/client-features.ts";
import { filePath, isInside } from "../protocol/uris.ts";

/** How long an answer to `workspace/configuration` is waited for; some clients never give one. */
const configurationTimeoutMs = 1500;

interface Sources {
  readonly connection: Connection;
  readonly client: ClientFeatures;
  readonly log: Log;
  /** What whoever started the process set. */
  readonly started: readonly SettingsLayer[];
  readonly initializationOptions: unknown;
}

/**
 * The settings that hold for a document: what the editor says, how the process was started, the project file nearest to
 * the document, in this order. Nothing an editor answers can break it.
 */
export class Configuration {
  readonly settingsFiles = new SettingsFiles();
  readonly #sources: Sources;
  readonly #answered = new Map<string, unknown>();
  #pushed: unknown;
  #refreshed: Promise<void> = Promise.resolve();
  #reported = new Set<string>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Asks the editor anew, for every folder. Settles when it answered or took too long. */
  refresh(folders: readonly WorkspaceFolder[]): Promise<void> {
    if (!this.#sources.client.configuration) return Promise.resolve();
    const scopes = folders.length === 0 ? [""] : folders.map((folder) => folder.uri);
    this.#refreshed = Promise.all(scopes.map((scope) => this.#ask(scope))).then(() => undefined);
    return this.#refreshed;
  }

  /** Takes what `workspace/didChangeConfiguration` carries: the whole settings, our section, or nothing. */
  push(settings: unknown): void {
    if (!isRecord(settings)) return;
    const own = settings[section];
    // Some clients push everybody's settings: what is not ours is no mistake.
    this.#pushed = isRecord(own) ? own : pick(settings, settingsFrom("editor"));
  }

  async settingsFor(uri: string): Promise<Settings> {
    await this.#refreshed;
    const file = filePath(uri);
    const project = file === undefined ? undefined : await this.settingsFiles.nearest(path.dirname(file));
    const { started, initializationOptions } = this.#sources;
    const said = [initializationOptions, this.#pushed, this.#answerFor(file)].map(editorLayer);
    const layers = [...started, ...said, ...(project === undefined ? [] : [project.layer])];
    for (const { problems } of layers) for (const problem of problems) this.#sayOnce(problemLine(problem));
    return settingsOf(layers, file);
  }

  async #ask(scope: string): Promise<void> {
    const asking = this.#sources.connection.workspace
      .getConfiguration(scope === "" ? { section } : { scopeUri: scope, section })
      .then(
        (answer: unknown) => {
          this.#answered.set(scope, Array.isArray(answer) ? answer[0] : answer);
        },
        () => undefined,
      );
    await Promise.race([asking, setTimeout(configurationTimeoutMs, undefined, { ref: false })]);
  }

  #answerFor(file: string | undefined): unknown {
    let best: { readonly length: number; readonly answer: unknown } | undefined;
    for (const [scope, answer] of this.#answered) {
      const folder = filePath(scope);
      const fits = folder === undefined || (file !== undefined && isInside(folder, file));
      const length = folder?.length ?? 0;
      if (fits && (best === undefined || length > best.length)) best = { length, answer };
    }
    return best?.answer;
  }

  #sayOnce(problem: string): void {
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    this.#sources.log("warn", problem);
  }
}

function pick(record: Readonly<Record<string, unknown>>, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => keys.includes(key)));
}
