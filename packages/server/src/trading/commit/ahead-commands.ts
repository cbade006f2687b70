import type { AccountId, Instruments, PairId } from "@propgate/core";
import type { Clock } from "../../base/clock.ts";
import type { DecidedQuotes, Execution, QuoteReach, Submission } from "../executor-port.ts";
import { pairOf } from "./read-pairs.ts";

/** The outcome of a command on an account that was decided at newer quotes than the board has. */
export interface Ahead {
  readonly ahead: DecidedQuotes;
}

/** Short, because the client waits, and longer than a new feed needs for its first quotes. */
const WAIT_MAX_MS = 5_000;

/**
 * Keeps the commands of accounts that are ahead of the board apart from all others, so that only they wait, in the
 * order of their calls.
 */
export interface AheadCommands<Outcome> {
  /**
   * Decides the command, and again when the quotes have come, for at most five seconds and no longer than the pair's
   * quotes are fresh. Then the command is refused like one at a stale quote. A command of the market or the clock does not wait: its
   * settlement may hold back the quote that its account waits for.
   */
  submit(submission: Submission): Promise<Outcome | Execution | Ahead>;
  /** Resolves when no command waits. */
  idle(): Promise<void>;
}

interface Waiting {
  readonly quotes: DecidedQuotes;
  commands: number;
}

export function createAheadCommands<Outcome extends object>(options: {
  readonly reach: QuoteReach;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly decided: (submission: Submission) => Promise<Outcome | Ahead>;
}): AheadCommands<Outcome> {
  const { reach, clock, instruments, decided } = options;
  const accounts = new Map<AccountId, Waiting>();
  const running = new Set<Promise<unknown>>();

  const wait = async (id: AccountId, quotes: DecidedQuotes, forMs: number): Promise<boolean> => {
    const account = accounts.get(id) ?? { quotes, commands: 0 };
    account.commands += 1;
    accounts.set(id, account);
    const isReached = await reach.wait(quotes, forMs);
    account.commands -= 1;
    if (account.commands === 0) accounts.delete(id);
    return isReached;
  };
  const decideAgain = async (submission: Submission, first: Ahead) => {
    const pair = pairOf(submission.command);
    const untilMs = clock.now() + Math.min(WAIT_MAX_MS, freshMs(instruments, pair));
    let outcome: Outcome | Ahead = first;
    while (isAhead(outcome)) {
      const restMs = untilMs - clock.now();
      if (restMs <= 0 || !(await wait(submission.accountId, outcome.ahead, restMs))) {
        return noFreshQuote(instruments, pair) ?? outcome;
      }
      outcome = await decided(submission);
    }
    return outcome;
  };

  return {
    async submit(submission) {
      const earlier = accounts.get(submission.accountId);
      const outcome = earlier === undefined ? await decided(submission) : { ahead: earlier.quotes };
      if (!isAhead(outcome) || isOfMarketOrClock(submission)) return outcome;
      const end = decideAgain(submission, outcome);
      running.add(end);
      return end.finally(() => running.delete(end));
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

function isAhead<Outcome extends object>(outcome: Outcome | Ahead): outcome is Ahead {
  return "ahead" in outcome;
}

function isOfMarketOrClock({ origin }: Submission): boolean {
  return origin.by === "market" || origin.by === "clock";
}

/** The longest limit of all pairs for a command without one. */
function freshMs(instruments: Instruments, pair: PairId | null): number {
  const instrument = pair === null ? undefined : instruments.get(pair);
  if (instrument !== undefined) return instrument.staleAfterMs;
  return Math.max(0, ...[...instruments.values()].map(({ staleAfterMs }) => staleAfterMs));
}

/** A command without a pair names the first one. Null without pairs. */
function noFreshQuote(instruments: Instruments, pair: PairId | null): Execution | null {
  const [first] = instruments.keys();
  const named = pair ?? first;
  if (named === undefined) return null;
  return { ok: false, refusal: { code: "noFreshQuote", pair: named } };
}
