/**
 * The `prepack` script of a client package, run in its folder. It copies the type declarations of `dist` to
 * `dist/commonjs`, where a `package.json` marks them as CommonJS. A CommonJS project needs types of its own kind; Node
 * loads the same modules in both kinds of projects.
 */
import { cp, glob, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const BUILT = "dist";
const COMMONJS = join(BUILT, "commonjs");

await rm(COMMONJS, { recursive: true, force: true });
for await (const path of glob("**/*.d.ts", { cwd: BUILT, exclude: ["commonjs/**"] })) {
  await cp(join(BUILT, path), join(COMMONJS, path));
}
await writeFile(join(COMMONJS, "package.json"), '{ "type": "commonjs" }\n');
