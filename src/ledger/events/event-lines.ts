import { createHash } from "node:crypto";
import { z } from "zod";
import { visibleLine } from "../../base/visible-text.ts";
import { disclosureResults, eventTypes, type LedgerEvent, responseDepths, type StoredEvent } from "./event.ts";
import { eventColumns } from "./event-row.ts";

/** One event as a line of JSON, without what it does not have. `eventFromLine` reads it back without loss. */
export function eventLine(event: StoredEvent): string {
  return JSON.stringify(
    Object.fromEntries(eventColumns.flatMap((key) => (event[key] === null ? [] : [[key, event[key]]]))),
  );
}

export const csvHeader = eventColumns.join(",");

/**
 * One event as a line of CSV (RFC 4180), for reading in a spreadsheet: control characters are made visible, and a cell
 * that a spreadsheet would run as a formula is led by an apostrophe. JSON lines are the form without loss.
 */
export function csvLine(event: StoredEvent): string {
  return eventColumns.map((column) => csvCell(event[column] ?? "")).join(",");
}

function csvCell(value: string): string {
  const text = value.split("\n").map(visibleLine).join("\n");
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export type ReadLine =
  | { readonly kind: "event"; readonly event: LedgerEvent }
  | { readonly kind: "wrong"; readonly why: string };

/**
 * An event from a line of JSON: a line of our export, or a `UsageEvent` in the field names of the origin's
 * specification. A line without an id gets one from its content and number, so that reading the file again adds nothing.
 */
export function eventFromLine(line: string, number: number): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { kind: "wrong", why: `it is not JSON (${(error as Error).message})` };
  }
  const read = lineSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { kind: "wrong", why: `${issue?.path.join(".") || "the line"}: ${issue?.message}` };
  }
  const { id = idOf(line, number), ...rest } = read.data;
  return { kind: "event", event: defined({ ...rest, id }) as unknown as LedgerEvent };
}

function idOf(line: string, number: number): string {
  return `import-${createHash("sha256").update(`${number}\n${line}`).digest("hex").slice(0, 32)}`;
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

const ourLine = z.object({
  id: text,
  at: z.string(),
  type: z.enum(eventTypes).default("use"),
  concept: text,
  other: text,
  direction: text,
  agent: z.string().default(""),
  session: text,
  context: z
    .string()
    .nullish()
    .transform((value) => value ?? ""),
  depth: z.enum(responseDepths).nullish(),
  disclosure: z.enum(disclosureResults).nullish(),
  revision: text,
  forgotten: text,
});

const ocapResults = { granted: "full", partial: "partial", ceremony_needed: "withheld" } as const;

const originLine = z
  .object({
    id: text,
    timestamp: z.string(),
    concept_id: text,
    event_type: z.enum(eventTypes),
    agent_id: z.string(),
    session_id: text,
    direction_context: text,
    query_context: text,
    response_depth: z.enum(responseDepths).nullish(),
    ocap_result: z.enum(["granted", "partial", "ceremony_needed"]).nullish(),
  })
  .transform((line) => ({
    id: line.id,
    at: line.timestamp,
    type: line.event_type,
    concept: line.concept_id,
    direction: line.direction_context,
    agent: line.agent_id,
    session: line.session_id,
    context: line.query_context ?? "",
    depth: line.response_depth,
    disclosure: line.ocap_result ? ocapResults[line.ocap_result] : undefined,
  }));

const lineSchema = z.unknown().transform((value, context) => {
  const isOrigin = typeof value === "object" && value !== null && "event_type" in value;
  const read = (isOrigin ? originLine : ourLine).safeParse(value);
  if (read.success) return read.data;
  for (const { message, path } of read.error.issues) context.addIssue({ code: "custom", message, path: [...path] });
  return z.NEVER;
});

function defined(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null));
}
