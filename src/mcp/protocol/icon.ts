import { firstRevision, since } from "./revision.ts";

/** A four-part circle in one line weight, small enough to ride in every list. */
const svg =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='%23666'><circle cx='8' cy='8' r='7'/><path d='M8 1v14M1 8h14'/></svg>";

const icons = [
  {
    src: `data:image/svg+xml,${svg.replaceAll("<", "%3C").replaceAll(">", "%3E").replaceAll(" ", "%20")}`,
    mimeType: "image/svg+xml",
    sizes: ["any"],
  },
];

/** The icon field, for revisions that have one. */
export function iconsFor(revision: string): { readonly icons?: typeof icons } {
  return since(revision, firstRevision.icons, { icons });
}
