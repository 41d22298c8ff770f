import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonLines } from "../../src/base/json-lines.ts";

const runs = process.env.IAIP_LONG === "1" ? 5_000 : 300;

function read(chunks: readonly Buffer[], maxBytes?: number) {
  const values: unknown[] = [];
  const garbage: string[] = [];
  const lines = jsonLines(
    (value) => values.push(value),
    (line, reason) => garbage.push(`${reason}: ${line}`),
    maxBytes,
  );
  for (const chunk of chunks) lines.append(chunk);
  return { values, garbage };
}

describe("JSON lines", () => {
  it("come out whole however the bytes are cut, in the middle of a character too", () => {
    const cuts = fc.array(fc.nat(400), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), cuts, fc.boolean(), (values, at, crlf) => {
        const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}${crlf ? "\r\n" : "\n"}`).join(""));
        const places = [0, ...at.filter((one) => one < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(read(chunks)).toEqual({ values: JSON.parse(JSON.stringify(values)), garbage: [] });
      }),
      { numRuns: runs },
    );
  }, 120_000);

  it("name what is no JSON and go on", () => {
    const { values, garbage } = read([Buffer.from('{"a":1}\nnot json\n\n   \n{"b":2}\n')]);
    expect(values).toEqual([{ a: 1 }, { b: 2 }]);
    expect(garbage).toEqual(["the line is not JSON: not json"]);
  });

  it("drop a line that is too long, once and whole, and go on", () => {
    const long = Buffer.from(`"${"x".repeat(250)}`);
    const { values, garbage } = read([long, long, Buffer.from('"\n{"after":true}\n')], 200);
    expect(values).toEqual([{ after: true }]);
    expect(garbage).toHaveLength(1);
    expect(garbage[0]).toContain("the line is longer than 200 bytes");
  });
});
