/** A small catalogue and programs for tests, written by hand with the figures of the service's own catalogue. */
import { pairId } from "../ids.ts";
import type { AssetClass, Instrument, Instruments } from "../market/instrument.ts";
import type { Session } from "../market/session.ts";
import type { ProTerms, Terms } from "../state/terms.ts";
import {
  leverage,
  type MicroUsd,
  type Price,
  percent,
  price,
  quantity,
  ratio,
  roundUsd,
  unixMs,
} from "../units.ts";

const ALWAYS: Session = {
  id: "always",
  zone: "UTC",
  weekly: [{ fromDay: 0, fromMinute: 0, toDay: 6, toMinute: 1440 }],
  holidays: new Set(),
  earlyCloses: new Map(),
};

const FOREX: Session = {
  id: "forex",
  zone: "America/New_York",
  weekly: [{ fromDay: 0, fromMinute: 17 * 60, toDay: 5, toMinute: 17 * 60 }],
  holidays: new Set(),
  earlyCloses: new Map(),
};

const EXCHANGE: Session = {
  id: "exchange",
  zone: "America/New_York",
  weekly: [1, 2, 3, 4, 5].map((day) => ({
    fromDay: day,
    fromMinute: 9 * 60 + 30,
    toDay: day,
    toMinute: 16 * 60,
  })),
  holidays: new Set(),
  earlyCloses: new Map(),
};

const CLASSES = {
  crypto: { session: ALWAYS, feeRatio: ratio(0.0003), gridStep: quantity(1) },
  forex: { session: FOREX, feeRatio: ratio(0), gridStep: quantity(1_000) },
  commodities: { session: FOREX, feeRatio: ratio(0.00005), gridStep: quantity(1) },
  equities: { session: EXCHANGE, feeRatio: ratio(0.0001), gridStep: quantity(1) },
  indices: { session: EXCHANGE, feeRatio: ratio(0), gridStep: quantity(1) },
} as const satisfies Record<AssetClass, Partial<Instrument>>;

interface Row {
  readonly id: string;
  readonly assetClass: AssetClass;
  readonly cap: number;
  readonly proCap: number;
  readonly lotSize?: number;
  readonly groups?: readonly string[];
  readonly slippage?: Instrument["slippage"];
  readonly blocked?: boolean;
  readonly carry?: Instrument["carry"];
  readonly borrowRate?: Instrument["borrowRate"];
  readonly formerCarry?: Instrument["formerCarry"];
  readonly priceStep?: Price;
}

const ROWS: readonly Row[] = [
  { id: "BTCUSD", assetClass: "crypto", cap: 1.5, proCap: 10 },
  { id: "ETHUSD", assetClass: "crypto", cap: 1.5, proCap: 10 },
  { id: "SOLUSD", assetClass: "crypto", cap: 1, proCap: 5 },
  {
    id: "EURUSD",
    assetClass: "forex",
    cap: 10,
    proCap: 30,
    groups: ["currency:EUR", "currency:USD"],
  },
  {
    id: "GBPUSD",
    assetClass: "forex",
    cap: 10,
    proCap: 30,
    groups: ["currency:GBP", "currency:USD"],
  },
  {
    id: "USDJPY",
    assetClass: "forex",
    cap: 10,
    proCap: 30,
    groups: ["currency:JPY", "currency:USD"],
  },
  {
    id: "EURJPY",
    assetClass: "forex",
    cap: 10,
    proCap: 30,
    groups: ["currency:EUR", "currency:JPY"],
  },
  // Two pairs with carry that is charged at fixed times of the day and was never changed.
  {
    id: "LTCUSD",
    assetClass: "crypto",
    cap: 1.5,
    proCap: 2,
    carry: { kind: "everyEightHours", rate: ratio(0.0001) },
  },
  {
    id: "AUDUSD",
    assetClass: "forex",
    cap: 10,
    proCap: 30,
    groups: ["currency:AUD", "currency:USD"],
    carry: { kind: "daily", rate: ratio(0.03 / 365) },
  },
  { id: "XAUUSD", assetClass: "commodities", cap: 1.5, proCap: 6, lotSize: 100 },
  { id: "AAPL", assetClass: "equities", cap: 0.5, proCap: 2.5 },
  { id: "GME", assetClass: "equities", cap: 0.5, proCap: 2.5, borrowRate: ratio(0.3 / 365) },
  {
    id: "BTCPERP",
    assetClass: "crypto",
    cap: 1.5,
    proCap: 10,
    carry: { kind: "everyHour", rate: null },
  },
  {
    id: "ETHPERP",
    assetClass: "crypto",
    cap: 1.5,
    proCap: 10,
    carry: { kind: "everyHour", rate: ratio(0.0001) },
  },
  // ADAUSD had no carry until Monday 15:30, and then carry at a hundredth of its present rate until Tuesday noon.
  {
    id: "ADAUSD",
    assetClass: "crypto",
    cap: 1.5,
    proCap: 2,
    carry: { kind: "everyEightHours", rate: ratio(0.001) },
    formerCarry: [
      { carry: { kind: "none" }, untilMs: unixMs(Date.parse("2026-01-05T15:30:00Z")) },
      {
        carry: { kind: "everyEightHours", rate: ratio(0.00001) },
        untilMs: unixMs(Date.parse("2026-01-06T12:00:00Z")),
      },
    ],
  },
  // DOTUSD had funding until two minutes after a full hour on Monday, when the charge for that hour was not due yet.
  // Since then it has daily carry.
  {
    id: "DOTUSD",
    assetClass: "crypto",
    cap: 1.5,
    proCap: 2,
    carry: { kind: "daily", rate: ratio(0.0005) },
    formerCarry: [
      {
        carry: { kind: "everyHour", rate: ratio(0.0001) },
        untilMs: unixMs(Date.parse("2026-01-05T17:02:00Z")),
      },
    ],
  },
  {
    id: "SLIPUSD",
    assetClass: "crypto",
    cap: 1.5,
    proCap: 10,
    slippage: {
      kind: "linear",
      freeUpTo: roundUsd(10_000),
      perMillion: ratio(0.01),
      most: ratio(0.002),
    },
  },
  { id: "TICKUSD", assetClass: "crypto", cap: 1.5, proCap: 10, priceStep: price(0.01) },
  { id: "GONEUSD", assetClass: "crypto", cap: 1, proCap: 1, blocked: true },
];

/** The small catalogue of tests. */
export const TEST_CATALOGUE: Instruments = new Map(
  ROWS.map((row) => [pairId(row.id), instrumentOf(row)]),
);

function instrumentOf(row: Row): Instrument {
  const isForex = row.assetClass === "forex";
  const isEquity = row.assetClass === "equities";
  const cap = leverage(row.cap);
  return {
    ...CLASSES[row.assetClass],
    id: pairId(row.id),
    display: isEquity ? row.id : `${row.id.slice(0, -3)}/${row.id.slice(-3)}`,
    aliases: [],
    assetClass: row.assetClass,
    base: isEquity ? row.id : row.id.slice(0, -3),
    quote: quoteCurrencyOf(row),
    quoteIsUsd: false,
    lotSize: row.lotSize ?? (isForex ? 100_000 : 1),
    gridStepSmallAccount: isForex ? quantity(10) : null,
    leastPosition: isForex
      ? { kind: "quantity", quantity: quantity(1_000) }
      : isEquity
        ? { kind: "quantity", quantity: quantity(1_000) }
        : { kind: "value", value: roundUsd(10) },
    tick: price(0.00001),
    priceStep: row.priceStep ?? null,
    carry: row.carry ?? { kind: "none" },
    ...(row.borrowRate === undefined ? {} : { borrowRate: row.borrowRate }),
    ...(row.formerCarry === undefined ? {} : { formerCarry: row.formerCarry }),
    spreadRatio: ratio(0.0001),
    slippage: row.slippage ?? { kind: "none" },
    leverageCaps: { tier1: cap, tier2: cap, tier3: cap, pro: leverage(row.proCap) },
    exposureGroups: row.groups ?? [],
    staleAfterMs: 60_000,
    blocked: row.blocked ?? false,
  };
}

/** The quote currency: USD for a share or a perpetual future, else the last three letters. */
function quoteCurrencyOf({ id, assetClass }: Row): string {
  return assetClass === "equities" || id.endsWith("PERP") ? "USD" : id.slice(-3);
}

/** The classic program of tests: all markets, a static limit of 5 % and a daily limit of 5 %. */
export const CLASSIC_TERMS: Terms = {
  programId: "classic",
  programVersion: 1,
  variant: "classic",
  assetClass: "allMarkets",
  size: roundUsd(100_000),
  criteria: "static",
  tier: "tier1",
  challenge: { profitTargetPct: percent(10), dailyLossPct: percent(5), maxLossPct: percent(5) },
  funded: { profitTargetPct: null, dailyLossPct: percent(5), maxLossPct: percent(5) },
  classCaps: {
    crypto: leverage(1.5),
    forex: leverage(10),
    indices: leverage(3),
    equities: leverage(1),
    commodities: leverage(1.5),
  },
  portfolioCap: leverage(15),
  groupCaps: {},
  profitSplit: ratio(1),
  inactivityMs: 60 * 86_400_000,
  cooldownMs: 0,
  mostRestingOrders: 100,
};

/** The pro program of this size, as offered to an account of the standard size. */
export function createTestProTerms(size: MicroUsd, standardSize: MicroUsd): ProTerms {
  return {
    ...CLASSIC_TERMS,
    programId: "pro",
    variant: "pro",
    size,
    criteria: "trailing",
    tier: "pro",
    challenge: { profitTargetPct: percent(6), dailyLossPct: percent(5), maxLossPct: percent(8) },
    funded: { profitTargetPct: null, dailyLossPct: percent(5), maxLossPct: percent(8) },
    classCaps: {
      crypto: leverage(12),
      forex: leverage(40),
      indices: leverage(10),
      equities: leverage(6),
      commodities: leverage(8),
    },
    portfolioCap: leverage(50),
    groupCaps: { currency: leverage(30) },
    objectives: {
      returnRatio: ratio(0.06),
      calmar: ratio(1.75),
      consistency: ratio(0.2),
      tradingDays: 90,
      countedDayGain: ratio(0.015),
      leastDrawdown: ratio(0.001),
    },
    challengePayoutScale: ratio((2 * standardSize) / size),
  };
}
