import { describe, expect, test } from "vitest";
import {
  answeredFigures,
  RECORDED_NAMES,
  readExpectedFigures,
  readRecordedSubaccount,
} from "../testing/recorded-subaccount.ts";

describe("a recorded subaccount of a validator [S2.1] [S2.2] [S2.3] [S2.4] [S2.5]", () => {
  test.each(RECORDED_NAMES)("%s is answered with the figures of its table", (name) => {
    const answered = answeredFigures(readRecordedSubaccount(name));
    expect(Object.fromEntries(answered as ReadonlyMap<string, unknown>)).toEqual(
      Object.fromEntries(readExpectedFigures(name)),
    );
  });

  test("eleven subaccounts are recorded, and each table has every figure of the account", () => {
    expect(RECORDED_NAMES).toHaveLength(11);
    for (const name of RECORDED_NAMES) expect(readExpectedFigures(name).size).toBeGreaterThan(100);
  });
});
