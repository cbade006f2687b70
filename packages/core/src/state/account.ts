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

/** The account's place in its program. */
export type Phase =
  | "challenge"
  | "funded"
  | "proTransition"
  | "proChallengeDirect"
  | "proChallengeFromStandard"
  | "proFunded";

/** The loss limits. @rule S2.1.2 */
export type LossRule = "dailyLoss" | "staticLoss" | "endOfDayTrailing";

/** The phases that an elimination distinguishes; several phases of an account share one of them. */
export type FailedPhase = "challenge" | "funded" | "proChallenge" | "proFunded";

export type EliminationCause =
  | {
      readonly kind: "lossLimit";
      readonly phase: FailedPhase;
      readonly rule: LossRule;
      /** The equity that the limit measured. */
      readonly measured: MicroUsd;
      /** The lowest equity that was not a breach. */
      readonly floor: MicroUsd;
    }
  | { readonly kind: "inactivity" }
  /** The operator eliminated the account, for a reason in the operator's own words. */
  | { readonly kind: "operator"; readonly reason: string };

/** Why and when an account was eliminated. Written once. @rule S2.1.3 */
export interface Elimination {
  readonly cause: EliminationCause;
  readonly atMs: UnixMs;
  /** Used percent of the breached limit; null when no limit was breached. */
  readonly drawdownPct: Percent | null;
}

/** One UTC day, from midnight equity to midnight equity. */
export interface DailyReturn {
  readonly dayStartMs: UnixMs;
  readonly percent: Percent;
}

/** Everything the network knows about one account. Only `evolve` makes it, from the journal. */
export interface AccountState {
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  readonly status: AccountStatus;
  readonly phase: Phase;
  /** Start of the phase. */
  readonly phaseStartedAtMs: UnixMs;
  /** The terms that apply now; in pro phases those of the pro program. */
  readonly terms: Terms;
  /** The size that was sold; `terms.size` is the size that applies now. */
  readonly standardSize: MicroUsd;
  readonly openedAtMs: UnixMs;
  /** balance = terms.size + realized − fees. */
  readonly realized: MicroUsd;
  readonly fees: MicroUsd;
  /** At most one per pair, in the order of opening. */
  readonly positions: readonly Position[];
  /** In the order of placing. */
  readonly orders: readonly PendingOrder[];
  /** The UTC day in progress; the daily loss limit is measured against its start. */
  readonly day: Day;
  /** Taken at 00:00 UTC and fixed for the day; the high-water mark never falls. */
  readonly endOfDay: { readonly equity: MicroUsd; readonly highWater: MicroUsd };
  readonly record: ClosedRecord;
  /** Time of the last order on each pair, for the cooldown. */
  readonly lastOrderAtMs: Readonly<Partial<Record<PairId, UnixMs>>>;
  /** Time of the trader's last activity, later by the transition after it; null before the first. @rule D13.idle */
  readonly idleSinceMs: UnixMs | null;
  /** All carry due up to this time has been charged. */
  readonly carriedToMs: UnixMs;
  /** Null while the phase has no payouts. */
  readonly earning: Earning | null;
  /** Payouts of closed cycles that are not paid yet, oldest first. */
  readonly unpaid: readonly Payout[];
  /** Null for an account that is not on the pro track. */
  readonly pro: ProTrack | null;
  /**
   * End of the last cycle without length, which lies after its close; absent before the first.
   * @rule D13.instantCycle
   */
  readonly instantCycleEndMs?: UnixMs;
  readonly elimination: Elimination | null;
  /** The corporate actions that the account's present holdings have had; absent before the first. */
  readonly carriedOut?: readonly CarriedOutAction[];
  /** The highest recorded level of each loss limit; absent before the first. @rule D9.limitNeared */
  readonly neared?: Readonly<Partial<Record<LossRule, NearedLevel>>>;
  /** The dead man's switch; absent while it is not armed. */
  readonly armedSwitch?: ArmedSwitch;
  /**
   * The dead man's switch while an operator's pause of the keys suspends it; absent otherwise.
   * @rule D13.switchSuspended
   */
  readonly suspendedSwitch?: SuspendedSwitch;
  /** Positions that a switch closes as soon as their market is live; absent when there are none. */
  readonly closing?: readonly PositionUuid[];
}

/** A level of a loss limit that was recorded, and the day of the record. */
export interface NearedLevel {
  readonly level: Percent;
  readonly dayStartMs: UnixMs;
}

/** The act of an armed switch at its deadline. @rule D9.cancelAllAfter */
export type SwitchAction =
  /** Cancels every pending order and leg. */
  | "cancel"
  /** Cancels them and closes every position. */
  | "flatten";

/** The dead man's switch while it is armed. @rule D9.cancelAllAfter */
export interface ArmedSwitch {
  /** The deadline: it acts at this time, unless it is armed again or ended before. */
  readonly atMs: UnixMs;
  readonly action: SwitchAction;
  /** From the arming to the deadline. */
  readonly spanMs: number;
}

/** A switch that runs on, with its whole span, when the keys work again. */
export type SuspendedSwitch = Omit<ArmedSwitch, "atMs">;

/** A corporate action that was carried out on the account. @rule D11.once */
export interface CarriedOutAction {
  readonly id: ActionId;
  readonly pair: PairId;
  readonly atMs: UnixMs;
}

/** The UTC day in progress. */
export interface Day {
  readonly startMs: UnixMs;
  /** The daily loss limit is measured against this. */
  readonly startEquity: MicroUsd;
  /** Return of the day up to a restart of the account within it; 0 on other days. */
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
