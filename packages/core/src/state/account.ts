import type { AccountId, OwnerId, PairId, PositionUuid } from "../ids.ts";
import type { ActionId } from "../market/corporate-action.ts";
import type { MicroUsd, Percent, Ratio, UnixMs } from "../units.ts";
import type { Earning } from "./earning.ts";
import type { PendingOrder } from "./order.ts";
import type { Payout } from "./payout.ts";
import type { Position } from "./position.ts";
import type { ProTrack } from "./pro-track.ts";
import type { Terms } from "./terms.ts";

export type AccountStatus = "provisioning" | "active" | "eliminated" | "closed";

/**
 * Where an account is in its program. `proChallengeDirect` is the pro challenge of an account that was in its
 * challenge, `proChallengeFromStandard` the one after a transition.
 */
export type Phase =
  | "challenge"
  | "funded"
  | "proTransition"
  | "proChallengeDirect"
  | "proChallengeFromStandard"
  | "proFunded";

/** The loss limits of an account: the daily limit, and either the static or the trailing limit. @rule S2.1.2 */
export type LossRule = "dailyLoss" | "staticLoss" | "endOfDayTrailing";

/**
 * The phase that an elimination names: a transition is named `funded`, and both kinds of pro challenge are named
 * `proChallenge`.
 */
export type FailedPhase = "challenge" | "funded" | "proChallenge" | "proFunded";

/** Why an account was eliminated: the breach of a loss limit, inactivity, or a decision of the operator. */
export type EliminationCause =
  | {
      readonly kind: "lossLimit";
      readonly phase: FailedPhase;
      readonly rule: LossRule;
      /** The equity that breached the limit: live equity, or the equity at the last 00:00 UTC. */
      readonly measured: MicroUsd;
      /** The lowest equity that would not have been a breach. */
      readonly floor: MicroUsd;
    }
  | { readonly kind: "inactivity" }
  /** The operator eliminated the account. `reason` is the operator's own text. */
  | { readonly kind: "operator"; readonly reason: string };

/** Why and when an account was eliminated. It is recorded once and never changes. @rule S2.1.3 */
export interface Elimination {
  readonly cause: EliminationCause;
  readonly atMs: UnixMs;
  /**
   * The loss in percent of the equity or size that the breached limit is measured from; null when no limit was
   * breached.
   */
  readonly drawdownPct: Percent | null;
}

/** The return of one UTC day: from the equity at its start to the equity at its end, or at the account's end. */
export interface DailyReturn {
  readonly dayStartMs: UnixMs;
  readonly percent: Percent;
}

/** Everything that the network knows about one account. Only `evolve` makes it, from the events of the journal. */
export interface AccountState {
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  readonly status: AccountStatus;
  readonly phase: Phase;
  readonly phaseStartedAtMs: UnixMs;
  /** The terms that apply in the present phase: in pro phases those of the pro program. */
  readonly terms: Terms;
  /** The size of the standard account; `terms.size` is the size of the present phase, which is larger in pro phases. */
  readonly standardSize: MicroUsd;
  readonly openedAtMs: UnixMs;
  /** Realized profit of the present phase, before fees. The balance is `terms.size` + `realized` − `fees`. */
  readonly realized: MicroUsd;
  readonly fees: MicroUsd;
  /** The open positions, at most one per pair, in the order of opening. */
  readonly positions: readonly Position[];
  /** Pending entries and legs, in the order of placing. */
  readonly orders: readonly PendingOrder[];
  /** The UTC day in progress; the daily loss limit is measured from its start. */
  readonly day: Day;
  /**
   * Equity and the high-water mark at the last 00:00 UTC, fixed for the day. The high-water mark never falls within a
   * phase; a phase that restarts at the size resets both.
   */
  readonly endOfDay: { readonly equity: MicroUsd; readonly highWater: MicroUsd };
  readonly record: ClosedRecord;
  /**
   * By pair, the time from which the cooldown counts: when the last entry was placed, or when the last MARKET, FLAT or
   * FLAT_ALL filled.
   */
  readonly lastOrderAtMs: Readonly<Partial<Record<PairId, UnixMs>>>;
  /**
   * The last time at which the trader placed an order or a leg, edited one, or had one filled; null before the first.
   * When a transition ends, this time is moved to a later one, so that the transition does not count as idle time.
   * @rule D13.idle
   */
  readonly idleSinceMs: UnixMs | null;
  /** All carry that was due up to this time has been charged. */
  readonly carriedToMs: UnixMs;
  /** How far the profit has been paid out; null while the phase has no payouts. */
  readonly earning: Earning | null;
  /** Payouts of closed cycles that are not paid yet, oldest first. */
  readonly unpaid: readonly Payout[];
  /** The pro track of the account; null until it is offered a pro account. */
  readonly pro: ProTrack | null;
  /**
   * End of the last cycle whose recorded end is later than the time at which it was closed, as for a cycle of zero
   * length. Absent before the first such cycle. The next cycle ends after it, so that no two payouts have the same id.
   * @rule D13.instantCycle
   */
  readonly instantCycleEndMs?: UnixMs;
  readonly elimination: Elimination | null;
  /** The corporate actions that were carried out on positions or orders that still exist; absent before the first. */
  readonly carriedOut?: readonly CarriedOutAction[];
  /**
   * The newest recorded level of each loss limit in the present phase, with the day of the record; absent before the
   * first. @rule D9.limitNeared
   */
  readonly neared?: Readonly<Partial<Record<LossRule, NearedLevel>>>;
  /** The armed dead man's switch; absent while it is not armed. */
  readonly armedSwitch?: ArmedSwitch;
  /**
   * The dead man's switch while it is suspended, because an operator has paused the keys; absent otherwise.
   * @rule D13.switchSuspended
   */
  readonly suspendedSwitch?: SuspendedSwitch;
  /**
   * Positions that a fired switch still has to close, as soon as their market is open and has a fresh quote; absent
   * when there are none.
   */
  readonly closing?: readonly PositionUuid[];
}

/** A recorded level of a loss limit, and the day in which it was recorded. */
export interface NearedLevel {
  readonly level: Percent;
  readonly dayStartMs: UnixMs;
}

/** The action of an armed switch at its deadline. @rule D9.cancelAllAfter */
export type SwitchAction =
  /** Cancels every pending order and leg. */
  | "cancel"
  /** Cancels every pending order and leg, and closes every position. */
  | "flatten";

/** The dead man's switch, while it is armed. @rule D9.cancelAllAfter */
export interface ArmedSwitch {
  /** The deadline: the switch acts at this time, unless it is armed again or ended before. */
  readonly atMs: UnixMs;
  readonly action: SwitchAction;
  /** The time from the arming to the deadline. */
  readonly spanMs: number;
}

/**
 * A switch that does not run while the keys are paused. It is armed again with its whole span when the keys work again.
 */
export type SuspendedSwitch = Omit<ArmedSwitch, "atMs">;

/** A corporate action that was carried out on the account's position or orders. @rule D11.once */
export interface CarriedOutAction {
  readonly id: ActionId;
  readonly pair: PairId;
  readonly atMs: UnixMs;
}

/** The UTC day in progress, with the figures from which its return and daily loss are measured. */
export interface Day {
  readonly startMs: UnixMs;
  /** The equity from which the daily loss limit is measured. */
  readonly startEquity: MicroUsd;
  /** The return from the start of this day to the account's restart on it; 0 on a day without a restart. */
  readonly earlierReturn: Ratio;
}

/** Sums over all closed trades of the account, also those of earlier phases. */
export interface ClosedRecord {
  readonly trades: number;
  /** The number of trades whose realized PnL less fees is above zero. */
  readonly wins: number;
  /** The sum of realized PnL less fees. */
  readonly netPnl: MicroUsd;
  /** The sum of the times for which the positions were held. */
  readonly heldMs: number;
}
