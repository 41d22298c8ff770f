import { visibleText } from "./visible-text.ts";

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];
export type Log = (
  level: Exclude<LogLevel, "silent">,
  message: string,
  data?: Readonly<Record<string, unknown>>,
) => void;

/** A log whose lines go to stderr: protocol streams own stdout. Lines below `least` are dropped. */
export function stderrLog(least: LogLevel): Log {
  const rank = logLevels.indexOf(least);
  return (level, message, data) => {
    if (logLevels.indexOf(level) < rank) return;
    process.stderr.write(`${visibleText(JSON.stringify({ level, message, ...data }))}\n`);
  };
}

export const silentLog: Log = () => {};
