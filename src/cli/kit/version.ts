import { readFileSync } from "node:fs";

declare const __VERSION__: string | undefined;

/** The package's version: set by the bundler, read from package.json when the sources run as they are. */
export const version: string =
  typeof __VERSION__ === "string"
    ? __VERSION__
    : (JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as { version: string })
        .version;
