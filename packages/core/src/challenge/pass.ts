import { endTrading } from "../positions/end-trading.ts";
import type { Draft } from "../state/draft.ts";
import type { ChallengePassed } from "../state/event.ts";

/** Closes all positions and restarts the balance at the size; closed trades stay. @rule D7.pass */
export function passChallenge(draft: Draft, by: ChallengePassed["by"]): void {
  endTrading(draft, "phaseEnd");
  draft.record({ type: "challengePassed", by, equity: draft.balance });
}
