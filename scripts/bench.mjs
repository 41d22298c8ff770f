// Runs the benchmarks one after the other: `npm run bench`, or some of them: `npm run bench -- stdio terms`.
// Each compares with peers or with the floor in its own run, turn about, and prints ratios with their spread.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("bench/", import.meta.url));
// A benchmark says what it measures in its first line; the other files there are its parts.
const all = readdirSync(folder)
  .filter(
    (it) =>
      it.endsWith(".mjs") && /^\/\/ .*\bnode scripts\/bench\//ms.test(readFileSync(folder + it, "utf8").slice(0, 600)),
  )
  .map((it) => it.replace(/\.mjs$/, ""))
  .sort();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((it) => !all.includes(it));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are ${all.join(", ")}.`);
  process.exit(2);
}
console.log(`node ${process.version}, ${availableParallelism()} cores`);
let failed = 0;
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n## ${name}\n`);
  const { status } = spawnSync(process.execPath, [`${folder}${name}.mjs`], { stdio: "inherit" });
  if (status !== 0) {
    failed++;
    console.log(`${name} ended with ${status}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
