import { nearest } from "../core/concept/nearest.ts";

export const kagToolNames = ["kag_solve", "kag_schema", "kag_reason", "kag_status"] as const;
export type KagToolName = (typeof kagToolNames)[number];

export type EnabledTools =
  | { readonly kind: "read"; readonly names: ReadonlySet<string> }
  | { readonly kind: "wrong"; readonly message: string };

/** Reads an allow-list: `all`, or names with hyphens or underscores between commas, with or without spaces. */
export function readEnabledTools(list: string): EnabledTools {
  const names = new Set<string>();
  for (const written of list.split(",").map((it) => it.trim())) {
    const name = written.toLowerCase().replaceAll("-", "_");
    if (name === "all") for (const each of kagToolNames) names.add(each);
    else if (kagToolNames.some((it) => it === name)) names.add(name);
    else return { kind: "wrong", message: unknownTool(written, name) };
  }
  return { kind: "read", names };
}

function unknownTool(written: string, name: string): string {
  const near = nearest(name, kagToolNames);
  const help = near ? ` Did you mean ${near}?` : "";
  const what = written === "" ? "an empty name" : `the unknown tool \`${written}\``;
  return `--enabled-tools holds ${what}.${help} It takes all, or some of ${kagToolNames.join(", ")}.`;
}
