/** Where a chain of frames of a write-ahead file ends, and what was verified up to there. */
export interface WalChain {
  /** Both salts of the header as one text; "" where the file has no valid header. */
  readonly salt: string;
  /** Frames up to the last valid commit. */
  readonly frames: number;
  readonly sum: readonly [number, number];
  /**
   * Commits that are valid by themselves behind a break in the chain, which SQLite never reads again. A process that was
   * killed between its commit and the index leaves one too, which nobody was promised: the index tells the two apart.
   */
  readonly lostCommits: number;
}

export interface WalFile {
  /** Size, time of change and inode as one text; "" where the file is not there. */
  readonly stamp: () => string;
  /** Reads the chain from its beginning, or from a place in it that was verified before. */
  readonly chain: (from?: WalChain) => WalChain;
  /**
   * Frames that the index beside the file says are in use, where it belongs to the same salt. Only to be asked when this
   * process has no connection: closing the index would drop its locks.
   */
  readonly promised: (salt: string) => number | undefined;
  /** Writes each page of every frame that is valid by itself into a copy of the database, up to the last commit. */
  readonly applyTo: (database: string) => void;
}

/**
 * A write-ahead file as the format of SQLite describes it: a header of 32 bytes, then frames of 24 bytes and a page, each
 * with a checksum that goes on from the one before. SQLite reads it up to the first frame that does not fit, and drops
 * the rest without a word. The function must stand alone: its source is part of what the thread is started with.
 */
export function walFile(load: (id: string) => unknown, path: string): WalFile {
  const fs = load("node:fs") as typeof import("node:fs");
  const headerSize = 32;
  const none: WalChain = { salt: "", frames: 0, sum: [0, 0], lostCommits: 0 };

  interface Header {
    readonly isLittle: boolean;
    readonly pageSize: number;
    readonly salt: string;
    readonly sum: readonly [number, number];
    readonly isValid: boolean;
  }

  function stamp(): string {
    const found = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
    return found ? `${found.size} ${found.mtimeNs} ${found.ino}` : "";
  }

  function chain(from?: WalChain): WalChain {
    return withFile(none, (file, size) => {
      const header = readHeader(file);
      if (!header.isValid) return { ...none, lostCommits: size > headerSize ? 1 : 0 };
      const known = from !== undefined && from.salt === header.salt ? from : undefined;
      let { frames, sum } = known ?? { frames: 0, sum: header.sum };
      let next = sum;
      let isBroken = false;
      let lostCommits = 0;
      eachFrame(file, header, frames, (frame, number, before) => {
        if (frame.salt !== header.salt) {
          isBroken = true;
          return;
        }
        const fits = !isBroken && same(frame.sum, frame.sumAfter(next));
        if (!fits) {
          isBroken = true;
          if (frame.isCommit && before !== undefined && same(frame.sum, frame.sumAfter(before))) lostCommits += 1;
          return;
        }
        next = frame.sum;
        if (!frame.isCommit) return;
        frames = number;
        sum = frame.sum;
      });
      return { salt: header.salt, frames, sum, lostCommits };
    });
  }

  function promised(salt: string): number | undefined {
    let index: Buffer;
    try {
      index = fs.readFileSync(path.replace(/-wal$/, "-shm"));
    } catch {
      return undefined;
    }
    if (index.length < 48 || (salt !== "" && index.toString("hex", 32, 40) !== salt)) return undefined;
    return new Uint32Array(new Uint8Array(index.subarray(16, 20)).buffer)[0];
  }

  function applyTo(database: string): void {
    withFile(undefined, (file) => {
      const header = readHeader(file);
      const pages = validPages(file, header);
      const target = fs.openSync(database, "r+");
      try {
        for (const { page, at } of pages) {
          const bytes = Buffer.alloc(header.pageSize);
          fs.readSync(file, bytes, 0, bytes.length, at);
          fs.writeSync(target, bytes, 0, bytes.length, (page - 1) * header.pageSize);
        }
        // The copy has no write-ahead file of its own: it is read as a database with a rollback journal.
        fs.writeSync(target, Buffer.from([1, 1]), 0, 2, 18);
      } finally {
        fs.closeSync(target);
      }
    });
  }

  /** Where a header is lost, the newest frames are those at the beginning of the file, and their salt is its salt. */
  function validPages(file: number, header: Header): readonly { readonly page: number; readonly at: number }[] {
    const pages: { readonly page: number; readonly at: number }[] = [];
    let salt = header.isValid ? header.salt : undefined;
    const end = (header.isValid ? promised(header.salt) : undefined) ?? Number.POSITIVE_INFINITY;
    let upTo = 0;
    eachFrame(file, header, 0, (frame, number, before) => {
      const start = before ?? (number === 1 && header.isValid ? header.sum : undefined);
      if (number > end || start === undefined || !same(frame.sum, frame.sumAfter(start))) return;
      salt ??= frame.salt;
      if (frame.salt !== salt || frame.page === 0) return;
      pages.push({ page: frame.page, at: headerSize + (number - 1) * (header.pageSize + 24) + 24 });
      if (frame.isCommit) upTo = pages.length;
    });
    return pages.slice(0, upTo);
  }

  interface Frame {
    readonly page: number;
    readonly isCommit: boolean;
    readonly salt: string;
    readonly sum: readonly [number, number];
    readonly sumAfter: (before: readonly [number, number]) => readonly [number, number];
  }

  /** `before` is the checksum that stands in the frame before, verified or not. */
  function eachFrame(
    file: number,
    header: Header,
    after: number,
    take: (frame: Frame, number: number, before: readonly [number, number] | undefined) => void,
  ): void {
    const frameSize = header.pageSize + 24;
    const bytes = Buffer.alloc(frameSize * 32);
    let before: readonly [number, number] | undefined;
    for (let number = after; ; ) {
      const read = fs.readSync(file, bytes, 0, bytes.length, headerSize + number * frameSize);
      const whole = Math.floor(read / frameSize);
      for (let i = 0; i < whole; i++) {
        const at = i * frameSize;
        const frame: Frame = {
          page: bytes.readUInt32BE(at),
          isCommit: bytes.readUInt32BE(at + 4) !== 0,
          salt: bytes.toString("hex", at + 8, at + 16),
          sum: [bytes.readUInt32BE(at + 16), bytes.readUInt32BE(at + 20)],
          sumAfter: (start) =>
            checksum(bytes, at + 24, header.pageSize, checksum(bytes, at, 8, start, header.isLittle), header.isLittle),
        };
        number += 1;
        take(frame, number, before);
        before = frame.sum;
      }
      if (whole < 32) return;
    }
  }

  function readHeader(file: number): Header {
    const bytes = Buffer.alloc(headerSize);
    const read = fs.readSync(file, bytes, 0, headerSize, 0);
    const magic = bytes.readUInt32BE(0);
    const isLittle = (magic & 1) === 0;
    const pageSize = bytes.readUInt32BE(8);
    const sum = [bytes.readUInt32BE(24), bytes.readUInt32BE(28)] as const;
    const isKnown = read === headerSize && (magic & ~1) >>> 0 === 0x377f0682;
    const isValid = isKnown && same(sum, checksum(bytes, 0, 24, [0, 0], isLittle));
    return isValid
      ? { isLittle, pageSize, salt: bytes.toString("hex", 16, 24), sum, isValid }
      : { isLittle: true, pageSize: 4096, salt: "", sum: [0, 0], isValid };
  }

  function checksum(
    bytes: Buffer,
    from: number,
    length: number,
    start: readonly [number, number],
    isLittle: boolean,
  ): readonly [number, number] {
    const view = new DataView(bytes.buffer, bytes.byteOffset + from, length);
    let [a, b] = start;
    for (let i = 0; i < length; i += 8) {
      a = (a + view.getUint32(i, isLittle) + b) >>> 0;
      b = (b + view.getUint32(i + 4, isLittle) + a) >>> 0;
    }
    return [a, b];
  }

  function same(a: readonly [number, number], b: readonly [number, number]): boolean {
    return a[0] === b[0] && a[1] === b[1];
  }

  function withFile<T>(missing: T, act: (file: number, size: number) => T): T {
    let file: number;
    try {
      file = fs.openSync(path, "r");
    } catch {
      return missing;
    }
    try {
      return act(file, fs.fstatSync(file).size);
    } finally {
      fs.closeSync(file);
    }
  }

  return { stamp, chain, promised, applyTo };
}
