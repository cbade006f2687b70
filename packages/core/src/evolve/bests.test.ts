import { expect, test } from "vitest";
import { decide } from "../network/decide.ts";
import type { AccountState } from "../state/account.ts";
import type { BracketLeg } from "../state/order.ts";
import { AT, madeAccount, madeLeg, madeMarket, madePosition } from "../testing/made-account.ts";
import { price, ratio, unixMs } from "../units.ts";
import { withBests } from "./bests.ts";
import { evolve } from "./evolve.ts";

const position = madePosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 100 });
const leg: BracketLeg = {
  ...madeLeg(position, {
    trailing: { kind: "percent", ratio: ratio(0.02) },
    bestPrice: price(100),
  }),
  bestAtMs: AT,
};
const account = madeAccount({ positions: [position], orders: [leg] });

function seenAt(bid: number) {
  return { pair: position.pair, bid: price(bid), ask: price(bid), atMs: AT };
}

function momentAt(bid: number, best: number | null) {
  const bests = best === null ? {} : { bests: new Map([[leg.uuid, seenAt(best)]]) };
  return { ...madeMarket({ BTCUSD: bid }), now: unixMs(AT + 1), ...bests };
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

test("a worse best price than the recorded one changes nothing [D5.trailing]", () => {
  expect(withBests(account, momentAt(99, 99))).toBe(account);
  expect(typesAt(98, 99)).toEqual(["orderFilled", "positionClosed"]);
});

test("a recorded best price has its time, and a leg of an earlier release stays without one", () => {
  const moved = {
    type: "trailMoved",
    orderUuid: leg.uuid,
    bestPrice: price(105),
    atMs: AT,
  } as const;
  const after = (order: BracketLeg) =>
    evolve({ ...account, orders: [order] }, { ...moved, atMs: unixMs(AT + 7) }).orders[0];
  expect(after(leg)).toEqual({ ...leg, bestPrice: 105, bestAtMs: AT + 7 });
  const { bestAtMs: _time, ...earlier } = leg;
  expect(after(earlier)).toEqual({ ...earlier, bestPrice: 105 });
});
