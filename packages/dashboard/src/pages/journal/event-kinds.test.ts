import { describe, expect, test } from "vitest";
import { kindOf, typeText } from "./event-kinds.ts";

test.each([
  ["orderCancelled", "orders"],
  ["positionClosed", "fills"],
  ["carryCharged", "days"],
  ["cycleClosed", "payouts"],
  ["accountEliminated", "account"],
  ["ofALaterRelease", "account"],
])("the event %s belongs to the kind %s", (type, kind) => {
  expect(kindOf(type)).toBe(kind);
});

describe("an event's type", () => {
  test("an event's type is shown as words", () => {
    expect(["orderFilled", "dayEnded"].map(typeText)).toEqual(["order filled", "day ended"]);
  });
});
