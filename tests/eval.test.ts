import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { silentLog } from "../src/base/log.ts";
import { localCaller } from "../src/core/concept/caller.ts";
import { checkCeremony } from "../src/core/queries/check-ceremony.ts";
import { search } from "../src/core/queries/search.ts";
import { suggest } from "../src/core/queries/suggest.ts";
import type { CallerView } from "../src/core/snapshot/view.ts";
import { noLedger } from "../src/ledger/no-ledger.ts";
import { prompts } from "../src/mcp/prompts.ts";
import { openWorkspace } from "../src/workspace/workspace.ts";

let view: CallerView;
let workspace: ReturnType<typeof openWorkspace>;
beforeAll(async () => {
  workspace = openWorkspace(join(import.meta.dirname, "../concepts"), { log: silentLog, watch: false });
  await workspace.ready;
  view = workspace.snapshot.viewFor(localCaller());
});

function cases<T>(name: string): readonly T[] {
  const text = readFileSync(join(import.meta.dirname, "eval", name), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

interface SearchCase {
  readonly q: string;
  readonly top?: string;
  readonly any?: readonly string[];
  readonly none?: boolean;
}
interface SuggestCase {
  readonly id: string;
  readonly context: string;
  readonly relevant: readonly string[];
}
interface ActionCase {
  readonly id: string;
  readonly action: string;
  readonly label: "stop" | "ask" | "none";
}

describe("on labelled cases of our own", () => {
  test("at least 95 % of searches have the right concept first, and nothing is found where nothing fits", () => {
    const all = cases<SearchCase>("own-searches.jsonl");
    const asked = all.filter((it) => !it.none);
    const right = asked.filter((it) =>
      (it.any ?? [it.top!]).includes(search(view, { query: it.q }).results[0]?.concept.concept.id ?? ""),
    );
    expect(asked.length).toBeGreaterThanOrEqual(60);
    expect(right.length / asked.length).toBeGreaterThanOrEqual(0.95);
    expect(all.filter((it) => it.none && search(view, { query: it.q }).total > 0).map((it) => it.q)).toEqual([]);
  });

  test("at least 90 % of tasks have a relevant concept among five, and nothing is suggested where nothing fits", () => {
    const all = cases<SuggestCase>("own-suggestions.jsonl");
    const asked = all.filter((it) => it.relevant.length > 0);
    const hits = asked.filter((it) => suggest(view, it.context, 5).some(({ id }) => it.relevant.includes(id)));
    expect(asked.length).toBeGreaterThanOrEqual(60);
    expect(hits.length / asked.length).toBeGreaterThanOrEqual(0.9);
    expect(
      all.filter((it) => it.relevant.length === 0 && suggest(view, it.context, 5).length > 0).map((it) => it.context),
    ).toEqual([]);
  });
});

describe("prompts ground behavior", () => {
  const context = () => ({
    view,
    ledger: noLedger(),
    caller: localCaller(),
    signal: new AbortController().signal,
  });

  test("a ceremony check says stop, ask or nothing-marked as labelled", () => {
    const wrong = cases<ActionCase>("own-actions.jsonl")
      .map((it) => ({ ...it, said: checkCeremony(view, it.action).kind.replace("not-marked", "none") }))
      .filter((it) => it.said !== it.label);
    expect(wrong.map((it) => `${it.id} ${it.label} but ${it.said}: ${it.action}`)).toEqual([]);
  });

  test("a ceremony check only ever says stop, ask, or that nothing is marked and that this is no permission", () => {
    for (const { action } of cases<ActionCase>("own-actions.jsonl")) {
      const [first] = prompts[1]!.get(context(), { proposed_action: action });
      const words = first!.content.type === "text" ? first!.content.text : "";
      expect(words).toMatch(/Stop: this touches ceremony|Ask first: this may touch ceremony|that is not permission/);
    }
  });

  test("each of thirty tasks is grounded in exactly what suggestion gives", () => {
    const tasks = cases<SuggestCase>("own-suggestions.jsonl")
      .filter((_, i) => i % 2 === 0)
      .slice(0, 30);
    expect(tasks.length).toBe(30);
    for (const { context: task } of tasks) {
      const messages = prompts[0]!.get(context(), { task_description: task });
      const embedded = messages.flatMap((it) => (it.content.type === "resource" ? [it.content.resource.uri] : []));
      expect(embedded).toEqual(suggest(view, task, 5).map((it) => `iaip://concepts/${it.id}`));
    }
  });
});
