import { describe, expect, test } from "vitest";
import { equityOf } from "../account/equity.ts";
import { assert } from "../assert.ts";
import { evolve } from "../evolve/evolve.ts";
import { orderUuid, pairId } from "../ids.ts";
import { drawdownOf } from "../rules/registry.ts";
import type { AccountState } from "../state/account.ts";
import type { Command, PlaceMarket } from "../state/command.ts";
import type { Moment } from "../state/moment.ts";
import type { Direction, LegRequest } from "../state/order.ts";
import { CLASSIC_TERMS } from "../testing/catalogue.ts";
import {
  createTestAccount,
  createTestMarket,
  createTestPosition,
  TEST_TIME_MS,
} from "../testing/test-account.ts";
import { dollars, lots, microUsd, price, ratio, subtractUsd } from "../units.ts";
import { decide } from "./decide.ts";
import { type OrderPreview, type PreviewCommand, previewOrder } from "./preview.ts";

type Prices = Parameters<typeof createTestMarket>[0];
const momentAt = (prices: Prices): Moment => ({ now: TEST_TIME_MS, ...createTestMarket(prices) });
const NO_LEG: LegRequest = { stopLoss: null, takeProfit: null, trailing: null, size: null };

function market(pair: string, direction: Direction, given: Partial<PlaceMarket> = {}): PlaceMarket {
  return {
    type: "placeMarket",
    orderUuid: orderUuid("order"),
    pair: pairId(pair),
    direction,
    size: { kind: "quantity", lots: 1 },
    legs: [],
    reduceOnly: false,
    ...given,
  };
}

function previewed(state: AccountState, command: PreviewCommand, moment: Moment): OrderPreview {
  const preview = previewOrder(state, command, moment);
  assert(preview.ok && preview.value !== null, "a preview");
  return preview.value;
}

/** The account after a command that is not refused. */
function after(state: AccountState, command: Command, moment: Moment): AccountState {
  const decided = decide(state, command, moment);
  assert(decided.ok, "a command that is not refused");
  return decided.value.reduce<AccountState>((now, event) => evolve(now, event), state);
}

function equityIn(state: AccountState, moment: Moment) {
  const equity = equityOf(state, moment);
  assert(equity.ok, "an equity");
  return equity.value;
}

const stopAt = (level: number): LegRequest => ({ ...NO_LEG, stopLoss: price(level) });
const LONG_BTC = createTestPosition({
  pair: "BTCUSD",
  direction: "long",
  lots: 0.2,
  entry: 49_000,
});

describe("a preview equals the effect of its order [D9.preview]", () => {
  test.each<[string, AccountState, PlaceMarket, Prices, number]>([
    [
      "a long with a stop",
      createTestAccount(),
      market("BTCUSD", "long", { legs: [stopAt(49_000)] }),
      { BTCUSD: [49_990, 50_000] },
      49_000,
    ],
    [
      "a short with a stop",
      createTestAccount(),
      market("BTCUSD", "short", { legs: [stopAt(51_000)] }),
      { BTCUSD: [49_990, 50_000] },
      51_000,
    ],
    [
      "an add to a position",
      createTestAccount({ positions: [LONG_BTC] }),
      market("BTCUSD", "long", { legs: [stopAt(48_900)], size: { kind: "quantity", lots: 0.3 } }),
      { BTCUSD: 50_000 },
      48_900,
    ],
    [
      "an order with two stops, of which the nearer one closes half",
      createTestAccount(),
      market("BTCUSD", "long", {
        legs: [
          { ...stopAt(48_000), size: { kind: "bracketPct", ratio: ratio(0.5) } },
          { ...stopAt(49_500), size: { kind: "bracketPct", ratio: ratio(0.5) } },
        ],
      }),
      { BTCUSD: 50_000 },
      49_500,
    ],
    [
      "an order with a trailing stop",
      createTestAccount(),
      market("BTCUSD", "long", {
        legs: [{ ...NO_LEG, trailing: { kind: "percent", ratio: ratio(0.02) } }],
      }),
      { BTCUSD: 50_000 },
      49_000,
    ],
    [
      "an order on a pair that is not priced in dollars",
      createTestAccount(),
      market("USDJPY", "long", { legs: [stopAt(149)] }),
      { USDJPY: 150 },
      149,
    ],
  ])("the preview of %s has the order's fill, limits and stop", (...row) => {
    const [, state, command, prices, stop] = row;
    const moment = momentAt(prices);
    const preview = previewed(state, command, moment);
    const held = after(state, command, moment);
    const decided = decide(state, command, moment);
    const fill = decided.ok ? decided.value.find(({ type }) => type === "orderFilled") : null;
    const { quantity, value, leverage, price: at, slippage, fee, bindingCap } = preview;
    expect(fill).toMatchObject({ quantity, value, leverage, price: at, slippage, fee, bindingCap });
    const equity = equityIn(held, moment);
    const { limits } = drawdownOf(held, equity);
    expect(preview.limitsAfter.map(({ rule }) => rule)).toEqual(limits.map(({ rule }) => rule));
    const stopped = momentAt({ ...prices, [command.pair]: stop });
    const left = equityIn(after(held, { type: "settlePrices" }, stopped), stopped);
    for (const limit of preview.limitsAfter) {
      const bound = limits.find(({ rule }) => rule === limit.rule);
      expect(limit.remaining).toBe(bound?.remaining);
      const floor = bound?.floor ?? equity;
      expect(limit.remainingIfStopped).toBe(Math.max(0, subtractUsd(left, floor)));
      expect(limit.breachedIfStopped).toBe(limit.checked === "live" && left < floor);
    }
  });
});

describe("the preview of an order", () => {
  const moment = momentAt({ BTCUSD: 50_000 });
  const limitAt = (level: number, given: Partial<PlaceMarket> = {}): PreviewCommand => ({
    ...market("BTCUSD", "long", given),
    type: "placeLimit",
    reduceOnly: false,
    limitPrice: price(level),
  });

  test("a preview of a limit uses the limit as the pair's price [D9.preview]", () => {
    const preview = previewed(
      createTestAccount(),
      limitAt(40_000, { legs: [stopAt(39_000)] }),
      moment,
    );
    expect([lots(preview.quantity), dollars(preview.value), preview.price]).toEqual([
      1, 40_000, 40_000,
    ]);
    const loss = preview.lossIfStopped;
    expect(loss === null ? null : dollars(loss)).toBeCloseTo(1_000 + 79_000 * 0.0003, 6);
  });

  test("a preview of an order whose stop closes a part of it has the fee of that part [D9.preview]", () => {
    const part = { ...stopAt(48_000), size: { kind: "bracketPct" as const, ratio: ratio(0.5) } };
    const whole = previewed(
      createTestAccount(),
      market("BTCUSD", "long", { legs: [stopAt(48_000)] }),
      moment,
    );
    const halved = previewed(
      createTestAccount(),
      market("BTCUSD", "long", { legs: [part] }),
      moment,
    );
    const lossOf = ({ lossIfStopped }: OrderPreview) => dollars(lossIfStopped ?? microUsd(0));
    const exitFee = lots(whole.quantity) * 48_000 * 0.0003;
    expect(lossOf(whole) - lossOf(halved)).toBeCloseTo(exitFee / 2, 6);
  });

  test("a preview of a marketable limit fills at the quote, which its legs must fit [D9.preview] [D10.firesAtOnce]", () => {
    const leg = { ...NO_LEG, takeProfit: price(51_000) };
    const preview = previewed(createTestAccount(), limitAt(52_000, { legs: [leg] }), moment);
    expect([lots(preview.quantity), preview.price]).toEqual([1, 50_000]);
  });

  test("a preview of a limit without room has size zero and names the cap [D9.preview]", () => {
    const full = createTestAccount({
      positions: [
        createTestPosition({ pair: "BTCUSD", direction: "long", lots: 4, entry: 50_000 }),
      ],
    });
    const preview = previewed(full, limitAt(49_000), moment);
    expect(preview).toMatchObject({ quantity: 0, fee: 0, lossIfStopped: null });
    expect(preview.bindingCap?.of).toEqual({ kind: "pair" });
  });

  test("a preview of an order against the position reduces it and has no stop [D9.preview]", () => {
    const state = createTestAccount({ positions: [LONG_BTC] });
    const preview = previewed(state, market("BTCUSD", "short"), moment);
    expect([lots(preview.quantity), preview.accountLeverageAfter]).toEqual([0.2, 0]);
    expect(preview.lossIfStopped).toBeNull();
  });

  test("a preview is null while an open position has no price [D9.preview]", () => {
    const position = createTestPosition({
      pair: "ETHUSD",
      direction: "long",
      lots: 1,
      entry: 3_000,
    });
    const state = createTestAccount({ positions: [position] });
    expect(previewOrder(state, market("BTCUSD", "long"), moment)).toEqual({
      ok: true,
      value: null,
    });
  });

  test("a preview measures the end-of-day limit as if the day ended now [D9.preview]", () => {
    const state = createTestAccount({ terms: { ...CLASSIC_TERMS, criteria: "trailing" } });
    const preview = previewed(state, market("BTCUSD", "long", { legs: [stopAt(48_000)] }), moment);
    const [daily, trailing] = preview.limitsAfter;
    expect(trailing?.remaining).toBe(daily?.remaining);
    expect(trailing?.remainingIfStopped).toBe(daily?.remainingIfStopped);
    const deep = previewed(state, market("BTCUSD", "long", { legs: [stopAt(20_000)] }), moment);
    expect(deep.limitsAfter).toMatchObject([
      { checked: "live", remainingIfStopped: 0, breachedIfStopped: true },
      { checked: "endOfDay", remainingIfStopped: 0, breachedIfStopped: false },
    ]);
  });
});
