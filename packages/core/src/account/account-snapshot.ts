import type { PricedMarket } from "../market/valuation.ts";
import { ok, type Result } from "../result.ts";
import { drawdownOutlook } from "../rules/outlook.ts";
import { drawdownOf } from "../rules/registry.ts";
import { addUsd, leverageOf } from "../units.ts";
import type { AccountState } from "./account.ts";
import { balanceOf } from "./balance.ts";
import { availableMarginOf, buyingPowerOf } from "./buying-power.ts";
import { challengeProgress } from "./challenge-progress.ts";
import { capitalUsedOf, type MissingMark, openFigures } from "./equity.ts";
import { performanceOf } from "./performance.ts";
import { proTrackFigures } from "./pro-track-figures.ts";
import type { AccountSnapshot } from "./snapshot.ts";

/** Refused while an open position cannot be valued: no figure is made up. @rule S2.1 */
export function accountSnapshot(
  state: AccountState,
  market: PricedMarket,
): Result<AccountSnapshot, MissingMark> {
  const open = openFigures(state.positions, market);
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
    proTrack: proTrackFigures(state, equity),
    elimination: state.elimination,
  });
}
