import { createServer } from "node:net";
import { createConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import { type LspOptions, serveLsp } from "../lsp/serve-lsp.ts";

export function lspStdio(options: LspOptions) {
  const served = serveLsp(
    createConnection(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout)),
    options,
  );
  const closed = new Promise<void>((resolve) => process.stdin.once("end", resolve).once("close", resolve));
  return { closed, close: async () => served.dispose() };
}

export async function lspListening(where: { readonly host: string; readonly port: number }, options: LspOptions) {
  const server = createServer((socket) => {
    const served = serveLsp(
      createConnection(new StreamMessageReader(socket), new StreamMessageWriter(socket)),
      options,
    );
    socket.once("close", () => served.dispose());
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(where.port, where.host, resolve));
  const at = server.address() as { readonly address: string; readonly port: number };
  return { address: `${at.address}:${at.port}`, close: async () => void server.close() };
}
