import { isDeepStrictEqual } from "node:util";
import type { Act, Clock } from "@propgate/base";
import {
  FUNDING_DELAY_MS,
  type FundingRates,
  type Instruments,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { Shards } from "../storage/shards/shards.ts";
import { createFundingStore, type FundingRate } from "../storage/stores/funding-store.ts";

/** The hourly funding rates, as an operator or a source sets them and as decisions see them. @rule D11.funding */
export interface FundingDesk {
  /**
   * Stores an operator's rate in place of any other, while no charge is near. A large rate needs `isLarge`. Null when
   * it is stored.
   * @rule D13.fundingBounds
   */
  set(rate: FundingRate, as?: { readonly isLarge: boolean }): Promise<FundingRefusal | null>;
  /**
   * Withdraws an operator's rate, while no charge is near. A repetition finds the rate that it withdrew.
   * @rule D13.fundingBounds
   */
  withdraw(hour: FundedHour, act?: Act | null): Promise<FundingRate | FundingRefusal>;
  /** Stores a venue's rate, unless the hour has a rate already. */
  keep(rate: FundingRate): Promise<void>;
  list(): Promise<readonly FundingRate[]>;
  /** Reads the rates of hours that can still change, which other nodes may have stored; call it every second. */
  refresh(): Promise<void>;
  /**
   * Reads the final rates: of the last 30 days, which are shown, and of every hour since the first due work, because an
   * account that waits for a price is charged for them; null when no account has due work. Call it every minute.
   */
  readFinal(firstDueMs: UnixMs | null): Promise<void>;
  readonly current: FundingRates;
}

export type FundedHour = Pick<FundingRate, "pair" | "atMs">;

/** Why a rate stays as it is, in words for people. `invalid`: no such pair or hour. `missing`: no rate to withdraw. */
export interface FundingRefusal {
  readonly refused: "invalid" | "missing" | "conflict";
  readonly text: string;
  /** The field that is wrong, with which the text begins. */
  readonly field?: keyof FundingRate;
}

/** A rate beyond this, either way, is more often a typing error. */
const LARGE_RATE = 0.0075;
const HOUR_MS = 3_600_000;
/** A pair whose venue is silent shows its last rate for this long. */
const SHOWN_MS = 30 * 24 * HOUR_MS;
/** Longer than an hour's rate can change. */
const RECENT_MS = 3 * HOUR_MS;
const LISTED_MAX = 200;
/** Nodes read the rates every second, so that all have a rate that is stored this long before the charge. */
const AGREED_MS = 10_000;
/** This long after its hour, a rate is final: none comes and none changes. */
export const FUNDING_KNOWN_MS = FUNDING_DELAY_MS - AGREED_MS;

export function createFundingDesk(options: {
  readonly databases: Pick<Shards, "first">;
  readonly clock: Clock;
  readonly instruments: Instruments;
  /** The names under which venues store rates. */
  readonly venues: readonly string[];
}): FundingDesk {
  const { databases, clock } = options;
  const store = createFundingStore(databases.first);
  let current: FundingRates = new Map();
  let recent: FundingRates = new Map();
  let final: FundingRates = new Map();
  /** Rates of hours from here on are read every second. */
  let finalToMs = unixMs(0);
  const recentFrom = (): UnixMs => unixMs(Math.max(0, clock.now() - RECENT_MS));

  const refresh = async (): Promise<void> => {
    const fromMs = unixMs(Math.min(finalToMs, recentFrom()));
    const next = await store.since(fromMs);
    if (fromMs === finalToMs && isDeepStrictEqual(next, recent)) return;
    // A clock that went back makes hours changeable again.
    finalToMs = fromMs;
    recent = next;
    current = joined(final, recent, finalToMs);
  };
  return {
    async set(rate, { isLarge } = { isLarge: false }) {
      const refusal = refusalOf(rate, options) ?? (isLarge ? null : largeRefusal(rate));
      if (refusal !== null) return refusal;
      await store.set(rate, clock.now());
      await refresh();
      return null;
    },
    async withdraw(hour, act = null) {
      const before = act?.isRepeat === true ? await store.withdrawn(hour) : null;
      if (before !== null) return before;
      const refusal = refusalOf(hour, options);
      if (refusal !== null) return refusal;
      const withdrawn = await store.withdraw(hour, { kept: options.venues, atMs: clock.now() });
      await refresh();
      return withdrawn ?? { refused: "missing", text: "No operator set a rate of that hour" };
    },
    async keep(rate) {
      await store.add(rate, clock.now());
      await refresh();
    },
    list: () => store.newest(LISTED_MAX),
    refresh,
    async readFinal(firstDueMs) {
      const toMs = recentFrom();
      const chargedFromMs = (firstDueMs ?? toMs) - FUNDING_DELAY_MS - HOUR_MS;
      const fromMs = Math.max(0, Math.min(toMs - SHOWN_MS, chargedFromMs));
      final = await store.since(unixMs(fromMs), toMs);
      finalToMs = toMs;
      current = joined(final, recent, finalToMs);
    },
    get current() {
      return current;
    },
  };
}

/** The final rates of hours before that time, and the recent ones. */
function joined(final: FundingRates, recent: FundingRates, finalToMs: UnixMs): FundingRates {
  const pairs = new Set([...final.keys(), ...recent.keys()]);
  return new Map(
    [...pairs].map((pair) => {
      const before = [...(final.get(pair) ?? [])].filter(([hourMs]) => hourMs < finalToMs);
      return [pair, new Map([...before, ...(recent.get(pair) ?? [])])];
    }),
  );
}

/** @rule D13.fundingBounds decides */
function refusalOf(
  { pair, atMs }: FundedHour,
  { instruments, clock }: { readonly instruments: Instruments; readonly clock: Clock },
): FundingRefusal | null {
  const carry = instruments.get(pair)?.carry;
  if (carry === undefined) return wrong("invalid", "pair", `${pair} is not in the catalogue`);
  if (carry.kind !== "everyHour" || carry.rate !== null) {
    return wrong("invalid", "pair", `the carry of ${pair} does not come from the source`);
  }
  if (!isHour(atMs)) return wrong("invalid", "atMs", "must be a whole hour");
  if (clock.now() < atMs + FUNDING_KNOWN_MS) return null;
  return wrong("conflict", "atMs", "the hour is charged, or is about to be");
}

function largeRefusal({ rate }: FundingRate): FundingRefusal | null {
  if (Math.abs(rate) <= LARGE_RATE) return null;
  const percent = Number((rate * 100).toPrecision(12));
  const why = `${percent} % an hour is beyond ${LARGE_RATE * 100} %; send large if it is meant`;
  return wrong("conflict", "rate", why);
}

function wrong(
  refused: FundingRefusal["refused"],
  field: keyof FundingRate,
  why: string,
): FundingRefusal {
  return { refused, text: `${field}: ${why}`, field };
}

function isHour(atMs: UnixMs): boolean {
  return atMs % HOUR_MS === 0;
}
