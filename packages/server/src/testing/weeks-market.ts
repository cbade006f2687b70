import {
  type Instrument,
  type Instruments,
  leverage,
  type PairId,
  pairId,
  ratio,
  type Session,
} from "@propgate/core";
import { madeCatalogue, madeInstrument } from "./made-instrument.ts";

export const BTCUSD = pairId("BTCUSD");
export const AAPL = pairId("AAPL");
export const EURGBP = pairId("EURGBP");
export const GBPUSD = pairId("GBPUSD");

/**
 * The pairs in the test of many weeks, with the first price of each. The last pair is needed to value the cross EURGBP.
 */
export const FIRST_PRICES: ReadonlyMap<PairId, number> = new Map([
  [BTCUSD, 500],
  [AAPL, 40],
  [EURGBP, 0.8],
  [GBPUSD, 1.25],
]);

/** The part of the catalogue that a start may change: BTCUSD. */
export interface BtcusdTerms {
  readonly carryRate: number;
  readonly feeRate: number;
  /** Whether the pair trades. A retired pair is blocked too. */
  readonly standing: "offered" | "blocked" | "retired";
}

const LOOSE = leverage(50);
const CAPS = { tier1: LOOSE, tier2: LOOSE, tier3: LOOSE, pro: LOOSE };

function session(id: string, weekly: Session["weekly"]): Session {
  return { id, zone: "UTC", weekly, holidays: new Set(), earlyCloses: new Map() };
}

const SHARE_HOURS = session(
  "share",
  [1, 2, 3, 4, 5].map((day) => ({ fromDay: day, fromMinute: 870, toDay: day, toMinute: 1_260 })),
);
const FOREX_HOURS = session("forex", [
  { fromDay: 0, fromMinute: 1_320, toDay: 5, toMinute: 1_320 },
]);

const FOREX: Partial<Instrument> = {
  assetClass: "forex",
  lotSize: 100_000,
  carry: { kind: "daily", rate: ratio(0.03 / 365) },
  session: FOREX_HOURS,
  leverageCaps: CAPS,
};

/** BTCUSD, which never closes; a share; a cross and its rate. Only BTCUSD has a fee. */
export function weeksCatalogue({ carryRate, feeRate, standing }: BtcusdTerms): Instruments {
  return madeCatalogue(
    madeInstrument(BTCUSD, {
      feeRatio: ratio(feeRate),
      carry: { kind: "everyEightHours", rate: ratio(carryRate) },
      leverageCaps: CAPS,
      blocked: standing !== "offered",
      ...(standing === "retired" ? { retired: true } : {}),
    }),
    madeInstrument(AAPL, { assetClass: "equities", session: SHARE_HOURS, leverageCaps: CAPS }),
    madeInstrument(EURGBP, FOREX),
    madeInstrument(GBPUSD, FOREX),
  );
}
