import type { Elimination } from "../account/account.ts";
import { endTrading } from "../positions/end-trading.ts";
import { microUsd } from "../units.ts";
import type { Draft } from "./draft.ts";

/**
 * Closes everything, cancels what rests, and records the end once and for ever. What earlier weeks
 * withheld is lost with it.
 * @rule D7.breach
 */
export function eliminate(draft: Draft, elimination: Elimination): void {
  endTrading(draft, "elimination");
  forfeitDeferred(draft);
  draft.record({ type: "accountEliminated", elimination });
}

/** Leaving the pro track forfeits the rewards that it withheld. @rule D7.forfeit */
export function forfeitDeferred(draft: Draft): void {
  const amount = draft.state.pro?.deferred ?? 0;
  if (amount > 0) draft.record({ type: "deferralForfeited", amount: microUsd(amount) });
}
