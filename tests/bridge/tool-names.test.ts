import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolNames } from "../../src/bridge/tool-names.ts";

const runs = process.env.IAIP_LONG === "1" ? 5_000 : 300;
const legal = /^[A-Za-z0-9_-]{1,64}$/;

describe("tool names", () => {
  it("keeps legal names and makes the others legal, one to one, whatever the order", () => {
    const name = fc.oneof(
      fc.string({ maxLength: 90 }),
      fc.string({ unit: fc.constantFrom("a", ".", "_", "é"), maxLength: 5 }),
      fc.string({ minLength: 60, maxLength: 70, unit: fc.constantFrom("a", "b") }),
    );
    fc.assert(
      fc.property(fc.array(name), (raw) => {
        const names = toolNames(raw);
        const backwards = toolNames([...raw].reverse());
        const made = raw.map((one) => names.toLegal(one)!);
        expect(new Set(made).size).toBe(new Set(raw).size);
        for (const [index, one] of raw.entries()) {
          expect(made[index]).toMatch(legal);
          if (legal.test(one)) expect(made[index]).toBe(one);
          expect(names.toRaw(made[index]!)).toBe(one);
          expect(backwards.toLegal(one)).toBe(made[index]);
        }
      }),
      { numRuns: runs },
    );
  }, 120_000);

  it("steps aside when a legal name already has the made one", () => {
    const made = toolNames(["a.b"]).toLegal("a.b")!;
    const names = toolNames([made, "a.b"]);
    expect(names.toLegal(made)).toBe(made);
    expect(names.toLegal("a.b")).not.toBe(made);
  });

  it("keeps the tail, where long names differ", () => {
    const names = toolNames([`${"x".repeat(70)}_read`, `${"x".repeat(70)}_write`]);
    expect(names.toLegal(`${"x".repeat(70)}_read`)).toMatch(/x_read$/);
  });
});
