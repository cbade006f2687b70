import type { AccountId } from "@propgate/core";
import type { Submission } from "../executor-port.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import type { LeftOut } from "./left-out.ts";

/** The outcome of a command that must be decided again, because its account was left out. */
export interface Left {
  readonly left: LeftOut;
}

/**
 * Keeps the commands of accounts that were left out of a batch apart from all others, so that only
 * they wait. Another node changes an account in one statement, or holds it for a moment, or until the
 * server drops the locks of a stopped node.
 */
export interface LeftCommands<Outcome> {
  /** Runs a batch without the commands of left accounts, which it answers with `Left`. */
  runOthers(submissions: readonly Submission[]): Promise<readonly (Outcome | Left)[]>;
  /**
   * Retries a command until it is decided, after the earlier commands of its account.
   * @throws UnknownFate when the account stays held
   */
  submit(submission: Submission): Promise<Outcome>;
  /** Resolves when no command waits. */
  idle(): Promise<void>;
}

/** Each retry of a held account waits for the lock, so all of them take at least ten seconds. */
const HELD_TRIES_MAX = 20;
/** A retry of a changed account costs one read and one write, and another node's command was carried out. */
const TRIES_MAX = 1_000;

interface Waiting<Outcome> {
  readonly submission: Submission;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (cause: unknown) => void;
  tries: number;
  heldTries: number;
}

export function createLeftCommands<Outcome extends object>(options: {
  /** Runs a batch of accounts that were not left out. */
  readonly runFirst: (submissions: readonly Submission[]) => Promise<readonly (Outcome | Left)[]>;
  /** Runs a batch of accounts that were left out; it may wait for their locks. */
  readonly runAgain: (submissions: readonly Submission[]) => Promise<readonly (Outcome | Left)[]>;
  /** Max commands of one batch. */
  readonly batchMax: number;
  /** Called with the commands of an account that was not freed in time. */
  readonly onGivenUp: (submissions: readonly Submission[]) => void;
}): LeftCommands<Outcome> {
  const { runFirst, runAgain, batchMax } = options;
  /** The waiting commands of each account, in the order of their calls; the next account first. */
  const waiting = new Map<AccountId, Waiting<Outcome>[]>();
  let running: Promise<void> | null = null;

  const remove = (one: Waiting<Outcome>): void => {
    const { accountId } = one.submission;
    const rest = (waiting.get(accountId) ?? []).filter((other) => other !== one);
    if (rest.length === 0) waiting.delete(accountId);
    else waiting.set(accountId, rest);
  };

  const end = (one: Waiting<Outcome>, outcome: Outcome | Left): void => {
    if (!isLeft(outcome)) {
      remove(one);
      one.resolve(outcome);
      return;
    }
    one.tries += 1;
    if (outcome.left === "held") one.heldTries += 1;
    if (one.heldTries < HELD_TRIES_MAX && one.tries < TRIES_MAX) return;
    remove(one);
    options.onGivenUp([one.submission]);
    one.reject(new UnknownFate(new Error("another session holds the account")));
  };

  const runRound = async (): Promise<void> => {
    const round = [...waiting.values()].flat().slice(0, batchMax);
    try {
      const outcomes = await runAgain(round.map(({ submission }) => submission));
      for (const [index, one] of round.entries()) end(one, outcomes[index] ?? NOT_DECIDED);
    } catch (cause) {
      for (const one of round) {
        remove(one);
        one.reject(cause);
      }
    }
    // The other accounts come first in the next round.
    for (const { submission } of round) {
      const rest = waiting.get(submission.accountId);
      if (rest === undefined) continue;
      waiting.delete(submission.accountId);
      waiting.set(submission.accountId, rest);
    }
  };
  const runAll = async (): Promise<void> => {
    // The other commands of the same batch come in the same turn of the event loop.
    await new Promise(setImmediate);
    while (waiting.size > 0) await runRound();
    running = null;
  };

  return {
    async runOthers(submissions) {
      const isLeftOut = submissions.map(({ accountId }) => waiting.has(accountId));
      const others = submissions.filter((_, index) => isLeftOut[index] === false);
      const outcomes = others.length === 0 ? [] : await runFirst(others);
      const decided = outcomes.values();
      return isLeftOut.map((isOne) =>
        isOne ? NOT_DECIDED : (decided.next().value ?? NOT_DECIDED),
      );
    },
    submit: (submission) =>
      new Promise((resolve, reject) => {
        const one = { submission, resolve, reject, tries: 0, heldTries: 0 };
        const earlier = waiting.get(submission.accountId);
        if (earlier === undefined) waiting.set(submission.accountId, [one]);
        else earlier.push(one);
        running ??= runAll();
      }),
    async idle() {
      while (running !== null) await running;
    },
  };
}

const NOT_DECIDED: Left = { left: "moved" };

export function isLeft<Outcome extends object>(outcome: Outcome | Left): outcome is Left {
  return "left" in outcome;
}
