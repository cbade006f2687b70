import type { Draft } from "../network/draft.ts";
import type { ChallengePassed } from "../network/event.ts";
import { endTrading } from "../positions/end-trading.ts";

/** Everything is closed, history stays as trades, and the balance starts again at the size. @rule D7.pass */
export function passChallenge(draft: Draft, by: ChallengePassed["by"]): void {
  endTrading(draft, "phaseEnd");
  draft.record({ type: "challengePassed", by, equity: draft.balance });
}
