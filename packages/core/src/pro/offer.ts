import type { Draft } from "../network/draft.ts";
import type { ProStarted } from "../network/event.ts";
import type { Refusal } from "../network/refusal.ts";
import { isEntry } from "../orders/guards.ts";
import { closeCycle } from "../payouts/cycle.ts";
import { endTrading } from "../positions/end-trading.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { ProTerms } from "../rules/terms.ts";
import { nextUtcMonday } from "../time/utc-week.ts";
import type { UnixMs } from "../units.ts";

/**
 * From the challenge straight to the pro challenge; a funded account first winds down until the
 * first Monday strictly after the offer.
 * @rule S2.1.1.phase
 */
export function offerPro(draft: Draft, terms: ProTerms): Result<null, Refusal> {
  const { phase } = draft.state;
  switch (phase) {
    case "challenge":
      endTrading(draft, "phaseEnd");
      startPro(draft, { phase: "proChallengeDirect", terms, startMs: draft.moment.now });
      return ok(null);
    case "funded":
      cancelEntries(draft);
      draft.record({
        type: "proOffered",
        terms,
        transitionEndsAtMs: nextUtcMonday(draft.moment.now),
      });
      return ok(null);
    case "proTransition":
    case "proChallengeDirect":
    case "proChallengeFromStandard":
    case "proFunded":
      return refuse({ code: "onProTrack", phase });
  }
}

/**
 * The pro account of a funded trader starts. What was open is closed before the last cycle of the
 * standard account is, so that its gains are paid and not lost.
 * @rule S2.1.1.phase
 */
export function endTransition(draft: Draft, startMs: UnixMs): void {
  const transition = draft.state.pro?.transition ?? null;
  if (transition === null || startMs > draft.moment.now) return;
  endTrading(draft, "phaseEnd");
  closeCycle(draft, startMs);
  startPro(draft, { phase: "proChallengeFromStandard", terms: transition.terms, startMs });
}

function startPro(draft: Draft, start: Pick<ProStarted, "phase" | "terms" | "startMs">): void {
  draft.record({ type: "proStarted", ...start, equity: draft.balance });
}

function cancelEntries(draft: Draft): void {
  const entries = draft.state.orders.filter(
    (order) => order.kind !== "bracket" && isEntry(order, draft.state.positions),
  );
  for (const { uuid } of entries) {
    draft.record({
      type: "orderCancelled",
      orderUuid: uuid,
      reason: "proTransition",
      detail: null,
    });
  }
}
