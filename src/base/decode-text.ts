/** A text and how its bytes say it. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  /** The bytes of a changed text in the same encoding, with the same mark at the start; `undefined` where it has no room for a character. */
  encode(text: string): Buffer | undefined;
}

/**
 * Reads bytes as what they are: by their byte order mark, else UTF-8 where they are valid UTF-8, else Windows-1252, which
 * holds Latin-1.
 */
export function decodeText(bytes: Buffer): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return marked(bytes, 2, "utf-16le", utf16le);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return marked(bytes, 2, "utf-16be", (text) => utf16le(text).swap16());
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf && isUtf8(bytes))
    return marked(bytes, 3, "utf-8", (text) => Buffer.from(text, "utf8"));
  if (isUtf8(bytes)) return marked(bytes, 0, "utf-8", (text) => Buffer.from(text, "utf8"));
  return marked(bytes, 0, "windows-1252", toWindows1252);
}

function marked(
  bytes: Buffer,
  markLength: number,
  encoding: DecodedText["encoding"],
  toBytes: (text: string) => Buffer | undefined,
): DecodedText {
  const mark = bytes.subarray(0, markLength);
  return {
    text: new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(markLength)),
    encoding,
    encode(text) {
      const encoded = toBytes(text);
      return encoded && Buffer.concat([mark, encoded]);
    },
  };
}

const utf16le = (text: string): Buffer => Buffer.from(text, "utf16le");

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function toWindows1252(text: string): Buffer | undefined {
  const decoder = new TextDecoder("windows-1252");
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  const bytes = [...text].map((character) => byteOf.get(character));
  return bytes.every((byte) => byte !== undefined) ? Buffer.from(bytes) : undefined;
}
