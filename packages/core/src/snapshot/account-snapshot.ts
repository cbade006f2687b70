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
import { type Today, todayOf } from "./today.ts";

/** All figures of one account at one time. The service chooses names and formats of the wire. @rule S2.1 */
export interface AccountSnapshot extends ChallengeProgress {
  readonly accountId: AccountId;
  readonly assetClass: AccountClass;
  readonly status: AccountStatus;
  readonly phase: Phase;
  readonly variant: "classic" | "pro";
  /** The standard size the account was sold. */
  readonly size: MicroUsd;
  /** The size the network runs now. */
  readonly effectiveSize: MicroUsd;
  readonly balance: MicroUsd;
  readonly equity: MicroUsd;
  readonly openPnl: MicroUsd;
  /** Null while the account has no day: before its start and after its end. */
  readonly today: Today | null;
  readonly openPositions: number;
  /** Σ |net value| of open positions, at the mark. */
  readonly positionValue: MicroUsd;
  /** positionValue over balance. */
  readonly currentLeverage: Leverage;
  /** The portfolio cap. */
  readonly maxLeverage: Leverage;
  readonly buyingPower: MicroUsd;
  readonly availableMargin: MicroUsd;
  /** Σ entry value of open positions. */
  readonly capitalUsed: MicroUsd;
  readonly realizedPnl: MicroUsd;
  readonly drawdown: DrawdownFigures;
  readonly outlook: DrawdownOutlook;
  readonly performance: Performance;
  /** Null for an account that is not on the pro track. */
  readonly proTrack: ProTrackFigures | null;
  readonly elimination: Elimination | null;
  /** Null while the dead man's switch is not armed. */
  readonly armedSwitch: ArmedSwitch | null;
}

/** Refuses while an open position has no price, rather than guess a figure. @rule S2.1 */
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
    today: todayOf(state, equity),
    openPositions: state.positions.length,
    positionValue,
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
