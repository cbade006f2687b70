import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import type { TestProject } from "vitest/node";
import { ROOT } from "../source-tree.ts";
import { BUILT_PROGRAMS, builtFileName, programFolder } from "./built-program.ts";

/**
 * Builds the programs of `BUILT_PROGRAMS` before the first test. Third-party packages are not part of the builds; the
 * programs load them from `node_modules`.
 */
export async function setup({ config }: TestProject): Promise<void> {
  const folder = programFolder(String(config.env.TMPDIR));
  await build({
    configFile: false,
    logLevel: "error",
    root: ROOT,
    ssr: { resolve: { conditions: ["@propgate/source", "node"] } },
    plugins: [
      {
        name: "places-of-sources",
        enforce: "pre",
        transform: (code, id) =>
          code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
      },
    ],
    build: {
      ssr: true,
      outDir: folder,
      target: "node24",
      copyPublicDir: false,
      rolldownOptions: {
        input: Object.fromEntries(
          BUILT_PROGRAMS.map((source) => [builtFileName(source), join(ROOT, source)]),
        ),
        output: { entryFileNames: "[name]" },
      },
    },
  });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
}
