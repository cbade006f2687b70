import { join } from "node:path";
import { build, type Rollup } from "vite";
import { ROOT } from "./source-tree.ts";

/** The path of a file that is not written. */
const ENTRY = join(ROOT, "program.js");

/** The module as one minified script for browsers, whose exports are the global `program`. */
export async function bundled(text: string): Promise<Rollup.OutputChunk> {
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

/** The paths of the modules in it, below `packages/`. */
export function modulesIn({ modules }: Rollup.OutputChunk): readonly string[] {
  return Object.entries(modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([path]) => path.slice(join(ROOT, "packages/").length));
}

/** A name that only Node has. */
export const OF_NODE = /["'`]node:|(?<!\.)\brequire\(|\bprocess\.|\bBuffer\b/;
