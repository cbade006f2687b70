/** The lines of a journal go forward in time, and no line is from the future. */
import type { AccountId } from "@propgate/core";
import type { Checker, Finding, Observation } from "../checker.ts";
import type { JournalReader } from "./journal-reader.ts";

/**
 * The farthest that a line may be in the future. A node with a clock further ahead makes no decision, but an answer of
 * the database may take some time to show that.
 */
const AHEAD_MAX_MS = 4_000;

/**
 * Compares the time of each new line with the time of the line before it and with the present time. @rule D12.oneClock
 */
export class LineTimes implements Checker {
  readonly name = "line times";
  readonly #journal: () => JournalReader;
  /** The time of the newest line that was read, for each account. */
  readonly #last = new Map<AccountId, number>();

  /** Calls `journal` for each check: where a database loses lines that were read, each check needs a new reader. */
  constructor(journal: () => JournalReader) {
    this.#journal = journal;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved } = await this.#journal().news(at);
    return moved.flatMap(({ lines }) =>
      lines.flatMap(({ accountId, seq, atMs }) => {
        const before = seq === 1 ? atMs : (this.#last.get(accountId) ?? atMs);
        this.#last.set(accountId, atMs);
        const message = problemOf({ atMs, before, nowMs: at.nowMs });
        return message === null
          ? []
          : [{ checker: this.name, accountId, message: `line ${seq} of ${atMs} is ${message}` }];
      }),
    );
  }
}

function problemOf(times: {
  readonly atMs: number;
  readonly before: number;
  readonly nowMs: number;
}): string | null {
  const { atMs, before, nowMs } = times;
  if (atMs - nowMs > AHEAD_MAX_MS) return `${atMs - nowMs} ms in the future`;
  return atMs < before ? `${before - atMs} ms older than the one before` : null;
}
