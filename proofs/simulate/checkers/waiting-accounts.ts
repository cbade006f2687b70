/** The accounts that wait for a price, whose work is not late. */
import { type AccountState, isOpen, type Moment, unixMs } from "@propgate/core";
import { mayJudge } from "../../../packages/core/src/testing/lives/judging-model.ts";
import type { Observation } from "../history.ts";
import type { PublishedQuotes } from "./published-quotes.ts";
import { ratePairsOf } from "./reach.ts";

/** After every quote. */
const LAST = { epoch: Number.POSITIVE_INFINITY, number: 0 };

/**
 * Shared by the checkers of one run; each takes every observation, and only the first of them counts.
 * @rule D13.judges
 */
export class WaitingAccounts {
  readonly #published: PublishedQuotes;
  /** The newest feed of prices, and when the first quote of it was seen. */
  #newest = { epoch: 0, sinceMs: 0 };
  #lost: ReadonlySet<string> = new Set();
  #waited: ReadonlySet<string> = new Set();
  #last: Observation["published"] | null = null;

  constructor(published: PublishedQuotes) {
    this.#published = published;
  }

  async take(at: Observation, states: readonly AccountState[]): Promise<void> {
    // Copies of an observation share the list.
    if (this.#last === at.published) return;
    this.#last = at.published;
    this.#published.take(at);
    const epoch = this.#published.newest?.epoch ?? 0;
    if (epoch !== this.#newest.epoch) this.#newest = { epoch, sinceMs: at.nowMs };
    if (!at.calm || at.boards.length === 0) return;
    const epochs = await epochsOf(at);
    const lost = states.filter((state) => this.#isLost(state, at, epochs));
    this.#lost = new Set(lost.map(idOf));
    if (at.nowMs !== at.repairedMs) return;
    const moments = [...at.repairedBoards, ...at.boards].map((quotes) => momentOf(at, quotes));
    this.#waited = new Set([...lost, ...waitingAmong(states, moments)].map(idOf));
  }

  /** Whether the prices of now may be older than ones that were lost with their feed, at this calm observation. */
  awaitsLost(state: AccountState): boolean {
    return this.#lost.has(state.accountId);
  }

  /** Whether it waited at the last repair: its work is done by the next housekeeping after its price came. */
  waited(state: AccountState): boolean {
    return this.#waited.has(state.accountId);
  }

  /**
   * Whether the feed at whose quotes the account was decided has ended, and a pair of it got none of a later feed yet:
   * a lost quote may be newer than the one that is shown, until it would be stale.
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

export function momentOf(
  { nowMs, instruments }: Pick<Observation, "nowMs" | "instruments">,
  quotes: Moment["quotes"],
): Moment {
  return { now: unixMs(nowMs), quotes, instruments };
}

/** The feeds whose quotes the accounts were last decided at. */
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

/** The accounts that at least one board may not judge. */
function waitingAmong(
  states: readonly AccountState[],
  moments: readonly Moment[],
): readonly AccountState[] {
  return states.filter(({ positions }) =>
    moments.some((moment) => !mayJudge(positions, moment, "clock")),
  );
}
