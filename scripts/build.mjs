// Builds dist/iaip-dsl.mjs, one file with everything but native modules, and dist/bridge.mjs.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
/** zod ships its messages in fifty languages; ours are written by us, so English stands in for them all. */
function englishOnly() {
  return {
    name: "english-only",
    setup({ onLoad }) {
      onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
        contents: 'export { default as en } from "./en.js";',
        loader: "js",
      }));
    },
  };
}

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  define: { __VERSION__: JSON.stringify(version) },
  // Some bundled packages are CommonJS and ask for `require`, `__filename` and `__dirname`.
  banner: {
    js: [
      'import { createRequire as __createRequire } from "node:module";',
      "const require = __createRequire(import.meta.url);",
    ].join("\n"),
  },
  external: ["better-sqlite3", "pg-native"],
  legalComments: "linked",
  logLevel: "warning",
  minify: true,
  plugins: [englishOnly()],
};

mkdirSync(`${root}dist`, { recursive: true });
await build({
  ...common,
  entryPoints: ["src/main.ts"],
  outfile: "dist/iaip-dsl.mjs",
  banner: { js: `#!/usr/bin/env node\n${common.banner.js}` },
});
chmodSync(`${root}dist/iaip-dsl.mjs`, 0o755);
// Parses the shipped vocabulary ahead: reading YAML is most of a cold start.
await build({ ...common, entryPoints: ["src/workspace/packed.ts"], outfile: "node_modules/.cache/iaip-dsl/pack.mjs" });
const { packFolder } = await import("../node_modules/.cache/iaip-dsl/pack.mjs");
writeFileSync(`${root}dist/concepts.json`, JSON.stringify(packFolder(`${root}concepts`)));
// The page of each rule, which diagnostics and findings point to.
await import("./build-rules.mjs");
if (existsSync(`${root}src/bridge/index.ts`)) {
  // The SDK stays outside: the bridge is importable without one, and says how to install it when it is needed.
  await build({
    ...common,
    entryPoints: ["src/bridge/index.ts"],
    outfile: "dist/bridge.mjs",
    external: [...common.external, "@modelcontextprotocol/*"],
  });
  execFileSync(process.execPath, [
    `${root}node_modules/typescript/bin/tsc`,
    "-p",
    `${root}scripts/tsconfig.bridge.json`,
  ]);
}
