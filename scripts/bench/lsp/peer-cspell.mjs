import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { getDefaultSettings, mergeSettings, spellCheckDocument } = await import("cspell-lib");
const file = process.argv[2];
const settings = mergeSettings(await getDefaultSettings(), { words: ["Etuaptmumk", "steward"] });
const check = async (text) => {
  const document = { uri: pathToFileURL(file).href, text, languageId: "markdown", locale: "en" };
  return (await spellCheckDocument(document, { generateSuggestions: false, noConfigSearch: true }, settings)).issues
    .length;
};
const text = readFileSync(file, "utf8");
const findings = await check(text);
const first = process.uptime() * 1000;
const processor = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
const firstCpu = processor();
const again = performance.now();
await check(`x${text}`);
const edit = performance.now() - again;
const editCpu = processor() - firstCpu;
console.log(JSON.stringify({ first, firstCpu, edit, editCpu, rss: process.memoryUsage().rss / 1_048_576, findings }));
