// An editor at the other end of a server's pipes, for the bench: it pulls or waits for what is pushed.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

export class EditorClient {
  #buffer = Buffer.alloc(0);
  #id = 0;
  #waiting = new Map();
  #pushed = [];
  #versions = new Map();

  constructor([command, ...args], options) {
    this.options = options;
    this.started = performance.now();
    this.child = spawn(command, args, {
      stdio: ["pipe", "pipe", process.env.BENCH_STDERR ? "inherit" : "ignore"],
      cwd: options.cwd,
    });
    this.child.stdout.on("data", (chunk) => this.#take(chunk));
    this.child.once("exit", (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${command} ${args[0]} ended with ${code}.`));
      this.#waiting.clear();
    });
  }

  now() {
    return performance.now() - this.started;
  }

  async initialize(folder) {
    const uri = pathToFileURL(folder).href;
    const { capabilities } = await this.request("initialize", {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: "bench" }],
      initializationOptions: { markdownFileExtensions: ["md"] },
      capabilities: {
        workspace: {
          configuration: true,
          workspaceFolders: true,
          didChangeConfiguration: { dynamicRegistration: true },
        },
        textDocument: {
          hover: { contentFormat: ["markdown"] },
          publishDiagnostics: {},
          diagnostic: { dynamicRegistration: true },
        },
      },
    });
    this.notify("initialized", {});
    this.hovers = Boolean(capabilities.hoverProvider);
  }

  open(uri, text) {
    this.text = text;
    this.#versions.set(uri, 1);
    const languageId = uri.endsWith(".md") ? "markdown" : "yaml";
    this.notify("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
  }

  edit(uri, line, character, text) {
    const version = this.#versions.get(uri) + 1;
    this.#versions.set(uri, version);
    this.#pushed = [];
    const at = { line, character };
    this.notify("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [{ range: { start: at, end: at }, text }],
    });
  }

  /** How many diagnostics the text has: asked for, or waited for. */
  async diagnostics(uri, pull) {
    if (pull) {
      const { items } = await this.request("textDocument/diagnostic", { textDocument: { uri } });
      return items.length;
    }
    const stop = setTimeout(() => {
      throw new Error(`${this.child.spawnargs.join(" ")} told nothing in two minutes.`);
    }, 120_000);
    for (;;) {
      const told = this.#pushed.find((it) => it.uri === uri);
      if (told) {
        clearTimeout(stop);
        return told.diagnostics.length;
      }
      await new Promise((resolve) => {
        this.wake = resolve;
      });
    }
  }

  request(method, params) {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method, params) {
    this.#send({ method, params });
  }

  /** Resident memory in MB; NaN where /proc is not. */
  rss() {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.child.pid}/status`, "utf8"))?.[1]) / 1024;
    } catch {
      return Number.NaN;
    }
  }

  async end() {
    const gone = new Promise((resolve) => this.child.once("exit", resolve));
    const timer = setTimeout(() => this.child.kill("SIGKILL"), 3000);
    await this.request("shutdown").catch(() => undefined);
    this.notify("exit");
    this.child.stdin.end();
    await gone;
    clearTimeout(timer);
  }

  #send(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #take(chunk) {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const end = this.#buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.#buffer.subarray(0, end).toString("latin1"))?.[1]);
      if (this.#buffer.length < end + 4 + length) return;
      const message = JSON.parse(this.#buffer.subarray(end + 4, end + 4 + length).toString("utf8"));
      this.#buffer = this.#buffer.subarray(end + 4 + length);
      this.#handle(message);
    }
  }

  #handle(message) {
    if (message.method === undefined) {
      const { resolve, reject } = this.#waiting.get(message.id) ?? {};
      this.#waiting.delete(message.id);
      if (message.error) reject?.(new Error(message.error.message));
      else resolve?.(message.result);
    } else if (message.id !== undefined) this.#send({ id: message.id, result: this.#answer(message) });
    else if (message.method === "textDocument/publishDiagnostics") {
      this.#pushed.push(message.params);
      this.wake?.();
    }
  }

  #answer({ method, params }) {
    if (method === "workspace/configuration") return params.items.map((item) => this.#setting(item.section));
    if (method === "markdown/parse") return this.#parseMarkdown();
    return method.startsWith("markdown/") ? [] : null;
  }

  #setting(section) {
    if (section === "yaml" && this.options.schema)
      return { schemas: { [pathToFileURL(this.options.schema).href]: "*.yaml" }, validate: true, hover: true };
    if (section === "markdown")
      return {
        validate: {
          enabled: true,
          referenceLinks: { enabled: "warning" },
          fragmentLinks: { enabled: "warning" },
          fileLinks: { enabled: "warning" },
        },
      };
    return {};
  }

  /** VS Code parses for its Markdown server; so does this editor. */
  #parseMarkdown() {
    const require = createRequire(new URL("../../../node_modules/.cache/iaip-bench-lsp/package.json", import.meta.url));
    this.parser ??= require("markdown-it")({ html: true });
    return this.parser.parse(this.text, {});
  }
}
