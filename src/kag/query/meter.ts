import { DslProblem } from "../dsl/dsl-problem.ts";
import { isList, type Value } from "./value.ts";

/** Longest text of a parameter, and of what functions make of others, in UTF-16 units. */
export const maxText = 10_000;
/** Most characters and list items that one row may be decided by. */
const maxPerRow = 200_000;
/** After so many, whoever drives the work may look at the clock. */
const untilPause = 20_000;

/** Counts what evaluating costs beyond a step, so that pauses come by work done and not by rows. */
export class Meter {
  #row = 0;
  #sincePause = 0;
  #steps = 0;

  /** Counts the texts and lists that a function is about to read. Throws `DslProblem` when a row costs too much. */
  read(values: readonly Value[], at: number): void {
    let size = 0;
    for (const value of values) size += isList(value) || typeof value === "string" ? value.length : 0;
    this.#row += size;
    this.#sincePause += size;
    if (this.#row <= maxPerRow) return;
    this.#row = 0;
    throw new DslProblem(at, `One row would be decided by more than ${maxPerRow} characters.`, "compare shorter texts");
  }

  startRow(): void {
    this.#row = 0;
  }

  /** Counts one step; true when it is time to pause. */
  step(): boolean {
    if (++this.#steps % 256 !== 0 && this.#sincePause < untilPause) return false;
    this.#sincePause = 0;
    return true;
  }
}

/** A text that a function made. Throws `DslProblem` when it is too long. */
export function madeText<T extends Value>(value: T, at: number): T {
  if (typeof value !== "string" || value.length <= maxText) return value;
  throw new DslProblem(at, `A text of more than ${maxText} characters would be made here.`, "put fewer texts together");
}
