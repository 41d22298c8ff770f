// The language server against peers that read prose, in one run: cold start, first full diagnostics from process start,
// one edit, hover and memory, on 10,000 lines of Markdown and on an equal concept file.
//   node scripts/bench/lsp.mjs [RUNS]      (after `npm run build`; installs the peers into a cache on first use)
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { conceptFile, manyTerms, markdown } from "./lsp/corpus.mjs";
import { EditorClient } from "./lsp/editor-client.mjs";
import { median, percentile } from "./measure.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = process.env.IAIP_DSL_PROGRAM ?? `${root}dist/iaip-dsl.mjs`;
const runs = Number(process.argv[2] ?? 5);
const cache = `${root}node_modules/.cache/iaip-bench-lsp`;
const parts = fileURLToPath(new URL("lsp/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "iaip-bench-lsp-"));
const text = markdown(10_000);
const yaml = conceptFile(10_000);

installPeers();
const shipped = join(folder, "shipped");
const large = join(folder, "large");
writeVocabulary(shipped, {});
writeVocabulary(large, manyTerms(100_000));
console.log(
  `${text.split("\n").length - 1} lines of Markdown, ${text.length} characters; ${runs} runs, turn about; the least of each, and the median in brackets`,
);

const ours = (concepts) => ({
  command: [process.execPath, program, "lsp", "--stdio", "--concepts", concepts, "--ledger", "none"],
  name: "iaip-dsl",
});
const peers = [
  { ...ours(shipped), title: "iaip-dsl, shipped vocabulary", text, file: "a.md", pull: true },
  { ...ours(large), title: "iaip-dsl, 100,000 more terms", text, file: "a.md", pull: true, hoverAt: undefined },
  {
    title: `vscode-markdown ${version("vscode-langservers-extracted")}`,
    command: [process.execPath, bin("vscode-langservers-extracted", "bin/vscode-markdown-language-server"), "--stdio"],
    text,
    file: "a.md",
    pull: true,
    markdown: true,
  },
  {
    title: `unified ${version("unified-language-server")} with remark`,
    command: [process.execPath, `${cache}/unified.mjs`, "--stdio"],
    text,
    file: "a.md",
  },
  { ...ours(shipped), title: "iaip-dsl, concept file", text: yaml, file: "concepts", pull: true, concepts: shipped },
  {
    title: `yaml ${version("yaml-language-server")} on Node ${nodeVersion()}`,
    command: [
      `${cache}/node_modules/node/bin/node`,
      bin("yaml-language-server", "bin/yaml-language-server"),
      "--stdio",
    ],
    text: yaml,
    file: "a.yaml",
    schema: true,
  },
];

const seen = new Map(peers.map((peer) => [peer.title, []]));
for (let run = 0; run < runs; run += 1) for (const peer of peers) seen.get(peer.title).push(await measured(peer));
const libraries = {
  [`cspell-lib ${version("cspell-lib")}`]: "cspell.mjs",
  [`textlint ${version("@textlint/kernel")} with terminology`]: "textlint.mjs",
};
const library = Object.fromEntries(Object.keys(libraries).map((title) => [title, []]));
for (let run = 0; run < Math.min(runs, 3); run += 1)
  for (const [title, file] of Object.entries(libraries)) library[title].push(measureLibrary(file));

report();
rmSync(folder, { recursive: true, force: true });

async function measured(peer) {
  const began = performance.now();
  const result = await measure(peer);
  console.error(`  ${peer.title}: ${(performance.now() - began).toFixed(0)} ms`);
  return result;
}

/** One life of a server: started, asked, edited, asked again, ended. */
async function measure(peer) {
  const client = new EditorClient(peer.command, {
    markdown: peer.markdown,
    schema: peer.schema ? `${cache}/schema.json` : undefined,
    cwd: folder,
  });
  await client.initialize(folder);
  const start = client.now();
  const uri = peer.concepts
    ? pathToFileURL(join(peer.concepts, "orchestration/long-file.yaml")).href
    : pathToFileURL(join(folder, peer.file)).href;
  client.open(uri, peer.text);
  const first = await client.diagnostics(uri, peer.pull);
  const firstAt = client.now();
  const edits = [];
  for (let edit = 0; edit < 5; edit += 1) {
    const began = performance.now();
    client.edit(uri, 5000 + edit, peer.concepts || peer.schema ? 6 : 0, "x");
    await client.diagnostics(uri, peer.pull);
    edits.push(performance.now() - began);
  }
  const hovers = [];
  for (let index = 0; client.hovers && index < 300; index += 1) {
    const began = performance.now();
    await client.request("textDocument/hover", {
      textDocument: { uri },
      position: { line: (index * 31) % 9999, character: 6 },
    });
    hovers.push(performance.now() - began);
  }
  const rss = client.rss();
  await client.end();
  return {
    start,
    first: firstAt,
    edit: median(edits),
    p99: hovers.length === 0 ? Number.NaN : percentile(hovers, 99),
    rss,
    findings: first,
  };
}

function measureLibrary(file) {
  const script = `${cache}/${file}`;
  writeFileSync(`${folder}/a.md`, text);
  const { stdout, status, stderr } = spawnSync(process.execPath, [script, `${folder}/a.md`], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function report() {
  const rows = [["", "cold start", "first full", "after an edit", "edit/first", "hover p99", "memory", "found"]];
  const least = (values) => `${Math.min(...values).toFixed(0)} (${median(values).toFixed(0)}) ms`;
  for (const [title, all] of seen) {
    const of = (key) => all.map((it) => it[key]);
    rows.push([
      title,
      least(of("start")),
      least(of("first")),
      `${median(of("edit")).toFixed(1)} ms`,
      (median(of("edit")) / median(of("first"))).toFixed(3),
      Number.isNaN(median(of("p99"))) ? "" : `${median(of("p99")).toFixed(2)} ms`,
      `${median(of("rss")).toFixed(0)} MB`,
      String(all[0].findings),
    ]);
  }
  for (const [title, all] of Object.entries(library)) {
    const of = (key) => all.map((it) => it[key]);
    rows.push([
      `${title} (library)`,
      "",
      least(of("first")),
      `${median(of("again")).toFixed(1)} ms`,
      (median(of("again")) / median(of("first"))).toFixed(3),
      "",
      `${median(of("rss")).toFixed(0)} MB`,
      String(all[0].findings),
    ]);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
  const of = (title, key) => median(seen.get(title).map((it) => it[key]));
  const markdownPeer = peers[2].title;
  const readers = [
    [peers[3].title, of(peers[3].title, "first")],
    ...Object.entries(library).map(([title, all]) => [title, median(all.map((it) => it.first))]),
  ];
  console.log(
    `\ncold start / vscode-markdown: ${(of(peers[0].title, "start") / of(markdownPeer, "start")).toFixed(2)} (aim 0.5)`,
  );
  for (const [title, first] of readers)
    console.log(`first full diagnostics / ${title}: ${(of(peers[0].title, "first") / first).toFixed(2)} (aim below 1)`);
  console.log(
    `after an edit / first: ${(of(peers[0].title, "edit") / of(peers[0].title, "first")).toFixed(3)} (aim 0.1)`,
  );
  console.log(`concept file, first / yaml: ${(of(peers[4].title, "first") / of(peers[5].title, "first")).toFixed(2)}`);
}

function writeVocabulary(to, files) {
  execFileSync("cp", ["-r", `${root}concepts`, to]);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), content);
  }
}

function installPeers() {
  mkdirSync(cache, { recursive: true });
  const manifest = readFileSync(`${parts}peers.json`, "utf8");
  const file = `${cache}/package.json`;
  if (!existsSync(`${cache}/node_modules`) || !existsSync(file) || readFileSync(file, "utf8") !== manifest) {
    writeFileSync(file, manifest);
    console.log("Installing the peers (once) …");
    execFileSync("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: cache,
      stdio: "inherit",
    });
  }
  for (const name of ["unified.mjs", "cspell.mjs", "textlint.mjs"])
    writeFileSync(`${cache}/${name}`, readFileSync(`${parts}peer-${name}`));
  const schema = execFileSync(process.execPath, [program, "concepts", "schema"], { encoding: "utf8" });
  writeFileSync(`${cache}/schema.json`, schema);
}

function bin(name, file) {
  return `${cache}/node_modules/${name}/${file}`;
}

function version(name) {
  return JSON.parse(readFileSync(`${cache}/node_modules/${name}/package.json`, "utf8")).version;
}

function nodeVersion() {
  return execFileSync(`${cache}/node_modules/node/bin/node`, ["--version"], { encoding: "utf8" }).trim().slice(1);
}
