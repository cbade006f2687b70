import {
  FUNDING_DELAY_MS,
  type FundingRates,
  type Instruments,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { Clock } from "../base/clock.ts";
import type { FundingRate, FundingStore } from "../storage/stores/prices/funding-store.ts";

/** The hourly funding rates, as an operator or a source sets them and as decisions see them. @rule D11.funding */
export interface FundingDesk {
  /**
   * Stores an operator's rate, also over a venue's while no charge is near. Null when it is stored; otherwise why not,
   * in words for people.
   */
  set(rate: FundingRate): Promise<string | null>;
  /** Stores a venue's rate, unless the hour has a rate already. */
  keep(rate: FundingRate): Promise<void>;
  list(): Promise<readonly FundingRate[]>;
  /** Reads the rates that other nodes stored; call it every second. */
  refresh(): Promise<void>;
  readonly current: FundingRates;
}

const HOUR_MS = 3_600_000;
/** Rates that a long downtime may still need. */
const KEPT_MS = 30 * 24 * HOUR_MS;
const LISTED_MAX = 200;
/** Nodes read the rates every second, so that all have a rate that is stored this long before the charge. */
const AGREED_MS = 10_000;
/** From this long after an hour on, its rate neither comes nor changes. */
export const FUNDING_KNOWN_MS = FUNDING_DELAY_MS - AGREED_MS;

export function createFundingDesk(options: {
  readonly store: FundingStore;
  readonly clock: Clock;
  readonly instruments: Instruments;
  /** The names under which venues store rates. */
  readonly venues: readonly string[];
}): FundingDesk {
  const { store, clock } = options;
  let current: FundingRates = new Map();
  const refresh = async (): Promise<void> => {
    current = await store.since(unixMs(Math.max(0, clock.now() - KEPT_MS)));
  };
  return {
    async set(rate) {
      const problem = problemOf(rate, options.instruments);
      if (problem !== null) return problem;
      const nowMs = clock.now();
      const isOpen = nowMs < rate.atMs + FUNDING_KNOWN_MS;
      const isStored = await store.set(rate, { nowMs, replaced: isOpen ? options.venues : [] });
      await refresh();
      return isStored ? null : "rate: the hour has another rate, and a stored rate never changes";
    },
    async keep(rate) {
      await store.add(rate, clock.now());
      await refresh();
    },
    list: () => store.newest(LISTED_MAX),
    refresh,
    get current() {
      return current;
    },
  };
}

function problemOf({ pair, atMs }: FundingRate, instruments: Instruments): string | null {
  const instrument = instruments.get(pair);
  if (instrument === undefined) return `pair: ${pair} is not in the catalogue`;
  const { carry } = instrument;
  if (carry.kind !== "everyHour" || carry.rate !== null) {
    return `pair: the carry of ${pair} does not come from the source`;
  }
  return isHour(atMs) ? null : "atMs: must be a whole hour";
}

function isHour(atMs: UnixMs): boolean {
  return atMs % HOUR_MS === 0;
}
