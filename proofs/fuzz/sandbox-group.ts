import type { FuzzGroup } from "./fuzz-suite.ts";
import { openFuzzedSandbox } from "./fuzzed-sandbox.ts";
import { controlCallsSuite } from "./suites/control-calls.ts";

/** The fuzz suite that sends hostile calls to the sandbox's control plane. */
export const SANDBOX_GROUP: FuzzGroup = {
  name: "the sandbox",
  async open() {
    const world = await openFuzzedSandbox();
    return {
      suites: [controlCallsSuite(world)],
      expectSound: () => world.expectSound(),
      close: () => world.close(),
    };
  },
};
