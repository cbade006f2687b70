import { equityOf } from "../account/equity.ts";
import { awaitedPrice } from "../account/judging-price.ts";
import { assert } from "../assert.ts";
import { passChallenge } from "../challenge/pass.ts";
import { profitOf } from "../challenge/target.ts";
import { endingRefusal } from "../orders/guards.ts";
import { closeCycle } from "../payouts/cycle.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { Phase } from "../state/account.ts";
import type { Promote } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { ProPromoted } from "../state/event.ts";
import type { Refusal } from "../state/refusal.ts";
import type { MicroUsd, UnixMs } from "../units.ts";
import { objectivesAt } from "./objectives.ts";
import { endTransition } from "./offer.ts";

const IN_PRO_CHALLENGE: Readonly<Record<Phase, boolean>> = {
  challenge: false,
  funded: false,
  proTransition: false,
  proChallengeDirect: true,
  proChallengeFromStandard: true,
  proFunded: false,
};

/**
 * Makes a pro challenge funded at the end of a day when all four objectives are met; does nothing in another phase.
 * @rule D7.promotion decides
 */
export function promoteOnObjectives(
  draft: Draft,
  midnight: { readonly midnightMs: UnixMs; readonly equity: MicroUsd },
): void {
  const { state } = draft;
  if (!IN_PRO_CHALLENGE[state.phase] || state.pro === null) return;
  const all = objectivesAt(state, state.pro, midnight.equity);
  if (all.every(({ met }) => met === true)) {
    const { midnightMs: promotedMs, equity } = midnight;
    promoteToFunded(draft, { promotedMs, equity, by: "objectives" });
  }
}

/**
 * Moves the account to its next phase by the operator's command, as if all requirements of the phase were met. Refused
 * while a price is awaited, because positions may be closed and a cycle paid, and in a phase that has no next phase.
 * @rule D7.promotion D13.judges
 */
export function promote(draft: Draft, command: Promote): Result<null, Refusal> {
  const refusal = endingRefusal(draft, command);
  if (refusal !== null) return refuse(refusal);
  const { phase } = draft.state;
  const { now } = draft.moment;
  const awaited = awaitedPrice(draft.state, draft.moment, "clock");
  if (awaited !== null) return refuse({ code: "noFreshQuote", pair: awaited.pair });
  switch (phase) {
    case "challenge":
      passChallenge(draft, "operator");
      return ok(null);
    case "proTransition":
      endTransition(draft, now);
      return ok(null);
    case "proChallengeDirect":
    case "proChallengeFromStandard": {
      const equity = equityOf(draft.state, draft.moment);
      assert(equity.ok, "a value of every position when no price is awaited");
      promoteToFunded(draft, { promotedMs: now, equity: equity.value, by: "operator" });
      return ok(null);
    }
    case "funded":
    case "proFunded":
      return refuse({ code: "noNextPhase", phase });
  }
}

/**
 * Makes the pro account a funded one. Positions and statistics stay; the cycle in progress is closed at the scale of
 * the phase that ends. @rule D7.promotion
 */
function promoteToFunded(
  draft: Draft,
  at: Pick<ProPromoted, "promotedMs" | "by"> & { readonly equity: MicroUsd },
): void {
  const { promotedMs, by, equity } = at;
  closeCycle(draft, promotedMs);
  draft.record({ type: "proPromoted", promotedMs, by, profit: profitOf(draft.state, equity) });
}
