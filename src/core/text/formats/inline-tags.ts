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

const blocks = new Set(
  "address article aside body br caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main nav ol option p section select summary table tbody td tfoot th thead title tr ul".split(
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
  return roles[name] ?? (blocks.has(name) ? "block" : "none");
}
