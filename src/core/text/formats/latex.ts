import type { Steps } from "../../../base/steps.ts";
import {
  type ExemptReason,
  type Passage,
  type PassageText,
  passageText,
  type Span,
  type TextDocument,
} from "./passage.ts";
import { opaque } from "./prose.ts";

/** Commands whose argument is none of the text. */
const hidden = new Set(
  (
    "label ref eqref pageref cref autoref cite citep citet citealp parencite textcite autocite footcite nocite bibliography " +
    "bibliographystyle includegraphics input include usepackage documentclass begin end url href path verb lstinline texttt mintinline " +
    "newcommand renewcommand def setlength setcounter hspace vspace pagestyle thispagestyle graphicspath addbibresource hypersetup color textcolor"
  ).split(" "),
);
const emphasis = new Set("emph textit textsl title booktitle".split(" "));
const headings: Readonly<Record<string, number>> = {
  title: 1,
  part: 1,
  chapter: 1,
  section: 2,
  subsection: 3,
  subsubsection: 4,
  paragraph: 5,
};
const codeEnvironments =
  /^(?:verbatim|lstlisting|minted|equation|align|gather|multline|math|displaymath|eqnarray|tikzpicture|filecontents|comment)\*?$/;
const quoteEnvironments = /^(?:quote|quotation|displayquote|epigraph|verse)$/;

/** Reads the text of LaTeX: commands gone, mathematics, listings and references exempt. */
export function* readLatex(text: string): Steps<TextDocument> {
  const reader = new Reader(text);
  const mark =
    /\\begin\{([^}\n]{1,60})\}|\\end\{([^}\n]{1,60})\}|\\([A-Za-z]+)\*?|\\.|%[^\n]*|\$\$?|[{}~&]|\n[ \t\r]*\n|``|''/g;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    reader.take(match.index);
    reader.at = match.index + match[0].length;
    reader.read(match, mark);
    mark.lastIndex = reader.at;
    yield;
  }
  reader.take(text.length);
  reader.cut();
  return { passages: reader.passages, frontMatter: new Map(), comments: reader.comments };
}

class Reader {
  at = 0;
  readonly passages: Passage[] = [];
  readonly comments: { text: string; start: number; end: number }[] = [];
  readonly #text: string;
  #into: PassageText = passageText();
  #emphasis: Span[] = [];
  readonly #groups: { readonly kind: "plain" | "emphasis" | "heading"; readonly at: number; readonly level: number }[] =
    [];
  #kind: Passage["kind"] = "prose";
  #exempt: ExemptReason | undefined;
  #headings: { level: number; text: string }[] = [];
  #pending: { kind: "plain" | "emphasis" | "heading"; level: number } = { kind: "plain", level: 0 };

  constructor(text: string) {
    this.#text = text;
  }

  take(to: number): void {
    if (to <= this.at) return;
    const piece = this.#text.slice(this.at, to);
    this.#into.copyAs(piece.replace(/[\r\n\t]/g, " "), this.at);
    this.at = to;
  }

  read(match: RegExpExecArray, _mark: RegExp): void {
    const [mark, opens, closes, command] = match;
    if (opens !== undefined) {
      this.#environment(opens);
      return;
    }
    if (closes !== undefined) {
      this.cut();
      this.#exempt = undefined;
      this.#kind = "prose";
      return;
    }
    if (command !== undefined) {
      this.#command(command);
      return;
    }
    if (mark.startsWith("%")) {
      this.comments.push({ text: mark.slice(1), start: match.index, end: this.at });
      return;
    }
    if (mark.startsWith("$")) {
      this.#skipTo(mark);
      return;
    }
    if (mark === "{") {
      const { kind, level } = this.#pending;
      this.#pending = { kind: "plain", level: 0 };
      if (this.#groups.length < 500) this.#groups.push({ kind, level, at: this.#into.length });
    } else if (mark === "}") this.#close();
    else if (mark.startsWith("\n")) this.cut();
    else if (mark === "~") this.#into.put(" ", match.index);
    else if (mark === "&" || mark === "\\\\") this.cut();
    else if (mark === "``") this.#into.put("“", match.index, 2);
    else if (mark === "''") this.#into.put("”", match.index, 2);
    else if (/^\\[%&$#_{}]$/.test(mark)) this.#into.put(mark[1] ?? "", match.index, 2);
  }

  cut(): void {
    const { text, source } = this.#into.finish();
    if (text.trim() !== "") {
      const base = {
        kind: this.#kind,
        text,
        source,
        emphasis: this.#emphasis,
        headings: this.#headings.map((it) => it.text),
      };
      this.passages.push(this.#exempt === undefined ? base : { ...base, exempt: this.#exempt });
    }
    this.#into = passageText();
    this.#emphasis = [];
    if (this.#kind === "item") this.#kind = "prose";
  }

  #environment(name: string): void {
    this.cut();
    if (codeEnvironments.test(name)) {
      const close = this.#text.indexOf(`\\end{${name}}`, this.at);
      this.at = close < 0 ? this.#text.length : close;
    } else if (quoteEnvironments.test(name)) this.#exempt = "a block quotation";
    this.#skipArguments();
  }

  #command(name: string): void {
    if (hidden.has(name)) {
      this.#skipArguments(name === "href" ? 1 : 3);
      if (!/^(?:label|usepackage|documentclass|begin|end)$/.test(name)) this.#into.put(opaque, this.at);
    } else if (name === "item" || name === "caption" || name === "par") {
      this.cut();
      if (name === "item") this.#kind = "item";
    } else if (headings[name] !== undefined) {
      this.cut();
      this.#kind = "heading";
      this.#pending = { kind: "heading", level: headings[name] ?? 1 };
    } else if (emphasis.has(name)) this.#pending = { kind: "emphasis", level: 0 };
  }

  #close(): void {
    const group = this.#groups.pop();
    if (group?.kind === "emphasis") this.#emphasis.push({ start: group.at, end: this.#into.length });
    if (group?.kind !== "heading") return;
    const text = this.#into.finish().text.trim();
    this.cut();
    this.#kind = "prose";
    this.#headings = [...this.#headings.filter((it) => it.level < group.level), { level: group.level, text }];
  }

  /** `[options]` and `{arguments}` right behind a command. */
  #skipArguments(most = 3): void {
    const pattern = /(?:\[[^\]\n]{0,400}\]|\{[^{}\n]{0,400}\})/y;
    for (let count = 0; count < most; count += 1) {
      pattern.lastIndex = this.at;
      const found = pattern.exec(this.#text);
      if (found === null) return;
      this.at += found[0].length;
    }
  }

  #skipTo(mark: string): void {
    const limit = Math.min(this.#text.length, this.at + 2_000);
    const close = this.#text.slice(this.at, limit).indexOf(mark);
    if (close < 0) return;
    this.#into.put(opaque, this.at);
    this.at += close + mark.length;
  }
}
