import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from "vscode-languageserver-protocol/node";
import { Peer } from "./support/peer.ts";
import { peerOf, start } from "./support/program.ts";

const uri = "file:///a.md";

async function tellsTwoEyedSeeing(peer: Peer): Promise<void> {
  await peer.initialize({ folders: [] });
  await peer.open(uri, "Two-Eyed Seeing\n");
  expect((await peer.hover(uri, 0, 3))?.text).toContain("Etuaptmumk");
}

async function listening(server: net.Server, where: number | string): Promise<void> {
  if (typeof where === "number") server.listen(where, "127.0.0.1");
  else server.listen(where);
  await once(server, "listening");
}

/** Connects as soon as the port answers; asks again only when it is refused. */
async function connect(port: number): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

describe("ways in to the built program", () => {
  test("#48 over stdio: exit 0 after a shutdown, 1 when the stream just ends, and stdout carries the protocol alone", async () => {
    const polite = await start(["lsp", "--stdio", "--log-level", "debug"]);
    const peer = peerOf(polite);
    await tellsTwoEyedSeeing(peer);
    await peer.shutdown();
    expect(await polite.exited).toBe(0);
    const rude = await start(["lsp", "--stdio"]);
    await peerOf(rude).initialize({ folders: [] });
    rude.child.stdin?.end();
    expect(await rude.exited).toBe(1);
  });

  test("#48 a client that dies takes the server with it, and a signal ends it", async () => {
    const owner = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    const watched = await start(["lsp", "--stdio", `--clientProcessId=${owner.pid}`]);
    await peerOf(watched).initialize({ folders: [] });
    owner.kill();
    expect(await watched.exited).toBe(1);
    const signaled = await start(["lsp", "--stdio"]);
    await peerOf(signaled).initialize({ folders: [] });
    signaled.child.kill("SIGTERM");
    expect(await signaled.exited).toBe(0);
  });

  test("connecting out to a port and to a pipe, as editors ask with --socket and --pipe", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "iaip-pipe-"));
    for (const way of ["socket", "pipe"] as const) {
      const server = net.createServer();
      await listening(server, way === "socket" ? 0 : path.join(folder, "editor.sock"));
      const address = server.address();
      const where = typeof address === "string" ? address : String(address?.port);
      const connected = once(server, "connection");
      const started = await start(["lsp", `--${way}=${where}`]);
      const [socket] = (await connected) as [net.Socket];
      const peer = Peer.over(socket);
      await tellsTwoEyedSeeing(peer);
      await peer.shutdown();
      expect(await started.exited).toBe(0);
      server.close();
    }
    await rm(folder, { recursive: true, force: true });
  });

  test("over Node's own channel, as VS Code starts it", async () => {
    const started = await start(["lsp", "--node-ipc"], { stdio: ["pipe", "pipe", "pipe", "ipc"] });
    const connection = createMessageConnection(
      new IPCMessageReader(started.child),
      new IPCMessageWriter(started.child),
    );
    connection.listen();
    const result = await connection.sendRequest<{ serverInfo: { name: string } }>("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
    });
    expect(result.serverInfo.name).toBe("iaip-dsl");
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    expect(await started.exited).toBe(0);
  });

  test("listening for many clients: one that leaves, politely or not, ends nothing for the others", async () => {
    const started = await start(["lsp", "--listen", "127.0.0.1:0"]);
    await started.said("Language server on 127.0.0.1:");
    const port = Number(/on 127\.0\.0\.1:(\d+)/.exec(started.stderr())?.[1]);
    const [one, two, three] = await Promise.all([connect(port), connect(port), connect(port)]);
    const peers = [one, two, three].map((it) => Peer.over(it));
    for (const peer of peers) await tellsTwoEyedSeeing(peer);
    await peers[0]?.shutdown();
    two.destroy();
    expect((await peers[2]?.hover(uri, 0, 3))?.text).toContain("Etuaptmumk");
    const late = Peer.over(await connect(port));
    await tellsTwoEyedSeeing(late);
    started.child.kill("SIGINT");
    expect(await started.exited).toBe(0);
  });

  test("a wrong way in is one line on stderr and exit 2", async () => {
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [["lsp", "--listen", "0.0.0.0:0"], /not loopback/],
      [["lsp", "--listen", "nonsense"], /HOST:PORT/],
      [["lsp", "--stdio", "--listen", "127.0.0.1:0"], /one connection/],
      [["lsp", "--node-ipc"], /forked/],
      [["lsp", "--socket", "99999"], /port/],
      [["lsp", "--socket", "1"], /Nothing listens/],
    ];
    for (const [args, words] of cases) {
      const started = await start(args);
      expect([args, await started.exited]).toEqual([args, 2]);
      expect(started.stderr()).toMatch(words);
      expect(started.stderr().trim().split("\n").length).toBe(1);
    }
  });

  test("attached: an editor on stdio and an agent on HTTP read one vocabulary", async () => {
    const started = await start(["serve", "--lsp", "stdio", "--mcp", "http:127.0.0.1:0", "--greet"]);
    const peer = peerOf(started);
    await tellsTwoEyedSeeing(peer);
    await started.said("/mcp");
    const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(started.stderr())?.[0] ?? "";
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("iaip");
    await peer.shutdown();
    await started.exited;
  });
});
