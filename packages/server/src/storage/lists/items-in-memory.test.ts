import { ACCOUNTS_LIST } from "@propgate/contract";
import { expect, test } from "vitest";
import { createItemFilter } from "./items-in-memory.ts";
import type { ListFilter } from "./list-query.ts";

const field = "nearestUsedOfLimitPct";

function holds(value: number | null, ...filters: readonly ListFilter[]): boolean {
  const sort = { field: "accountId", isDescending: false };
  const query = { filters, text: null, sort, fields: [], after: null, limit: 1 };
  return createItemFilter(ACCOUNTS_LIST, query)({ [field]: value });
}

test.each([
  [0.016138314701234, 0.0161383147012],
  [27.114093959999998, 27.11409396],
  [-0.000484149441037321, -0.000484149441037],
  [75, 75],
])("%d is found by %d, as it is shown [D12.lists]", (value, shown) => {
  expect(holds(value, { field, min: shown }, { field, max: shown })).toBe(true);
});

test("what is beyond a bound by more than is shown is not found, nor what is unknown", () => {
  expect(holds(74.9999999999, { field, min: 75 })).toBe(false);
  expect(holds(75.0000000001, { field, max: 75 })).toBe(false);
  expect(holds(null, { field, min: 0 })).toBe(false);
});
