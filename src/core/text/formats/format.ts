/** Formats that are read, by the language ids editors use. */
export type Format = "markdown" | "mdx" | "plaintext" | "html" | "restructuredtext" | "asciidoc" | SourceLanguage;

/** Source languages: only comments and doc strings are read. */
export type SourceLanguage =
  | "javascript"
  | "typescript"
  | "javascriptreact"
  | "typescriptreact"
  | "python"
  | "go"
  | "rust"
  | "java"
  | "cpp"
  | "ruby"
  | "shellscript"
  | "yaml"
  | "toml"
  | "css";

/**
 * The format of a language id, a file name or an extension; `undefined` when it is not one that can be read. Ids win
 * over extensions; case does not matter.
 */
export function formatOf(name: string): Format | undefined {
  const lower = name.toLowerCase();
  const byId = ids.get(lower);
  if (byId !== undefined) return byId;
  const base = lower.slice(Math.max(lower.lastIndexOf("/"), lower.lastIndexOf("\\")) + 1);
  const dot = base.lastIndexOf(".");
  return extensions.get(dot < 0 ? base : base.slice(dot + 1));
}

const extensions = new Map<string, Format>();
const ids = new Map<string, Format>();

const table: readonly (readonly [Format, string, string])[] = [
  ["markdown", "md", "md markdown mdown mkd"],
  ["mdx", "", "mdx"],
  ["plaintext", "text", "txt text license readme authors notice changelog contributing"],
  ["html", "", "html htm xhtml"],
  ["restructuredtext", "rst", "rst rest"],
  ["asciidoc", "adoc", "adoc asciidoc asc"],
  ["javascript", "js", "js mjs cjs"],
  ["typescript", "ts", "ts mts cts"],
  ["javascriptreact", "jsx", "jsx"],
  ["typescriptreact", "tsx", "tsx"],
  ["python", "py", "py pyi"],
  ["go", "", "go"],
  ["rust", "rs", "rs"],
  ["java", "", "java"],
  ["cpp", "c", "c h cc cpp cxx hpp hh hxx"],
  ["ruby", "rb", "rb rake gemspec gemfile rakefile"],
  ["shellscript", "sh bash zsh shell", "sh bash zsh"],
  ["yaml", "yml dockercompose github-actions-workflow", "yaml yml"],
  ["toml", "", "toml"],
  ["css", "", "css"],
];
for (const [format, aliases, names] of table) {
  for (const id of [format, ...aliases.split(" ")]) if (id !== "") ids.set(id, format);
  for (const name of names.split(" ")) extensions.set(name, format);
}
