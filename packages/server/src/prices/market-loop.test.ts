import {
  type AccountId,
  accountId,
  type Direction,
  type LegRequest,
  orderUuid,
  pairId,
  price,
  type Quote,
  ratio,
  type Trailing,
} from "@propgate/core";
import { describe, expect, test } from "vitest";
import { TEST_OWNER, TEST_TERMS } from "../testing/counting-decider.ts";
import { madeCatalogue, madeInstrument } from "../testing/made-instrument.ts";
import { madeQuote } from "../testing/made-quote.ts";
import { createManualTime } from "../testing/manual-time.ts";
import { createMemoryExecutor } from "../testing/memory-executor.ts";
import { createMarketLoop } from "./market-loop.ts";
import { createQuoteBoard } from "./quote-board.ts";

const START = 1_700_049_600_000; // a Wednesday at noon
const BTC = pairId("BTCUSD");
const A = accountId("00000000-0000-4000-8000-00000000000a");
const B = accountId("00000000-0000-4000-8000-00000000000b");

const afternoons = {
  id: "afternoons",
  zone: "UTC",
  weekly: [{ fromDay: 3, fromMinute: 780, toDay: 3, toMinute: 1440 }],
  holidays: new Set<string>(),
  earlyCloses: new Map<string, number>(),
} as const;

function market() {
  const instruments = madeCatalogue(
    madeInstrument("BTCUSD"),
    madeInstrument("ETHUSD"),
    madeInstrument("EURGBP", { assetClass: "forex", lotSize: 100_000 }),
    madeInstrument("GBPUSD", { assetClass: "forex", lotSize: 100_000 }),
    madeInstrument("SLOW", { base: "SLOW", quote: "USD", session: afternoons }),
  );
  const time = createManualTime(START);
  const board = createQuoteBoard({ outliers: null });
  const executor = createMemoryExecutor({ clock: time.clock, quotes: board.quotes, instruments });
  const faults: unknown[] = [];
  const loop = createMarketLoop({
    executor,
    board,
    instruments,
    clock: time.clock,
    onFault: (cause) => faults.push(cause),
  });
  let orders = 0;
  const next = () => {
    orders += 1;
    return orderUuid(`00000000-0000-4000-8000-0000000000${String(10 + orders)}`);
  };
  return {
    loop,
    board,
    executor,
    instruments,
    time,
    faults,
    quote: (pair: string, bid: number, ask = bid): Quote =>
      madeQuote(pair, bid, ask, time.clock.now()),
    give: (pair: string, bid: number, ask = bid) =>
      loop.give([madeQuote(pair, bid, ask, time.clock.now())]),
    open: (id: AccountId) =>
      executor.send(id, {
        type: "openAccount",
        accountId: id,
        ownerId: TEST_OWNER,
        terms: TEST_TERMS,
        provisioned: true,
      }),
    limit: async (id: AccountId, at: number, legs: readonly LegRequest[] = []) => {
      const uuid = next();
      const execution = await executor.send(id, {
        type: "placeLimit",
        orderUuid: uuid,
        pair: BTC,
        direction: "long",
        size: { kind: "quantity", lots: 1 },
        limitPrice: price(at),
        legs,
      });
      expect(execution.ok).toBe(true);
      return uuid;
    },
    buy: async (...[id, pair, lots, over = {}]: Buy) => {
      const execution = await executor.send(id, {
        type: "placeMarket",
        orderUuid: next(),
        pair: pairId(pair),
        direction: over.direction ?? "long",
        size: { kind: "quantity", lots },
        legs: over.legs ?? [],
      });
      expect(execution).toMatchObject({ ok: true });
    },
    fills: () =>
      executor.events.flatMap((event) =>
        event.type === "orderFilled" ? [[event.kind, event.price]] : [],
      ),
    positions: (id: AccountId) => executor.account(id).state.positions.map(({ pair }) => pair),
    status: (id: AccountId) => executor.account(id).state.status,
    settlements: () =>
      executor.submissions.filter(({ command }) => command.type === "settlePrices").length,
  };
}

type Buy = [
  id: AccountId,
  pair: string,
  lots: number,
  over?: { readonly direction?: Direction; readonly legs?: readonly LegRequest[] },
];

function leg(over: {
  readonly stopLoss?: number;
  readonly takeProfit?: number;
  readonly trailing?: Trailing;
}): LegRequest {
  return {
    stopLoss: over.stopLoss === undefined ? null : price(over.stopLoss),
    takeProfit: over.takeProfit === undefined ? null : price(over.takeProfit),
    trailing: over.trailing ?? null,
    size: null,
  };
}

describe("market loop: resting orders", () => {
  test("a quote fills what it reaches before the call returns, and leaves others alone [D5.triggers]", async () => {
    const { loop, give, open, limit, fills, settlements, executor } = market();
    await open(A);
    await open(B);
    await give("BTCUSD", 1_000);
    await limit(A, 900);
    await limit(B, 800);
    await give("BTCUSD", 901);
    expect(settlements()).toBe(0);
    await give("BTCUSD", 850, 899);
    expect(fills()).toEqual([["limit", 899]]);
    expect(executor.account(B).state.orders).toHaveLength(1);
    await loop.settled();
  });

  test("a limit that is marketable when it is placed needs no further quote [D5.limit]", async () => {
    const { loop, give, open, limit, fills } = market();
    await open(A);
    await give("BTCUSD", 1_000);
    await limit(A, 1_100);
    await loop.settled();
    expect(fills()).toEqual([["limit", 1_000]]);
  });

  test("one placed on an old quote waits for a new one [D5.freshQuote]", async () => {
    const { loop, give, open, limit, fills, time } = market();
    await open(A);
    await give("BTCUSD", 1_000);
    await time.pass(60_001);
    await limit(A, 1_100);
    await loop.settled();
    expect(fills()).toEqual([]);
    await give("BTCUSD", 1_050);
    expect(fills()).toEqual([["limit", 1_050]]);
  });

  test("every quote of a batch has its effect, each at its own price [D5.triggers]", async () => {
    const { loop, open, limit, fills, quote, give } = market();
    await open(A);
    await give("BTCUSD", 1_000);
    await limit(A, 900, [leg({ stopLoss: 850, takeProfit: 950 })]);
    // The dip, the recovery and the stop come in one batch; only the last price would do nothing.
    await loop.publish([
      quote("BTCUSD", 899),
      quote("ETHUSD", 50),
      quote("BTCUSD", 951),
      quote("BTCUSD", 1_000),
    ]);
    expect(fills()).toEqual([
      ["limit", 899],
      ["takeProfit", 951],
    ]);
  });

  test("a leg that its own fill's price reaches is settled in the same call [D5.triggers]", async () => {
    const { loop, open, limit, fills, give } = market();
    await open(A);
    await give("BTCUSD", 1_000);
    await limit(A, 900, [leg({ stopLoss: 850 })]);
    // The ask is at the limit, but the bid is already below the stop.
    await give("BTCUSD", 840, 899);
    await loop.settled();
    expect(fills()).toEqual([
      ["limit", 899],
      ["stopLoss", 840],
    ]);
  });

  test("a trailing stop follows the best bid of each quote: 100, 110, 108, 107.8 [D5.trailing]", async () => {
    const { open, buy, fills, give } = market();
    await open(A);
    await give("BTCUSD", 100);
    const trailing: Trailing = { kind: "percent", ratio: ratio(0.02) };
    await buy(A, "BTCUSD", 1, { legs: [leg({ trailing })] });
    for (const bid of [100, 110, 108]) await give("BTCUSD", bid);
    expect(fills()).toEqual([["market", 100]]);
    await give("BTCUSD", 107.8);
    expect(fills()).toEqual([
      ["market", 100],
      ["stopLoss", 107.8],
    ]);
  });

  test("a quote outside the market's hours triggers nothing until it opens", async () => {
    const { open, executor, fills, give, time, loop } = market();
    await open(A);
    await executor.send(A, {
      type: "placeLimit",
      orderUuid: orderUuid("00000000-0000-4000-8000-000000000099"),
      pair: pairId("SLOW"),
      direction: "long",
      size: { kind: "quantity", lots: 1 },
      limitPrice: price(10),
      legs: [],
    });
    await time.pass(59 * 60_000 + 30_000);
    await give("SLOW", 9);
    expect(fills()).toEqual([]);
    await time.pass(30_000);
    await loop.sweep();
    expect(fills()).toEqual([["limit", 9]]);
  });
});

describe("market loop: limits on loss", () => {
  test("equity beyond the limit ends the account, exactly at it does not [D7.breach]", async () => {
    const { open, buy, give, status } = market();
    await open(A);
    await give("BTCUSD", 50_000);
    await buy(A, "BTCUSD", 1);
    await give("BTCUSD", 45_000);
    expect(status(A)).toBe("active");
    await give("BTCUSD", 44_999.99);
    expect(status(A)).toBe("eliminated");
  });

  test("it is found without a look at accounts that the price does not threaten", async () => {
    const { open, buy, give, settlements } = market();
    await open(A);
    await give("BTCUSD", 50_000);
    await buy(A, "BTCUSD", 1);
    for (let step = 0; step < 100; step += 1) await give("BTCUSD", 50_000 - step * 40);
    expect(settlements()).toBe(0);
  });

  test("a short is threatened from above, several positions add up [D7.breach]", async () => {
    const { open, buy, give, status } = market();
    await open(A);
    await give("BTCUSD", 50_000);
    await give("ETHUSD", 1_000);
    await buy(A, "BTCUSD", 1, { direction: "short" });
    await buy(A, "ETHUSD", 50);
    await give("BTCUSD", 52_500);
    await give("ETHUSD", 950.01);
    expect(status(A)).toBe("active");
    await give("ETHUSD", 949.99);
    expect(status(A)).toBe("eliminated");
  });

  test("so is a position whose profit another pair turns into dollars [D4.pnlRate]", async () => {
    const { open, buy, give, status } = market();
    await open(A);
    await give("GBPUSD", 1.25);
    await give("EURGBP", 0.8);
    await buy(A, "EURGBP", 5);
    // 500,000 EUR × 0.0079 GBP × 1.25 = 4,937.50 USD of loss; at 1.27 it is 5,016.50.
    await give("EURGBP", 0.7921);
    expect(status(A)).toBe("active");
    await give("GBPUSD", 1.27);
    expect(status(A)).toBe("eliminated");
  });
});

describe("market loop: life", () => {
  test("takes over what rested before it was made", async () => {
    const { executor, open, limit, give, board, instruments, time, fills } = market();
    await open(A);
    await give("BTCUSD", 1_000);
    await limit(A, 900);
    const loop = createMarketLoop({
      executor,
      board: createQuoteBoard({ outliers: null }),
      instruments,
      clock: time.clock,
      onFault: () => undefined,
    });
    loop.restore([executor.account(A)]);
    board.offer(madeQuote("BTCUSD", 890, 890, time.clock.now()), "feed");
    await loop.publish([madeQuote("BTCUSD", 890, 890, time.clock.now())]);
    expect(fills()).toEqual([["limit", 890]]);
  });

  test("a settlement that failed is reported and tried again with the next quote", async () => {
    const { executor, open, limit, give, fills, faults } = market();
    await open(A);
    await give("BTCUSD", 1_000);
    await limit(A, 900);
    executor.breakWith(new Error("no database"));
    await give("BTCUSD", 899);
    expect(faults).toHaveLength(1);
    executor.breakWith(null);
    await give("BTCUSD", 898);
    expect(fills()).toEqual([["limit", 898]]);
  });

  test("a crossed quote changes nothing and says so", async () => {
    const { give, board } = market();
    expect(await give("BTCUSD", 101, 100)).toEqual(["crossed"]);
    expect(board.quote(BTC)).toBeNull();
  });
});
