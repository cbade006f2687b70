import {
  type AccountId,
  type Direction,
  type LegRequest,
  microUsd,
  orderUuid,
  pairId,
  price,
  type Quote,
} from "@propgate/core";
import { createMarketLoop } from "../../../market/src/prices/market-loop.ts";
import { TEST_OWNER, TEST_TERMS } from "./counting-decider.ts";
import { TEST_PRO_TERMS } from "./made-holdings.ts";
import { madeCatalogue, madeInstrument } from "./made-instrument.ts";
import { madeQuote } from "./made-quote.ts";
import { madeQuoteFlow } from "./made-quote-flow.ts";
import { createManualTime } from "./manual-time.ts";
import { createMemoryExecutor } from "./memory-executor.ts";

const START = 1_700_049_600_000; // a Wednesday at noon
const BTC = pairId("BTCUSD");

const afternoons = {
  id: "afternoons",
  zone: "UTC",
  weekly: [{ fromDay: 3, fromMinute: 780, toDay: 3, toMinute: 1440 }],
  holidays: new Set<string>(),
  earlyCloses: new Map<string, number>(),
} as const;

/** A market loop over the real network in memory, with methods for tests. */
export function createLoopedMarket() {
  const instruments = madeCatalogue(
    madeInstrument("BTCUSD"),
    madeInstrument("ETHUSD"),
    madeInstrument("EURGBP", { assetClass: "forex", lotSize: 100_000 }),
    madeInstrument("GBPUSD", { assetClass: "forex", lotSize: 100_000 }),
    madeInstrument("SLOW", { base: "SLOW", quote: "USD", session: afternoons }),
  );
  const time = createManualTime(START);
  const { board, bus, intake } = madeQuoteFlow(instruments);
  const executor = createMemoryExecutor({
    clock: time.clock,
    quotes: board.quotes,
    instruments,
    bests: (account, version) => loop.bests(account, version),
  });
  const faults: unknown[] = [];
  const loop = createMarketLoop({
    executor,
    board,
    intake,
    source: "test",
    instruments,
    clock: time.clock,
    onFault: (cause) => faults.push(cause),
  });
  let orders = 0;
  const next = () => {
    orders += 1;
    return orderUuid(`00000000-0000-4000-8000-0000000000${String(10 + orders)}`);
  };
  const open = (id: AccountId, size = TEST_TERMS.size) =>
    executor.send(id, {
      type: "openAccount",
      accountId: id,
      ownerId: TEST_OWNER,
      terms: { ...TEST_TERMS, size },
      provisioned: true,
    });
  return {
    loop,
    board,
    bus,
    intake,
    executor,
    instruments,
    time,
    faults,
    quote: (pair: string, bid: number, ask = bid): Quote =>
      madeQuote(pair, bid, ask, time.clock.now()),
    give: (pair: string, bid: number, ask = bid) =>
      loop.publishOperatorQuotes([madeQuote(pair, bid, ask, time.clock.now())]),
    open,
    openPro: async (id: AccountId) => {
      await open(id, microUsd(TEST_PRO_TERMS.size / 2));
      await executor.send(id, { type: "offerPro", terms: TEST_PRO_TERMS });
    },
    limit: async (id: AccountId, at: number, legs: readonly LegRequest[] = []) => {
      const uuid = next();
      const execution = await executor.send(id, {
        type: "placeLimit",
        reduceOnly: false,
        orderUuid: uuid,
        pair: BTC,
        direction: "long",
        size: { kind: "quantity", lots: 1 },
        limitPrice: price(at),
        legs,
      });
      if (!execution.ok) throw new Error(execution.refusal.code);
      return uuid;
    },
    buy: async (id: AccountId, pair: string, lots: number, over: BuyOptions = {}) => {
      const execution = await executor.send(id, {
        type: "placeMarket",
        orderUuid: next(),
        pair: pairId(pair),
        direction: over.direction ?? "long",
        size: { kind: "quantity", lots },
        legs: over.legs ?? [],
        reduceOnly: false,
      });
      if (!execution.ok) throw new Error(execution.refusal.code);
    },
    fills: () =>
      executor.events.flatMap((event) =>
        event.type === "orderFilled" ? [[event.kind, event.price]] : [],
      ),
    positions: (id: AccountId) => executor.account(id).state.positions.map(({ pair }) => pair),
    /** The recorded drawdowns, in order. */
    lows: () =>
      executor.events.flatMap((event) =>
        event.type === "drawdownDeepened" ? [event.maxDrawdown] : [],
      ),
    drawdown: (id: AccountId) => executor.account(id).state.pro?.statistics?.maxDrawdown,
    phase: (id: AccountId) => executor.account(id).state.phase,
    status: (id: AccountId) => executor.account(id).state.status,
    settlements: () =>
      executor.submissions.filter(({ command }) => command.type === "settlePrices").length,
  };
}

interface BuyOptions {
  readonly direction?: Direction;
  readonly legs?: readonly LegRequest[];
}
