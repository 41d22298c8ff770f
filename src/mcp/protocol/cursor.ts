import { fitting } from "../fitting.ts";
import { Fault, faultCodes } from "./fault.ts";

/** Bytes of JSON on one page: many clients never ask for a second one. */
const maxPageBytes = 2 * 1024 * 1024;

/**
 * One page of a list in stable order. A cursor names the last item sent, so every process of a fleet reads it, and a
 * list that changed in between goes on behind that item, or at its old place when it is gone.
 */
export function page<Item>(
  items: readonly Item[],
  key: (item: Item) => string,
  cursor: unknown,
  maxBytes = maxPageBytes,
): { readonly items: readonly Item[]; readonly nextCursor?: string } {
  const start = cursor === undefined ? 0 : startOf(items, key, decode(cursor));
  const sent = fitting(items.slice(start), maxBytes);
  const last = sent.at(-1);
  if (last === undefined || start + sent.length >= items.length) return { items: sent };
  return { items: sent, nextCursor: encode(start + sent.length - 1, key(last)) };
}

/** For lists that always fit on one page: any cursor is one that this server never gave. */
export function refuseCursor(cursor: unknown): void {
  if (cursor !== undefined) throw unknownCursor();
}

function startOf<Item>(items: readonly Item[], key: (item: Item) => string, last: readonly [number, string]): number {
  const [index, name] = last;
  const there = items[index];
  if (there !== undefined && key(there) === name) return index + 1;
  const moved = items.findIndex((item) => key(item) === name);
  return moved === -1 ? index : moved + 1;
}

function encode(index: number, name: string): string {
  return Buffer.from(JSON.stringify([index, name])).toString("base64url");
}

function decode(cursor: unknown): readonly [number, string] {
  if (typeof cursor !== "string" || cursor.length > 2000) throw unknownCursor();
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (!Array.isArray(value)) throw unknownCursor();
    const [index, name]: readonly unknown[] = value;
    if (!Number.isSafeInteger(index) || Number(index) < 0 || typeof name !== "string") throw unknownCursor();
    return [Number(index), name];
  } catch {
    throw unknownCursor();
  }
}

function unknownCursor(): Fault {
  return new Fault(faultCodes.invalidParams, "This cursor is not one that this list gave. Ask again without a cursor.");
}
