import type { Gateway } from "../../../gateway/gateway.ts";
import type { UpstreamStatus } from "../../../gateway/upstream/status.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print } from "../../kit/io.ts";
import { untilStopped } from "../../kit/run-server.ts";
import { type GatewayArgs, openConfigured } from "./gateway.ts";

export interface GatewayProbeArgs extends Pick<GatewayArgs, "config"> {
  readonly json: boolean;
  /** Stay, and print again whenever something changed. */
  readonly watch: boolean;
}

/** Asks every upstream for its tools and says how it is. Exit 1 when one that is not suspended is not ready. */
export async function runGatewayProbe(args: GatewayProbeArgs, settings: Settings, io: Io): Promise<number> {
  const gateway = openConfigured(args, settings, io);
  if (gateway === undefined) {
    if (args.json) print(io, JSON.stringify({ servers: [] }));
    return exitCodes.ok;
  }
  const stopped = untilStopped();
  try {
    await Promise.race([gateway.shared.settled(), stopped]);
    show(gateway.status(), args, io);
    if (args.watch) await watch(gateway, args, io, stopped);
    return gateway.status().every(isFine) ? exitCodes.ok : exitCodes.found;
  } finally {
    await gateway.close();
  }
}

async function watch(gateway: Gateway, args: GatewayProbeArgs, io: Io, stopped: Promise<void>): Promise<void> {
  let last = withoutAge(gateway.status());
  const timer = setInterval(() => {
    const status = gateway.status();
    const now = withoutAge(status);
    if (now !== last) show(status, args, io);
    last = now;
  }, 250);
  await stopped;
  clearInterval(timer);
}

function withoutAge(status: readonly UpstreamStatus[]): string {
  return JSON.stringify(status.map(({ age: _, lastListed: __, ...rest }) => rest));
}

function isFine(status: UpstreamStatus): boolean {
  return status.ready || status.conditions.some((one) => one.type === "Suspended");
}

function show(servers: readonly UpstreamStatus[], { json, watch: lines }: GatewayProbeArgs, io: Io): void {
  if (json) {
    print(io, JSON.stringify({ servers }, undefined, lines ? undefined : 2));
    return;
  }
  const rows = servers.map((one) => [
    one.name,
    one.ready ? "True" : "False",
    String(one.toolCount),
    one.age === null ? "-" : `${one.age}s`,
    one.url,
    one.error ?? leftOut(one),
  ]);
  const table = [["NAME", "READY", "TOOLS", "AGE", "URL", ""], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  print(
    io,
    table
      .map((row) =>
        row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join("  ")
          .trimEnd(),
      )
      .join("\n"),
  );
}

function leftOut(status: UpstreamStatus): string {
  const message = status.conditions.find((one) => one.type === "ToolsDiscovered")?.message ?? "";
  return message.includes("left out") ? message : "";
}
