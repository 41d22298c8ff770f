// Writes the notices of every package that is bundled: node scripts/notices.mjs META.json… > FILE, or
// `writeNotices(metafiles, file)` from a build. Each package comes once, with its version, its licence and that
// licence's text. Fails on a package that names no licence: such a one may not be bundled.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The folders below node_modules of all packages that some output of esbuild holds bytes of. */
export function bundledPackages(metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    ),
  );
  const folders = inputs.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(folders)].sort();
}

/** One entry a package and version, however often it is installed. */
export function noticesOf(folders, base = root) {
  const entries = new Map();
  for (const folder of folders) {
    const { name, version, license, licenses, author } = JSON.parse(
      readFileSync(join(base, folder, "package.json"), "utf8"),
    );
    const named = license ?? licenses?.map?.(({ type }) => type).join(" OR ");
    const licence = typeof named === "object" ? named.type : named;
    if (!licence) throw new Error(`${folder} names no licence in its package.json: it may not be bundled`);
    const by = typeof author === "object" ? author.name : author?.replace(/\s*[<(].*$/, "");
    entries.set(`${name} ${version}`, { name, version, licence, by, texts: licenceTexts(join(base, folder)) });
  }
  return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

export function writeNotices(metafiles, file) {
  writeFileSync(file, printNotices(noticesOf(bundledPackages(metafiles))));
}

export function printNotices(entries) {
  const parts = entries.map(({ name, version, licence, by, texts }) => {
    const holder = by ? `\nAuthor: ${by}` : "";
    const text =
      texts.length > 0 ? texts.join("\n\n") : `(The package carries no text of its licence; it is ${licence}.)`;
    return `${name} ${version}\nLicence: ${licence}${holder}\n\n${text.trim()}\n`;
  });
  const line = `\n${"-".repeat(80)}\n\n`;
  return `This program holds code of ${entries.length} other packages, under their own licences:\n${line}${parts.join(line)}`;
}

function licenceTexts(folder) {
  return readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)([.-].*)?$/i.test(file) && !/\.(js|json|ts)$/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const missing = process.argv.slice(2).filter((file) => !existsSync(file));
  if (process.argv.length < 3 || missing.length > 0) {
    process.stderr.write(`notices: give the metafiles of a build${missing.map((file) => `; ${file} is not there`)}\n`);
    process.exit(2);
  }
  const metafiles = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")));
  process.stdout.write(printNotices(noticesOf(bundledPackages(metafiles))));
}
