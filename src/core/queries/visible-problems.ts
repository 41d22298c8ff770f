import type { Problem } from "../concept/problem.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { CallerView } from "../snapshot/view.ts";

const sharedFiles = ["vocabulary.yaml", "sources.yaml", "terminology.yaml"];

/**
 * Problems that a caller with this view may hear of: those of files that everybody shares, and of concepts that the view
 * tells in full. A file that no concept could be read from is nobody's yet, and may be one that is guarded.
 */
export function visibleProblems(snapshot: Snapshot, view: CallerView): readonly Problem[] {
  return snapshot.problems.filter(({ file }) => {
    const id = snapshot.conceptIn(file);
    return id === undefined ? sharedFiles.includes(file) : view.concepts.get(id)?.disclosure === "full";
  });
}
