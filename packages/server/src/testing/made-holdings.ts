import {
  type AccountId,
  type AccountState,
  evolve,
  type Instruments,
  microUsd,
  type PairId,
  type Position,
  type ProTerms,
  pairId,
  positionUuid,
  price,
  type Quote,
  quantity,
  ratio,
  unixMs,
} from "@propgate/core";
import { TEST_OWNER, TEST_TERMS } from "./counting-decider.ts";
import { madeCatalogue, madeInstrument } from "./made-instrument.ts";
import { madeQuote } from "./made-quote.ts";
import { PRO_TERMS } from "./scripted-account.ts";

const FOREX = { assetClass: "forex", lotSize: 100_000 } as const;

/** Pairs that are quoted in dollars, pairs whose base is the dollar, and crosses with the pairs that convert them. */
export const HELD_MARKET: Instruments = madeCatalogue(
  madeInstrument("BTCUSD"),
  madeInstrument("ETHUSD"),
  ...["EURUSD", "EURGBP", "GBPUSD", "USDJPY", "EURJPY"].map((id) => madeInstrument(id, FOREX)),
);

const START: Readonly<Record<string, number>> = {
  BTCUSD: 40_000,
  ETHUSD: 2_000,
  EURUSD: 1,
  EURGBP: 0.8,
  GBPUSD: 1.25,
  USDJPY: 150,
  EURJPY: 150,
};
export const HELD_PAIRS = Object.keys(START);

/** The quotes at which every holding was opened. */
export function startingQuotes(): Map<PairId, Quote> {
  return new Map(
    Object.entries(START).map(([pair, at]) => [pairId(pair), madeQuote(pair, at, at, 0)]),
  );
}

export interface Holding {
  readonly pair: string;
  readonly isLong: boolean;
  /** The value of the position, as a share of the account's size. */
  readonly weight: number;
}

/**
 * The kinds of accounts: in a challenge with a static or a trailing limit, funded, in a challenge that the account
 * would pass without its open loss (`heldBack`), and pro.
 */
export const HOLDER_KINDS = ["static", "trailing", "funded", "heldBack", "pro"] as const;
export type HolderKind = (typeof HOLDER_KINDS)[number];

/**
 * The open loss of each position of a `heldBack` account at the starting quotes, as a ratio of the position's value.
 */
const LOSS_RATIO = 0.01;

/** An account of 100,000 USD with positions opened at the starting quotes, but without a history. */
export function madeHolder(made: {
  readonly accountId: AccountId;
  readonly kind: HolderKind;
  readonly holdings: readonly Holding[];
}): AccountState {
  const { accountId, kind, holdings } = made;
  const opened = evolve(null, {
    type: "accountOpened",
    atMs: unixMs(0),
    accountId,
    ownerId: TEST_OWNER,
    terms: kind === "trailing" ? { ...TEST_TERMS, criteria: "trailing" } : TEST_TERMS,
    provisioned: true,
  });
  const started = ofKind(opened, kind);
  const lossRatio = kind === "heldBack" ? LOSS_RATIO : 0;
  const positions = holdings.map((holding) => ({
    ...heldPosition(holding, lossRatio),
    uuid: positionUuid(`${accountId}-${holding.pair}`),
  }));
  return { ...started, positions };
}

function ofKind(state: AccountState, kind: HolderKind): AccountState {
  switch (kind) {
    case "static":
    case "trailing":
      return state;
    case "funded":
      return { ...state, phase: "funded" };
    case "heldBack":
      // The balance is 500 USD beyond the target of 10 %.
      return { ...state, realized: microUsd(10_500_000_000) };
    case "pro":
      return startedPro(state);
  }
}

/** The terms of a pro account of 100,000 USD, with a daily loss limit of 5 %. */
export const TEST_PRO_TERMS: ProTerms = { ...PRO_TERMS, size: TEST_TERMS.size };

function startedPro(state: AccountState): AccountState {
  const started = evolve(state, {
    type: "proStarted",
    atMs: unixMs(0),
    phase: "proChallengeDirect",
    terms: TEST_PRO_TERMS,
    startMs: unixMs(0),
    equity: state.terms.size,
  });
  return evolve(started, {
    type: "drawdownDeepened",
    atMs: unixMs(0),
    maxDrawdown: ratio(0.01),
  });
}

function heldPosition(
  { pair, isLong, weight }: Holding,
  lossRatio: number,
): Omit<Position, "uuid"> {
  const at = START[pair] ?? 1;
  const usdAUnit = pair.startsWith("EUR") || pair.startsWith("USD") ? 1 : at;
  const { lotSize } = HELD_MARKET.get(pairId(pair)) ?? { lotSize: 1 };
  const lots = (weight * 100_000) / (usdAUnit * lotSize);
  const size = quantity(Math.max(1, Math.round(lots * 100_000)));
  const value = microUsd(Math.round(weight * 100_000) * 1_000_000);
  const entry = price(at * (isLong ? 1 + lossRatio : 1 - lossRatio));
  return {
    pair: pairId(pair),
    direction: isLong ? "long" : "short",
    quantity: size,
    averageEntryPrice: entry,
    entryValue: value,
    cumulativeEntryValue: value,
    openedQuantity: size,
    openedPrice: entry,
    realizedPnl: microUsd(0),
    fees: microUsd(0),
    exitPriceQuantity: 0,
    exitQuantity: quantity(0),
    openedAtMs: unixMs(0),
    openingBalance: TEST_TERMS.size,
  };
}
