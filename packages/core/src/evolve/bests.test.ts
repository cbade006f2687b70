import { describe, expect, test } from "vitest";
import { orderUuid } from "../ids.ts";
import { actionId } from "../market/corporate-action.ts";
import { decide } from "../network/decide.ts";
import type { AccountState } from "../state/account.ts";
import type { BracketLeg } from "../state/order.ts";
import {
  createTestAccount,
  createTestLeg,
  createTestMarket,
  createTestPosition,
  TEST_TIME_MS,
} from "../testing/test-account.ts";
import { microUsd, price, ratio, unixMs } from "../units.ts";
import { findImprovedBests } from "./bests.ts";
import { evolve } from "./evolve.ts";

const position = createTestPosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 100 });
const leg: BracketLeg = {
  ...createTestLeg(position, {
    trailing: { kind: "percent", ratio: ratio(0.02) },
    bestPrice: price(100),
  }),
  bestAtMs: TEST_TIME_MS,
};
const account = createTestAccount({ positions: [position], orders: [leg] });

function seenAt(bid: number) {
  return { pair: position.pair, bid: price(bid), ask: price(bid), atMs: TEST_TIME_MS };
}

function momentAt(bid: number, best: number | null) {
  const bests = best === null ? {} : { bests: new Map([[leg.uuid, seenAt(best)]]) };
  return { ...createTestMarket({ BTCUSD: bid }), now: unixMs(TEST_TIME_MS + 1), ...bests };
}

function typesAt(bid: number, best: number | null, state: AccountState = account) {
  const decided = decide(state, { type: "settlePrices" }, momentAt(bid, best));
  if (!decided.ok) throw new Error("a settlement is not refused");
  return decided.value.map((event) =>
    event.type === "trailMoved" ? `best ${event.bestPrice}` : event.type,
  );
}

test("a better price is no event, and a stop that follows it has the best price in front of its fill [D5.trailing]", () => {
  expect(typesAt(110, null)).toEqual([]);
  expect(typesAt(108, 110)).toEqual([]);
  expect(typesAt(107.8, 110)).toEqual(["best 110", "orderFilled", "positionClosed"]);
  expect(typesAt(107.8, null)).toEqual([]);
});

describe("a better price less than a second after the recorded one [D5.trailing]", () => {
  /** The account places a limit order while its leg has followed a price of 110. */
  const placedAfter = (ms: number) => {
    const order = {
      direction: "long",
      limitPrice: price(90),
      legs: [],
      reduceOnly: false,
    } as const;
    const uuid = orderUuid(`order-${ms}`);
    const size = { kind: "value", value: microUsd(1_000_000_000) } as const;
    const decided = decide(
      account,
      { type: "placeLimit", orderUuid: uuid, pair: position.pair, size, ...order },
      { ...momentAt(109, 110), now: unixMs(TEST_TIME_MS + ms) },
    );
    if (!decided.ok) throw new Error(JSON.stringify(decided.refusal));
    return decided.value;
  };

  test("a better price less than a second later is not recorded by an event that does not need it", () => {
    expect(placedAfter(999).map(({ type }) => type)).toEqual(["orderPlaced"]);
    expect(placedAfter(1_000).map(({ type }) => type)).toEqual(["trailMoved", "orderPlaced"]);
  });

  test("a better price less than a second later is followed on, and the fill of the leg records it", () => {
    let state: AccountState = account;
    for (const event of placedAfter(999)) state = evolve(state, event);
    expect(findImprovedBests(state, momentAt(109, 110))).toMatchObject([{ bestPrice: 110 }]);
    expect(typesAt(107.8, 110, state).slice(0, 2)).toEqual(["best 110", "orderFilled"]);
  });
});

test("a worse best price than the recorded one changes nothing [D5.trailing]", () => {
  expect(findImprovedBests(account, momentAt(99, 99))).toEqual([]);
  expect(typesAt(98, 99)).toEqual(["orderFilled", "positionClosed"]);
});

test("a recorded best price has its time [D5.trailing]", () => {
  const moved = {
    type: "trailMoved",
    orderUuid: leg.uuid,
    bestPrice: price(105),
    atMs: TEST_TIME_MS,
  } as const;
  const after = (order: BracketLeg) =>
    evolve({ ...account, orders: [order] }, { ...moved, atMs: unixMs(TEST_TIME_MS + 7) }).orders[0];
  expect(after(leg)).toEqual({ ...leg, bestPrice: 105, bestAtMs: TEST_TIME_MS + 7 });
});

test("a dividend changes no best price: one of before it counts as it was made [D13.oneScale]", () => {
  const { pair } = position;
  const moment = unixMs(TEST_TIME_MS + 500);
  const dividend = {
    id: actionId("d"),
    pair,
    atMs: moment,
    announcedAtMs: TEST_TIME_MS,
    amount: 0.5,
  };
  const carriedOut = [{ id: dividend.id, pair, atMs: moment }];
  const actions = new Map([[pair, [{ ...dividend, kind: "dividend" } as const]]]);
  const better = (direction: "long" | "short", best: number) => {
    const orders = [{ ...leg, direction }];
    const state = createTestAccount({
      positions: [{ ...position, direction }],
      orders,
      carriedOut,
    });
    const found = findImprovedBests(state, {
      ...momentAt(99, best),
      now: unixMs(TEST_TIME_MS + 1_000),
      actions,
    });
    return found.map(({ bestPrice }) => bestPrice);
  };
  expect([better("long", 110), better("long", 100)]).toEqual([[110], []]);
  expect([better("short", 90), better("short", 100)]).toEqual([[90], []]);
});
