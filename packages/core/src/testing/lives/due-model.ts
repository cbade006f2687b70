/** Checks that due work is done oldest first, never early, and each piece only once. */
import type { Event } from "../../state/event.ts";
import type { UnixMs } from "../../units.ts";
import { expectThat } from "./expectation.ts";

/** Follows the due work of one account, and checks the order in which it is done. */
export class DueModel {
  readonly #done = new Set<string>();

  /** Checks the events of one command. */
  take(events: readonly Event[]): void {
    let last = Number.NEGATIVE_INFINITY;
    let lastMidnight = Number.NEGATIVE_INFINITY;
    for (const event of events) {
      const dueMs = dueOf(event);
      if (dueMs === null) continue;
      expectThat(dueMs >= last, "due work is done oldest first");
      expectThat(dueMs <= event.atMs, "no work is done before it is due");
      if (event.type === "dayEnded") lastMidnight = dueMs;
      if (event.type === "carryCharged") {
        expectThat(
          dueMs !== lastMidnight,
          "carry that is due at midnight is charged before the day ends",
        );
      }
      last = dueMs;
      if (event.type === "switchFired") {
        // The switch may have closed the position whose price older work waited for, so that work may follow now. The
        // switch is not added to the done work, because two switches may have the same deadline after the clock was set
        // back.
        last = Number.NEGATIVE_INFINITY;
        continue;
      }
      const work = `${event.type} ${dueMs}`;
      expectThat(!this.#done.has(work), `${work} is done once`);
      this.#done.add(work);
    }
  }
}

function dueOf(event: Event): UnixMs | null {
  if (event.type === "dayEnded") return event.midnightMs;
  if (event.type === "carryCharged" || event.type === "switchFired") return event.dueMs;
  if (event.type === "sharesSplit" || event.type === "dividendPaid") return event.dueMs;
  if (event.type !== "accountEliminated") return null;
  return event.elimination.cause.kind === "inactivity" ? event.elimination.atMs : null;
}
