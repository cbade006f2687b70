import { positionValueOf } from "../account/equity.ts";
import { type JudgedBy, judgedEquity } from "../account/judging-price.ts";
import { passChallenge } from "../challenge/pass.ts";
import { hasReachedTarget } from "../challenge/target.ts";
import type { PairId } from "../ids.ts";
import { drawdownBelow } from "../pro/statistics.ts";
import { eliminationBy } from "../rules/elimination-cause.ts";
import type { LimitFigures } from "../rules/limit.ts";
import { type NearedLimit, nearedLimit } from "../rules/near-levels.ts";
import { liveBreach } from "../rules/registry.ts";
import type { AccountState } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import type { MicroUsd, Price, Ratio } from "../units.ts";
import { eliminate } from "./eliminate.ts";

/** A consequence of live equity alone. */
export type Verdict =
  /** A new maximum drawdown of the pro account. */
  | { readonly kind: "deeper"; readonly maxDrawdown: Ratio }
  | { readonly kind: "breach"; readonly breach: LimitFigures }
  | { readonly kind: "passed" }
  /** Equity has used up a level of a limit. */
  | { readonly kind: "neared"; readonly neared: NearedLimit };

/**
 * The next consequence of this equity; null when there is none.
 * @rule D7.breach D7.pass @rule D7.maxDrawdown decides
 */
export function verdictAt(state: AccountState, equity: MicroUsd): Verdict | null {
  if (state.status !== "active") return null;
  const known = state.pro?.statistics ?? null;
  if (known !== null) {
    const maxDrawdown = drawdownBelow(state.endOfDay.highWater, equity);
    if (maxDrawdown > known.maxDrawdown) return { kind: "deeper", maxDrawdown };
  }
  const breach = liveBreach(state, equity);
  if (breach !== null) return { kind: "breach", breach };
  if (hasReachedTarget(state, equity)) return { kind: "passed" };
  const neared = nearedLimit(state, equity, "live");
  return neared === null ? null : { kind: "neared", neared };
}

/** Applies every verdict at the marks; does nothing while a price is awaited. @rule D13.judges */
export function judge(draft: Draft, by: JudgedBy = "quote"): void {
  for (;;) {
    const equity = judgedEquity(draft.state, draft.moment, by);
    const verdict = equity.ok ? verdictAt(draft.state, equity.value) : null;
    if (verdict === null) return;
    switch (verdict.kind) {
      case "deeper":
        draft.record({ type: "drawdownDeepened", maxDrawdown: verdict.maxDrawdown });
        break;
      case "breach":
        eliminate(draft, eliminationBy(draft.state, verdict.breach, draft.moment.now));
        break;
      case "passed":
        passChallenge(draft, "target");
        break;
      case "neared":
        recordNeared(draft, verdict.neared);
        break;
    }
  }
}

/** The limits of the day's end, right after it. @rule D9.limitNeared */
export function judgeDayEnd(draft: Draft): void {
  const neared = nearedLimit(draft.state, draft.state.endOfDay.equity, "endOfDay");
  if (neared !== null) recordNeared(draft, neared);
}

function recordNeared(draft: Draft, { measure, level, floor }: NearedLimit): void {
  const { rule, measured: equity } = measure;
  draft.record({ type: "limitNeared", rule, level, equity, floor, worst: worstOf(draft) });
}

/** The open position that loses most. */
function worstOf({
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
