import { endTrading } from "../positions/end-trading.ts";
import type { Elimination } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import { microUsd } from "../units.ts";

/**
 * Eliminates the account, which is final: closes all positions, cancels all orders, forfeits withheld rewards and
 * records the elimination. Later orders are rejected by `statusRefusal`. @rule D7.breach @rule D7.elimination decides
 */
export function eliminate(draft: Draft, elimination: Elimination): void {
  endTrading(draft, "elimination");
  forfeitDeferred(draft);
  draft.record({ type: "accountEliminated", elimination });
}

/**
 * Forfeits withheld rewards, when the account is eliminated or closed; does nothing without any.
 * @rule D7.forfeit decides
 */
export function forfeitDeferred(draft: Draft): void {
  const amount = draft.state.pro?.deferred ?? 0;
  if (amount > 0) draft.record({ type: "deferralForfeited", amount: microUsd(amount) });
}
