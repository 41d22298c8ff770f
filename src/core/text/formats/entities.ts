/**
 * The characters that HTML's named references stand for: Latin 1 whole, and what else stands in prose. A name that is
 * not here stands for one unknown character.
 */
const latin1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro " +
  "para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil " +
  "Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave " +
  "Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml " +
  "igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute " +
  "thorn yuml";

const others: readonly (readonly [string, string])[] = [
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["rsquo", "’"],
  ["lsquo", "‘"],
  ["sbquo", "‚"],
  ["ldquo", "“"],
  ["rdquo", "”"],
  ["bdquo", "„"],
  ["lsaquo", "‹"],
  ["rsaquo", "›"],
  ["mdash", "—"],
  ["ndash", "–"],
  ["hellip", "…"],
  ["bull", "•"],
  ["trade", "™"],
  ["rarr", "→"],
  ["rArr", "⇒"],
  ["larr", "←"],
  ["check", "✓"],
  ["cross", "✗"],
  ["OElig", "Œ"],
  ["oelig", "œ"],
  ["Scaron", "Š"],
  ["scaron", "š"],
  ["Amacr", "Ā"],
  ["amacr", "ā"],
  ["Emacr", "Ē"],
  ["emacr", "ē"],
  ["Imacr", "Ī"],
  ["imacr", "ī"],
  ["Omacr", "Ō"],
  ["omacr", "ō"],
  ["Umacr", "Ū"],
  ["umacr", "ū"],
  ["Lstrok", "Ł"],
  ["lstrok", "ł"],
  ["eogon", "ę"],
  ["iogon", "į"],
  ["aogon", "ą"],
  ["ensp", "\u2002"],
  ["emsp", "\u2003"],
  ["thinsp", "\u2009"],
  ["zwnj", "\u200c"],
  ["zwj", "\u200d"],
];

const named: ReadonlyMap<string, string> = new Map([
  ...latin1.split(" ").map((name, index) => [name, String.fromCharCode(160 + index)] as const),
  ...others,
]);

/** The character of `&eacute;`, `&#x2019;` or `&#39;`; `undefined` where it is none that can be told. */
export function entityText(reference: string): string | undefined {
  const numeric = /^&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?$/i.exec(reference);
  if (numeric === null) return named.get(reference.replace(/^&|;$/g, ""));
  const point = numeric[1] === undefined ? Number(numeric[2]) : Number.parseInt(numeric[1], 16);
  return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000)
    ? String.fromCodePoint(point)
    : undefined;
}

/** A reference as it stands in a text; sticky. */
export const entityPattern = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z0-9]{1,30});/iy;
