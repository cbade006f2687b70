import {
  type AccountId,
  accountId,
  type Command,
  type LegRequest,
  orderUuid,
  pairId,
  price,
  ratio,
} from "@propgate/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../test/environment/depth.ts";
import { createLoopedMarket } from "../../../server/src/testing/looped-market.ts";
import { WAITING_MAX } from "./quotes/waiting-quotes.ts";

const BTC = pairId("BTCUSD");
const START = 1_000;

type Market = ReturnType<typeof createLoopedMarket>;

/**
 * Opens a market with the feed of a venue: the intake judges its quotes, and the bus carries the accepted ones to the
 * loop.
 */
function pushedMarket() {
  const market = createLoopedMarket();
  market.bus.subscribe((quote) => market.loop.push(quote));
  const offer = (pair: string, bid: number, ask = bid, receivedAtMs = market.time.clock.now()) =>
    market.intake.offer(
      {
        source: "venue",
        pair: pairId(pair),
        bid: price(bid),
        ask: price(ask),
        madeAtMs: null,
        receivedAtMs,
      },
      "feed",
    );
  return { ...market, offer };
}

function idOf(index: number): AccountId {
  return accountId(`00000000-0000-4000-8000-${String(index).padStart(12, "0")}`);
}

function uuidOf(index: number) {
  return orderUuid(`00000000-0000-4000-9000-${String(index).padStart(12, "0")}`);
}

/** Passes some turns of the event loop, in which settlements progress. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

interface Sides {
  readonly bid: number;
  readonly ask: number;
}

/** An order that is the only one of its account, and the rule by which it must fill. */
interface Standing {
  readonly commands: (index: number) => readonly Command[];
  /**
   * Makes a rule that gets one quote after another and remembers the best price. It returns the price at which the
   * order fills, null while it waits.
   */
  readonly rule: () => (quote: Sides) => number | null;
}

const NO_LEG: LegRequest = { stopLoss: null, takeProfit: null, trailing: null, size: null };

function entry(isLong: boolean, limit: number): Standing {
  return {
    commands: (index) => [
      {
        type: "placeLimit",
        reduceOnly: false,
        orderUuid: uuidOf(index),
        pair: BTC,
        direction: isLong ? "long" : "short",
        size: { kind: "quantity", lots: 1 },
        limitPrice: price(limit),
        legs: [],
      },
    ],
    rule: () => (quote) => {
      if (isLong) return quote.ask <= limit ? quote.ask : null;
      return quote.bid >= limit ? quote.bid : null;
    },
  };
}

function exit(isLong: boolean, leg: Partial<LegRequest>, rule: Standing["rule"]): Standing {
  return {
    commands: (index) => [
      {
        type: "placeMarket",
        orderUuid: uuidOf(index),
        pair: BTC,
        direction: isLong ? "long" : "short",
        size: { kind: "quantity", lots: 1 },
        legs: [{ ...NO_LEG, ...leg }],
        reduceOnly: false,
      },
    ],
    rule,
  };
}

/** The rule D5.trailing: a stop is at a fixed distance from the best bid for a long, or the best ask for a short. */
function trailingRule(isLong: boolean, distance: number, isPercent: boolean) {
  let best = START;
  const away = () => (isPercent ? best * distance : distance);
  const long = ({ bid }: Sides) => {
    best = Math.max(best, bid);
    return bid <= best - away() + 1e-6 ? bid : null;
  };
  const short = ({ ask }: Sides) => {
    best = Math.min(best, ask);
    return ask >= best + away() - 1e-6 ? ask : null;
  };
  return isLong ? long : short;
}

const SIDE = fc.boolean();
const DISTANCE = fc.integer({ min: 1, max: 60 });
/** Orders that are pending at the starting price: their trigger price is at a distance from it and not yet reached. */
const STANDING: fc.Arbitrary<Standing> = fc.oneof(
  fc.tuple(SIDE, DISTANCE).map(([isLong, far]) => entry(isLong, START + (isLong ? -far : far))),
  fc.tuple(SIDE, DISTANCE).map(([isLong, far]) => {
    const level = START + (isLong ? -far : far);
    return exit(isLong, { stopLoss: price(level) }, () => ({ bid, ask }) => {
      if (isLong) return bid <= level ? bid : null;
      return ask >= level ? ask : null;
    });
  }),
  fc.tuple(SIDE, DISTANCE).map(([isLong, far]) => {
    const level = START + (isLong ? far : -far);
    return exit(isLong, { takeProfit: price(level) }, () => ({ bid, ask }) => {
      if (isLong) return bid >= level ? bid : null;
      return ask <= level ? ask : null;
    });
  }),
  fc.tuple(SIDE, DISTANCE, fc.boolean()).map(([isLong, far, isPercent]) => {
    const share = far / 1_000;
    const trailing = isPercent
      ? ({ kind: "percent", ratio: ratio(share) } as const)
      : ({ kind: "value", value: far } as const);
    return exit(isLong, { trailing }, () =>
      trailingRule(isLong, isPercent ? share : far, isPercent),
    );
  }),
);

/** Steps of the price, each with the number of turns of the event loop in which accounts may settle after it. */
const FEED = fc
  .array(
    fc.record({
      step: fc.integer({ min: -15, max: 15 }),
      spread: fc.integer({ min: 0, max: 4 }),
      turns: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 12 })),
    }),
    { minLength: 20, maxLength: 120, size: "max" },
  )
  .map((steps) => {
    let bid = START;
    return steps.map(({ step, spread, turns: after }) => {
      bid = Math.max(START - 80, Math.min(START + 80, bid + step));
      return { bid, ask: bid + spread, after };
    });
  });

async function place(market: Market, standing: Standing, index: number): Promise<void> {
  await market.open(idOf(index));
  for (const command of standing.commands(index)) {
    const execution = await market.executor.send(idOf(index), command);
    if (!execution.ok) throw new Error(execution.refusal.code);
  }
}

/**
 * The price at which each account's order has filled. Fills of market orders, which only open positions, are left out.
 */
function fillsOf(market: Market): Map<string, number> {
  return new Map(
    market.executor.events.flatMap((event) =>
      event.type === "orderFilled" && event.kind !== "market"
        ? [[event.orderUuid.slice(0, 36), event.price] as const]
        : [],
    ),
  );
}

describe("pushed quotes", () => {
  test("pushed quotes trigger the orders that settling each quote in order would, however slow the settling is [D5.triggers] [D5.trailing]", async () => {
    await fc.assert(
      fc.asyncProperty(
        FEED,
        fc.array(STANDING, { minLength: 1, maxLength: 6 }),
        async (feed, orders) => {
          const market = pushedMarket();
          await market.give("BTCUSD", START);
          for (const [index, standing] of orders.entries()) await place(market, standing, index);
          for (const { bid, ask, after } of feed) {
            market.offer("BTCUSD", bid, ask);
            await turns(after);
          }
          await market.loop.whenSettled();
          const fills = fillsOf(market);
          for (const [index, standing] of orders.entries()) {
            const rule = standing.rule();
            const reaching = feed.map((quote) => rule(quote)).filter((at) => at !== null);
            const filledAt = fills.get(uuidOf(index));
            expect(filledAt !== undefined).toBe(reaching.length > 0);
            // The fill is at a real quote that reaches the order.
            if (filledAt !== undefined) expect(reaching).toContain(filledAt);
          }
          expect(market.loop.lag()).toMatchObject({ waiting: 0, oldestMs: 0 });
        },
      ),
      propertySettings(300),
    );
  });

  test("pushed quotes settle exactly as quotes that are waited for when nothing is merged", async () => {
    await fc.assert(
      fc.asyncProperty(
        FEED,
        fc.array(STANDING, { minLength: 1, maxLength: 6 }),
        async (feed, orders) => {
          const [pushed, awaited] = [pushedMarket(), createLoopedMarket()];
          for (const market of [pushed, awaited]) {
            await market.give("BTCUSD", START);
            for (const [index, standing] of orders.entries()) await place(market, standing, index);
          }
          for (const [index, { bid, ask }] of feed.entries()) {
            pushed.offer("BTCUSD", bid, ask);
            if (index % WAITING_MAX === 0) await pushed.loop.whenSettled();
            await awaited.loop.publish([awaited.quote("BTCUSD", bid, ask)]);
          }
          await pushed.loop.whenSettled();
          expect(pushed.executor.events).toEqual(awaited.executor.events);
        },
      ),
      propertySettings(100),
    );
  });

  test("the orders of a thousand pairs fill, each at its own pair's quote", async () => {
    const market = pushedMarket();
    for (let index = 0; index < 1_000; index += 1) market.offer(`P${index}`, 100 + index);
    market.offer("BTCUSD", START);
    await market.loop.whenSettled();
    await place(market, entry(true, 900), 0);
    for (let round = 0; round < 30; round += 1) {
      for (let index = 0; index < 1_000; index += 1) market.offer(`P${index}`, 100 + index + round);
      market.offer("BTCUSD", round === 11 ? 890 : START + round);
    }
    await market.loop.whenSettled();
    expect(market.fills()).toEqual([["limit", 890]]);
    expect(market.board.quotes.size).toBe(1_001);
    expect(market.board.quote(pairId("P7"))?.bid).toBe(136);
  });

  test("a pair whose orders settle does not hold back the other pairs", async () => {
    const market = pushedMarket();
    await market.give("BTCUSD", START);
    await place(market, entry(true, 900), 0);
    const shown: (readonly [string, number])[] = [];
    market.board.onQuote(({ pair, bid }) => void shown.push([pair, bid]));
    market.offer("BTCUSD", 890);
    market.offer("BTCUSD", 950);
    for (const bid of [10, 11, 12]) market.offer("ETHUSD", bid);
    await turns(1);
    expect(shown).toEqual([
      ["BTCUSD", 890],
      ["ETHUSD", 10],
      ["ETHUSD", 11],
      ["ETHUSD", 12],
    ]);
    expect(market.loop.lag().waiting).toBe(1);
    await market.loop.whenSettled();
    expect(shown.at(-1)).toEqual(["BTCUSD", 950]);
    expect(market.fills()).toEqual([["limit", 890]]);
  });

  test("an order that is reached when it is placed settles before the next quote of any pair [D5.limit]", async () => {
    const market = pushedMarket();
    await market.open(idOf(0));
    await market.give("BTCUSD", START);
    await market.limit(idOf(0), 1_100);
    market.offer("BTCUSD", 1_200);
    await market.loop.whenSettled();
    expect(market.fills()).toEqual([["limit", START]]);
  });

  test("a quote given by an operator settles between those pushed before and after it", async () => {
    const market = pushedMarket();
    await market.give("BTCUSD", START);
    await place(market, entry(true, 900), 0);
    await place(market, entry(true, 800), 1);
    await place(market, entry(true, 700), 2);
    const shown: number[] = [];
    market.board.onQuote(({ bid }) => void shown.push(bid));
    market.offer("BTCUSD", 899);
    const given = market.give("BTCUSD", 799);
    market.offer("BTCUSD", 850);
    await turns(3);
    market.offer("BTCUSD", 699);
    market.offer("BTCUSD", 1_100);
    expect(await given).toEqual(["accepted"]);
    await market.loop.whenSettled();
    expect(market.fills()).toEqual([
      ["limit", 899],
      ["limit", 799],
      ["limit", 699],
    ]);
    expect(shown).toEqual([899, 850, 799, 699, 1_100]);
  });

  test("what comes after a change is shown after it, also when it came before the change's turn [D13.judges]", async () => {
    const market = pushedMarket();
    const shown: unknown[] = [];
    market.board.onQuote(({ bid }) => shown.push(bid));
    const change = (name: string) => market.loop.runBetweenQuotes(() => void shown.push(name));
    const offer = (pair: string, bid: number): void => void market.offer(pair, bid);
    offer("BTCUSD", 100);
    const first = change("first");
    offer("BTCUSD", 101);
    offer("ETHUSD", 50);
    const second = change("second");
    const third = change("third");
    offer("BTCUSD", 102);
    expect(market.loop.lag().waiting).toBe(4);
    expect(market.loop.firstWaitingQuotes().map(({ bid }) => bid)).toEqual([100, 50]);
    await Promise.all([first, second, third]);
    await market.loop.whenSettled();
    expect(shown).toEqual([100, "first", 101, 50, "second", "third", 102]);
    expect(market.loop.lag().waiting).toBe(0);
  });

  test("the bus brings the loop what it publishes itself, and it shows once", async () => {
    const market = pushedMarket();
    const shown: number[] = [];
    market.board.onQuote(({ bid }) => void shown.push(bid));
    await market.loop.publish([market.quote("BTCUSD", 1), market.quote("BTCUSD", 2)]);
    await market.give("BTCUSD", 3);
    await market.loop.whenSettled();
    expect(shown).toEqual([1, 2, 3]);
  });

  test("a quote pushed twice shows once", async () => {
    const market = pushedMarket();
    const shown: number[] = [];
    market.board.onQuote(({ bid }) => void shown.push(bid));
    market.offer("BTCUSD", START);
    const quote = market.intake.newest(BTC);
    if (quote !== null) market.loop.push(quote);
    await market.loop.whenSettled();
    expect(shown).toEqual([START]);
  });

  test("a waiting quote that became too old affects no account, and the newest still shows [D5.freshQuote]", async () => {
    const market = pushedMarket();
    await market.give("BTCUSD", 50_000);
    await place(market, entry(true, 900), 0);
    await market.open(idOf(1));
    await market.buy(idOf(1), "BTCUSD", 1);
    const shown: number[] = [];
    market.board.onQuote(({ bid }) => void shown.push(bid));
    const quotedAtMs = market.time.clock.now();
    for (const bid of [890, 44_000, 50_100, 800]) market.offer("BTCUSD", bid);
    market.offer("BTCUSD", 49_900);
    expect(market.loop.lag()).toEqual({ waiting: 5, oldestMs: 0, mergedAway: 0 });
    await market.time.pass(60_001);
    await market.loop.whenSettled();
    expect(shown).toEqual([49_900]);
    expect(market.board.quote(BTC)?.atMs).toBe(quotedAtMs);
    expect(market.fills()).toEqual([["market", 50_000]]);
    expect(market.status(idOf(1))).toBe("active");
  });

  test("lag is the age of the oldest quote that the board has not shown", async () => {
    const market = pushedMarket();
    await market.give("BTCUSD", START);
    await place(market, entry(true, 900), 0);
    market.offer("BTCUSD", 890);
    market.offer("BTCUSD", 891);
    await market.time.pass(0);
    await turns(1);
    expect(market.loop.lag()).toEqual({ waiting: 1, oldestMs: 0, mergedAway: 0 });
    market.offer("BTCUSD", 892);
    const passed = market.time.pass(250);
    expect(market.loop.lag()).toEqual({ waiting: 2, oldestMs: 250, mergedAway: 0 });
    await passed;
    await market.loop.whenSettled();
    expect(market.loop.lag()).toEqual({ waiting: 0, oldestMs: 0, mergedAway: 0 });
  });
});

describe("pushed quotes: equity and faults", () => {
  test("a breach at one quote of a burst ends the account there, though the price recovers [D7.breach]", async () => {
    const market = pushedMarket();
    await market.give("BTCUSD", 50_000);
    await market.open(idOf(0));
    await market.buy(idOf(0), "BTCUSD", 1);
    for (let step = 0; step < 50; step += 1) market.offer("BTCUSD", 50_000 - step);
    market.offer("BTCUSD", 44_999);
    for (let step = 0; step < 50; step += 1) market.offer("BTCUSD", 50_000 + step);
    await market.loop.whenSettled();
    expect(market.status(idOf(0))).toBe("eliminated");
    expect(market.fills()).toContainEqual(["elimination", 44_999]);
  });

  test("a breach of several pairs together is judged at prices of one moment [D7.breach]", async () => {
    const market = pushedMarket();
    await market.give("BTCUSD", 50_000);
    await market.give("ETHUSD", 1_000);
    await market.open(idOf(0));
    await market.buy(idOf(0), "BTCUSD", 1);
    await market.buy(idOf(0), "ETHUSD", 50, { direction: "short" });
    // Both prices fall together. The account is hedged, and the fall of one of them alone would end it.
    for (let step = 1; step <= 6; step += 1) {
      market.offer("ETHUSD", 1_000 - step * 20);
      market.offer("BTCUSD", 50_000 - step * 1_000);
    }
    await market.loop.whenSettled();
    expect(market.status(idOf(0))).toBe("active");
    // The loss exists at one moment, between two other quotes.
    market.offer("BTCUSD", 38_999);
    market.offer("BTCUSD", 44_000);
    await market.loop.whenSettled();
    expect(market.status(idOf(0))).toBe("eliminated");
  });

  test("the last new low of a burst is recorded [D7.maxDrawdown]", async () => {
    const market = pushedMarket();
    await market.openPro(idOf(0));
    await market.give("BTCUSD", 50_000);
    await market.buy(idOf(0), "BTCUSD", 1);
    for (let bid = 49_990; bid >= 49_000; bid -= 10) market.offer("BTCUSD", bid);
    await market.loop.whenSettled();
    expect(market.drawdown(idOf(0))).toBe(0.01);
  });

  test.each(["command", "answer"] as const)(
    "faults of the executor hold nothing back, and the orders that the newest quote reaches fill (fault in the %s) [D5.unknownFate]",
    async (what) => {
      const market = pushedMarket();
      await market.give("BTCUSD", START);
      await place(market, entry(true, 900), 0);
      await place(market, entry(true, 800), 1);
      market.executor.breakWith(new Error("no database"), what);
      for (let step = 0; step < 40; step += 1) market.offer("BTCUSD", 899 - step);
      await market.loop.whenSettled();
      expect(market.faults.length).toBeGreaterThan(0);
      expect(market.board.quote(BTC)?.bid).toBe(860);
      market.executor.breakWith(null);
      market.offer("BTCUSD", 790);
      await market.loop.whenSettled();
      expect(new Set(fillsOf(market).keys())).toEqual(new Set([uuidOf(0), uuidOf(1)]));
    },
  );

  test("a fault that passes loses no trigger: the settlement is tried again before the next quote", async () => {
    const market = pushedMarket();
    await market.give("BTCUSD", START);
    await place(market, entry(true, 900), 0);
    market.executor.breakWith(new Error("the connection was lost"));
    market.offer("BTCUSD", 890);
    market.offer("BTCUSD", 1_000);
    await turns(2);
    market.executor.breakWith(null);
    await market.loop.whenSettled();
    expect(market.fills()).toEqual([["limit", 890]]);
  });

  test("settled ends when what was pushed has settled, also in the middle of a flood", async () => {
    const market = pushedMarket();
    await market.give("BTCUSD", START);
    await place(market, entry(true, 900), 0);
    let isOver = false;
    const flood = (async () => {
      for (let bid = 5_000; !isOver; bid += 1) {
        market.offer("BTCUSD", bid);
        await turns(1);
      }
    })();
    market.offer("BTCUSD", 890);
    await market.loop.whenSettled();
    expect(market.fills()).toEqual([["limit", 890]]);
    isOver = true;
    await flood;
    await market.loop.whenSettled();
    expect(market.loop.lag().waiting).toBe(0);
  });
});
