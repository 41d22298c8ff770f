export interface FrontMatter {
  readonly values: ReadonlyMap<string, string>;
  /** Where the document's own text begins; 0 when there is no front matter. */
  readonly end: number;
}

/**
 * The YAML (`---`) or TOML (`+++`) block at the top of a document. Only single-line values are read: directives are
 * such lines. A list may be written `[a, b]` or as `- a` lines, which are joined by commas.
 */
export function readFrontMatter(text: string): FrontMatter {
  const opening = /^\uFEFF?(---|\+\+\+)[ \t]*\r?\n/.exec(text);
  if (opening === null) return none;
  const fence = opening[1] === "---" ? /^(?:---|\.\.\.)[ \t]*$/ : /^\+\+\+[ \t]*$/;
  const values = new Map<string, string>();
  let at = opening[0].length;
  let key = "";
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end).replace(/\r$/, "");
    at = newline < 0 ? text.length : newline + 1;
    if (fence.test(line)) return { values, end: at };
    key = readLine(line, key, values);
  }
  return none;
}

const none: FrontMatter = { values: new Map(), end: 0 };

function readLine(line: string, key: string, values: Map<string, string>): string {
  const pair = /^([A-Za-z][\w-]*)[ \t]*[:=][ \t]*(.*)$/.exec(line);
  if (pair !== null) {
    const name = (pair[1] ?? "").toLowerCase();
    values.set(name, unquote(pair[2] ?? ""));
    return name;
  }
  const item = /^[ \t]*-[ \t]+(.+)$/.exec(line);
  if (item !== null && key !== "") {
    const before = values.get(key) ?? "";
    values.set(key, before === "" ? unquote(item[1] ?? "") : `${before}, ${unquote(item[1] ?? "")}`);
  }
  return key;
}

const unquote = (value: string): string => value.trim().replace(/^(["'])(.*)\1$/, "$2");
