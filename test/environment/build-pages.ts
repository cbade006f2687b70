import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../source-tree.ts";

/** Builds the pages before the first test, as `npm start` does it: while they are built no service can read them. */
export function setup(): void {
  const tool = join(ROOT, "tools/build-pages.ts");
  const { status } = spawnSync(process.execPath, ["--conditions=@propgate/source", tool], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("the pages cannot be built");
}
