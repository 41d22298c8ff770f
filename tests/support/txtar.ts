/** One text file that holds a small world: `-- name --` starts a file; names that start with @ are expectations. */
export function parseTxtar(text: string): { readonly comment: string; readonly files: ReadonlyMap<string, string> } {
  const [comment = "", ...parts] = text.split(/^-- (.+) --$/m);
  const files = new Map<string, string>();
  for (let i = 0; i + 1 < parts.length; i += 2) files.set(parts[i]!, parts[i + 1]!.replace(/^\n/, ""));
  return { comment: comment.trim().replace(/\s+/g, " "), files };
}
