/** Formats that are read, by the language ids editors use. */
export type Format = TextFormat | SourceLanguage;

export type TextFormat =
  | "markdown"
  | "mdx"
  | "plaintext"
  | "html"
  | "vue"
  | "svelte"
  | "restructuredtext"
  | "asciidoc"
  | "org"
  | "latex"
  | "po"
  | "json"
  | "ipynb";

/** Source languages: comments and doc strings are read, of JSX the text that people see. */
export type SourceLanguage =
  | "javascript"
  | "typescript"
  | "javascriptreact"
  | "typescriptreact"
  | "yaml"
  | PlainSourceLanguage;

export type PlainSourceLanguage =
  | "python"
  | "go"
  | "rust"
  | "java"
  | "cpp"
  | "csharp"
  | "kotlin"
  | "swift"
  | "scala"
  | "dart"
  | "php"
  | "ruby"
  | "shellscript"
  | "powershell"
  | "perl"
  | "r"
  | "julia"
  | "elixir"
  | "haskell"
  | "lua"
  | "sql"
  | "clojure"
  | "toml"
  | "ini"
  | "terraform"
  | "graphql"
  | "protobuf"
  | "dockerfile"
  | "makefile"
  | "css"
  | "scss";

export interface FormatRow {
  readonly format: Format;
  /** Other names of the language. */
  readonly aliases: string;
  /** Extensions and whole file names. */
  readonly names: string;
  /** What of a file is read, for the generated table. */
  readonly reads: string;
}

const comments = "comments";
const docs = "comments and doc strings";

export const formats: readonly FormatRow[] = [
  {
    format: "markdown",
    aliases: "md quarto rmd myst prompt chatagent instructions skill",
    names: "md markdown mdown mkd qmd rmd myst mdc",
    reads:
      "text, headings, lists, tables, alerts and admonitions, descriptions of images, HTML in it, title, description and summary of the front matter",
  },
  { format: "mdx", aliases: "", names: "mdx", reads: "as Markdown; expressions are code" },
  {
    format: "plaintext",
    aliases: "text",
    names: "txt text license readme authors notice changelog contributing",
    reads: "paragraphs",
  },
  {
    format: "html",
    aliases: "handlebars django-html jinja-html erb",
    names: "html htm xhtml hbs njk jinja j2",
    reads: "visible text, tables, lists, alt, title, aria-label, placeholder, the page's title and description",
  },
  { format: "vue", aliases: "", names: "vue", reads: "the template as HTML, comments of the script" },
  { format: "svelte", aliases: "astro", names: "svelte astro", reads: "the markup as HTML, comments of the script" },
  {
    format: "restructuredtext",
    aliases: "rst",
    names: "rst rest",
    reads: "text, titles, lists, tables, admonitions, also on the directive's own line and nested",
  },
  {
    format: "asciidoc",
    aliases: "adoc",
    names: "adoc asciidoc asc",
    reads: "text, titles, lists, tables, admonitions",
  },
  {
    format: "org",
    aliases: "org-mode",
    names: "org",
    reads: "text, headlines, lists, tables, title and description keywords",
  },
  { format: "latex", aliases: "tex", names: "tex ltx", reads: "text and the text of its commands, captions, titles" },
  { format: "po", aliases: "gettext", names: "po pot", reads: "translations; the original text where there is none" },
  {
    format: "json",
    aliases: "jsonc json5",
    names: "json jsonc json5 webmanifest",
    reads: "texts of known keys (title, description, summary, prompt, message, …)",
  },
  {
    format: "ipynb",
    aliases: "jupyter notebook",
    names: "ipynb",
    reads: "text cells as Markdown, comments of code cells",
  },
  { format: "javascript", aliases: "js", names: "js mjs cjs", reads: "comments, text and visible attributes of JSX" },
  { format: "typescript", aliases: "ts", names: "ts mts cts", reads: comments },
  { format: "javascriptreact", aliases: "jsx", names: "jsx", reads: "comments, text and visible attributes of JSX" },
  { format: "typescriptreact", aliases: "tsx", names: "tsx", reads: "comments, text and visible attributes of JSX" },
  {
    format: "yaml",
    aliases: "yml dockercompose github-actions-workflow",
    names: "yaml yml",
    reads: "comments, texts of known keys (title, description, summary, prompt, message, …)",
  },
  { format: "python", aliases: "py", names: "py pyi", reads: docs },
  { format: "go", aliases: "", names: "go", reads: comments },
  { format: "rust", aliases: "", names: "rs", reads: comments },
  { format: "java", aliases: "groovy", names: "java groovy gradle", reads: comments },
  { format: "cpp", aliases: "c objective-c", names: "c h cc cpp cxx hpp hh hxx m mm", reads: comments },
  { format: "csharp", aliases: "c#", names: "cs", reads: comments },
  { format: "kotlin", aliases: "", names: "kt kts", reads: comments },
  { format: "swift", aliases: "", names: "swift", reads: comments },
  { format: "scala", aliases: "", names: "scala sc", reads: comments },
  { format: "dart", aliases: "", names: "dart", reads: comments },
  { format: "php", aliases: "", names: "php", reads: comments },
  { format: "ruby", aliases: "rb", names: "rb rake gemspec gemfile rakefile", reads: comments },
  { format: "shellscript", aliases: "sh bash zsh shell", names: "sh bash zsh", reads: comments },
  { format: "powershell", aliases: "", names: "ps1 psm1", reads: comments },
  { format: "perl", aliases: "", names: "pl pm", reads: "comments and POD" },
  { format: "r", aliases: "", names: "r", reads: comments },
  { format: "julia", aliases: "", names: "jl", reads: docs },
  { format: "elixir", aliases: "", names: "ex exs", reads: docs },
  { format: "haskell", aliases: "", names: "hs", reads: comments },
  { format: "lua", aliases: "", names: "lua", reads: comments },
  { format: "sql", aliases: "", names: "sql", reads: comments },
  { format: "clojure", aliases: "lisp scheme", names: "clj cljs cljc edn lisp el scm", reads: comments },
  { format: "toml", aliases: "", names: "toml", reads: comments },
  { format: "ini", aliases: "properties", names: "ini cfg conf properties editorconfig", reads: comments },
  { format: "terraform", aliases: "hcl", names: "tf hcl tfvars", reads: comments },
  { format: "graphql", aliases: "", names: "graphql gql", reads: "comments and descriptions" },
  { format: "protobuf", aliases: "proto proto3", names: "proto", reads: comments },
  { format: "dockerfile", aliases: "", names: "dockerfile containerfile", reads: comments },
  { format: "makefile", aliases: "", names: "makefile mk", reads: comments },
  { format: "css", aliases: "", names: "css", reads: comments },
  { format: "scss", aliases: "less sass", names: "scss less", reads: comments },
];

const byName = new Map<string, Format>();
const byId = new Map<string, Format>();
for (const { format, aliases, names } of formats) {
  for (const id of [format, ...aliases.split(" ")]) if (id !== "" && !byId.has(id)) byId.set(id, format);
  for (const name of names.split(" ")) byName.set(name, format);
}

/**
 * The format of a language id, a file name or an extension; `undefined` when it is not one that can be read. Ids win
 * over extensions; case does not matter.
 */
export function formatOf(name: string): Format | undefined {
  const lower = name.toLowerCase();
  const id = byId.get(lower);
  if (id !== undefined) return id;
  const base = lower.slice(Math.max(lower.lastIndexOf("/"), lower.lastIndexOf("\\")) + 1);
  const dot = base.lastIndexOf(".");
  return byName.get(dot < 0 ? base : base.slice(dot + 1));
}
