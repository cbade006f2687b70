import { describe, expect, test } from "vitest";
import { evolve } from "../evolve/evolve.ts";
import { accountId, type OrderUuid, orderUuid, ownerId, pairId } from "../ids.ts";
import { decide } from "../network/decide.ts";
import type { AccountState } from "../state/account.ts";
import type { Command } from "../state/command.ts";
import type { Event, OrderFilled } from "../state/event.ts";
import type { Size } from "../state/requested-size.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../testing/catalogue.ts";
import { leverage, price, quantity, roundUsd, unixMs } from "../units.ts";
import { differenceOf } from "./fill-difference.ts";

const BTC = pairId("BTCUSD");
const NOW = unixMs(1_767_625_200_000);

/** An account that places market orders at 100, without a spread. */
class Trader {
  #state: AccountState | null = null;
  #orders = 0;

  constructor() {
    const ids = { accountId: accountId("a"), ownerId: ownerId("w") };
    this.#submit({ type: "openAccount", ...ids, terms: CLASSIC_TERMS, provisioned: true }, 100);
  }

  market(direction: "long" | "short", size: Size, reduceOnly = false): OrderFilled | string {
    const events = this.#submit(
      {
        type: "placeMarket",
        orderUuid: this.#nextUuid(),
        pair: BTC,
        direction,
        size,
        legs: [],
        reduceOnly,
      },
      100,
    );
    return fillIn(events);
  }

  /** Attaches a leg of that size, whose target is reached at 110; returns its fill, or a text when it did not fill. */
  leg(size: Size): OrderFilled | string {
    const leg = { stopLoss: null, takeProfit: price(110), trailing: null, size };
    const uuid = this.#nextUuid();
    this.#submit({ type: "placeBracket", orderUuid: uuid, pair: BTC, legs: [leg] }, 100);
    return fillIn(this.#submit({ type: "settlePrices" }, 110));
  }

  #nextUuid(): OrderUuid {
    this.#orders += 1;
    return orderUuid(`o${this.#orders}`);
  }

  #submit(command: Command, at: number): readonly Event[] | string {
    const quotes = new Map([[BTC, { pair: BTC, bid: price(at), ask: price(at), atMs: NOW }]]);
    const decided = decide(this.#state, command, { now: NOW, quotes, instruments: TEST_CATALOGUE });
    if (!decided.ok) return decided.refusal.code;
    this.#state = decided.value.reduce<AccountState | null>(evolve, this.#state);
    return decided.value;
  }
}

function fillIn(events: readonly Event[] | string): OrderFilled | string {
  if (typeof events === "string") return events;
  return events.find((event): event is OrderFilled => event.type === "orderFilled") ?? "no fill";
}

const lotsOf = (lots: number): Size => ({ kind: "quantity", lots });

describe("a fill that differs from its order's size says why [D12.shortfall]", () => {
  test.each<[string, Size, object]>([
    ["exactly its size", lotsOf(1.5), {}],
    ["rounded down", lotsOf(1.000_004), { shortfall: { code: "roundedToGrid", lots: 0.000_004 } }],
    ["rounded up", lotsOf(1.000_006), { excess: { code: "roundedToGrid", lots: 0.000_004 } }],
    ["by value, rounded by less than 1 %", { kind: "value", value: roundUsd(100.000_3) }, {}],
    [
      "by leverage, more than a cap allows",
      { kind: "leverage", leverage: leverage(2) },
      { shortfall: { code: "cap", lots: 500 } },
    ],
  ])("the fill of an order that opens says its difference: %s", (_, size, difference) => {
    const { shortfall, excess } = Object(new Trader().market("long", size));
    expect({ shortfall, excess }).toEqual({
      shortfall: undefined,
      excess: undefined,
      ...difference,
    });
  });

  test.each<[string, Size, boolean, object]>([
    ["a part", lotsOf(0.4), true, {}],
    ["reduce-only, too large", lotsOf(5), true, { shortfall: { code: "nothingLeft", lots: 4 } }],
    ["too large", lotsOf(5), false, { shortfall: { code: "neverFlips", lots: 4 } }],
    [
      "by value, too large",
      { kind: "value", value: roundUsd(150) },
      false,
      { shortfall: { code: "neverFlips", lots: 0.5 } },
    ],
    ["nearly the whole", lotsOf(0.95), false, { excess: { code: "leastPosition", lots: 0.05 } }],
    [
      "the whole after rounding",
      lotsOf(1.000_004),
      true,
      { shortfall: { code: "roundedToGrid", lots: 0.000_004 } },
    ],
  ])("an order against a position of 1 fills as it can: %s", (_, size, reduceOnly, difference) => {
    const trader = new Trader();
    trader.market("long", lotsOf(1));
    const { shortfall, excess } = Object(trader.market("short", size, reduceOnly));
    expect({ shortfall, excess }).toEqual({
      shortfall: undefined,
      excess: undefined,
      ...difference,
    });
  });

  test("a leg that is larger than what is open", () => {
    const trader = new Trader();
    trader.market("long", lotsOf(1));
    expect(trader.leg(lotsOf(3))).toMatchObject({
      quantity: 100_000,
      shortfall: { code: "nothingLeft", lots: 2 },
    });
  });

  test("a size that is not in lots reports rounding above 1 % alone", () => {
    const order = { by: "value", cut: null, tookRestAlong: false } as const;
    const rounded = (lots: number) => differenceOf(quantity(100_000), { ...order, lots });
    expect(rounded(1.009)).toEqual({});
    expect(rounded(1.02)).toEqual({ shortfall: { code: "roundedToGrid", lots: 0.02 } });
    expect(rounded(0.98)).toEqual({ excess: { code: "roundedToGrid", lots: 0.02 } });
    // The requested size has a rounding error beyond twelve digits.
    expect(rounded(1 + 1e-14)).toEqual({});
  });

  test("a leg that is a multiple of a balance of zero closes one step with the rest, and its excess is that size", () => {
    const leg = { by: "leverage", lots: 0, cut: null, tookRestAlong: true } as const;
    expect(differenceOf(quantity(7), leg)).toEqual({
      excess: { code: "leastPosition", lots: 0.000_07 },
    });
  });
});
