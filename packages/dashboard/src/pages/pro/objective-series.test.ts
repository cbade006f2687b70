import { ACCOUNT_PRO, type ObjectiveDay } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import {
  chartShape,
  objectiveSeries,
  objectiveText,
  seriesText,
  thresholdText,
} from "./objective-series.ts";

const DAY = 86_400_000;
const FIRST_DAY = 1_767_398_400_000; // 2026-01-03 UTC

const days: readonly ObjectiveDay[] = [
  { dayStartMs: FIRST_DAY, returnRatio: 0.01, calmar: null, consistency: null, tradingDays: 1 },
  { dayStartMs: FIRST_DAY + DAY, returnRatio: 0.03, calmar: 3, consistency: 0.5, tradingDays: 2 },
  {
    dayStartMs: FIRST_DAY + 2 * DAY,
    returnRatio: 0.06,
    calmar: 2,
    consistency: 0.4,
    tradingDays: 3,
  },
];
const objectives = ACCOUNT_PRO.proTrack?.objectives ?? [];

describe("the days of an objective", () => {
  test("the days of an objective are taken from its own field", () => {
    const valuesOf = (key: "return" | "calmar" | "consistency" | "days") =>
      objectiveSeries(key, days).map(({ value }) => value);
    expect(valuesOf("return")).toEqual([0.01, 0.03, 0.06]);
    expect(valuesOf("calmar")).toEqual([null, 3, 2]);
    expect(valuesOf("consistency")).toEqual([null, 0.5, 0.4]);
    expect(valuesOf("days")).toEqual([1, 2, 3]);
  });

  test.each([
    ["return", 0.02012525, "2.01%"],
    ["consistency", 0.666666667, "66.67%"],
    ["calmar", 2.51565625, "2.52"],
    ["days", 4, "4"],
    ["calmar", null, "--"],
  ] as const)("the objective %s of %f is shown as %s", (key, value, text) => {
    expect(objectiveText(key, value)).toBe(text);
  });

  test("the days of an objective have a summary in words", () => {
    const [returned, calmar] = objectives;
    if (returned === undefined || calmar === undefined) throw new Error("the example has both");
    expect(seriesText(returned, objectiveSeries("return", days))).toBe(
      "Return, day by day: from 1.00% on 2026-01-03 to 6.00% on 2026-01-05; the objective is at least 6.00%.",
    );
    expect(seriesText(calmar, [])).toBe("Calmar ratio: no day is known yet.");
    expect(objectives.map(thresholdText)).toEqual([
      "at least 6.00%",
      "at least 1.75",
      "at most 20.00%",
      "at least 90",
    ]);
  });
});

describe("the shape of the chart", () => {
  const size = { width: 100, height: 40 };

  test("the line of the chart runs from the lower left to the upper right", () => {
    const shape = chartShape(objectiveSeries("return", days), 0.06, size);
    expect(shape.lines).toEqual(["M0 33.33L50 20L100 0"]);
    expect(shape.end).toEqual({ x: 100, y: 0 });
    expect(shape.thresholdY).toBe(0);
  });

  test("the line of the chart has a gap at an unknown day", () => {
    const holed = [1, null, 2, 3].map((value, index) => ({ dayStartMs: index * DAY, value }));
    expect(chartShape(holed, 3, size).lines).toEqual(["M0 26.67", "M66.67 13.33L100 0"]);
  });

  test("the chart has room for losses", () => {
    const lost = [-1, 1].map((value, index) => ({ dayStartMs: index * DAY, value }));
    expect(chartShape(lost, null, size)).toEqual({
      lines: ["M0 40L100 0"],
      end: { x: 100, y: 0 },
      thresholdY: null,
    });
  });

  test("a chart without days has a threshold but no line", () => {
    expect(chartShape([], 90, size)).toEqual({ lines: [], end: null, thresholdY: 0 });
  });
});
