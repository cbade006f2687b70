import type { AccountId, OwnerId, PairId } from "../ids.ts";
import type { RestingOrder } from "../orders/order.ts";
import type { Position } from "../positions/position.ts";
import type { Terms } from "../rules/terms.ts";
import type { MicroUsd, Percent, UnixMs } from "../units.ts";

export type AccountStatus = "provisioning" | "active" | "eliminated" | "closed";

/** Where the account is in its program. */
export type Phase =
  | "challenge"
  | "funded"
  | "proTransition"
  | "proChallengeDirect"
  | "proChallengeFromStandard"
  | "proFunded";

/** Why and when an account ended. Written once. @rule S2.1.3 */
export interface Elimination {
  /** A code of `rules/elimination.ts`, or an operator's own text. */
  readonly reason: string;
  readonly atMs: UnixMs;
  /** Of the limit that was passed; null when none was. */
  readonly drawdownPct: Percent | null;
}

/** One UTC day, from midnight equity to midnight equity. */
export interface DailyReturn {
  readonly dayStartMs: UnixMs;
  readonly percent: Percent;
}

/** All that the network knows of one account. `evolve` makes it from the journal; nothing else does. */
export interface AccountState {
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  readonly status: AccountStatus;
  readonly phase: Phase;
  readonly terms: Terms;
  readonly openedAtMs: UnixMs;
  /** balance = terms.size + realized − fees. */
  readonly realized: MicroUsd;
  readonly fees: MicroUsd;
  /** At most one a pair, in the order in which they were opened. */
  readonly positions: readonly Position[];
  /** In the order in which they were placed. */
  readonly orders: readonly RestingOrder[];
  /** The UTC day that is running: what its daily loss limit is measured against. */
  readonly day: { readonly startMs: UnixMs; readonly startEquity: MicroUsd };
  /** Taken at 00:00 UTC and frozen through the day; the high-water mark never falls. */
  readonly endOfDay: { readonly equity: MicroUsd; readonly highWater: MicroUsd };
  readonly dailyReturns: readonly DailyReturn[];
  readonly record: ClosedRecord;
  /** Time of the newest order of each pair, for the cooldown. */
  readonly lastOrderAtMs: Readonly<Partial<Record<PairId, UnixMs>>>;
  readonly elimination: Elimination | null;
}

/** Sums over closed trades. */
export interface ClosedRecord {
  readonly trades: number;
  /** Trades whose realized PnL less fees is above zero. */
  readonly wins: number;
  /** Σ realized less fees. */
  readonly netPnl: MicroUsd;
  /** Σ time held. */
  readonly heldMs: number;
}
