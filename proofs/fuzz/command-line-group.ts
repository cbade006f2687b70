import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FuzzGroup } from "./fuzz-suite.ts";
import { commandLinesSuite } from "./suites/command-lines.ts";

/** The fuzz suite that runs the command line `propgate` with random arguments. */
export const COMMAND_LINE_GROUP: FuzzGroup = {
  name: "the command line",
  async open() {
    const folder = await mkdtemp(join(tmpdir(), "propgate-fuzz-"));
    await writeFile(join(folder, "a-file"), "no folder");
    const suite = await commandLinesSuite(folder);
    return {
      suites: [suite],
      expectSound: async () => {
        const { failing } = await suite.run({ runs: 1, seed: 1 });
        if (failing !== null) throw new Error(failing);
      },
      close: () => rm(folder, { recursive: true, force: true }),
    };
  },
};
