/** The accounts that wait for a price. Their work is not late. */
import { type AccountState, isOpen, type Moment, unixMs } from "@propgate/core";
import { mayJudge } from "../../../packages/core/src/testing/lives/judging-model.ts";
import type { Observation } from "../checker.ts";
import type { PublishedQuotes } from "./published-quotes.ts";
import { ratePairsOf } from "./reached-levels.ts";

/** A position after every quote. */
const LAST = { epoch: Number.POSITIVE_INFINITY, number: 0 };

/**
 * Keeps the waiting accounts for all checkers of a run. Every checker passes on each observation; only the first of
 * these calls has an effect. @rule D13.judges
 */
export class WaitingAccounts {
  readonly #published: PublishedQuotes;
  /** The epoch of the newest feed of prices, and the time at which its first quote was seen. */
  #newest = { epoch: 0, sinceMs: 0 };
  #lost: ReadonlySet<string> = new Set();
  #waited: ReadonlySet<string> = new Set();
  #last: Observation["published"] | null = null;

  constructor(published: PublishedQuotes) {
    this.#published = published;
  }

  async take(at: Observation, states: readonly AccountState[]): Promise<void> {
    // Copies of an observation have the same list `published`.
    if (this.#last === at.published) return;
    this.#last = at.published;
    this.#published.addObserved(at);
    const epoch = this.#published.newest?.epoch ?? 0;
    if (epoch !== this.#newest.epoch) this.#newest = { epoch, sinceMs: at.nowMs };
    if (!at.calm || at.boards.length === 0) return;
    const epochs = await epochsOf(at);
    const lost = states.filter((state) => this.#isLost(state, at, epochs));
    this.#lost = new Set(lost.map(idOf));
    if (at.nowMs !== at.repairedMs) return;
    const moments = [...at.repairedBoards, ...at.boards].map((quotes) => boardMomentOf(at, quotes));
    this.#waited = new Set([...lost, ...waitingAmong(states, moments)].map(idOf));
  }

  /**
   * True when, at the last observation without faults, the account's prices could be older than prices that were lost
   * with their feed.
   */
  awaitsLost(state: AccountState): boolean {
    return this.#lost.has(state.accountId);
  }

  /**
   * True when the account waited for a price at the last repair. The first housekeeping after the price comes does the
   * account's work.
   */
  waited(state: AccountState): boolean {
    return this.#waited.has(state.accountId);
  }

  /**
   * True when a lost quote may be newer than the one that is shown: the feed whose quotes the account's last decision
   * used has ended, and the later feed has sent none for some pair of the account. This can last until the lost quote
   * would be stale.
   */
  #isLost(
    { accountId, positions, orders }: AccountState,
    at: Observation,
    epochs: ReadonlyMap<string, number>,
  ): boolean {
    const epoch = epochs.get(accountId) ?? 0;
    if (epoch === 0 || epoch >= this.#newest.epoch) return false;
    const pairs = [...positions, ...orders].flatMap(({ pair }) => {
      const instrument = at.instruments.get(pair);
      return instrument === undefined ? [] : [pair, ...ratePairsOf(instrument)];
    });
    return pairs.some((pair) => {
      const instrument = at.instruments.get(pair);
      if (instrument === undefined || !isOpen(instrument.session, unixMs(at.nowMs))) return false;
      if (at.nowMs - this.#newest.sinceMs > instrument.staleAfterMs) return false;
      return this.#published.from(pair, { epoch: epoch + 1, number: 0 }, LAST).length === 0;
    });
  }
}

/** The time and the instruments of an observation with the quotes of one board, in the form that the rules take. */
export function boardMomentOf(
  { nowMs, instruments }: Pick<Observation, "nowMs" | "instruments">,
  quotes: Moment["quotes"],
): Moment {
  return { now: unixMs(nowMs), quotes, instruments };
}

/**
 * For each account, the epoch of the feed whose quotes its last decision used, or of the feed whose quotes a crash
 * lost, if that is later.
 */
async function epochsOf({
  databases,
  database,
}: Observation): Promise<ReadonlyMap<string, number>> {
  const rows = await Promise.all(
    (databases ?? [database]).map((one) =>
      one.query<{ readonly account_id: string; readonly epoch: string }>(
        "select account_id, greatest(quote_epoch, lost_epoch) as epoch from accounts",
        [],
      ),
    ),
  );
  return new Map(rows.flat().map(({ account_id, epoch }) => [account_id, Number(epoch)]));
}

const idOf = ({ accountId }: AccountState): string => accountId;

/** The accounts that wait for a price, so that nothing may judge them, at one or more of these moments. */
function waitingAmong(
  states: readonly AccountState[],
  moments: readonly Moment[],
): readonly AccountState[] {
  return states.filter(({ positions }) =>
    moments.some((moment) => !mayJudge(positions, moment, "clock")),
  );
}
