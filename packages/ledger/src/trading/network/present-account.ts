import type { Clock } from "@propgate/base";
import {
  type AccountState,
  accountSnapshot,
  type CorporateActions,
  type Instruments,
  type Moment,
  momentOfHoldings,
  type QuoteMap,
  withoutStatistics,
} from "@propgate/core";
import type { VersionedState } from "../executor-port.ts";
import type { OwnerLimits } from "../owner-limits.ts";
import type { StateCache } from "../state-cache.ts";
import type { ReturnHistory } from "./history/return-history.ts";
import type { AccountReading, ReadAt } from "./port.ts";
import type { ShownStops } from "./shown-stops.ts";

export interface AccountReadingOptions {
  readonly returns: ReturnHistory;
  readonly limits: Pick<OwnerLimits, "of">;
  /** Called with the cause when the database cannot be read. The client does not see the cause. */
  readonly onFault: (cause: unknown) => void;
}

/** A committed state and a moment, so that all figures are of the same time. */
export interface PresentAccount {
  readonly account: VersionedState;
  readonly moment: Moment;
}

/** Reads accounts for callers that show several readings of one moment. */
export interface PresentAccounts {
  /** The account at that version or a later one; null when there is no such account. */
  read(at: ReadAt): Promise<VersionedState | null>;
  /** Like `read`, for answers that show stops: the best prices that the stops have followed are recorded first. */
  readWithStops(at: ReadAt): Promise<VersionedState | null>;
  /** The present time and prices, as a copy that does not change. */
  moment(): Moment;
  /** The reading of the account; null while an open position has no price or no conversion rate. */
  reading(present: PresentAccount): Promise<AccountReading | null>;
}

export function createPresentAccounts(
  options: AccountReadingOptions & {
    readonly cache: Pick<StateCache, "read">;
    readonly clock: Clock;
    readonly quotes: () => QuoteMap;
    readonly instruments: Instruments;
    readonly actions: () => CorporateActions;
    readonly stops: Pick<ShownStops, "of">;
  },
): PresentAccounts {
  const { cache, clock, quotes, instruments, actions, stops } = options;
  const moment = (): Moment => ({
    now: clock.now(),
    quotes: new Map(quotes()),
    instruments,
    actions: actions(),
  });
  return {
    read: async (at) => cache.read(at),
    async readWithStops(at) {
      const account = await cache.read(at);
      return account === null ? null : stops.of(account);
    },
    moment,
    reading: (present) => readAccountFigures(options, present),
  };
}

/**
 * The reading of the account. It is `stale` when a secondary figure could not be read, and when the catalogue lacks the
 * pair of a position. Null while an open position has no price or no conversion rate, because wrong figures are worse
 * than none; the client then gets a 503. @rule D4.stale decides
 */
export async function readAccountFigures(
  options: AccountReadingOptions,
  { account: { state, version }, moment: world }: PresentAccount,
): Promise<AccountReading | null> {
  const moment = momentOfHoldings(state, world);
  const snapshot = accountSnapshot(state, moment);
  if (!snapshot.ok) return null;
  const { limits, returns } = options;
  const { terms } = state;
  const program = { id: terms.programId, version: terms.programVersion };
  // These figures are secondary: one that cannot be read only makes the reading stale.
  const [ownerAccounts, dailyReturns] = await Promise.all([
    readOrNull(options, limits.of(state.ownerId, program)),
    readOrNull(options, returns.read(state)),
  ]);
  return {
    snapshot: dailyReturns === null ? withoutStatistics(snapshot.value) : snapshot.value,
    dailyReturns: dailyReturns ?? [],
    ownerAccounts,
    stale: ownerAccounts === null || dailyReturns === null || holdsUnknownPair(state, moment),
    generatedAtMs: moment.now,
    version,
  };
}

/**
 * True when the catalogue lacks the pair of a position, which is then shown at its entry price. @rule D13.unknownPair
 */
function holdsUnknownPair({ positions }: AccountState, { instruments }: Moment): boolean {
  return positions.some(({ pair }) => !instruments.has(pair));
}

/** The value that was read; null when the read failed, which is reported to `onFault`. */
export async function readOrNull<Value>(
  { onFault }: Pick<AccountReadingOptions, "onFault">,
  reading: Promise<Value>,
): Promise<Value | null> {
  try {
    return await reading;
  } catch (cause) {
    onFault(cause);
    return null;
  }
}
