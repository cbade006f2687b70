import { describe, expect, test } from "vitest";
import { kindOf, typeText } from "./event-kinds.ts";

test.each([
  ["orderCancelled", "orders"],
  ["positionClosed", "fills"],
  ["carryCharged", "days"],
  ["cycleClosed", "payouts"],
  ["accountEliminated", "account"],
  ["ofALaterRelease", "account"],
])("%s is filed under %s", (type, kind) => {
  expect(kindOf(type)).toBe(kind);
});

describe("an event's type", () => {
  test("is read as words", () => {
    expect(["orderFilled", "dayEnded"].map(typeText)).toEqual(["order filled", "day ended"]);
  });
});
