import {
  type Instrument,
  type Instruments,
  leverage,
  microUsd,
  type PairId,
  pairId,
  price,
  type Quote,
  quantity,
  ratio,
  type Session,
  type UnixMs,
} from "@propgate/core";

const ALWAYS: Session = {
  id: "always",
  zone: "UTC",
  weekly: [{ fromDay: 0, fromMinute: 0, toDay: 6, toMinute: 1440 }],
  holidays: new Set(),
  earlyCloses: new Map(),
};

/** Open from Monday to Friday, 00:00 to 24:00 UTC. */
const WEEKDAYS: Session = {
  ...ALWAYS,
  id: "weekdays",
  weekly: [{ fromDay: 1, fromMinute: 0, toDay: 5, toMinute: 1440 }],
};

export const BTCUSD = pairId("BTCUSD");
export const EURUSD = pairId("EURUSD");

const CAPS = {
  tier1: leverage(1.5),
  tier2: leverage(1.5),
  tier3: leverage(1.5),
  pro: leverage(10),
};

const BITCOIN: Instrument = {
  id: BTCUSD,
  display: "BTC/USD",
  aliases: [],
  assetClass: "crypto",
  base: "BTC",
  quote: "USD",
  quoteIsUsd: false,
  lotSize: 1,
  gridStep: quantity(1),
  gridStepSmallAccount: null,
  leastPosition: { kind: "value", value: microUsd(10_000_000) },
  tick: price(0.01),
  priceStep: null,
  feeRatio: ratio(0.0003),
  carry: { kind: "none" },
  spreadRatio: ratio(0),
  slippage: { kind: "none" },
  leverageCaps: CAPS,
  exposureGroups: [],
  session: ALWAYS,
  staleAfterMs: 60_000,
  blocked: false,
};

const EURO: Instrument = {
  ...BITCOIN,
  id: EURUSD,
  display: "EUR/USD",
  assetClass: "forex",
  base: "EUR",
  lotSize: 100_000,
  gridStep: quantity(1000),
  gridStepSmallAccount: quantity(10),
  leastPosition: { kind: "quantity", quantity: quantity(10) },
  tick: price(0.00001),
  feeRatio: ratio(0),
  session: WEEKDAYS,
};

/** One pair that always trades and one that is closed at the weekend. */
export const SMALL_CATALOGUE: Instruments = new Map([BITCOIN, EURO].map((one) => [one.id, one]));

export function quoteAt(pair: PairId, at: { bid: number; ask: number; atMs: UnixMs }): Quote {
  return { pair, bid: price(at.bid), ask: price(at.ask), atMs: at.atMs };
}
