import {
  type AccountId,
  type ActionId,
  type CorporateAction,
  type Event,
  isPendingOn,
} from "@propgate/core";
import type { Clock } from "../../base/clock.ts";
import type { CorporateActionStore } from "../../storage/stores/prices/corporate-action-store.ts";
import type { Executor } from "../executor-port.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import type { Ownership } from "../ownership.ts";
import { isForLater } from "../try-later.ts";
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
/** The last search runs this long after the moment: by then, no node's clock is still before it. */
const FINAL_AFTER_MS = 60_000;
/** With several nodes, every node has searched its own partitions by then, and those of a node that died. */
const FINAL_OF_NODES_MS = 3_600_000;
/** A search that found an account which must wait is repeated after this time. */
const REPEAT_AFTER_MS = 5_000;

export function createCarryOutActions(options: {
  readonly store: CorporateActionStore;
  readonly desk: Pick<ActionDesk, "announced" | "refresh">;
  readonly executor: Executor;
  /** The accounts that this node finds; all unless given. */
  readonly ownership?: Ownership | undefined;
  readonly clock: Clock;
  /** Called once for an account whose action throws; the other accounts go on. */
  readonly onFault: (cause: unknown) => void;
}): CarryOutActions {
  const { store, desk, clock, ownership } = options;
  const finalAfterMs = ownership === undefined ? FINAL_AFTER_MS : FINAL_OF_NODES_MS;
  /** Actions whose first search found no account left. */
  const searched = new Set<ActionId>();
  const faults = new Set<string>();
  /** When an unfinished search is repeated. */
  const repeatAtMs = new Map<ActionId, number>();

  /** True when the account is done. */
  const pass = async (accountId: AccountId, action: CorporateAction, tally: Tally) => {
    try {
      const command = { type: "passTime" } as const;
      const done = await options.executor.submit({ accountId, command, origin: { by: "clock" } });
      if (done.ok && done.events.some((event) => carriesOut(event, action))) tally.accounts += 1;
      // Earlier work of the account may wait for a price, and the action with it.
      return !done.ok || !isPendingOn(done.account.state, action, { now: clock.now() });
    } catch (cause) {
      // The database failed, and would fail for every other account.
      if (cause instanceof UnknownFate) throw cause;
      if (isForLater(cause)) return false;
      const fault = `${accountId} ${action.id}`;
      if (!faults.has(fault)) options.onFault(cause);
      faults.add(fault);
      return false;
    }
  };

  /** True when no account is left. */
  const search = async (action: CorporateAction, tally: Tally): Promise<boolean> => {
    const partitions = ownership?.partitions() ?? null;
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

  const carryOut = async (action: CorporateAction, tally: Tally): Promise<void> => {
    const { id, atMs } = action;
    const isFinal = clock.now() >= atMs + finalAfterMs;
    if (searched.has(id) && !isFinal) return;
    if (clock.now() < (repeatAtMs.get(id) ?? 0)) return;
    if (!(await search(action, tally))) {
      repeatAtMs.set(id, clock.now() + REPEAT_AFTER_MS);
      return;
    }
    repeatAtMs.delete(id);
    searched.add(id);
    if (!isFinal) return;
    await store.end(id, { status: "carriedOut", atMs: clock.now() });
    searched.delete(id);
  };

  return {
    async run() {
      const tally: Tally = { accounts: 0 };
      const due = desk.announced.filter(({ atMs }) => atMs <= clock.now());
      for (const action of due) await carryOut(action, tally);
      if (due.length > 0) await desk.refresh();
      return tally.accounts;
    },
  };
}

interface Tally {
  accounts: number;
}

function carriesOut(event: Event, { id }: CorporateAction): boolean {
  return (event.type === "sharesSplit" || event.type === "dividendPaid") && event.actionId === id;
}
