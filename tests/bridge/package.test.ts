import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

test.each(["iaip-dsl", "iaip-dsl/bridge"])("importing %s gives the bridge and runs no command line", (name) => {
  const script = `const it = await import(${JSON.stringify(name)}); console.log(Object.keys(it).includes("McpDispatcher"));`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", script, "--", "serve"], {
    cwd: root,
    encoding: "utf8",
    stdio: "pipe",
  });
  expect(out).toBe("true\n");
});

test("the package asks its users to install only what is not bundled", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(Object.keys(dependencies)).toEqual(["better-sqlite3"]);
});

test.each([
  ["es2022", "NodeNext", "NodeNext"],
  ["es2022", "ESNext", "Bundler"],
  ["es2020", "NodeNext", "NodeNext"],
])("its types compile under strict for %s and %s, with no library checked less", (target, module, resolution) => {
  const folder = mkdtempSync(join(tmpdir(), "iaip-types-"));
  const installed = join(folder, "node_modules/iaip-dsl");
  mkdirSync(installed, { recursive: true });
  for (const part of ["dist", "package.json"]) cpSync(join(root, part), join(installed, part), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(folder, "use.ts"),
    'import { McpDispatcher, type OpenSession } from "iaip-dsl";\nexport type It = [InstanceType<typeof McpDispatcher>, OpenSession];\n',
  );
  const args = ["--strict", "--noEmit", "--target", target, "--module", module, "--moduleResolution", resolution];
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, ...args, "use.ts"], { cwd: folder, stdio: "pipe" });
});
