import { execFile } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { appendFile, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { processIo } from "../../src/cli/kit/io.ts";
import { makeProgram } from "../../src/cli/program.ts";
import { editorSettingRows, editorSettingsTable, projectFileSchema } from "../../src/settings/tables.ts";

const run = promisify(execFile);
const plugins = path.join(import.meta.dirname, "../../src/plugins");
const read = (file: string): Promise<string> => readFile(path.join(plugins, file), "utf8");
const readJson = async (file: string): Promise<unknown> => JSON.parse(await read(file));

/** The command line must be one that the program takes. */
function takes(command: unknown, args: unknown): void {
  expect(command).toBe("iaip-dsl");
  const [name, ...rest] = z.array(z.string()).parse(args);
  const found = makeProgram({ io: processIo(), done: () => undefined }).commands.find((it) => it.name() === name);
  expect(found?.name()).toBe(name);
  for (const flag of rest.filter((it) => it.startsWith("--"))) {
    expect(found?.options.map((it) => it.long)).toContain(flag);
  }
}

const server = z.object({ command: z.string(), args: z.array(z.string()) });
const servers = (file: unknown): z.infer<typeof server> =>
  z.object({ mcpServers: z.object({ "iaip-dsl": server }) }).parse(file).mcpServers["iaip-dsl"];

describe("the Claude Code plugin", () => {
  // Field names and types as the manifest's published schema has them; it takes no others.
  const lspServer = z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string().min(1)).optional(),
    extensionToLanguage: z.record(z.string().regex(/^\..+/), z.string().min(1)),
    transport: z.enum(["stdio", "socket"]).optional(),
    env: z.record(z.string(), z.string()).optional(),
    initializationOptions: z.unknown().optional(),
    settings: z.unknown().optional(),
    workspaceFolder: z.string().optional(),
    startupTimeout: z.number().int().positive().optional(),
    shutdownTimeout: z.number().int().positive().optional(),
    restartOnCrash: z.boolean().optional(),
    maxRestarts: z.number().int().min(0).optional(),
  });

  test("its language server takes the fields that are published, for Markdown, text and YAML", async () => {
    const file = z.record(z.string(), lspServer).parse(await readJson("claude-code/.lsp.json"));
    expect(Object.keys(file["iaip-dsl"]?.extensionToLanguage ?? {})).toEqual([".md", ".txt", ".yaml", ".yml"]);
    takes(file["iaip-dsl"]?.command, file["iaip-dsl"]?.args);
  });

  test("its manifest points at files that are there, and the marketplace at the manifest", async () => {
    const manifest = z
      .strictObject({
        name: z.string().regex(/^[a-z0-9-]+$/),
        version: z.string(),
        description: z.string(),
        license: z.string(),
        keywords: z.array(z.string()),
        mcpServers: z.string().regex(/^\.\//),
        lspServers: z.string().regex(/^\.\//),
      })
      .parse(await readJson("claude-code/.claude-plugin/plugin.json"));
    for (const file of [manifest.mcpServers, manifest.lspServers])
      expect(existsSync(path.join(plugins, "claude-code", file))).toBe(true);
    const market = z
      .object({
        name: z.string(),
        owner: z.object({ name: z.string() }),
        plugins: z.array(z.object({ name: z.string(), source: z.string() })),
      })
      .parse(await readJson(".claude-plugin/marketplace.json"));
    const [listed] = market.plugins;
    expect(listed?.name).toBe(manifest.name);
    expect(existsSync(path.join(plugins, listed?.source ?? "", ".claude-plugin/plugin.json"))).toBe(true);
    const { command, args } = servers(await readJson("claude-code/.mcp.json"));
    takes(command, args);
  });

  test("its skill has a name and a description, names tools that exist, and writes OCAP® with its sign", async () => {
    const text = await read("claude-code/skills/iaip-vocabulary/SKILL.md");
    expect(text).toMatch(/^---\nname: [a-z-]+\ndescription: .{40,1024}\n---\n/);
    expect(text.match(/OCAP(?!®)/g)).toBeNull();
    const tools = await readdir(path.join(import.meta.dirname, "../../src/mcp/tools"));
    for (const [, name] of text.matchAll(/`iaip_((?!ceremony_check)\w+)`/g))
      expect(tools).toContain(`${name?.replaceAll("_", "-")}.ts`);
  });
});

describe("snippets for other hosts and editors", () => {
  test.each(["claude-code.mcp.json", "cursor.mcp.json", "gemini-cli.settings.json", "copilot-cli.mcp-config.json"])(
    "%s starts the MCP server",
    async (file) => {
      const { command, args } = servers(await readJson(`mcp/${file}`));
      takes(command, args);
    },
  );

  test("VS Code's own file names its servers `servers`", async () => {
    const file = z.object({ servers: z.object({ "iaip-dsl": server }) }).parse(await readJson("mcp/vscode.mcp.json"));
    takes(file.servers["iaip-dsl"].command, file.servers["iaip-dsl"].args);
  });

  test("Codex and Helix read TOML that starts the servers", async () => {
    const codex = z
      .object({ mcp_servers: z.object({ "iaip-dsl": server }) })
      .parse(parseToml(await read("mcp/codex.config.toml")));
    takes(codex.mcp_servers["iaip-dsl"].command, codex.mcp_servers["iaip-dsl"].args);
    const helix = z
      .object({
        "language-server": z.object({ "iaip-dsl": server }),
        language: z.array(z.object({ name: z.string(), "language-servers": z.array(z.string()) })),
      })
      .parse(parseToml(await read("helix/languages.toml")));
    takes(helix["language-server"]["iaip-dsl"].command, helix["language-server"]["iaip-dsl"].args);
    expect(helix.language.every((it) => it["language-servers"].includes("iaip-dsl"))).toBe(true);
  });

  test("Zed and Sublime read settings that start the language server", async () => {
    const zed = z
      .object({
        lsp: z.object({
          "iaip-dsl": z.object({ binary: z.object({ path: z.string(), arguments: z.array(z.string()) }) }),
        }),
      })
      .parse(await readJson("zed/settings.json"));
    takes(zed.lsp["iaip-dsl"].binary.path, zed.lsp["iaip-dsl"].binary.arguments);
    const text = (await read("sublime/LSP.sublime-settings")).replace(/^\s*\/\/.*$/gm, "");
    const sublime = z
      .object({
        clients: z.object({
          "iaip-dsl": z.object({ enabled: z.literal(true), command: z.array(z.string()), selector: z.string() }),
        }),
      })
      .parse(JSON.parse(text));
    const [command, ...args] = sublime.clients["iaip-dsl"].command;
    takes(command, args);
  });

  test("the file for Neovim 0.11 is Lua that returns a command, file types and root markers", async () => {
    if (!(await isThere("nvim"))) return notRun("the Lua of Neovim 0.11's file: not parsed, Neovim is not installed");
    const code = `local it = dofile(${JSON.stringify(path.join(plugins, "neovim/lsp/iaip_dsl.lua"))}) io.stdout:write(vim.fn.json_encode(it))`;
    const { stdout } = await run("nvim", ["--headless", "--clean", "-c", `lua ${code}`, "-c", "qall!"]);
    const file = z
      .object({ cmd: z.array(z.string()), filetypes: z.array(z.string()), root_markers: z.array(z.unknown()) })
      .parse(JSON.parse(stdout));
    const [command, ...args] = file.cmd;
    takes(command, args);
    return undefined;
  });

  test("the file for Emacs compiles without a warning", async () => {
    if (!(await isThere("emacs"))) return notRun("the Lisp of the Emacs file: not compiled, Emacs is not installed");
    const paths =
      '(dolist (f (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa*/*")) (when (file-directory-p f) (add-to-list \'load-path f)))';
    // Never /dev/null: Emacs renames its output into place, and as root that replaces the device with a plain file.
    const compiled = path.join(mkdtempSync(path.join(tmpdir(), "iaip-emacs-")), "iaip-dsl.elc");
    const compile = `(progn ${paths} (setq byte-compile-error-on-warn t byte-compile-dest-file-function (lambda (_) ${JSON.stringify(compiled)})) (kill-emacs (if (byte-compile-file ${JSON.stringify(path.join(plugins, "emacs/iaip-dsl.el"))}) 0 1)))`;
    await run("emacs", ["--batch", "-Q", "--eval", compile]);
    return undefined;
  });
});

describe("the editor's settings", () => {
  test("the table, the JSON Schema and VS Code's settings are what `src/plugins/write-settings.mjs` makes of the schema", async () => {
    expect(await read("README.md")).toContain(editorSettingsTable());
    expect(await readJson("iaip-dsl.schema.json")).toEqual(projectFileSchema());
    const manifest = z
      .object({
        contributes: z.object({
          configuration: z.object({ properties: z.record(z.string(), z.looseObject({ description: z.string() })) }),
        }),
      })
      .parse(await readJson("vscode/package.json"));
    const { properties } = manifest.contributes.configuration;
    for (const { name, description } of editorSettingRows()) {
      expect(properties[`iaip-dsl.${name}`]?.description).toBe(description);
      // VS Code sends every setting: any other default would win over the project file.
      expect(properties[`iaip-dsl.${name}`]?.default).toBeNull();
    }
  });
});

describe("the VS Code extension", () => {
  test("registers every command that it contributes, and gives the server's token type a color", async () => {
    const manifest = z
      .object({
        main: z.string(),
        contributes: z.object({
          commands: z.array(z.object({ command: z.string() })),
          semanticTokenTypes: z.array(z.object({ id: z.string() })),
          semanticTokenModifiers: z.array(z.object({ id: z.string() })),
        }),
      })
      .parse(await readJson("vscode/package.json"));
    const source = await read("vscode/extension.ts");
    for (const { command } of manifest.contributes.commands) expect(source).toContain(`registerCommand("${command}"`);
    const { semanticTokensLegend } = await import("../../src/lsp/protocol/capabilities.ts");
    expect(manifest.contributes.semanticTokenTypes.map((it) => it.id)).toEqual(semanticTokensLegend.tokenTypes);
    expect(manifest.contributes.semanticTokenModifiers.map((it) => it.id)).toEqual(semanticTokensLegend.tokenModifiers);
  });

  test("takes the server, its vocabulary and its address from the person alone, and nothing from a workspace that is not trusted", async () => {
    const manifest = z
      .object({
        capabilities: z.object({
          untrustedWorkspaces: z.object({
            supported: z.literal("limited"),
            description: z.string(),
            restrictedConfigurations: z.array(z.string()),
          }),
        }),
        contributes: z.object({
          configuration: z.object({ properties: z.record(z.string(), z.looseObject({ scope: z.string() })) }),
        }),
      })
      .parse(await readJson("vscode/package.json"));
    const { properties } = manifest.contributes.configuration;
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(Object.keys(properties));
    const own = Object.entries(properties).filter(([name]) => name.startsWith("iaip-dsl.server."));
    expect(own.map(([name]) => name)).toContain("iaip-dsl.server.path");
    for (const [name, { scope }] of own) expect([name, scope]).toEqual([name, "machine"]);
    const source = await read("vscode/extension.ts");
    for (const [, name] of source.matchAll(/own<\w+>\("(\w+)"\)/g))
      expect(properties).toHaveProperty([`iaip-dsl.server.${name}`]);
  });

  test("is written in types that hold", async () => {
    const tsc = path.join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
    await run(process.execPath, [tsc, "-p", path.join(plugins, "vscode/tsconfig.json"), "--noEmit"]);
  });
});

async function isThere(command: string): Promise<boolean> {
  return run("sh", ["-c", `command -v ${command}`]).then(
    () => true,
    () => false,
  );
}

async function notRun(reason: string): Promise<void> {
  const file = process.env.IAIP_NOT_RUN;
  if (file === undefined) throw new Error(reason);
  await appendFile(file, `${reason}\n`);
}
