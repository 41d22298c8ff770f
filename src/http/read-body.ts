import type { IncomingMessage } from "node:http";

export type Body =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "too-large"; readonly limit: number }
  | { readonly kind: "broken-off" };

/** The whole body, or why not. A declared length over the limit is refused before anything is read. */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  const tooLarge = { kind: "too-large", limit } as const;
  if (Number(request.headers["content-length"]) > limit) return Promise.resolve(tooLarge);
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const take = (part: Buffer): void => {
      bytes += part.length;
      parts.push(part);
      if (bytes <= limit) return;
      request.off("data", take).pause();
      parts.length = 0;
      resolve(tooLarge);
    };
    request.on("data", take);
    request.on("end", () => resolve({ kind: "read", bytes: Buffer.concat(parts) }));
    request.on("error", () => resolve({ kind: "broken-off" }));
    request.on("close", () => resolve({ kind: "broken-off" }));
  });
}
