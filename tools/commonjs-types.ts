/**
 * `prepack` of a client: copies the declarations of the package in this folder, so that a CommonJS project has its
 * types as such. Node loads the same modules in both kinds of projects.
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
