import { positionValueOf } from "../account/equity.ts";
import { type JudgementCause, judgedEquity } from "../account/judging-price.ts";
import { passChallenge } from "../challenge/pass.ts";
import type { PairId } from "../ids.ts";
import { eliminationByBreach } from "../rules/elimination-cause.ts";
import { findNearedLimit, type NearedLimit } from "../rules/near-levels.ts";
import type { Draft } from "../state/draft.ts";
import type { Price } from "../units.ts";
import { eliminate } from "./eliminate.ts";
import { verdictAt } from "./verdict.ts";

/**
 * Carries out what the account's equity at the marks requires, one effect after the other: a deeper drawdown, a breach,
 * a pass or a new level of a loss limit. Does nothing while the account waits for a price. @rule D13.judges
 */
export function judge(draft: Draft, by: JudgementCause = "quote"): void {
  for (;;) {
    const equity = judgedEquity(draft.state, draft.moment, by);
    const verdict = equity.ok ? verdictAt(draft.state, equity.value) : null;
    if (verdict === null) return;
    switch (verdict.kind) {
      case "deeper":
        draft.record({ type: "drawdownDeepened", maxDrawdown: verdict.maxDrawdown });
        break;
      case "breach":
        eliminate(draft, eliminationByBreach(draft.state, verdict.breach, draft.moment.now));
        break;
      case "passed":
        passChallenge(draft, "target");
        break;
      case "neared":
        recordNearedLimit(draft, verdict.neared);
        break;
    }
  }
}

/**
 * Records the level of a limit that is checked at the day's end, when the equity of that end has used up a new one.
 * Call it when the day has just ended. @rule D9.limitNeared
 */
export function judgeDayEnd(draft: Draft): void {
  const neared = findNearedLimit(draft.state, draft.state.endOfDay.equity, "endOfDay");
  if (neared !== null) recordNearedLimit(draft, neared);
}

function recordNearedLimit(draft: Draft, neared: NearedLimit): void {
  draft.record({ type: "limitNeared", ...neared, worst: findWorstPosition(draft) });
}

/** The open position with the greatest loss; null when no position that can be valued loses. */
function findWorstPosition({
  state,
  moment,
}: Draft): { readonly pair: PairId; readonly price: Price } | null {
  let worst: { readonly pair: PairId; readonly price: Price } | null = null;
  let lowestPnl = 0;
  for (const position of state.positions) {
    const value = positionValueOf(position, moment);
    if (value === null || value.unrealizedPnl >= lowestPnl) continue;
    lowestPnl = value.unrealizedPnl;
    worst = { pair: position.pair, price: value.mark };
  }
  return worst;
}
