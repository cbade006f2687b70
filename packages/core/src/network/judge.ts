import type { AccountState } from "../account/account.ts";
import { equityOf } from "../account/equity.ts";
import type { LimitFigures } from "../account/snapshot.ts";
import { passChallenge } from "../challenge/pass.ts";
import { hasReachedTarget } from "../challenge/target.ts";
import { drawdownBelow } from "../pro/statistics.ts";
import { eliminationBy } from "../rules/elimination.ts";
import { liveBreach } from "../rules/registry.ts";
import type { MicroUsd, Ratio } from "../units.ts";
import type { Draft } from "./draft.ts";
import { eliminate } from "./elimination.ts";

/** What live equity alone brings about. */
export type Verdict =
  /** The deepest drawdown of the pro account so far. */
  | { readonly kind: "deeper"; readonly maxDrawdown: Ratio }
  | { readonly kind: "breach"; readonly breach: LimitFigures }
  | { readonly kind: "passed" };

/** The next thing that this equity does to the account; null: nothing. @rule D7.breach D7.pass D7.maxDrawdown */
export function verdictAt(state: AccountState, equity: MicroUsd): Verdict | null {
  if (state.status !== "active") return null;
  const known = state.pro?.statistics ?? null;
  if (known !== null) {
    const maxDrawdown = drawdownBelow(state.endOfDay.highWater, equity);
    if (maxDrawdown > known.maxDrawdown) return { kind: "deeper", maxDrawdown };
  }
  const breach = liveBreach(state, equity);
  if (breach !== null) return { kind: "breach", breach };
  return hasReachedTarget(state, equity) ? { kind: "passed" } : null;
}

/** Carries out every verdict at the marks; an account whose equity is not known yet is left alone. */
export function judge(draft: Draft): void {
  for (;;) {
    const equity = equityOf(draft.state, draft.moment);
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
    }
  }
}
