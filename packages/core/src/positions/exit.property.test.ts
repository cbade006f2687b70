import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../test/environment/depth.ts";
import { evolve } from "../evolve/evolve.ts";
import { accountId, orderUuid, ownerId, pairId } from "../ids.ts";
import { decide } from "../network/decide.ts";
import type { AccountState } from "../state/account.ts";
import type { Command, PlaceMarket } from "../state/command.ts";
import type { Direction } from "../state/order.ts";
import type { Terms } from "../state/terms.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../testing/catalogue.ts";
import { leverage, percent, price, unixMs } from "../units.ts";

const NOW = unixMs(1_767_625_200_000);
const PAIR = pairId("ETHUSD");
const BID = 2_500;
/**
 * A cap that never binds. So only the pair's own cap limits the position. The loss limits of 60 % are too wide for any
 * price move of this test.
 */
const NEVER_BINDING_CAP = leverage(1_000_000);
const UNCAPPED: Terms = {
  ...CLASSIC_TERMS,
  challenge: { profitTargetPct: null, dailyLossPct: percent(60), maxLossPct: percent(60) },
  portfolioCap: NEVER_BINDING_CAP,
  classCaps: { ...CLASSIC_TERMS.classCaps, crypto: NEVER_BINDING_CAP },
};
const OPEN: Command = {
  type: "openAccount",
  accountId: accountId("a"),
  ownerId: ownerId("w"),
  terms: UNCAPPED,
  provisioned: true,
};

const parts = fc.array(fc.integer({ min: 1_000, max: 300_000 }), { minLength: 1, maxLength: 8 });
const moves = fc.integer({ min: -40, max: 40 }).map((share) => share / 1_000);
const directions = fc.constantFrom<Direction>("long", "short");

describe("an exit in parts", () => {
  test("an exit in parts realizes the same PnL as one exit, within rounding [D4.pnlRate]", () => {
    const property = fc.property(parts, moves, directions, (sold, move, direction) => {
      const total = sold.reduce((sum, part) => sum + part, 0);
      const whole = exitPnl([total], move, direction);
      expect(Math.abs(exitPnl(sold, move, direction) - whole)).toBeLessThanOrEqual(sold.length);
    });
    fc.assert(property, propertySettings(1_000));
  });
});

/** The PnL, in micro dollars, of opening the sum of the parts, moving the price and closing part by part. */
function exitPnl(sold: readonly number[], move: number, direction: Direction): number {
  const total = sold.reduce((sum, part) => sum + part, 0);
  const back = direction === "long" ? "short" : "long";
  const opened = submit(null, OPEN, BID);
  const held = submit(opened, order("in", direction, total), BID);
  const left = sold.reduce(
    (state, part, index) => submit(state, order(`out-${index}`, back, part), BID * (1 + move)),
    held,
  );
  expect(left.positions).toEqual([]);
  return left.realized;
}

function order(uuid: string, direction: Direction, hundredThousandths: number): PlaceMarket {
  const size = { kind: "quantity", lots: hundredThousandths / 100_000 } as const;
  const fields = { orderUuid: orderUuid(uuid), pair: PAIR, direction, size, legs: [] };
  return { type: "placeMarket", ...fields, reduceOnly: false };
}

function submit(state: AccountState | null, command: Command, bid: number): AccountState {
  const quote = { pair: PAIR, bid: price(bid), ask: price(bid * 1.0001), atMs: NOW };
  const quotes = new Map([[PAIR, quote]]);
  const decision = decide(state, command, { now: NOW, quotes, instruments: TEST_CATALOGUE });
  if (!decision.ok) throw new Error(decision.refusal.code);
  const after = decision.value.reduce<AccountState | null>(evolve, state);
  if (after === null) throw new Error("an account");
  return after;
}
