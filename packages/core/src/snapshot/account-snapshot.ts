import { availableMarginOf, buyingPowerOf } from "../account/buying-power.ts";
import { capitalUsedOf, type MissingMark, shownFigures } from "../account/equity.ts";
import type { AccountId } from "../ids.ts";
import type { AccountClass } from "../market/instrument.ts";
import { ok, type Result } from "../result.ts";
import type { DrawdownFigures } from "../rules/limit.ts";
import { type DrawdownOutlook, drawdownOutlook } from "../rules/outlook.ts";
import { drawdownOf } from "../rules/registry.ts";
import type {
  AccountState,
  AccountStatus,
  ArmedSwitch,
  Elimination,
  Phase,
} from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Moment } from "../state/moment.ts";
import { addUsd, type Leverage, leverageOf, type MicroUsd } from "../units.ts";
import { type ChallengeProgress, challengeProgress } from "./challenge-progress.ts";
import { type Performance, performanceOf } from "./performance.ts";
import { type ProTrackFigures, proTrackFigures } from "./pro-track-figures.ts";
import { type TodayPnl, todayPnlOf } from "./today.ts";

/** All figures of one account at one time. The service chooses their names and formats in answers. @rule S2.1 */
export interface AccountSnapshot extends ChallengeProgress {
  readonly accountId: AccountId;
  readonly assetClass: AccountClass;
  readonly status: AccountStatus;
  readonly phase: Phase;
  readonly variant: "classic" | "pro";
  /** The size of the standard account that was sold. */
  readonly size: MicroUsd;
  /** The size of the present phase, with which the network computes its figures. */
  readonly effectiveSize: MicroUsd;
  readonly balance: MicroUsd;
  readonly equity: MicroUsd;
  readonly openPnl: MicroUsd;
  /** The profit of the day so far. Null while the account has no day: before it is provisioned and after its end. */
  readonly today: TodayPnl | null;
  readonly openPositions: number;
  /** Σ |net value| of the open positions at their marks. */
  readonly positionValue: MicroUsd;
  /** `positionValue` divided by the balance. */
  readonly currentLeverage: Leverage;
  /** The portfolio cap of the terms. */
  readonly maxLeverage: Leverage;
  readonly buyingPower: MicroUsd;
  readonly availableMargin: MicroUsd;
  /** Σ entry value of the open positions. */
  readonly capitalUsed: MicroUsd;
  readonly realizedPnl: MicroUsd;
  readonly drawdown: DrawdownFigures;
  readonly outlook: DrawdownOutlook;
  readonly performance: Performance;
  /** The figures of the pro track, from the transition to a pro account on; null before it. */
  readonly proTrack: ProTrackFigures | null;
  readonly elimination: Elimination | null;
  /** The dead man's switch; null while it is not armed. */
  readonly armedSwitch: ArmedSwitch | null;
}

/**
 * The figures of the account. Refuses while an open position has no price or no rate, because its figures would be a
 * guess. @rule S2.1
 */
export function accountSnapshot(
  state: AccountState,
  market: Pick<Moment, "now" | "quotes" | "instruments">,
): Result<AccountSnapshot, MissingMark> {
  const open = shownFigures(state.positions, market);
  if (!open.ok) return open;
  const { terms } = state;
  const { unrealizedPnl, positionValue } = open.value;
  const balance = balanceOf(state);
  const equity = addUsd(balance, unrealizedPnl);
  const drawdown = drawdownOf(state, equity);
  const exposure = { balance, positionValue, portfolioCap: terms.portfolioCap };
  return ok({
    accountId: state.accountId,
    assetClass: terms.assetClass,
    status: state.status,
    phase: state.phase,
    variant: terms.variant,
    size: state.standardSize,
    effectiveSize: terms.size,
    balance,
    equity,
    openPnl: unrealizedPnl,
    today: todayPnlOf(state, equity),
    openPositions: state.positions.length,
    positionValue,
    // Σ |net value| of the open positions / balance. @rule D4.leverage decides
    currentLeverage: leverageOf(positionValue, balance),
    maxLeverage: terms.portfolioCap,
    buyingPower: buyingPowerOf(exposure),
    availableMargin: availableMarginOf(exposure),
    capitalUsed: capitalUsedOf(state),
    realizedPnl: state.realized,
    ...challengeProgress(state, equity),
    drawdown,
    outlook: drawdownOutlook(state, drawdown, market),
    performance: performanceOf(state),
    proTrack: proTrackFigures(state, equity, market),
    elimination: state.elimination,
    armedSwitch: state.armedSwitch ?? null,
  });
}
