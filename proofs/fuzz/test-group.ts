import { afterAll, describe, expect, test } from "vitest";
import { SEED, scaledCount } from "../../test/environment/depth.ts";
import type { FuzzGroup } from "./fuzz-suite.ts";

/** Runs each suite of the group as a test, and checks at the end that the subject still works. */
export async function testFuzzGroup(group: FuzzGroup): Promise<void> {
  const open = await group.open();
  describe(`fuzzing ${group.name} [S7.statuses]`, () => {
    afterAll(async () => {
      try {
        await open.expectSound();
      } finally {
        await open.close();
      }
    });
    test.each(open.suites)("no input breaks $name", async (suite) => {
      const plan = { runs: scaledCount(suite.defaultRuns), seed: SEED };
      const { failing, runs } = await suite.run(plan);
      expect(failing).toBeNull();
      expect(runs).toBe(plan.runs);
    });
  });
}
