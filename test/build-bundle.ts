import { join } from "node:path";
import { build, type Rollup } from "vite";
import { ROOT } from "./source-tree.ts";

/** The path of the program, which exists only in the build: its text is not written to a file. */
const ENTRY = join(ROOT, "program.js");

/** Builds `text` as one minified script for browsers. Its exports become the global `program`. */
export async function buildBundle(text: string): Promise<Rollup.OutputChunk> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    root: ROOT,
    resolve: { conditions: ["@propgate/source"] },
    plugins: [
      {
        name: "program",
        enforce: "pre",
        resolveId: (id) => (id === ENTRY ? ENTRY : null),
        load: (id) => (id === ENTRY ? text : null),
      },
    ],
    build: {
      write: false,
      minify: true,
      lib: { entry: ENTRY, formats: ["iife"], name: "program" },
    },
  });
  const [made] = [built].flat();
  if (made === undefined || !("output" in made)) throw new Error("nothing was built");
  return made.output[0];
}

/** The modules that the bundle contains code of, by their paths below `packages/`. */
export function modulesInBundle({ modules }: Rollup.OutputChunk): readonly string[] {
  return Object.entries(modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([path]) => path.slice(join(ROOT, "packages/").length));
}

/** Matches code that only Node can run: names of its modules, `require`, `process` and `Buffer`. */
export const NODE_ONLY_CODE = /["'`]node:|(?<!\.)\brequire\(|\bprocess\.|\bBuffer\b/;
