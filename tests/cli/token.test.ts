import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "./support.ts";

const line = commandLine();
const program = join(import.meta.dirname, "../../dist/iaip-dsl.mjs");

test("twelve tokens made at once are all kept, each with its own secret", async () => {
  const file = join(line.folder, "tokens.json");
  const made = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const child = spawn(process.execPath, [program, "token", "create", "--token-file", file, "--name", `n${i}`]);
      let secret = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        secret += text;
      });
      const [code] = (await once(child, "close")) as [number];
      return { code, secret: secret.trim() };
    }),
  );
  expect(made.map(({ code }) => code)).toEqual(Array.from({ length: 12 }, () => 0));
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(12);
  const { tokens } = JSON.parse(readFileSync(file, "utf8")) as { tokens: { name: string }[] };
  expect(tokens.map(({ name }) => name).sort()).toEqual(Array.from({ length: 12 }, (_, i) => `n${i}`).sort());
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test("a lock of a process that is gone holds nobody up", async () => {
  const file = line.put("tokens.json", '{"version":1,"tokens":[]}');
  const gone = spawn(process.execPath, ["-e", ""]);
  await once(gone, "exit");
  writeFileSync(`${file}.lock`, String(gone.pid));
  const { code } = await line.cli(["token", "create", "--token-file", file, "--name", "a"]);
  expect(code).toBe(0);
});

test("a name that is taken, or a file that is none of tokens, is refused and left as it is", async () => {
  const file = join(line.folder, "tokens.json");
  expect((await line.cli(["token", "create", "--token-file", file, "--name", "a"])).code).toBe(0);
  const before = readFileSync(file, "utf8");
  expect(await line.cli(["token", "create", "--token-file", file, "--name", "a"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is a token named a already"),
  });
  expect(readFileSync(file, "utf8")).toBe(before);
  const other = line.put("other.json", "[]");
  expect((await line.cli(["token", "list", "--token-file", other])).code).toBe(2);
  expect((await line.cli(["token", "create", "--token-file", other, "--name", "a"])).code).toBe(2);
  expect(readFileSync(other, "utf8")).toBe("[]");
});
