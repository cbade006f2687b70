import { type AccountId, type UnixMs, unixMs } from "@propgate/core";
import { NotCarriedOut } from "../receipts/not-carried-out.ts";
import type { CommittedAccount } from "../state-cache.ts";

/**
 * The account's newest line is in the future. The command was not and will not be carried out.
 * @rule D12.decisionTime
 */
export class LineOfFuture extends NotCarriedOut {
  override readonly name = "LineOfFuture";

  constructor() {
    super("the newest line of the account is of the future");
  }
}

/** How many accounts have a journal line in the future, because a clock was wrong, and until when. */
export interface FutureLines {
  readonly accounts: number;
  /** The time of the newest of their lines. From then on all of the accounts work again. */
  readonly untilMs: UnixMs;
}

/** The clocks of two nodes, when they are right, differ by less than this. */
const AHEAD_MAX_MS = 2_000;

/** Gives the time of each decision, and knows the accounts that cannot be decided yet. */
export interface DecisionTimes {
  /**
   * The later of `now` and the time of the account's newest line, so that a small step back of the clock delays no
   * decision.
   * @throws LineOfFuture when the line is too far ahead
   */
  timeOfDecision(account: CommittedAccount | null, now: UnixMs): UnixMs;
  /**
   * How many accounts `timeOfDecision` has thrown for and would still throw for, and until when; null when there are
   * none.
   */
  futureLines(now: UnixMs): FutureLines | null;
}

/**
 * A decision has the time of the account's newest line when that is at most 2 s ahead of now. When the line is further
 * ahead, no decision is made.
 * @rule D12.decisionTime decides
 */
export function createDecisionTimes(): DecisionTimes {
  const ahead = new Map<AccountId, UnixMs>();
  return {
    timeOfDecision(account, now) {
      if (account === null || account.lastAtMs <= now) return now;
      const { lastAtMs } = account;
      if (!isTooFarAhead(lastAtMs, now)) return lastAtMs;
      ahead.set(account.state.accountId, lastAtMs);
      throw new LineOfFuture();
    },
    futureLines(now) {
      for (const [id, lastAtMs] of ahead) if (!isTooFarAhead(lastAtMs, now)) ahead.delete(id);
      if (ahead.size === 0) return null;
      let untilMs = now;
      for (const lastAtMs of ahead.values()) if (lastAtMs > untilMs) untilMs = lastAtMs;
      return { accounts: ahead.size, untilMs };
    },
  };
}

/** The sum of the accounts of several counts, and the latest of their times; null when there are no accounts. */
export function sumFutureLines(counts: readonly (FutureLines | null)[]): FutureLines | null {
  const given = counts.filter((one) => one !== null);
  if (given.length === 0) return null;
  return {
    accounts: given.reduce((sum, { accounts }) => sum + accounts, 0),
    untilMs: unixMs(Math.max(...given.map(({ untilMs }) => untilMs))),
  };
}

function isTooFarAhead(lastAtMs: UnixMs, now: UnixMs): boolean {
  return lastAtMs - now > AHEAD_MAX_MS;
}
