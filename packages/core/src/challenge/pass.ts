import { endTrading } from "../positions/end-trading.ts";
import type { Draft } from "../state/draft.ts";
import type { ChallengePassed } from "../state/event.ts";

/**
 * Passes the challenge: closes all positions, cancels all orders and restarts the account at its size, as funded. The
 * record of closed trades stays. @rule D7.pass @rule D7.restart decides
 */
export function passChallenge(draft: Draft, by: ChallengePassed["by"]): void {
  endTrading(draft, "phaseEnd");
  draft.record({ type: "challengePassed", by, equity: draft.balance });
}
