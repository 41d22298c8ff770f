import { words } from "../core/text/words.ts";

/** How a person is joining words: as in prose, or as in an identifier. */
export type Style = "plain" | "snake" | "constant" | "camel" | "pascal" | "kebab";

export function styleOf(written: string): Style {
  if (written.includes("_")) return /\p{Ll}/u.test(written) ? "snake" : "constant";
  if (/^\p{Lu}\p{Ll}+\p{Lu}/u.test(written)) return "pascal";
  if (/^\p{Ll}+\p{N}*\p{Lu}/u.test(written)) return "camel";
  return /^[\p{Ll}\p{N}]+-/u.test(written) ? "kebab" : "plain";
}

/** The name in that style; its own spelling in prose. */
export function typedForm(name: string, style: Style): string {
  if (style === "plain" || style === "kebab") return name;
  const parts = words(name).map((word) => word.loose);
  if (style === "snake") return parts.join("_");
  if (style === "constant") return parts.join("_").toUpperCase();
  const capitalized = parts.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1));
  return style === "pascal" ? capitalized.join("") : [parts[0] ?? "", ...capitalized.slice(1)].join("");
}
