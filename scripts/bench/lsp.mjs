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
import { cpuOf, median, percentile } from "./measure.mjs";

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
console.log(`${text.split("\n").length - 1} lines of Markdown, ${text.length} characters; ${runs} runs, turn about`);

const ours = (concepts) => ({
  command: [
    process.execPath,
    program,
    "lsp",
    "--stdio",
    "--ledger",
    "none",
    ...(concepts ? ["--concepts", concepts] : []),
  ],
  name: "iaip-dsl",
});
const peers = [
  { ...ours(undefined), title: "iaip-dsl, shipped vocabulary", text, file: "a.md", pull: true },
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
  const startCpu = cpuOf(client.child.pid);
  const uri = peer.concepts
    ? pathToFileURL(join(peer.concepts, "orchestration/long-file.yaml")).href
    : pathToFileURL(join(folder, peer.file)).href;
  client.open(uri, peer.text);
  const first = await client.diagnostics(uri, peer.pull);
  const firstAt = client.now();
  const firstCpu = cpuOf(client.child.pid);
  const edits = [];
  const editCpus = [];
  for (let edit = 0; edit < 5; edit += 1) {
    const began = performance.now();
    const cpu = cpuOf(client.child.pid);
    client.edit(uri, 5000 + edit, peer.concepts || peer.schema ? 6 : 0, "x");
    await client.diagnostics(uri, peer.pull);
    edits.push(performance.now() - began);
    editCpus.push(cpuOf(client.child.pid) - cpu);
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
  const editCpu = median(editCpus);
  const p99 = hovers.length === 0 ? Number.NaN : percentile(hovers, 99);
  return { start, startCpu, first: firstAt, firstCpu, edit: median(edits), editCpu, p99, rss, findings: first };
}

function measureLibrary(file) {
  const script = `${cache}/${file}`;
  writeFileSync(`${folder}/a.md`, text);
  const { stdout, status, stderr } = spawnSync(process.execPath, [script, `${folder}/a.md`], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Wall time is what a person waits; processor time is what a busy machine does not change. */
function report() {
  const pair = (all, key) =>
    `${median(all.map((it) => it[key])).toFixed(0)} / ${median(all.map((it) => it[`${key}Cpu`])).toFixed(0)}`;
  const memory = (all) => median(all.map((it) => it.rss)).toFixed(0);
  const head = [
    "milliseconds, wall / processor, medians",
    "cold start",
    "first full",
    "after an edit",
    "hover p99",
    "MB",
  ];
  const rows = [[...head, "found"]];
  for (const [title, all] of seen) {
    const p99 = median(all.map((it) => it.p99));
    const hover = Number.isNaN(p99) ? "" : p99.toFixed(2);
    rows.push([
      title,
      pair(all, "start"),
      pair(all, "first"),
      pair(all, "edit"),
      hover,
      memory(all),
      `${all[0].findings}`,
    ]);
  }
  for (const [title, all] of Object.entries(library)) {
    rows.push([`${title} (library)`, "", pair(all, "first"), pair(all, "edit"), "", memory(all), `${all[0].findings}`]);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );

  const [mine, , theirs, unified, mineYaml, yamlPeer] = peers.map((it) => seen.get(it.title));
  const compare = (a, key, b, other = key) => {
    const ratio = (kind) => median(a.map((it) => it[key + kind])) / median(b.map((it) => it[other + kind]));
    return `${ratio("").toFixed(2)} wall, ${ratio("Cpu").toFixed(2)} processor`;
  };
  console.log(`\ncold start / vscode-markdown: ${compare(mine, "start", theirs)} (aim 0.5)`);
  for (const [title, all] of [[peers[3].title, unified], ...Object.entries(library)]) {
    console.log(`first full diagnostics / ${title}: ${compare(mine, "first", all)} (aim below 1)`);
  }
  console.log(`after an edit / first: ${compare(mine, "edit", mine, "first")} (aim 0.1)`);
  console.log(`concept file, first full / yaml: ${compare(mineYaml, "first", yamlPeer)}`);
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
