/** Makes accounts, positions and quotes for tests of figures and rules, without a journal. */

import { accountId, orderUuid, ownerId, pairId, positionUuid } from "../ids.ts";
import type { PricedMarket } from "../market/valuation.ts";
import type { AccountState } from "../state/account.ts";
import type { BracketLeg } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import { microUsd, price, quantity, ratio, roundUsd, unixMs } from "../units.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "./catalogue.ts";

/** The time of all accounts and quotes that the functions below make. */
export const TEST_TIME_MS = unixMs(1_700_000_000_000);

/** An active account of 100,000 USD that has never traded, with the given changes. */
export function createTestAccount(changes: Partial<AccountState> = {}): AccountState {
  const size = changes.terms?.size ?? CLASSIC_TERMS.size;
  return {
    accountId: accountId("4f8f7d0e-2f6d-4f0e-8c39-0d6f5a6f1f10"),
    ownerId: ownerId("owner"),
    status: "active",
    phase: "challenge",
    phaseStartedAtMs: TEST_TIME_MS,
    terms: CLASSIC_TERMS,
    standardSize: size,
    openedAtMs: TEST_TIME_MS,
    realized: microUsd(0),
    fees: microUsd(0),
    positions: [],
    orders: [],
    day: { startMs: unixMs(1_699_920_000_000), startEquity: size, earlierReturn: ratio(0) },
    endOfDay: { equity: size, highWater: size },
    record: { trades: 0, wins: 0, netPnl: microUsd(0), heldMs: 0 },
    lastOrderAtMs: {},
    idleSinceMs: null,
    carriedToMs: TEST_TIME_MS,
    earning: null,
    unpaid: [],
    pro: null,
    elimination: null,
    ...changes,
  };
}

/**
 * The values of a test position. `entryUsd` is its entry value in USD. When `entryUsd` is absent, the value is lots
 * times entry price, as if the quote currency were USD and a lot were one unit.
 */
export interface TestPositionValues {
  readonly pair: string;
  readonly direction: "long" | "short";
  readonly lots: number;
  readonly entry: number;
  readonly entryUsd?: number;
}

/** An open position with these values and a single fill. */
export function createTestPosition(made: TestPositionValues): Position {
  const size = quantity(Math.round(made.lots * 100_000));
  const value = roundUsd(made.entryUsd ?? made.lots * made.entry);
  return {
    uuid: positionUuid(`position-${made.pair}`),
    pair: pairId(made.pair),
    direction: made.direction,
    quantity: size,
    averageEntryPrice: price(made.entry),
    entryValue: value,
    cumulativeEntryValue: value,
    openedQuantity: size,
    openedPrice: price(made.entry),
    realizedPnl: microUsd(0),
    fees: microUsd(0),
    exitPriceQuantity: 0,
    exitQuantity: quantity(0),
    openedAtMs: TEST_TIME_MS,
    openingBalance: CLASSIC_TERMS.size,
  };
}

/** A pending leg of the position. Prices that are not given are null. */
export function createTestLeg(
  position: Position,
  leg: Partial<Pick<BracketLeg, "stopLoss" | "takeProfit" | "trailing" | "bestPrice">>,
): BracketLeg {
  return {
    kind: "bracket",
    uuid: orderUuid(`leg-${position.pair}`),
    pair: position.pair,
    direction: position.direction,
    placedAtMs: TEST_TIME_MS,
    positionUuid: position.uuid,
    stopLoss: null,
    takeProfit: null,
    trailing: null,
    size: null,
    bestPrice: null,
    shareOf: position.quantity,
    ...leg,
  };
}

/** A market with these prices by pair: bid and ask, or one number for both. */
export function createTestMarket(
  prices: Readonly<Record<string, number | readonly [number, number]>>,
): PricedMarket {
  return {
    instruments: TEST_CATALOGUE,
    quotes: new Map(
      Object.entries(prices).map(([pair, given]) => {
        const [bid, ask] = typeof given === "number" ? [given, given] : given;
        const id = pairId(pair);
        return [id, { pair: id, bid: price(bid), ask: price(ask), atMs: TEST_TIME_MS }];
      }),
    ),
  };
}
