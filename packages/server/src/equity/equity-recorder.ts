import { type AccountId, accountId, type Moment, unixMs } from "@propgate/core";
import type { Executor, VersionedState } from "../network/executor-port.ts";
import { putRecent } from "../network/history/recent-entries.ts";
import type { PresentAccounts } from "../network/present-account.ts";
import { exposedVersions } from "../storage/account-rows.ts";
import type { Queryable } from "../storage/database.ts";
import type { AccountEquity, EquityStore } from "../storage/stores/equity-store.ts";
import { type EquityFigures, presentFigures } from "./equity-figures.ts";

/** Writes down what accounts are worth, once a minute. */
export interface EquityRecorder {
  /** To be called about once a second; looks at no more than a page of accounts. */
  tick(): Promise<void>;
}

const MINUTE_MS = 60_000;
/** Accounts of one call: a hundred thousand with something open have their turn in two minutes. */
const PAGE = 1_000;
/** Of whom it is known what was written last. */
const REMEMBERED_MAX = 200_000;

/** One look at everybody it may concern. */
interface Round {
  /** Accounts that were moved by a command, still to come. */
  moved: readonly AccountId[];
  /** The last account with something open that was looked at. */
  after: string | null;
}

/**
 * Goes round, beginning with each minute: first over the accounts that this process has moved, then
 * over all that have something open, for their equity moves with the prices. What is worth the same
 * as before is not written again.
 */
export function createEquityRecorder(need: {
  readonly database: Queryable;
  readonly store: Pick<EquityStore, "add">;
  readonly executor: Pick<Executor, "onCommit">;
  readonly present: Pick<PresentAccounts, "read" | "moment">;
}): EquityRecorder {
  const { store, present } = need;
  const moved = new Set<AccountId>();
  const written = new Map<AccountId, EquityFigures>();
  let round: Round | null = null;
  let minute: number | null = null;
  need.executor.onCommit((accounts) => {
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
      putRecent(written, { key: point.accountId, value: point, most: REMEMBERED_MAX });
    }
  };
  const movedPage = async (current: Round): Promise<void> => {
    const page = current.moved.slice(0, PAGE);
    await write(await Promise.all(page.map((id) => present.read({ accountId: id, version: 0 }))));
    current.moved = current.moved.slice(PAGE);
  };
  /** True when it was the last page. */
  const exposedPage = async (current: Round): Promise<boolean> => {
    const page = await exposedVersions(need.database, { after: current.after, limit: PAGE });
    const ats = page.map((one) => ({ ...one, accountId: accountId(one.accountId) }));
    await write(await Promise.all(ats.map((at) => present.read(at))));
    current.after = page.at(-1)?.accountId ?? null;
    return page.length < PAGE;
  };

  return {
    async tick() {
      const now = minuteOf(present.moment());
      if (round === null) {
        if (minute === now) return;
        const isFirst = minute === null;
        minute = now;
        // A round begins with a minute, which the one that is running has not.
        if (isFirst) return;
        round = { moved: [...moved], after: null };
        moved.clear();
      }
      if (round.moved.length > 0) await movedPage(round);
      else if (await exposedPage(round)) round = null;
    },
  };
}

function minuteOf({ now }: Moment): number {
  return now - (now % MINUTE_MS);
}

/** At the beginning of the minute, so that several nodes come to the same point. */
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
    point.dailyFloor === before.dailyFloor &&
    point.maxFloor === before.maxFloor
  );
}
