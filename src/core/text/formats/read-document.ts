import type { Steps } from "../../../base/steps.ts";
import { readAsciidoc } from "./asciidoc.ts";
import { readComments } from "./comments.ts";
import type { Format } from "./format.ts";
import { readHtml } from "./html.ts";
import { readJavaScript } from "./javascript.ts";
import { readJson, readNotebook } from "./json.ts";
import { readLatex } from "./latex.ts";
import { readMarkdown } from "./markdown.ts";
import { readComponent } from "./markup.ts";
import { readOrg } from "./org.ts";
import type { TextDocument } from "./passage.ts";
import { readPlain } from "./plain.ts";
import { readPo } from "./po.ts";
import { readRestructured } from "./restructured.ts";
import { sourceComments } from "./source-comments.ts";
import { readYaml } from "./yaml.ts";

/** Reads the prose of a document. Total; time and memory grow with the text, whatever it is. */
export function readDocument(text: string, format: Format): Steps<TextDocument> {
  switch (format) {
    case "markdown":
      return readMarkdown(text);
    case "mdx":
      return readMarkdown(text, { mdx: true });
    case "plaintext":
      return readPlain(text);
    case "html":
      return readHtml(text);
    case "vue":
    case "svelte":
      return readComponent(text);
    case "restructuredtext":
      return readRestructured(text);
    case "asciidoc":
      return readAsciidoc(text);
    case "org":
      return readOrg(text);
    case "latex":
      return readLatex(text);
    case "po":
      return readPo(text);
    case "json":
      return readJson(text);
    case "ipynb":
      return readNotebook(text);
    case "yaml":
      return readYaml(text);
    case "typescript":
      return readJavaScript(text, false);
    case "javascript":
    case "javascriptreact":
    case "typescriptreact":
      return readJavaScript(text, true);
    default:
      return readComments(text, sourceComments(text, format));
  }
}
