import { expect, test } from "vitest";
import { choiceText, rejectedText, shortTimeText, sparkLines } from "./price-words.ts";

const NONE = {
  invalid: 0,
  crossed: 0,
  future: 0,
  late: 0,
  older: 0,
  closed: 0,
  outlier: 0,
  disagreeing: 0,
};

test.each([
  [null, "--"],
  [0, "0 ms"],
  [999, "999 ms"],
  [999.6, "1.0 s"],
  [1_000, "1.0 s"],
  [59_940, "59.9 s"],
  [59_960, "1 min"],
  [60_000, "1 min"],
  [7_200_000, "2 h"],
])("an age of %s ms is written %s", (ms, text) => {
  expect(shortTimeText(ms)).toBe(text);
});

test("rejected quotes are listed by reason, without the reasons that never occurred", () => {
  expect(rejectedText({ rejected: { ...NONE, outlier: 3, late: 1_200 } })).toBe(
    "1,200 late, 3 outlier",
  );
  expect(rejectedText({ rejected: NONE })).toBe("none");
});

test("a pair without a choice is automatic", () => {
  expect(choiceText(null)).toBe("auto");
});

test("a sparkline spans its prices, and a gap begins a new line", () => {
  const size = { width: 40, height: 10 };
  expect(sparkLines([1, 3, null, 2, 1], size)).toEqual(["0.0,10.0 10.0,0.0", "30.0,5.0 40.0,10.0"]);
  expect(sparkLines([5, 5], size)).toEqual(["0.0,5.0 40.0,5.0"]);
  expect(sparkLines([null, null], size)).toEqual([]);
});
