// Writes the page of every terminology rule to dist/rules; diagnostics link to them.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
await build({
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
  entryPoints: ["src/cli/commands/check/write-rule-pages.ts"],
  outfile: "node_modules/.cache/iaip-dsl/rule-pages.mjs",
});
const { writeRulePages } = await import("../node_modules/.cache/iaip-dsl/rule-pages.mjs");
writeRulePages(`${root}concepts`, `${root}dist/rules`);
