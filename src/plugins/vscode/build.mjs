// Builds iaip-dsl.vsix: the extension, its client and the built server with the vocabulary. Run `npm run build` first.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { zipSync } from "fflate";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = path.resolve(here, "../../..");
const output = path.resolve(process.argv[2] ?? path.join(root, "dist/iaip-dsl.vsix"));
const server = path.join(root, "dist/iaip-dsl.mjs");
if (!existsSync(server)) {
  console.error("dist/iaip-dsl.mjs is missing. Run `npm run build` first.");
  process.exit(1);
}

const bundled = await build({
  entryPoints: [path.join(here, "extension.ts")],
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  write: false,
  logLevel: "warning",
  absWorkingDir: root,
});

const manifest = JSON.parse(readFileSync(path.join(here, "package.json"), "utf8"));
const files = {
  "extension/package.json": Buffer.from(JSON.stringify(manifest, null, 2)),
  "extension/readme.md": readFileSync(path.join(here, "README.md")),
  "extension/dist/extension.cjs": bundled.outputFiles[0].contents,
  ...filesBelow(path.join(root, "dist"), "extension/dist", isServed),
  ...filesBelow(path.join(root, "concepts"), "extension/concepts"),
  "extension.vsixmanifest": Buffer.from(vsixManifest(manifest)),
  "[Content_Types].xml": Buffer.from(contentTypes()),
};
if (existsSync(path.join(root, "LICENSE"))) files["extension/LICENSE.txt"] = readFileSync(path.join(root, "LICENSE"));

mkdirSync(path.dirname(output), { recursive: true });
writeFileSync(output, zipSync(files, { level: 9 }));
console.log(`${path.relative(process.cwd(), output)} ${(statSync(output).size / 1024).toFixed(0)} KB`);

/** What the server reads in dist/: the program with its chunks, the parsed vocabulary, and the rule pages. */
function isServed(file) {
  return /^(iaip-dsl|chunk-.*)\.mjs$|^concepts\.json$|^rules\//.test(file);
}

function filesBelow(folder, as, isWanted = () => true) {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile())
      .map((it) => path.relative(folder, path.join(it.parentPath, it.name)).split(path.sep).join("/"))
      .filter(isWanted)
      .map((file) => [`${as}/${file}`, readFileSync(path.join(folder, file))]),
  );
}

function contentTypes() {
  const types = { json: "application/json", md: "text/markdown", cjs: "application/javascript", mjs: "application/javascript", yaml: "text/yaml", yml: "text/yaml", txt: "text/plain", vsixmanifest: "text/xml" };
  const defaults = Object.entries(types).map(([extension, type]) => `<Default Extension=".${extension}" ContentType="${type}"/>`);
  return `<?xml version="1.0" encoding="utf-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${defaults.join("")}</Types>`;
}

function vsixManifest({ name, version, publisher, displayName, description, engines, categories }) {
  const asset = (type, file) => `<Asset Type="${type}" Path="${file}" Addressable="true"/>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${displayName}</DisplayName>
    <Description xml:space="preserve">${description}</Description>
    <Categories>${categories.join(",")}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    ${asset("Microsoft.VisualStudio.Code.Manifest", "extension/package.json")}
    ${asset("Microsoft.VisualStudio.Services.Content.Details", "extension/readme.md")}
  </Assets>
</PackageManifest>
`;
}
