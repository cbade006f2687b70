import type { Clock } from "@propgate/base";
import {
  type AccountId,
  type ActionId,
  type CorporateAction,
  type Event,
  isPendingOn,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { PerShard } from "../../storage/shards/per-shard.ts";
import type { CorporateActionStore } from "../../storage/stores/prices/corporate-action-store.ts";
import type { Executor } from "../executor-port.ts";
import type { Ownership } from "../ownership.ts";
import { isForLater, isOfDatabase } from "../try-later.ts";
import type { ActionDesk } from "./action-desk.ts";

/**
 * Carries out due corporate actions on every account that holds the pair. The network does it itself before any other
 * command of the account, so this only finds the accounts that nothing else happens to. An account has each action
 * once: its state names the actions it has had. @rule D11.once
 */
export interface CarryOutActions {
  /** Returns the number of accounts that had an action. Rejects when the database fails; the rest stays due. */
  run(): Promise<number>;
}

/** Accounts of one transaction. */
const PAGE = 100;
/** The last search runs this long after the moment, when no node's clock is before it any more. */
const FINAL_AFTER_MS = 60_000;
/**
 * With several nodes: within this time every node has searched its own partitions, and those of a node that died. It
 * counts from this node's own first search, because all of them may have been down, or asleep, at the moment.
 */
const FINAL_OF_NODES_MS = 3_600_000;
/** A search that found an account which must wait is repeated after this time. */
const REPEAT_AFTER_MS = 5_000;

/** The accounts of one database that this node finds. */
export interface ActionHolders {
  readonly store: Pick<CorporateActionStore, "without">;
  /** All of them unless given. */
  readonly ownership?: Pick<Ownership, "partitions"> | undefined;
}

interface CarryOutOptions {
  readonly store: Pick<CorporateActionStore, "end">;
  /** One for each database. */
  readonly holders: PerShard<ActionHolders>;
  readonly desk: Pick<ActionDesk, "announced" | "refresh">;
  readonly executor: Executor;
  readonly clock: Clock;
  /** Called once for an account whose action throws; the other accounts go on. */
  readonly onFault: (cause: unknown) => void;
}

/** A database that fails does not delay the accounts of the others; its own are found when it works again. */
export function createCarryOutActions(options: CarryOutOptions): CarryOutActions {
  const { store, desk, clock, holders } = options;
  const begunAtMs = new Map<ActionId, UnixMs>();
  const finalAtMs = ({ id, atMs }: CorporateAction): number => {
    if (holders[0].ownership === undefined) return atMs + FINAL_AFTER_MS;
    const now = clock.now();
    // A clock that was ahead for a moment would keep the action from its end.
    const begunMs = unixMs(Math.min(begunAtMs.get(id) ?? now, now));
    begunAtMs.set(id, begunMs);
    return begunMs + FINAL_OF_NODES_MS;
  };
  const searches = holders.map((of) => createSearch({ ...options, ...of }));

  const carryOut = async (action: CorporateAction, tally: Tally): Promise<void> => {
    const isFinal = clock.now() >= finalAtMs(action);
    const areDone = await all(searches.map((search) => search(action, { isFinal, tally })));
    if (!isFinal || areDone.includes(false)) return;
    await store.end(action.id, { status: "carriedOut", atMs: clock.now() });
  };

  return {
    async run() {
      const tally: Tally = { accounts: 0 };
      const due = desk.announced.filter(({ atMs }) => atMs <= clock.now());
      const failures: unknown[] = [];
      for (const action of due) {
        await carryOut(action, tally).catch((cause: unknown) => failures.push(cause));
      }
      if (failures.length > 0) throw failures[0];
      if (due.length > 0) await desk.refresh();
      return tally.accounts;
    },
  };
}

/** Rejects with the first failure when all have ended. */
async function all<Value>(work: readonly Promise<Value>[]): Promise<readonly Value[]> {
  const ends = await Promise.allSettled(work);
  return ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
}

/** Searches the accounts of one database; true when none is left. */
type Search = (
  action: CorporateAction,
  as: { readonly isFinal: boolean; readonly tally: Tally },
) => Promise<boolean>;

function createSearch(
  options: Pick<CarryOutOptions, "executor" | "clock" | "onFault"> & ActionHolders,
): Search {
  const { store, clock, ownership } = options;
  /**
   * Actions whose first search found no account left, and those whose last one did, with the partitions that were
   * searched. One that this node took over since may have accounts of a node that died before it found them.
   */
  const searched = {
    first: new Map<ActionId, readonly number[]>(),
    last: new Map<ActionId, readonly number[]>(),
  };
  const faults = new Set<string>();
  /** When a search ended that was not finished. */
  const unfinishedAtMs = new Map<ActionId, UnixMs>();

  /** True when the account is done. */
  const pass = async (accountId: AccountId, action: CorporateAction, tally: Tally) => {
    try {
      const command = { type: "passTime" } as const;
      const done = await options.executor.submit({ accountId, command, origin: { by: "clock" } });
      if (done.ok && done.events.some((event) => carriesOut(event, action))) tally.accounts += 1;
      // Earlier work of the account may wait for a price, and the action with it.
      return !done.ok || !isPendingOn(done.account.state, action, { now: clock.now() });
    } catch (cause) {
      if (isOfDatabase(cause)) throw cause;
      if (isForLater(cause)) return false;
      const fault = `${accountId} ${action.id}`;
      if (!faults.has(fault)) options.onFault(cause);
      faults.add(fault);
      return false;
    }
  };

  /** True when no account is left in these partitions; null are all. */
  const search = async (
    action: CorporateAction,
    partitions: readonly number[] | null,
    tally: Tally,
  ): Promise<boolean> => {
    let isDone = true;
    let after: AccountId | null = null;
    for (;;) {
      const page: readonly AccountId[] = await store.without(action, {
        after,
        limit: PAGE,
        partitions,
      });
      const done = await Promise.all(page.map((account) => pass(account, action, tally)));
      if (done.includes(false)) isDone = false;
      after = page.at(-1) ?? null;
      if (page.length < PAGE) return isDone;
    }
  };

  return async (action, { isFinal, tally }) => {
    const { id } = action;
    const partitions = ownership?.partitions() ?? null;
    const ended = isFinal ? searched.last : searched.first;
    const known = ended.get(id);
    if (known !== undefined && isWithin(partitions ?? [], known)) return true;
    const sinceMs = clock.now() - (unfinishedAtMs.get(id) ?? 0);
    // Below zero the clock was ahead when the search ended, and was the cause perhaps.
    if (sinceMs >= 0 && sinceMs < REPEAT_AFTER_MS) return false;
    if (!(await search(action, partitions, tally))) {
      unfinishedAtMs.set(id, clock.now());
      return false;
    }
    unfinishedAtMs.delete(id);
    ended.set(id, partitions ?? []);
    return true;
  };
}

function isWithin(some: readonly number[], all: readonly number[]): boolean {
  const known = new Set(all);
  return some.every((one) => known.has(one));
}

interface Tally {
  accounts: number;
}

function carriesOut(event: Event, { id }: CorporateAction): boolean {
  return (event.type === "sharesSplit" || event.type === "dividendPaid") && event.actionId === id;
}
