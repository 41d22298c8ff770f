import { describe, expect, test } from "vitest";
import { buildNameMatcher, type NameEntry, type NameKind } from "../../src/core/text/names/name-matcher.ts";
import { words } from "../../src/core/text/words/words.ts";

function entry(id: string, text: string, kind: NameKind = "name", match: NameEntry["match"] = "loose"): NameEntry {
  return { id, text, kind, match };
}

/** `written=id` of every mention in a text. */
function found(entries: readonly NameEntry[], text: string): readonly string[] {
  return buildNameMatcher(entries)
    .find(text)
    .map((it) => `${text.slice(it.start, it.end)}=${it.candidates.map((candidate) => candidate.id).join("|")}`);
}

const steward = entry("ds", "data steward");

describe("names, by the numbers of the trackers' tests", () => {
  test("#13 a possessive gives one mention, without its ending", () => {
    expect(found([entry("a", "account")], "the account's and the account’s name")).toEqual(["account=a", "account=a"]);
    expect(found([steward, entry("s", "steward")], "the data steward's")).toEqual(["data steward=ds"]);
    expect(found([entry("e", "Elder's Council")], "elders council, Elders' Council, Elder’s Council")).toEqual([
      "elders council=e",
      "Elders' Council=e",
      "Elder’s Council=e",
    ]);
  });

  test("#14 plural and singular find each other, inside a name too; words that only look plural stay", () => {
    expect(
      found(
        [steward, entry("c", "circle of care"), entry("t", "teachings")],
        "data stewards, circles of care, a teaching",
      ),
    ).toEqual(["data stewards=ds", "circles of care=c", "teaching=t"]);
    const odd = [entry("st", "status"), entry("se", "series"), entry("b", "bias"), entry("n", "new")];
    expect(found(odd, "status statu series serie bias bia news")).toEqual(["status=st", "series=se", "bias=b"]);
    expect(found(odd, "biases statuses")).toEqual(["biases=b", "statuses=st"]);
  });

  test("#15 the longest name wins, whatever the order of the entries", () => {
    const entries = [
      entry("a", "emnify"),
      entry("b", "emnify IoT SuperNetwork"),
      entry("c", "SuperNetwork"),
      entry("d", "IoT"),
    ];
    const text = "the emnify IoT SuperNetwork, emnify IoT and SuperNetwork";
    const expected = ["emnify IoT SuperNetwork=b", "emnify=a", "IoT=d", "SuperNetwork=c"];
    expect(found(entries, text)).toEqual(expected);
    expect(found([...entries].reverse(), text)).toEqual(expected);
  });

  test("#18 hyphens, spaces and closed-up writing of one name are one name", () => {
    const entries = [entry("c", "co-learning"), entry("t", "two-eyed seeing")];
    expect(
      found(entries, "co-learning, colearning, co learning, co‑learning, Two Eyed Seeing, two–eyed seeing"),
    ).toEqual([
      "co-learning=c",
      "colearning=c",
      "co learning=c",
      "co‑learning=c",
      "Two Eyed Seeing=t",
      "two–eyed seeing=t",
    ]);
    expect(found(entries, "co. learning, co - learning, co/learning")).toEqual([]);
  });

  test("#19 one name that is exact does not tighten or relax the others", () => {
    const entries = [entry("r", "Respect", "name", "exact"), steward, entry("care", "CARE", "acronym")];
    expect(found(entries, "respect Respect RESPECT Data Steward DATA STEWARD with care CARE Care")).toEqual([
      "Respect=r",
      "Data Steward=ds",
      "DATA STEWARD=ds",
      "CARE=care",
    ]);
    expect(
      buildNameMatcher(entries)
        .lookup("respect")
        .map((it) => it.id),
    ).toEqual(["r"]);
    expect(
      buildNameMatcher(entries)
        .lookup("care")
        .map((it) => it.id),
    ).toEqual(["care"]);
  });

  test("#21 identifiers of every style, acronym runs and digits are read", () => {
    const entries = [steward, entry("api", "API", "acronym"), entry("p", "publish")];
    const text =
      "dataSteward DataSteward data_steward data-steward DATA_STEWARD HTTPDataSteward dataSteward2 APIs getAPIs";
    expect(found(entries, text)).toEqual([
      "dataSteward=ds",
      "DataSteward=ds",
      "data_steward=ds",
      "data-steward=ds",
      "DATA_STEWARD=ds",
      "DataSteward=ds",
      "dataSteward=ds",
      "APIs=api",
      "APIs=api",
    ]);
    expect(words("PUBLISHed markUIsReady GLsizei").map((it) => it.parts.map((part) => part.loose))).toEqual([
      [],
      ["mark", "uis", "ready"],
      ["g", "lsizei"],
    ]);
  });

  test("#25 one form or the other of Unicode, and every apostrophe, find the name at exact offsets", () => {
    const entries = [entry("n", "nêhiyawêwin", "other-language"), entry("m", "Mi'kmaw", "other-language")];
    const text = `${"nêhiyawêwin".normalize("NFD")} ${"nêhiyawêwin".normalize("NFC")} Mi'kmaw Mi’kmaw Miʼkmaw Mi‘kmaw Mi\`kmaw Mi´kmaw`;
    const mentions = buildNameMatcher(entries.map((it) => ({ ...it, text: it.text.normalize("NFD") }))).find(text);
    expect(mentions.map((it) => it.end - it.start)).toEqual([13, 11, 7, 7, 7, 7, 7, 7]);
    expect(mentions.every((it) => it.exact)).toBe(true);
  });

  test("#26 writing without accents finds the name, in several words too", () => {
    const entries = [
      entry("k", "Kanien’kehá:ka", "other-language"),
      entry("s", "große Straße"),
      entry("h", "Skwx̱wú7mesh", "other-language"),
    ];
    expect(found(entries, "Kanienkehaka Kanien'keha:ka GROSSE STRASSE grosse strasse Skwxwu7mesh")).toEqual([
      "Kanienkehaka=k",
      "Kanien'keha:ka=k",
      "GROSSE STRASSE=s",
      "grosse strasse=s",
      "Skwxwu7mesh=h",
    ]);
  });

  test("#27 names are found inside scripts without spaces; beside them is nothing", () => {
    const entries = [
      entry("a", "サーバ", "other-language"),
      entry("b", "サーバー", "other-language"),
      entry("c", "ᓀᐦᐃᔭᐍᐏᐣ", "other-language"),
    ];
    const text = "このサーバーとサーバです。ᓀᐦᐃᔭᐍᐏᐣᓂᐠ";
    expect(found(entries, text)).toEqual(["サーバー=b", "サーバ=a", "ᓀᐦᐃᔭᐍᐏᐣ=c"]);
    const matcher = buildNameMatcher(entries);
    expect(matcher.at(text, 1)).toBeUndefined();
    expect(matcher.at(text, 3)?.candidates[0]?.id).toBe("b");
    expect(matcher.at(text, text.length)).toBeUndefined();
  });
});
