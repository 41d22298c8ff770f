import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/core/concept/rule.ts";
import { everyRule, read } from "./rule-set.ts";

interface Carrier {
  readonly name: string;
  readonly wrap: (example: string) => string;
  readonly format?: string;
  /** Examples it cannot carry: of several lines, with markup of their own. */
  readonly plain?: true;
}

/** The example as the middle of a sentence. */
const inner = (example: string): string => example.replace(/[.!?]+$/, "");
const entity = (example: string): string =>
  example.replace(/[’']/g, "&#x2019;").replace(/[éèêàçôü]/g, (letter) => `&#${letter.codePointAt(0)};`);

/** What a text around a wording may be without changing its sense. */
const carriers: readonly Carrier[] = [
  { name: "alone", wrap: (it) => it },
  { name: "a sentence before", wrap: (it) => `The page is new. ${it}` },
  { name: "a sentence behind", wrap: (it) => `${it} Thank you all.` },
  { name: "Please note that", wrap: (it) => `Please note that: ${it}` },
  { name: "a paragraph before", wrap: (it) => `Some words come first.\n\n${it}` },
  { name: "a paragraph behind", wrap: (it) => `${it}\n\nSome words come last.` },
  { name: "an item", wrap: (it) => `- ${it}`, plain: true },
  { name: "a starred item", wrap: (it) => `* ${it}`, plain: true },
  { name: "a numbered item", wrap: (it) => `1. ${it}`, plain: true },
  { name: "a task", wrap: (it) => `- [ ] ${it}`, plain: true },
  { name: "an item among others", wrap: (it) => `- one\n- ${it}\n- three`, plain: true },
  { name: "a nested item", wrap: (it) => `- one\n  - ${it}`, plain: true },
  { name: "under a heading", wrap: (it) => `# About us\n\n${it}` },
  { name: "under two headings", wrap: (it) => `# About us\n\n## Today\n\n${it}` },
  { name: "bold", wrap: (it) => `**${inner(it)}**`, plain: true },
  { name: "a bold word before", wrap: (it) => `**Friday.** ${it}`, plain: true },
  { name: "a table cell", wrap: (it) => `| Day | Text |\n| --- | --- |\n| Friday | ${it} |`, plain: true },
  { name: "behind an emoji", wrap: (it) => `🎉 ${it}`, plain: true },
  { name: "CRLF", wrap: (it) => `One line.\r\n\r\n${it.replaceAll("\n", "\r\n")}\r\n` },
  { name: "NFC", wrap: (it) => it.normalize("NFC") },
  { name: "NFD", wrap: (it) => it.normalize("NFD") },
  { name: "soft hyphens", wrap: (it) => it.replace(/([a-z]{3})([a-z]{3})/g, "$1\u00ad$2"), plain: true },
  { name: "curly apostrophes", wrap: (it) => it.replaceAll("'", "’"), plain: true },
  { name: "entities", wrap: (it) => entity(it), plain: true },
  { name: "an alert", wrap: (it) => `> [!NOTE]\n> ${it}`, plain: true },
  { name: "a warning alert", wrap: (it) => `> [!WARNING]\n> ${it}`, plain: true },
  { name: "a quotation that is a note", wrap: (it) => `> **Note**\n> ${it}`, plain: true },
  { name: "an admonition of MkDocs", wrap: (it) => `!!! note\n    ${it}`, plain: true },
  { name: "an admonition of MyST", wrap: (it) => `\`\`\`{note}\n${it}\n\`\`\``, plain: true },
  { name: "lines that wrap", wrap: (it) => it.replace(/^(\S+ \S+) /, "$1\n"), plain: true },
  { name: "front matter above", wrap: (it) => `---\nlayout: page\n---\n\n${it}` },
  { name: "a comment above", wrap: (it) => `<!-- a comment -->\n\n${it}` },
  { name: "plain text", wrap: (it) => it, format: "plaintext", plain: true },
  { name: "a paragraph of HTML", wrap: (it) => `<p>${it}</p>`, format: "html", plain: true },
  { name: "a cell of HTML", wrap: (it) => `<table><tr><td>${it}</td></tr></table>`, format: "html", plain: true },
  { name: "a text of JSX", wrap: (it) => `const a = <p>${it}</p>;`, format: "tsx", plain: true },
  { name: "reStructuredText", wrap: (it) => `Title\n=====\n\n${it}\n`, format: "restructuredtext", plain: true },
  { name: "a note of reStructuredText", wrap: (it) => `.. note:: ${it}\n`, format: "restructuredtext", plain: true },
  { name: "AsciiDoc", wrap: (it) => `== Title\n\n${it}\n`, format: "asciidoc", plain: true },
  { name: "a comment of Python", wrap: (it) => `# ${it}\nx = 1\n`, format: "python", plain: true },
  { name: "a comment of Go", wrap: (it) => `// ${it}\nvar x = 1\n`, format: "go", plain: true },
  { name: "a text of YAML", wrap: (it) => `description: |\n  ${it}\n`, format: "yaml", plain: true },
  { name: "Org", wrap: (it) => `* Title\n${it}\n`, format: "org", plain: true },
];

const isPlain = (example: string): boolean => !/[\n|`<>*_#[\]{}&~"“”:]/.test(example);

function findingsOf(rule: Rule, text: string, format: string | undefined): readonly string[] {
  const strictness =
    rule.strictness === "strict" || rule.readings.some((it) => it.strictness === "strict") ? "strict" : "standard";
  const { findings } = read(text, { strictness, language: rule.language, ...(format === undefined ? {} : { format }) });
  return findings.map((finding) => finding.rule);
}

describe("a carrier", () => {
  const failures: string[] = [];
  let held = 0;
  let tried = 0;
  it("neither silences what a rule finds nor makes it find more", { timeout: 600_000 }, () => {
    for (const rule of everyRule) {
      for (const [kind, examples] of Object.entries(rule.examples) as ["flags" | "passes", readonly string[]][]) {
        for (const example of examples) {
          const isFlagged = kind === "flags";
          for (const carrier of carriers) {
            if (carrier.plain === true && !isPlain(example)) continue;
            const found = findingsOf(rule, carrier.wrap(example), carrier.format).includes(rule.id);
            tried += 1;
            if (found === isFlagged) held += 1;
            else failures.push(`${rule.id} ${kind} ${JSON.stringify(example)} as ${carrier.name}`);
          }
        }
      }
    }
    const share = (100 * held) / tried;
    if (process.env.IAIP_LONG === "1" || process.env.IAIP_CARRIERS === "1") {
      const byCarrier = carriers.map(
        ({ name }) => `${String(failures.filter((it) => it.endsWith(` as ${name}`)).length).padStart(4)} ${name}`,
      );
      console.info(
        [
          `carriers: ${carriers.length}, trials: ${tried}, held: ${share.toFixed(2)} %`,
          ...byCarrier,
          ...failures.slice(0, 200),
        ].join("\n"),
      );
    }
    expect(share, failures.slice(0, 20).join("\n")).toBeGreaterThanOrEqual(98);
  });
});
