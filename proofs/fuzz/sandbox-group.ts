import type { FuzzGroup } from "./fuzz-suite.ts";
import { openSandboxWorld } from "./sandbox-world.ts";
import { controlCallsSuite } from "./suites/control-calls.ts";

/** Fuzzes the sandbox's control plane. */
export const SANDBOX_GROUP: FuzzGroup = {
  name: "the sandbox",
  async open() {
    const world = await openSandboxWorld();
    return {
      suites: [controlCallsSuite(world)],
      expectSound: () => world.expectSound(),
      close: () => world.close(),
    };
  },
};
