import type { Clock } from "@propgate/base";
import {
  type AccountId,
  type AccountState,
  type ActionId,
  type CorporateAction,
  type Event,
  isActionPending,
  type UnixMs,
} from "@propgate/core";
import { partitionOf } from "../../storage/rows/partition.ts";
import type { PerShard } from "../../storage/shards/per-shard.ts";
import type { PartitionFilter } from "../../storage/stores/account-store.ts";
import type {
  ActionHolder,
  CorporateActionStore,
} from "../../storage/stores/corporate-action-store.ts";
import type { Executor } from "../executor-port.ts";
import type { Ownership } from "../ownership.ts";
import type { StateCache } from "../state-cache.ts";
import { isDatabaseFailure, isRetryable } from "../try-later.ts";
import type { ActionDesk } from "./action-desk.ts";

/**
 * Carries out due corporate actions on every account that holds the pair. The network itself carries out due actions
 * before any other command of an account, so the runner is for accounts without other commands. Each action is carried
 * out on an account only once, because the account's state names the actions that it has had. @rule D11.once
 */
export interface ActionRunner {
  /**
   * Returns the number of accounts that had an action. Rejects when the database fails; the remaining accounts stay
   * due.
   */
  run(): Promise<number>;
}

/** The number of accounts that one search statement returns. The action is carried out on these accounts together. */
const PAGE = 100;
/**
 * This long after an action's moment and its announcement, no node's clock is before the moment, and every node knows
 * the action.
 */
const FINAL_AFTER_MS = 60_000;
/** The time after which a search that left an account unfinished is repeated. */
const REPEAT_AFTER_MS = 5_000;

/** The accounts of one database on which this node carries out actions. */
export interface ActionHolders {
  readonly store: Pick<CorporateActionStore, "findHoldersWithout">;
  /** The partitions of this node; all when absent. */
  readonly ownership?: Pick<Ownership, "partitions"> | undefined;
}

interface CarryOutOptions {
  readonly store: Pick<CorporateActionStore, "end">;
  /** One for each database. */
  readonly holders: PerShard<ActionHolders>;
  readonly desk: Pick<ActionDesk, "announced" | "refresh">;
  readonly executor: Executor;
  readonly states: Pick<StateCache, "readUncached">;
  readonly clock: Clock;
  /** Called once for an account whose action throws; the other accounts go on. */
  readonly onFault: (cause: unknown) => void;
}

/** A database that fails does not delay accounts on other databases. Its own accounts follow when it works again. */
export function createActionRunner(options: CarryOutOptions): ActionRunner {
  const { store, desk, clock, holders } = options;
  const searches = holders.map((of) => createSearch({ ...options, ...of }));

  const carryOut = async (action: CorporateAction, tally: Tally): Promise<void> => {
    const areDone = await awaitAll(searches.map((search) => search.carryOutOwn(action, tally)));
    const finalMs = Math.max(action.atMs, action.announcedAtMs) + FINAL_AFTER_MS;
    if (clock.now() < finalMs || areDone.includes(false)) return;
    const areOver = await awaitAll(searches.map((search) => search.isOver(action)));
    if (areOver.includes(false)) return;
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

/** Waits for all of the work, then rejects with the first failure or resolves with the values. */
async function awaitAll<Value>(work: readonly Promise<Value>[]): Promise<readonly Value[]> {
  const ends = await Promise.allSettled(work);
  return ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
}

/** The search for the accounts of one database that still need an action. */
interface Search {
  /** Carries out the action on this node's accounts. True when none of them still needs it. */
  carryOutOwn(action: CorporateAction, tally: Tally): Promise<boolean>;
  /**
   * True when no account of any node still needs the action. Another node may have been stopped, or have an account
   * that waits for a price, so only the accounts themselves can prove that the action is done.
   */
  isOver(action: CorporateAction): Promise<boolean>;
}

function createSearch(
  options: Pick<CarryOutOptions, "executor" | "states" | "clock" | "onFault"> & ActionHolders,
): Search {
  const { store, clock, ownership } = options;
  /**
   * For each action, the partitions in which no account of this node still needs it. A partition that this node takes
   * over later may have accounts that a dead node had not found yet.
   */
  const searched = new Map<ActionId, readonly number[]>();
  /**
   * For each action, the last account of those, sorted by id, of which none needs the action any more. They never need
   * it again, because no holding from before the action can be opened after it.
   */
  const doneTo = new Map<ActionId, AccountId>();
  const owns = (account: AccountId): boolean =>
    ownership === undefined || ownership.partitions().includes(partitionOf(account));
  const faults = new Set<string>();
  const unfinished = { own: createPauses(clock), all: createPauses(clock) };

  /** Runs the account's due work. True when the account does not need the action any more. */
  const pass = async (accountId: AccountId, action: CorporateAction, tally: Tally) => {
    try {
      const command = { type: "passTime" } as const;
      const done = await options.executor.submit({ accountId, command, origin: { by: "clock" } });
      if (done.ok && done.events.some((event) => carriesOut(event, action))) tally.accounts += 1;
      // Earlier work of the account may wait for a price, and then the action waits too.
      return !done.ok || isDone(done.account.state, action);
    } catch (cause) {
      if (isDatabaseFailure(cause)) throw cause;
      if (isRetryable(cause)) return false;
      const fault = `${accountId} ${action.id}`;
      if (!faults.has(fault)) options.onFault(cause);
      faults.add(fault);
      return false;
    }
  };

  /** True when no account in these partitions still needs the action. Null selects all partitions. */
  const search = async (
    action: CorporateAction,
    partitions: readonly number[] | null,
    tally: Tally,
  ): Promise<boolean> => {
    let isOver = true;
    for await (const page of pagesOf(store, action, { after: null, partitions })) {
      const done = await Promise.all(page.map(({ accountId }) => pass(accountId, action, tally)));
      if (done.includes(false)) isOver = false;
    }
    return isOver;
  };

  /**
   * True when no account of the page still needs the action; an account that cannot be read counts as needing it.
   * Records in `doneTo` the last account before the first one that still needs the action.
   */
  const isPageOver = async (page: readonly ActionHolder[], action: CorporateAction) => {
    const states = await options.states.readUncached(page);
    const done = states.filter(({ state }) => isDone(state, action));
    const ids = new Set(done.map(({ state }) => state.accountId));
    const left = page.find(({ accountId }) => !ids.has(accountId));
    const last = left === undefined ? page.at(-1) : page[page.indexOf(left) - 1];
    if (last !== undefined) doneTo.set(action.id, last.accountId);
    if (left === undefined) return true;
    // A node with a slower clock may have decided the account after the search, before this node took it over.
    if (owns(left.accountId)) searched.delete(action.id);
    return false;
  };

  return {
    async carryOutOwn(action, tally) {
      const { id } = action;
      const partitions = ownership?.partitions() ?? null;
      const known = searched.get(id);
      if (known !== undefined && isWithin(partitions ?? [], known)) return true;
      if (unfinished.own.isRunning(id)) return false;
      const isOver = await search(action, partitions, tally);
      if (isOver) searched.set(id, partitions ?? []);
      else unfinished.own.begin(id);
      return isOver;
    },
    async isOver(action) {
      const { id } = action;
      if (unfinished.all.isRunning(id)) return false;
      const from = { after: doneTo.get(id) ?? null, partitions: null };
      for await (const page of pagesOf(store, action, from)) {
        if (await isPageOver(page, action)) continue;
        unfinished.all.begin(id);
        return false;
      }
      return true;
    },
  };
}

/** The pauses after searches that left an account unfinished. */
function createPauses(clock: Clock) {
  const begunAtMs = new Map<ActionId, UnixMs>();
  return {
    begin: (id: ActionId): void => void begunAtMs.set(id, clock.now()),
    isRunning(id: ActionId): boolean {
      const sinceMs = clock.now() - (begunAtMs.get(id) ?? 0);
      // A negative value means that the clock was ahead when the search ended, which may be why an account was left.
      return sinceMs >= 0 && sinceMs < REPEAT_AFTER_MS;
    },
  };
}

async function* pagesOf(
  store: ActionHolders["store"],
  action: CorporateAction,
  from: { readonly after: AccountId | null } & PartitionFilter,
): AsyncGenerator<readonly ActionHolder[]> {
  let { after } = from;
  for (;;) {
    const page = await store.findHoldersWithout(action, { ...from, after, limit: PAGE });
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.accountId ?? null;
  }
}

/** True when the account does not need the action: it has had the action, or holds nothing that the action affects. */
function isDone(state: AccountState, action: CorporateAction): boolean {
  return !isActionPending(state, action, { now: action.atMs });
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
