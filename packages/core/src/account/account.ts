import type { AccountId, OwnerId, PairId } from "../ids.ts";
import type { RestingOrder } from "../orders/order.ts";
import type { Earning } from "../payouts/earning.ts";
import type { Payout } from "../payouts/payout.ts";
import type { Position } from "../positions/position.ts";
import type { ProTrack } from "../pro/track.ts";
import type { Terms } from "../rules/terms.ts";
import type { MicroUsd, Percent, Ratio, UnixMs } from "../units.ts";

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
  /** When it began. */
  readonly phaseStartedAtMs: UnixMs;
  /** What binds now: on the pro track's pro phases the pro program's. */
  readonly terms: Terms;
  /** The size that was sold, whatever size the network runs now. */
  readonly standardSize: MicroUsd;
  readonly openedAtMs: UnixMs;
  /** balance = terms.size + realized − fees. */
  readonly realized: MicroUsd;
  readonly fees: MicroUsd;
  /** At most one a pair, in the order in which they were opened. */
  readonly positions: readonly Position[];
  /** In the order in which they were placed. */
  readonly orders: readonly RestingOrder[];
  /** The UTC day that is running: what its daily loss limit is measured against. */
  readonly day: Day;
  /** Taken at 00:00 UTC and frozen through the day; the high-water mark never falls. */
  readonly endOfDay: { readonly equity: MicroUsd; readonly highWater: MicroUsd };
  readonly record: ClosedRecord;
  /** Time of the newest order of each pair, for the cooldown. */
  readonly lastOrderAtMs: Readonly<Partial<Record<PairId, UnixMs>>>;
  /** When the account last did something on the market of its own; null: it never has. */
  readonly lastActiveAtMs: UnixMs | null;
  /** Every carry that fell due up to here has been charged. */
  readonly carriedToMs: UnixMs;
  /** Null while the phase pays nothing out. */
  readonly earning: Earning | null;
  /** Closed weeks that are not paid yet, oldest first. */
  readonly unpaid: readonly Payout[];
  /** Null for an account that is not on the pro track. */
  readonly pro: ProTrack | null;
  readonly elimination: Elimination | null;
}

/** The UTC day that is running. */
export interface Day {
  readonly startMs: UnixMs;
  /** What the daily loss limit is measured against. */
  readonly startEquity: MicroUsd;
  /** What the day had returned when the account began again in the middle of it; 0 on other days. */
  readonly earlierReturn: Ratio;
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
