// Writes what is made from the editor settings' schema: the JSON Schema, the table in README.md, VS Code's settings.
//   node src/plugins/write-settings.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const entry = `${here}../settings/tables.ts`;
const bundled = await build({ entryPoints: [entry], bundle: true, platform: "node", format: "cjs", packages: "external", write: false });
const module = { exports: {} };
new Function("module", "exports", "require", bundled.outputFiles[0].text)(module, module.exports, createRequire(import.meta.url));
const { editorSettingRows, editorSettingsTable, projectFileSchema } = module.exports;

writeFileSync(`${here}iaip-dsl.schema.json`, `${JSON.stringify(projectFileSchema(), null, 2)}\n`);

const readme = readFileSync(`${here}README.md`, "utf8");
const [before, after] = [readme.split("<!-- settings -->")[0], readme.split("<!-- /settings -->")[1]];
writeFileSync(`${here}README.md`, `${before}<!-- settings -->\n${editorSettingsTable()}\n<!-- /settings -->${after}`);

const manifestFile = `${here}vscode/package.json`;
const manifest = JSON.parse(readFileSync(manifestFile, "utf8"));
const { properties } = manifest.contributes.configuration;
const own = Object.entries(properties).filter(([name]) => name.startsWith("iaip-dsl.server."));
const made = editorSettingRows().map(({ name, description, schema }) => [`iaip-dsl.${name}`, { ...unset(schema), scope: "resource", description }]);
manifest.contributes.configuration.properties = Object.fromEntries([...own, ...made]);
// A workspace that is not trusted sets none of them.
manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = [...own, ...made].map(([name]) => name);
writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);

/** VS Code sends a value for every setting: `null` is one that nobody set, so that the project file's counts. */
function unset({ default: fallback, ...schema }) {
  const ownEnum = schema.enum === undefined ? {} : { enum: [...schema.enum, null] };
  const words = `When empty, what the project file says, else ${JSON.stringify(fallback)}.`;
  return { ...schema, ...ownEnum, type: [schema.type, "null"], default: null, $comment: words };
}
