import { microUsd } from "@propgate/core";
import { describe, expect, test } from "vitest";
import type { Literal, LiteralRecord } from "../python-literal.ts";
import {
  answeredFigures,
  RECORDED_NAMES,
  readRecordedSubaccount,
} from "../testing/recorded-subaccount.ts";
import { multiplyUsd, percentOfUsd, subtractUsd, sumUsd } from "./exact-usd.ts";

type Path = readonly string[];

function leafPaths(value: Literal | undefined, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, item]: [string, Literal]) =>
    leafPaths(item, [...path, key]),
  );
}

function replaced(value: Literal, [key, ...rest]: Path, by: Literal): Literal {
  if (key === undefined || typeof value !== "object" || value === null) return by;
  if (Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, Literal]) => [
      name,
      name === key ? replaced(item, rest, by) : item,
    ]),
  );
}

const EXTREMES: readonly Literal[] = [
  1e308,
  -1e308,
  1e15,
  -1e15,
  999_999_999,
  -999_999_999,
  5e-324,
  0,
  -0,
  "",
  "x".repeat(500),
];

describe("an extreme value in a validator's answer", () => {
  test.each(RECORDED_NAMES)(
    "an extreme value about %s is refused or answered: never an exception, a number that is not finite or a null for a known word",
    (name) => {
      const one = readRecordedSubaccount(name);
      for (const path of leafPaths(one.dashboard)) {
        for (const extreme of EXTREMES) {
          const dashboard = replaced(one.dashboard, path, extreme) as LiteralRecord;
          const answered = answeredFigures({ ...one, dashboard });
          if ("refused" in answered) {
            expect(answered.refused).not.toBe("");
            continue;
          }
          // JSON has no such numbers: they would become null where the contract allows none.
          expect(answered.get("account.accountSize")).toBeGreaterThan(0);
          expect(answered.get("account.evaluation.effectiveAccountSizeNumeric")).toEqual(
            expect.any(Number),
          );
          expect(answered.get("account.performance.totalWins")).toEqual(expect.any(Number));
        }
      }
    },
  );
});

describe("money of unknown figures", () => {
  const huge = microUsd(Number.MAX_SAFE_INTEGER);
  const one = microUsd(1);

  test.each([
    ["a sum with an unknown amount", sumUsd([one, null]), null],
    ["a sum beyond what can be counted", sumUsd([huge, one]), null],
    ["an exact sum", sumUsd([microUsd(100_000), microUsd(200_000)]), 300_000],
    ["an empty sum", sumUsd([]), 0],
    [
      "a difference beyond what can be counted",
      subtractUsd(microUsd(-Number.MAX_SAFE_INTEGER), one),
      null,
    ],
    ["a difference with an unknown amount", subtractUsd(null, one), null],
    ["a product beyond what can be counted", multiplyUsd(huge, 1e9), null],
    ["a product by an unknown factor", multiplyUsd(one, null), null],
    ["a product, half away from zero", multiplyUsd(microUsd(-1), 0.5), -1],
    ["a percent of nothing", percentOfUsd(one, microUsd(0)), null],
    ["a percent", percentOfUsd(microUsd(50_000_000), microUsd(100_000_000)), 50],
  ])("money is counted exactly or is unknown: %s", (_, result, expected) => {
    expect(result).toBe(expected);
  });
});
