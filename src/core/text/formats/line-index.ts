export interface LinePlace {
  /** Both start at 1; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

/** Turns offsets into lines and columns. Lines end at LF, CRLF or CR. */
export function lineIndex(text: string): (offset: number) => LinePlace {
  const starts = [0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a || (unit === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) starts.push(at + 1);
  }
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
