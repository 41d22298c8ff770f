import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Before any test: `dist/` is of the present sources, so that tests which start the real program start this one. */
export default function setup(): void {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  execFileSync("bash", ["-c", ". scripts/lib/prepare.sh && build_if_needed"], { cwd: root, stdio: "inherit" });
}
