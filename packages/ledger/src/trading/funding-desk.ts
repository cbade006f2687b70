import { isDeepStrictEqual } from "node:util";
import type { Clock, RepeatableCall } from "@propgate/base";
import {
  FUNDING_DELAY_MS,
  type FundingRates,
  type Instruments,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { Shards } from "../storage/shards/shards.ts";
import { createFundingStore, type FundingRate } from "../storage/stores/funding-store.ts";

/** The hourly funding rates, as operators and venues set them and as decisions see them. @rule D11.funding */
export interface FundingDesk {
  /**
   * Stores an operator's rate in place of any other, unless the hour is charged or is about to be. A large rate needs
   * `isLarge`. Returns null when it is stored, or why it is not.
   * @rule D13.fundingBounds
   */
  set(rate: FundingRate, as?: { readonly isLarge: boolean }): Promise<FundingRefusal | null>;
  /**
   * Withdraws an operator's rate, unless the hour is charged or is about to be, and returns it. A repeated act returns
   * the rate that it withdrew before.
   * @rule D13.fundingBounds
   */
  withdraw(hour: FundedHour, act?: RepeatableCall | null): Promise<FundingRate | FundingRefusal>;
  /** Stores a venue's rate, unless the hour has a rate already. */
  storeVenueRate(rate: FundingRate): Promise<void>;
  list(): Promise<readonly FundingRate[]>;
  /** Reads the rates of hours that can still change, which other nodes may have stored; call it every second. */
  refresh(): Promise<void>;
  /**
   * Reads the final rates of the last 30 days, which are shown, and of every hour since `firstDueMs`, the first due
   * time of all accounts: an account that waits for a price is still charged for these hours. `firstDueMs` is null when
   * no account has due work. Call it every minute.
   */
  readFinal(firstDueMs: UnixMs | null): Promise<void>;
  readonly current: FundingRates;
}

/** A pair, and the hour of a funding rate. */
export type FundedHour = Pick<FundingRate, "pair" | "atMs">;

/**
 * Why a rate stays as it is, in words for people. `invalid`: no such pair or hour. `missing`: no rate to withdraw.
 * `conflict`: the hour is charged or about to be, or the rate is large.
 */
export interface FundingRefusal {
  readonly refused: "invalid" | "missing" | "conflict";
  readonly text: string;
  /** The name of the field that is wrong. The text begins with it. */
  readonly field?: keyof FundingRate;
}

/**
 * A rate with a greater absolute value is probably a typing error, so the operator must confirm it as large with
 * `isLarge`.
 */
const LARGE_RATE = 0.0075;
const HOUR_MS = 3_600_000;
/** How long a final rate is shown after its hour. A pair whose venue is silent shows its last rate for this long. */
const SHOWN_MS = 30 * 24 * HOUR_MS;
/** Rates of hours within this time are read every second. It is longer than the time in which a rate can change. */
const RECENT_MS = 3 * HOUR_MS;
const LISTED_MAX = 200;
/** A rate is stored at least this long before its charge. Nodes read the rates every second, so all have it then. */
const STORE_LEAD_MS = 10_000;
/** This long after the hour, its rate is final: no rate can be stored or changed. */
export const FUNDING_FINAL_AFTER_MS = FUNDING_DELAY_MS - STORE_LEAD_MS;

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
  /** The rates from this hour on are read every second. The rates of earlier hours are in `final`. */
  let finalToMs = unixMs(0);
  const recentFrom = (): UnixMs => unixMs(Math.max(0, clock.now() - RECENT_MS));

  const refresh = async (): Promise<void> => {
    const fromMs = unixMs(Math.min(finalToMs, recentFrom()));
    const next = await store.readSince(fromMs);
    if (fromMs === finalToMs && isDeepStrictEqual(next, recent)) return;
    // A clock that went back makes hours changeable again.
    finalToMs = fromMs;
    recent = next;
    current = joinRates(final, recent, finalToMs);
  };
  return {
    // Replaces any rate of the hour; `storeVenueRate` stores a rate of a venue only for an hour without one.
    // @rule D11.operatorRate decides
    async set(rate, { isLarge } = { isLarge: false }) {
      const refusal = refusalOf(rate, options) ?? (isLarge ? null : largeRefusal(rate));
      if (refusal !== null) return refusal;
      await store.set(rate, clock.now());
      await refresh();
      return null;
    },
    async withdraw(hour, act = null) {
      const before = act?.isRepeat === true ? await store.findWithdrawn(hour) : null;
      if (before !== null) return before;
      const refusal = refusalOf(hour, options);
      if (refusal !== null) return refusal;
      const withdrawn = await store.withdraw(hour, { kept: options.venues, atMs: clock.now() });
      await refresh();
      return withdrawn ?? { refused: "missing", text: "No operator set a rate of that hour" };
    },
    async storeVenueRate(rate) {
      await store.add(rate, clock.now());
      await refresh();
    },
    list: () => store.newest(LISTED_MAX),
    refresh,
    async readFinal(firstDueMs) {
      const toMs = recentFrom();
      const chargedFromMs = (firstDueMs ?? toMs) - FUNDING_DELAY_MS - HOUR_MS;
      const fromMs = Math.max(0, Math.min(toMs - SHOWN_MS, chargedFromMs));
      final = await store.readSince(unixMs(fromMs), toMs);
      finalToMs = toMs;
      current = joinRates(final, recent, finalToMs);
    },
    get current() {
      return current;
    },
  };
}

/** The final rates of hours before `finalToMs`, together with the recent rates. */
function joinRates(final: FundingRates, recent: FundingRates, finalToMs: UnixMs): FundingRates {
  const pairs = new Set([...final.keys(), ...recent.keys()]);
  return new Map(
    [...pairs].map((pair) => {
      const before = [...(final.get(pair) ?? [])].filter(([hourMs]) => hourMs < finalToMs);
      return [pair, new Map([...before, ...(recent.get(pair) ?? [])])];
    }),
  );
}

/**
 * Why the rate of the hour cannot be set or withdrawn: the pair's carry does not come from funding rates, the time is
 * not a full hour, or the hour is charged or will be within ten seconds. Null when the rate can be set or withdrawn.
 * @rule D13.fundingBounds decides
 */
function refusalOf(
  { pair, atMs }: FundedHour,
  { instruments, clock }: { readonly instruments: Instruments; readonly clock: Clock },
): FundingRefusal | null {
  const carry = instruments.get(pair)?.carry;
  if (carry === undefined)
    return fieldRefusal("invalid", "pair", `${pair} is not in the catalogue`);
  if (carry.kind !== "everyHour" || carry.rate !== null) {
    return fieldRefusal("invalid", "pair", `the carry of ${pair} does not come from the source`);
  }
  if (!isHour(atMs)) return fieldRefusal("invalid", "atMs", "must be a whole hour");
  if (clock.now() < atMs + FUNDING_FINAL_AFTER_MS) return null;
  return fieldRefusal("conflict", "atMs", "the hour is charged, or is about to be");
}

/** The refusal of a rate above `LARGE_RATE` in either direction; null for any other. @rule D13.largeRate decides */
function largeRefusal({ rate }: FundingRate): FundingRefusal | null {
  if (Math.abs(rate) <= LARGE_RATE) return null;
  const percent = Number((rate * 100).toPrecision(12));
  const why = `${percent} % an hour is beyond ${LARGE_RATE * 100} %; send large if it is meant`;
  return fieldRefusal("conflict", "rate", why);
}

function fieldRefusal(
  refused: FundingRefusal["refused"],
  field: keyof FundingRate,
  why: string,
): FundingRefusal {
  return { refused, text: `${field}: ${why}`, field };
}

function isHour(atMs: UnixMs): boolean {
  return atMs % HOUR_MS === 0;
}
