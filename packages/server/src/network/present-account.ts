import {
  accountSnapshot,
  type Instruments,
  type Moment,
  type Quotes,
  withoutStatistics,
} from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { AccountStore } from "../storage/stores/account-store.ts";
import type { VersionedState } from "./executor-port.ts";
import type { ReturnHistory } from "./history/return-history.ts";
import type { AccountReading, ReadAt } from "./port.ts";
import type { StateCache } from "./state-cache.ts";

export interface AccountReadingNeeds {
  readonly returns: ReturnHistory;
  readonly accounts: Pick<AccountStore, "countActive">;
  /** How many active accounts an owner may have. */
  readonly accountsPerOwnerMax: number;
  /** Told why the database could not be read; the client hears only that it was so. */
  readonly onFault: (cause: unknown) => void;
}

/** A committed state and the moment at which it is looked at: every figure of both is of one time. */
export interface Present {
  readonly account: VersionedState;
  readonly moment: Moment;
}

/** What is true of accounts now, for whoever shows several readings of one moment together. */
export interface PresentAccounts {
  /** The account at that version or a later one; null when there is no such account. */
  read(at: ReadAt): Promise<VersionedState | null>;
  /** The time and the prices of now, which stay as they are while somebody looks at them. */
  moment(): Moment;
  /** Null while what is open cannot be valued. */
  reading(present: Present): Promise<AccountReading | null>;
}

export function createPresentAccounts(
  need: AccountReadingNeeds & {
    readonly cache: Pick<StateCache, "read">;
    readonly clock: Clock;
    readonly quotes: () => Quotes;
    readonly instruments: Instruments;
  },
): PresentAccounts {
  const { cache, clock, quotes, instruments } = need;
  return {
    read: (at) => cache.read(at),
    moment: () => ({ now: clock.now(), quotes: new Map(quotes()), instruments }),
    reading: (present) => accountReading(need, present),
  };
}

/** Null while what is open cannot be valued: better no figures than invented ones. @rule D4.stale */
export async function accountReading(
  need: AccountReadingNeeds,
  { account: { state, version }, moment }: Present,
): Promise<AccountReading | null> {
  const snapshot = accountSnapshot(state, moment);
  if (!snapshot.ok) return null;
  const { accounts, returns, accountsPerOwnerMax: most } = need;
  // Secondary figures: what cannot be read of them makes the reading stale and nothing worse.
  const [active, dailyReturns] = await Promise.all([
    orNull(need, accounts.countActive(state.ownerId)),
    orNull(need, returns.read(state)),
  ]);
  return {
    snapshot: dailyReturns === null ? withoutStatistics(snapshot.value) : snapshot.value,
    dailyReturns: dailyReturns ?? [],
    ownerAccounts: { active: active ?? 1, most },
    stale: active === null || dailyReturns === null,
    generatedAtMs: moment.now,
    version,
  };
}

/** Null when it could not be read, which is told. */
export async function orNull<Value>(
  { onFault }: Pick<AccountReadingNeeds, "onFault">,
  reading: Promise<Value>,
): Promise<Value | null> {
  try {
    return await reading;
  } catch (cause) {
    onFault(cause);
    return null;
  }
}
