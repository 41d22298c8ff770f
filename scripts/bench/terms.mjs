// The terminology reader on the Markdown of the installed packages, against textlint with textlint-rule-terminology and
// cspell-lib on the same texts in the same run, turn about; and its growth with the number of rules.
// node scripts/bench/terms.mjs [KB of text, 1500 when absent]
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const limit = Number(process.argv[2] ?? 1500) * 1024;
const outfile = join(root, "node_modules/.cache/iaip-dsl/bench-terms.mjs");
await build({
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  banner: { js: 'import { createRequire as __r } from "node:module"; const require = __r(import.meta.url);' },
  logLevel: "error",
  entryPoints: ["scripts/bench/terms/reader.ts"],
  outfile,
});
const { openReader, makeRules } = await import(outfile);

const texts = corpus();
const bytes = texts.reduce((sum, it) => sum + Buffer.byteLength(it.text), 0);
console.log(`${texts.length} Markdown files, ${(bytes / 1024).toFixed(0)} KB`);

const read = openReader(join(root, "concepts"));
const serious = texts.flatMap(({ name, text }) => read(text).serious.map((it) => `${name}:${it}`));
console.log(
  `findings at warning or above: ${serious.length}, ${(serious.length / (bytes / 102_400)).toFixed(2)} in 100 KB`,
);
for (const it of serious) console.log(`  ${it}`);

const readers = [["iaip-dsl", async (text) => read(text).findings], ...(await peers())];
const speeds = new Map(readers.map(([name]) => [name, []]));
for (let round = 0; round < 3; round += 1) {
  for (const [name, run] of readers) {
    const start = process.cpuUsage();
    for (const { text } of texts) await run(text);
    const { user, system } = process.cpuUsage(start);
    speeds.get(name).push(bytes / 1024 / ((user + system) / 1e6));
  }
}
const best = (name) => Math.max(...speeds.get(name));
for (const [name] of readers) {
  const spread = speeds.get(name).map((it) => it.toFixed(0));
  const ratio = name === "iaip-dsl" ? "" : `, iaip-dsl is ${(best("iaip-dsl") / best(name)).toFixed(1)} times as fast`;
  console.log(`${name}: ${best(name).toFixed(0)} KB/s of processor time (${spread.join(", ")})${ratio}`);
}

const words = [...new Set(texts.flatMap(({ text }) => text.toLowerCase().match(/[a-z]{5,12}/g) ?? []))].slice(0, 200);
for (let index = 0; words.length < 10_050; index += 1) words.push(`term${index.toString(36)}x`);
const few = makeRules(words, 100);
const many = makeRules(words, 10_000);
const cost = (reader) => {
  const start = process.cpuUsage();
  for (const { text } of texts) reader(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};
const costs = { few: [], many: [] };
for (let round = 0; round < 5; round += 1) {
  costs.few.push(cost(few));
  costs.many.push(cost(many));
}
const [least, most] = [Math.min(...costs.few), Math.min(...costs.many)];
console.log(`100 rules ${least.toFixed(0)} ms, 10,000 rules ${most.toFixed(0)} ms: ${(most / least).toFixed(2)} times`);

/** Markdown of the installed packages, in a stable order, until the limit. */
function corpus() {
  const found = [];
  let size = 0;
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (/\.md$/i.test(entry.name) && size < limit && statSync(path).size > 1000) {
        const text = readFileSync(path, "utf8");
        size += Buffer.byteLength(text);
        found.push({ name: path.slice(root.length + "node_modules/".length), text });
      }
    }
  };
  visit(join(root, "node_modules"));
  return found;
}

/** The peers that are installed. */
async function peers() {
  const list = [];
  try {
    const { TextlintKernel } = await import("@textlint/kernel");
    const markdown = (await import("@textlint/textlint-plugin-markdown")).default;
    const rule = (await import("textlint-rule-terminology")).default;
    const kernel = new TextlintKernel();
    const options = {
      ext: ".md",
      plugins: [{ pluginId: "markdown", plugin: markdown.default ?? markdown }],
      rules: [{ ruleId: "terminology", rule: rule.default ?? rule }],
    };
    list.push(["textlint + terminology", async (text) => (await kernel.lintText(text, options)).messages.length]);
  } catch (error) {
    console.log(
      `textlint is not here (${error.message.split("\n")[0]}); install the dev dependencies to compare with it`,
    );
  }
  try {
    const { getDefaultBundledSettingsAsync, spellCheckDocument } = await import("cspell-lib");
    const settings = await getDefaultBundledSettingsAsync();
    const check = async (text) => {
      const document = { uri: "file:///a.md", text, languageId: "markdown", locale: "en" };
      const { issues } = await spellCheckDocument(
        document,
        { generateSuggestions: false, noConfigSearch: true },
        settings,
      );
      return issues.length;
    };
    await check("warm");
    list.push(["cspell-lib", check]);
  } catch (error) {
    console.log(
      `cspell-lib is not here (${error.message.split("\n")[0]}); install the dev dependencies to compare with it`,
    );
  }
  return list;
}
