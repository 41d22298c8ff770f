import { fileStart } from "../core/concept/problem.ts";
import type { Places } from "../core/concept/yaml-document.ts";

/** Places of a file that is taken as loaded: nobody asks where its values stand. */
export const nothingPlaces: Places = { value: () => fileStart, key: () => fileStart };
