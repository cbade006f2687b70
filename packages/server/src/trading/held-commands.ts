import type { AccountId } from "@propgate/core";
import { createMicroBatch } from "../base/micro-batch.ts";
import type { Submission } from "./executor-port.ts";
import { UnknownFate } from "./network/unknown-fate.ts";

/** The outcome of a command that was not decided, because another session holds its account. */
export interface Held {
  readonly isHeld: true;
}

/**
 * Keeps the commands of accounts that another session holds apart from all others, so that only
 * they wait. Another node holds an account for a moment, or until the server drops the locks of a
 * stopped node.
 */
export interface HeldCommands<Outcome> {
  /** Runs a batch without the commands of held accounts, which it answers with `Held`. */
  runOthers(submissions: readonly Submission[]): Promise<readonly (Outcome | Held)[]>;
  /** Retries a held command until its account is free. @throws UnknownFate when it stays held */
  submit(submission: Submission): Promise<Outcome>;
  /** Resolves when no command is held. */
  idle(): Promise<void>;
}

const HELD: Held = { isHeld: true };

/** Each retry waits for the lock, so all of them take at least ten seconds. */
const TRIES_MAX = 20;

export function createHeldCommands<Outcome extends object>(options: {
  readonly run: (submissions: readonly Submission[]) => Promise<readonly (Outcome | Held)[]>;
  /** Max commands of one batch. */
  readonly batchMax: number;
  /** Called with the commands of an account that was not freed in time. */
  readonly onGivenUp: (submissions: readonly Submission[]) => void;
}): HeldCommands<Outcome> {
  const { run } = options;
  /** The number of waiting commands of each held account. */
  const waiting = new Map<AccountId, number>();
  const count = (id: AccountId, more: number): void => {
    const now = (waiting.get(id) ?? 0) + more;
    if (now === 0) waiting.delete(id);
    else waiting.set(id, now);
  };
  const batches = createMicroBatch<Submission, Outcome | Held>({
    batchMax: options.batchMax,
    concurrentMax: 1,
    run,
  });

  const retry = async (submission: Submission): Promise<Outcome> => {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const outcome = await batches.submit(submission);
      if (!isHeld(outcome)) return outcome;
    }
    options.onGivenUp([submission]);
    throw new UnknownFate(new Error("another session holds the account"));
  };
  return {
    async runOthers(submissions) {
      const held = submissions.map(({ accountId }) => waiting.has(accountId));
      const others = submissions.filter((_, index) => held[index] === false);
      const outcomes = others.length === 0 ? [] : await run(others);
      const left = outcomes.values();
      return held.map((isOne) => (isOne ? HELD : (left.next().value ?? HELD)));
    },
    async submit(submission) {
      count(submission.accountId, 1);
      try {
        return await retry(submission);
      } finally {
        count(submission.accountId, -1);
      }
    },
    async idle() {
      while (waiting.size > 0) await batches.idle();
    },
  };
}

export function isHeld<Outcome extends object>(outcome: Outcome | Held): outcome is Held {
  return "isHeld" in outcome;
}
