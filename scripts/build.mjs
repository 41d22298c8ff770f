// Builds dist/: iaip-dsl.mjs with the chunks that its commands load when they are called, everything in them but native
// modules, and bridge.mjs. All lie in one folder, so that `import.meta.url` means the same in each.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeNotices } from "./notices.mjs";

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
const program = await build({
  ...common,
  entryPoints: { "iaip-dsl": "src/main.ts" },
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  splitting: true,
  chunkNames: "chunk-[hash]",
  metafile: true,
});
writeFileSync(`${root}dist/iaip-dsl.mjs`, `#!/usr/bin/env node\n${readFileSync(`${root}dist/iaip-dsl.mjs`, "utf8")}`);
chmodSync(`${root}dist/iaip-dsl.mjs`, 0o755);
refuseDynamicCommonJs(program.metafile);
removeOldChunks(new Set(Object.keys(program.metafile.outputs)));
// Parses the shipped vocabulary ahead: reading YAML is most of a cold start.
await build({ ...common, entryPoints: ["src/workspace/packed.ts"], outfile: "node_modules/.cache/iaip-dsl/pack.mjs" });
const { packFolder } = await import("../node_modules/.cache/iaip-dsl/pack.mjs");
writeFileSync(`${root}dist/concepts.json`, JSON.stringify(packFolder(`${root}concepts`)));
// The page of each rule, which diagnostics and findings point to.
await import("./build-rules.mjs");
// The SDK stays outside: the bridge is importable without one, and says how to install it when it is needed.
const bridge = await build({
  ...common,
  entryPoints: ["src/bridge/index.ts"],
  outfile: "dist/bridge.mjs",
  external: [...common.external, "@modelcontextprotocol/*"],
  metafile: true,
});
writeNotices([program.metafile, bridge.metafile], `${root}dist/THIRD-PARTY-NOTICES.txt`);
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", `${root}scripts/tsconfig.bridge.json`]);

/** A chunk of a CommonJS package has a default export only: `const { named } = await import(…)` would be undefined. */
function refuseDynamicCommonJs({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    const wrong = imports.find((it) => it.kind === "dynamic-import" && inputs[it.path]?.format === "cjs");
    if (!file.startsWith("src/") || wrong === undefined) continue;
    throw new Error(`${file} imports ${wrong.path} dynamically: import it statically in a file that is loaded late.`);
  }
}

/** Chunks are named by their content: those of an earlier build are no part of this one. */
function removeOldChunks(written) {
  for (const file of readdirSync(`${root}dist`)) {
    if (/^chunk-.*\.mjs(\.LEGAL\.txt)?$/.test(file) && !written.has(`dist/${file}`)) rmSync(`${root}dist/${file}`);
  }
}
