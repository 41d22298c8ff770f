import { nearest } from "../../../core/concept/nearest.ts";
import { rulesOf } from "../../../core/queries/read-in-view.ts";
import { rulePage, ruleTable } from "../../../core/terms/rule-page.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print, UsageError } from "../../kit/io.ts";
import { open } from "../../kit/open.ts";

/** Prints the page of a rule; without one, the table of all. Throws `UsageError` for an unknown rule. */
export async function runExplain(id: string | undefined, settings: Settings, io: Io): Promise<number> {
  const opened = await open({ ...settings, ledger: "none" }, { watch: false });
  try {
    await opened.workspace.ready;
    const rules = rulesOf(opened.workspace.snapshot.viewFor(opened.caller));
    if (id === undefined) {
      print(io, ruleTable(rules));
      return exitCodes.ok;
    }
    const rule = rules.byId.get(id);
    if (rule === undefined) {
      const near = nearest(id, [...rules.byId.keys()]);
      throw new UsageError(
        `There is no rule \`${id}\`.${near ? ` Did you mean \`${near}\`?` : ""} \`iaip-dsl explain\` lists all.`,
      );
    }
    print(io, rulePage(rule, rules));
    return exitCodes.ok;
  } finally {
    await opened.workspace.dispose();
  }
}
