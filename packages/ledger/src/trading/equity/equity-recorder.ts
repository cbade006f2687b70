import { isDeepStrictEqual } from "node:util";
import { type AccountId, type Moment, unixMs } from "@propgate/core";
import type { Queryable } from "../../storage/databases/database.ts";
import type { EquityFigures } from "../../storage/rows/equity-figures.ts";
import type { AccountEquity, EquityStore } from "../../storage/stores/equity-store.ts";
import type { Executor, VersionedState } from "../executor-port.ts";
import { createExposedPages } from "../exposed-pages.ts";
import { putRecent } from "../network/history/recent-entries.ts";
import type { PresentAccounts } from "../network/present-account.ts";
import type { Ownership } from "../ownership.ts";
import { presentFigures } from "./equity-figures.ts";

/** Records the equity of accounts once a minute, when it has changed. */
export interface EquityRecorder {
  /** Call this about once a second; it reads one page of accounts at most. */
  tick(): Promise<void>;
}

const MINUTE_MS = 60_000;
/**
 * The number of accounts that one call of `tick` records. 100,000 accounts with open positions take about two minutes.
 */
const PAGE = 1_000;
/** The number of accounts whose last recorded equity is kept in memory. */
const REMEMBERED_MAX = 200_000;

/** One round over the accounts whose equity may have changed. */
interface Round {
  /** Accounts that a command has changed and that are not recorded yet. */
  moved: readonly AccountId[];
}

/**
 * Starts a round with each minute: first the accounts that this process changed, then all accounts with open positions
 * or pending orders, because prices move their equity. Figures that are the same as the last recorded ones are not
 * recorded again.
 */
export function createEquityRecorder(options: {
  readonly database: Queryable;
  /** The partitions whose accounts this node records; all when absent. */
  readonly ownership?: Ownership | undefined;
  readonly store: Pick<EquityStore, "add">;
  readonly executor: Pick<Executor, "onCommit">;
  readonly present: Pick<PresentAccounts, "read" | "moment">;
}): EquityRecorder {
  const { store, present } = options;
  const exposed = createExposedPages({ ...options, limit: PAGE });
  const moved = new Set<AccountId>();
  const written = new Map<AccountId, EquityFigures>();
  let round: Round | null = null;
  let minute: number | null = null;
  options.executor.onCommit((accounts) => {
    for (const { state } of accounts) moved.add(state.accountId);
  });

  const write = async (accounts: readonly (VersionedState | null)[]): Promise<void> => {
    const moment = present.moment();
    const points = accounts.flatMap((account) => {
      const point = account === null ? null : pointOf(account, moment);
      return point === null || isSame(point, written.get(point.accountId)) ? [] : [point];
    });
    await store.add(points);
    for (const point of points) {
      putRecent(written, { key: point.accountId, value: point, max: REMEMBERED_MAX });
    }
  };
  const movedPage = async (current: Round): Promise<void> => {
    const page = current.moved.slice(0, PAGE);
    await write(await Promise.all(page.map((id) => present.read({ accountId: id, version: 0 }))));
    current.moved = current.moved.slice(PAGE);
  };
  /** Records one page; true when it was the last one. */
  const exposedPage = async (): Promise<boolean> => {
    const { accounts, isLast } = await exposed.next();
    await write(await Promise.all(accounts.map((at) => present.read(at))));
    return isLast;
  };

  return {
    async tick() {
      const now = minuteOf(present.moment());
      if (round === null) {
        if (minute === now) return;
        const isFirst = minute === null;
        minute = now;
        // The first call comes in the middle of a minute, so the first round starts with the next minute.
        if (isFirst) return;
        round = { moved: [...moved] };
        moved.clear();
      }
      if (round.moved.length > 0) await movedPage(round);
      else if (await exposedPage()) round = null;
    },
  };
}

function minuteOf({ now }: Moment): number {
  return now - (now % MINUTE_MS);
}

/**
 * The account's point, with its time rounded down to the minute, so that several nodes record the same moment. Null
 * while an open position has no price.
 */
function pointOf(account: VersionedState, moment: Moment): AccountEquity | null {
  const figures = presentFigures(account.state, moment);
  if (figures === null) return null;
  return { ...figures, accountId: account.state.accountId, atMs: unixMs(minuteOf(moment)) };
}

function isSame(point: EquityFigures, before: EquityFigures | undefined): boolean {
  return (
    before !== undefined &&
    point.equity === before.equity &&
    point.balance === before.balance &&
    isDeepStrictEqual(point.floors, before.floors)
  );
}
