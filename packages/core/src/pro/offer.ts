import { awaitedPrice } from "../account/judging-price.ts";
import { endingRefusal, opensOrAdds } from "../orders/guards.ts";
import { closeCycle } from "../payouts/cycle.ts";
import { endTrading } from "../positions/end-trading.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { OfferPro } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { ProStarted } from "../state/event.ts";
import type { Refusal } from "../state/refusal.ts";
import { nextUtcMonday } from "../time/utc-week.ts";
import { type MicroUsd, microUsd, type UnixMs } from "../units.ts";

/** The smallest multiple of the standard size that a pro account may have. */
const STANDARD_SIZES_MIN = 2;

/** The smallest pro account that may be offered to a standard account of this size. */
export function minProSize(standardSize: MicroUsd): MicroUsd {
  return microUsd(STANDARD_SIZES_MIN * standardSize);
}

/**
 * Offers a pro account. An account in its challenge closes its positions and goes straight to the pro challenge. A
 * funded account first cancels its orders that would open or add, and has a transition until the first Monday strictly
 * after the offer, when `endTransition` starts its pro challenge. Refused when `endingRefusal` refuses, in any other
 * phase, for a pro account that is too small, and while a challenge waits for a price.
 * @rule S2.1.1.phase D10.proOffer decides
 */
export function offerPro(draft: Draft, command: OfferPro): Result<null, Refusal> {
  const refusal = endingRefusal(draft, command);
  if (refusal !== null) return refuse(refusal);
  const { terms } = command;
  const { phase, standardSize } = draft.state;
  if (phase !== "challenge" && phase !== "funded") return refuse({ code: "onProTrack", phase });
  const minimum = minProSize(standardSize);
  if (terms.size < minimum) return refuse({ code: "proSizeTooSmall", least: minimum });
  if (phase === "challenge") {
    const awaited = awaitedPrice(draft.state, draft.moment, "clock");
    if (awaited !== null) return refuse({ code: "noFreshQuote", pair: awaited.pair });
    endTrading(draft, "phaseEnd");
    startPro(draft, { phase: "proChallengeDirect", terms, startMs: draft.moment.now });
    return ok(null);
  }
  cancelEntries(draft);
  const transitionEndsAtMs = nextUtcMonday(draft.moment.now);
  draft.record({ type: "proOffered", terms, transitionEndsAtMs });
  return ok(null);
}

/**
 * Starts the pro account of a funded trader, unless `startMs` is in the future. Open positions are closed before the
 * last cycle of the standard account, so their gains are paid. @rule S2.1.1.phase
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
    (order) => order.kind !== "bracket" && opensOrAdds(order, draft.state.positions),
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
