import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { silentLog } from "../../../src/base/log.ts";
import { localCaller } from "../../../src/core/concept/caller.ts";
import type { SnapshotSource } from "../../../src/core/ports.ts";
import type { LspOptions } from "../../../src/lsp/documents/session.ts";
import { type Served, serveStreams } from "../../../src/lsp/transports.ts";
import { openWorkspace, type Workspace } from "../../../src/workspace/workspace.ts";
import { conceptFile, type Files, teaVocabulary } from "../../support/small-vocabulary.ts";
import { Peer, type PeerOptions } from "./peer.ts";

/** The tea vocabulary with names that are hard to find: apostrophes, marks, scripts without spaces. */
export const teaConcepts: Files = {
  ...teaVocabulary,
  "craft/data-steward.yaml": conceptFile(
    "data-steward",
    "aliases: [keeper of leaves, CARE]\nrelations:\n  - { type: enables, to: slow-brewing, source: B1 }\n  - type: complements\n    to: circle-of-care\n    proposed_by: tests\n",
    { name: "Data Steward" },
  ),
  "craft/slow-brewing.yaml": conceptFile(
    "slow-brewing",
    'names:\n  - { text: "nêhiyawêwin", language: made-up }\n  - { text: "Kanien’kehá:ka", language: made-up }\n  - { text: "Mi\'kmaw", language: made-up }\n  - { text: "ʻāina", language: made-up }\n',
  ),
  "craft/circle-of-care.yaml": conceptFile(
    "circle-of-care",
    'aliases: ["shared name"]\nnames:\n  - { text: "サーバー", language: made-up }\n  - { text: "ᓀᐦᐃᔭᐍᐏᐣ", language: made-up }\n',
  ),
  "ware/tea-bowl.yaml": conceptFile("tea-bowl", 'aliases: ["shared name", "API"]\n', {
    category: "Ware",
    name: 'Tea | Bowl `x` [l](u) "q"',
    direction: "then",
  }),
  "terminology.yaml": `rules:
  - id: pot.discouraged
    title: pots have names
    severity: warning
    phrases: [nameless pot]
    preferred: [named pot]
    reason: Every pot has a name.
    source: { key: B1, standing: seen }
    fix: replace
    examples: { flags: ["a nameless pot"], passes: ["a named pot"] }
  - id: hurry.discouraged
    title: hurrying
    severity: information
    phrases: [hurry up]
    preferred: [take your time, wait a while]
    reason: Tea takes its time.
    source: { key: B1, standing: seen }
    examples: { flags: ["hurry up now"], passes: ["take your time"] }
`,
};

export interface World {
  readonly folder: string;
  readonly concepts: string;
  readonly workspace: Workspace;
  readonly served: Served;
  readonly peer: Peer;
  uri(file: string): string;
  conceptUri(file: string): string;
  /** The path below the folder of an address, decoded. */
  pathOf(uri: string): string;
  write(file: string, text: string): Promise<void>;
  /** Settles after the next reload of the vocabulary. */
  reloaded(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions extends PeerOptions {
  readonly files?: Files;
  readonly concepts?: Files;
  readonly watch?: boolean;
  readonly lsp?: Partial<LspOptions>;
  readonly initialize?: boolean;
}

/** A folder with a vocabulary and documents, the server over it, and a client, in one process. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "iaip-lsp-")));
  const concepts = path.join(folder, "concepts");
  await writeAll(concepts, options.concepts ?? teaConcepts);
  await writeAll(folder, options.files ?? {});
  const workspace = openWorkspace(concepts, { log: silentLog, watch: options.watch ?? false, quietMs: 20 });
  const { served, peer } = serveOver(workspace, concepts, options.lsp);
  if (options.initialize !== false) await peer.initialize({ folder, ...options });
  const uri = (file: string): string => pathToFileURL(path.join(folder, file)).href;
  return {
    folder,
    concepts,
    workspace,
    served,
    peer,
    uri,
    conceptUri: (file) => uri(`concepts/${file}`),
    pathOf: (it) => path.relative(folder, fileURLToPath(it)),
    write: (file, text) => writeAll(folder, { [file]: text }),
    reloaded: () =>
      new Promise((resolve) => {
        const stop = workspace.onDidChange(() => {
          stop();
          resolve();
        });
      }),
    async close() {
      served.close();
      await served.closed;
      await workspace.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The server and a client over two pipes. */
export function serveOver(
  source: SnapshotSource,
  concepts: string | undefined,
  lsp: Partial<LspOptions> = {},
): { served: Served; peer: Peer } {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const served = serveStreams(toServer, toClient, {
    source,
    ...(concepts === undefined ? {} : { folder: concepts }),
    caller: localCaller(),
    log: silentLog,
    version: "0.0.0",
    ...lsp,
  });
  return { served, peer: new Peer(toClient, toServer) };
}

async function writeAll(folder: string, files: Files): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

/** Text with `<|>` at the caret, and where it stood. */
export function caret(marked: string): { readonly text: string; readonly line: number; readonly character: number } {
  const at = marked.indexOf("<|>");
  const before = marked.slice(0, at);
  const lines = before.split(/\r\n|\r|\n/);
  return { text: before + marked.slice(at + 3), line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}
