import { endTrading } from "../positions/end-trading.ts";
import type { Elimination } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import { microUsd } from "../units.ts";

/**
 * Closes all positions, cancels all orders and records the elimination, which is final. Withheld
 * rewards are forfeited.
 * @rule D7.breach
 */
export function eliminate(draft: Draft, elimination: Elimination): void {
  endTrading(draft, "elimination");
  forfeitDeferred(draft);
  draft.record({ type: "accountEliminated", elimination });
}

/** Forfeits withheld rewards when the account leaves the pro track. @rule D7.forfeit decides */
export function forfeitDeferred(draft: Draft): void {
  const amount = draft.state.pro?.deferred ?? 0;
  if (amount > 0) draft.record({ type: "deferralForfeited", amount: microUsd(amount) });
}
