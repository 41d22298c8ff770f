/** What the tags of HTML say about the text between them. */
export type TagRole = "code" | "quote" | "emphasis" | "block" | "skip" | "none";

const roles: Readonly<Record<string, TagRole>> = {
  code: "code",
  kbd: "code",
  samp: "code",
  var: "code",
  pre: "code",
  tt: "code",
  textarea: "code",
  q: "quote",
  blockquote: "quote",
  cite: "quote",
  em: "emphasis",
  i: "emphasis",
  dfn: "emphasis",
  script: "skip",
  style: "skip",
  template: "skip",
  svg: "skip",
  math: "skip",
  del: "skip",
};

/** Elements that stand inside a line. Any other, a component of a program's own included, parts what is around it. */
const inline = new Set(
  "a abbr acronym audio b bdi bdo big button data datalist embed font iframe img input ins label map mark meter nobr object output picture progress rb rp rt ruby s small source span strike strong sub sup time track trans u video wbr".split(
    " ",
  ),
);

/** The name of a tag as written, `</EM class="x">` giving `em`; empty for what is no tag. */
export function tagName(tag: string): string {
  return /^<\/?([A-Za-z][A-Za-z0-9-]*)/.exec(tag)?.[1]?.toLowerCase() ?? "";
}

export const isClosing = (tag: string): boolean => tag.startsWith("</");

export const isSelfClosing = (tag: string): boolean => tag.endsWith("/>");

export function tagRole(name: string): TagRole {
  return roles[name] ?? (name === "" || inline.has(name) ? "none" : "block");
}
