import { orderUuid } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { acceptedCancel } from "./act-fate.ts";

const ALL = { type: "cancelOrders", target: "all", pair: null } as const;
const BEFORE = {
  orders: ["a", "b"].map((id) => ({ uuid: orderUuid(id), pair: null })),
  positions: [],
};

describe("a cancel that the network accepted", () => {
  test.each([
    ["names the orders that were pending", 2, ["a", "b"], 2],
    ["names none when fewer were cancelled than were known", 1, [], 1],
    ["names none when nothing was cancelled", 0, [], 0],
    ["names those that were known when more were cancelled", 3, ["a", "b"], 3],
    ["counts those that were known when the network does not count", null, ["a", "b"], 2],
  ] as const)("%s", (_, counted, ids, count) => {
    expect(acceptedCancel(ALL, BEFORE, counted)).toMatchObject({ kind: "cancelled", ids, count });
  });
});
