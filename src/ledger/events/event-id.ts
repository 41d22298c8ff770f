import { randomFillSync } from "node:crypto";

/** A UUID of version 7 (RFC 9562): ids made later sort later, so an index of ten million of them grows at its end. */
export function eventId(now: Date): string {
  const bytes = randomFillSync(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(now.getTime() / 2 ** 32));
  view.setUint32(2, now.getTime() % 2 ** 32);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
