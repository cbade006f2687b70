/**
 * Measures the cost of the equity rules per quote: the service's market loop is compared with a loop that values every
 * account that holds the pair. An executor with the pace of PostgreSQL replaces the database, so the market loop waits
 * for its settlements as long as it would with PostgreSQL.
 */
import {
  type AccountState,
  accountId,
  equityOf,
  type PairId,
  pairId,
  percent,
  price,
  type Quote,
  unixMs,
  verdictAt,
} from "@propgate/core";
import { createMarketLoop } from "../packages/market/src/prices/market-loop.ts";
import {
  createPseudoRandom,
  type PseudoRandom,
} from "../packages/market/src/prices/pseudo-random.ts";
import {
  HELD_MARKET,
  HELD_PAIRS,
  HOLDER_KINDS,
  madeHolder,
  startingQuotes,
} from "../packages/server/src/testing/made-holdings.ts";
import { madeQuoteFlow } from "../packages/server/src/testing/made-quote-flow.ts";
import { createPacedExecutor } from "./paced-executor.ts";

const QUOTES = 2_000;
const SPREAD = 0.0001;
const NAIVE_VALUATIONS = 400_000;

/**
 * Moves per quote, as shares of the price: a steady part (`drift`) and the maximum of a random part (`noise`). At a
 * thousand quotes a second, `calm` is an ordinary day. `fall` takes 2.8 % off every pair in two seconds: the largest
 * positions come near their limit, and pro accounts get new lows throughout.
 */
export const MARKET_MOVES = {
  calm: { drift: 0, noise: 0.00002 },
  walk: { drift: 0, noise: 0.0001 },
  fall: { drift: -0.0001, noise: 0.0001 },
} as const;
export type MarketName = keyof typeof MARKET_MOVES;

/** The costs of a quote in one of `MARKET_MOVES`, while each of the accounts has `positions` positions. */
export interface EquityCost {
  readonly market: MarketName;
  readonly accounts: number;
  readonly positions: number;
  /** Processor time of a quote in the market loop of the service, settlements included. */
  readonly microsecondsPerQuote: number;
  readonly naivePerQuote: number;
  readonly settledPerQuote: number;
  /**
   * The maximum number of quotes that were published and not yet on the board, because earlier ones were being settled.
   */
  readonly mostBehind: number;
}

/** Measures the market loop and the naive loop with accounts and quotes that are made from a fixed seed. */
export async function measureEquityCost(plan: {
  readonly market: MarketName;
  readonly accounts: number;
  readonly positions: number;
}): Promise<EquityCost> {
  const draws = createPseudoRandom("equity-cost");
  const states = Array.from({ length: plan.accounts }, (_, index) =>
    createHolder(index, plan.positions, draws),
  );
  const quotes = quotesOf(plan.market, draws);
  return {
    ...plan,
    ...(await measureMarketLoop(states, quotes)),
    naivePerQuote: measureNaiveLoop(states, quotes),
  };
}

/** The levels at which the service's programs record how much of a limit is used, in percent. */
const NEAR_LEVELS = [50, 75, 90].map(percent);

/**
 * The state of an account with positions, most of them long, worth up to 1.6 times its size together. Successive
 * indexes go through all kinds of accounts.
 */
function createHolder(index: number, positions: number, draws: PseudoRandom): AccountState {
  const first = index % HELD_PAIRS.length;
  const pairs = [...HELD_PAIRS.slice(first), ...HELD_PAIRS.slice(0, first)].slice(0, positions);
  const made = madeHolder({
    accountId: accountId(`account-${index}`),
    kind: HOLDER_KINDS[index % HOLDER_KINDS.length] ?? "static",
    holdings: pairs.map((pair) => ({
      pair,
      isLong: draws.uniform() < 0.7,
      weight: (0.2 + 1.4 * draws.uniform()) / positions,
    })),
  });
  return { ...made, terms: { ...made.terms, nearLevels: NEAR_LEVELS } };
}

function quotesOf(market: MarketName, draws: PseudoRandom): readonly Quote[] {
  const { drift, noise } = MARKET_MOVES[market];
  const bids = new Map<PairId, Quote>(startingQuotes());
  return Array.from({ length: QUOTES }, (_, index) => {
    const pair = pairId(HELD_PAIRS[index % HELD_PAIRS.length] ?? "");
    const last = bids.get(pair);
    if (last === undefined) throw new Error(`no price of ${pair}`);
    const bid = last.bid * (1 + drift + noise * (2 * draws.uniform() - 1));
    const quote = { ...last, bid: price(bid), ask: price(bid * (1 + SPREAD)) };
    bids.set(pair, quote);
    return quote;
  });
}

async function measureMarketLoop(states: readonly AccountState[], quotes: readonly Quote[]) {
  const { board, intake } = madeQuoteFlow(HELD_MARKET);
  const clock = { now: () => unixMs(0) };
  const world = { board, intake, clock, source: "bench", instruments: HELD_MARKET };
  const executor = createPacedExecutor(states, () => ({
    now: clock.now(),
    quotes: board.quotes,
    instruments: HELD_MARKET,
  }));
  const loop = createMarketLoop({ ...world, executor, onFault: fail });
  await loop.publish([...startingQuotes().values()]);
  loop.watchAccounts(states.map((state) => ({ version: 1, state })));
  // These ticks carry out what the first prices trigger, which is not measured.
  for (let turn = 0; turn < 2 || executor.isBusy; turn += 1) {
    executor.tick();
    await nextTurn();
  }
  const settledBefore = executor.settled;
  let shown = 0;
  let mostBehind = 0;
  board.onQuote(() => {
    shown += 1;
  });
  const started = processorTime();
  for (const [index, quote] of quotes.entries()) {
    void loop.publish([quote]);
    await nextTurn();
    executor.tick();
    await nextTurn();
    mostBehind = Math.max(mostBehind, index + 1 - shown);
  }
  return {
    microsecondsPerQuote: (processorTime() - started) / quotes.length,
    settledPerQuote: (executor.settled - settledBefore) / quotes.length,
    mostBehind,
  };
}

/**
 * Microseconds per quote of a loop that values every account that holds the quote's pair. Only the first quotes are
 * used, which are enough for a mean.
 */
function measureNaiveLoop(states: readonly AccountState[], all: readonly Quote[]): number {
  const holders = Map.groupBy(
    states.flatMap((state) => state.positions.map(({ pair }) => ({ pair, state }))),
    ({ pair }) => pair,
  );
  const board = startingQuotes();
  const countMax = Math.ceil(
    (NAIVE_VALUATIONS * HELD_PAIRS.length) / (holders.size * states.length),
  );
  const quotes = all.slice(0, Math.max(countMax, HELD_PAIRS.length));
  const started = processorTime();
  for (const quote of quotes) {
    board.set(quote.pair, quote);
    for (const { state } of holders.get(quote.pair) ?? []) {
      const equity = equityOf(state, { quotes: board, instruments: HELD_MARKET });
      if (equity.ok) verdictAt(state, equity.value);
    }
  }
  return (processorTime() - started) / quotes.length;
}

function fail(cause: unknown): never {
  throw cause;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The processor time of this process so far, in microseconds. Other programs of the machine do not change it. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
