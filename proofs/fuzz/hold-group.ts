import { afterAll, describe, expect, test } from "vitest";
import { DEFAULT_SEED, type FuzzGroup } from "./fuzz-suite.ts";

/** Each suite of the group as a test, and one for what all of them leave behind. */
export async function holdGroup(group: FuzzGroup): Promise<void> {
  const open = await group.open();
  describe(`fuzzing ${group.name} [S7.statuses]`, () => {
    afterAll(() => open.close());
    test.each(open.suites)("$name", async (suite) => {
      const { failing, runs } = await suite.run({ runs: suite.defaultRuns, seed: DEFAULT_SEED });
      expect(failing).toBeNull();
      expect(runs).toBe(suite.defaultRuns);
    });
    test("afterwards it is as sound as before", () => open.expectSound());
  });
}
