import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const plain = (name) => require(name).default ?? require(name);
const { TextlintKernel } = require("@textlint/kernel");
const options = {
  ext: ".md",
  filePath: process.argv[2],
  plugins: [{ pluginId: "markdown", plugin: plain("@textlint/textlint-plugin-markdown") }],
  rules: [{ ruleId: "terminology", rule: plain("textlint-rule-terminology") }],
};
const text = readFileSync(process.argv[2], "utf8");
const check = async (it) => (await new TextlintKernel().lintText(it, options)).messages.length;
const findings = await check(text);
const first = process.uptime() * 1000;
const processor = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
const firstCpu = processor();
const again = performance.now();
await check(`x${text}`);
const edit = performance.now() - again;
const editCpu = processor() - firstCpu;
console.log(JSON.stringify({ first, firstCpu, edit, editCpu, rss: process.memoryUsage().rss / 1_048_576, findings }));
