/** What one character is to a reader of words. Marks belong to the letter before them. */
export type UnitClass = "other" | "lower" | "upper" | "digit" | "mark" | "apostrophe" | "ignorable" | "unspaced";

/** The class of the character at an offset. A half of a surrogate pair that stands alone is `other`. */
export function classOf(text: string, at: number): UnitClass {
  const unit = text.charCodeAt(at);
  if (unit < 128) return ascii[unit] ?? "other";
  return classOfCodePoint(text.codePointAt(at) ?? 0);
}

export function isAsciiWordUnit(unit: number): boolean {
  return unit < 128 && unit !== 0x27 && unit !== 0x60;
}

/** Lower case, diacritics and apostrophes dropped, ligatures and barred letters spelled out. Idempotent. */
export function fold(text: string): string {
  // The acute accent that stands alone would become a space under NFKD.
  return text
    .replaceAll("´", "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(dropped, "")
    .replace(/[ßæœøłđðþħŧı]/g, (letter) => spelledOut[letter] ?? letter)
    .normalize("NFC");
}

/** Written without spaces between words, or with endings that join the word: a name may begin at any character. */
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Canadian_Aboriginal}ー]/u;
const upperLetter = /[\p{Lu}\p{Lt}]/u;
const letter = /\p{L}/u;
const mark = /\p{M}/u;
const digit = /\p{N}/u;
/** Combining marks of the Latin, Greek and Cyrillic scripts; those of other scripts are parts of their letters. */
const dropped =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f'’ʼ‘ʻʾʿ´`ꞌ\u00ad\u200b-\u200d\u2060]/g;

const spelledOut: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ı: "i",
};

const ascii: readonly UnitClass[] = Array.from({ length: 128 }, (_, unit) => classOfAscii(String.fromCharCode(unit)));

function classOfAscii(character: string): UnitClass {
  if (/[a-z]/.test(character)) return "lower";
  if (/[A-Z]/.test(character)) return "upper";
  if (/[0-9]/.test(character)) return "digit";
  return character === "'" || character === "`" ? "apostrophe" : "other";
}

function classOfCodePoint(point: number): UnitClass {
  if (point === 0x2019 || point === 0x2018 || point === 0xb4) return "apostrophe";
  if (point === 0xad || (point >= 0x200b && point <= 0x200d) || point === 0x2060) return "ignorable";
  if (point >= 0x2000 && point < 0x2070) return "other";
  const character = String.fromCodePoint(point);
  if (letter.test(character)) {
    if (upperLetter.test(character)) return "upper";
    return point >= 0x0e00 && unspacedScript.test(character) ? "unspaced" : "lower";
  }
  if (mark.test(character)) return "mark";
  return digit.test(character) ? "digit" : "other";
}
