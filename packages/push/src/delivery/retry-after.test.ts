import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const NOW_MS = Date.UTC(2026, 0, 7, 9, 0, 0);
const DAY_MS = 86_400_000;

test.each([
  [429, "0", 0],
  [429, "120", 120_000],
  [503, " 7 ", 7_000],
  [429, "86401", DAY_MS],
  [429, "9".repeat(400), DAY_MS],
  [429, "Wed, 07 Jan 2026 09:00:30 GMT", 30_000],
  [503, "Wednesday, 07-Jan-26 09:00:30 GMT", 30_000],
  [503, "Wed Jan  7 09:00:30 2026", 30_000],
  [429, "Wed, 07 Jan 2026 08:00:00 GMT", 0],
  [429, "Sat, 07 Feb 2026 08:00:00 GMT", DAY_MS],
  [429, "Wed, 99 Jan 2026 09:00:30 GMT", null],
  [429, "-1", null],
  [429, "1.5", null],
  [429, "2026-01-07T09:00:30Z", null],
  [429, "soon", null],
  [429, "", null],
  [429, undefined, null],
  [500, "120", null],
  [302, "120", null],
  [200, "120", null],
])("status %d with Retry-After %j waits %s ms", (status, header, waitMs) => {
  expect(retryAfterMs(status, header, NOW_MS)).toBe(waitMs);
});
