import type { AccountId, OwnerId } from "@propgate/core";
import type { AccountOperations, StateCache } from "@propgate/ledger";

/**
 * The numbers of dead man's switches and orders that stay active on accounts whose keys an operator pauses, resumes or
 * revokes.
 */
export interface LeftRunning {
  /** Dead man's switches that are armed or suspended. */
  readonly armedSwitches: number;
  /** Pending orders, without the legs of positions. */
  readonly restingOrders: number;
}

/**
 * Suspends, resumes and counts the dead man's switches of accounts whose keys are paused, resumed or revoked, and
 * counts the orders of these accounts.
 */
export interface SwitchDesk {
  /** Suspends or resumes the switches of the owner's accounts. @rule D13.switchSuspended */
  suspendOrResume(owner: OwnerId, change: "suspend" | "resume"): Promise<void>;
  leftRunningOfOwner(owner: OwnerId): Promise<LeftRunning>;
  leftRunningOfAccount(account: AccountId): Promise<LeftRunning>;
}

const PAGE = 100;

export function createSwitchDesk(options: {
  readonly accounts: Pick<AccountOperations, "list" | "find" | "changeSwitch">;
  readonly states: Pick<StateCache, "read">;
}): SwitchDesk {
  const { accounts, states } = options;
  const entriesOf = async function* (ownerId: OwnerId) {
    let after: AccountId | null = null;
    for (;;) {
      const page: Awaited<ReturnType<AccountOperations["list"]>> = await accounts.list({
        ownerId,
        after,
        limit: PAGE,
      });
      yield* page.filter(({ network }) => network === "embedded");
      after = page.at(-1)?.accountId ?? null;
      if (page.length < PAGE) return;
    }
  };
  // A suspended switch counts too, because it can be resumed. @rule D13.leftRunning decides
  const runningOn = async (entry: Parameters<StateCache["read"]>[0]): Promise<LeftRunning> => {
    const account = await states.read(entry);
    if (account === null) return NOTHING;
    const { armedSwitch, suspendedSwitch, orders } = account.state;
    const isArmed = armedSwitch !== undefined || suspendedSwitch !== undefined;
    const resting = orders.filter(({ kind }) => kind !== "bracket");
    return { armedSwitches: isArmed ? 1 : 0, restingOrders: resting.length };
  };
  return {
    async suspendOrResume(owner, change) {
      for await (const { accountId } of entriesOf(owner)) {
        await accounts.changeSwitch(accountId, change);
      }
    },
    async leftRunningOfOwner(owner) {
      let all = NOTHING;
      for await (const entry of entriesOf(owner)) {
        const one = await runningOn(entry);
        all = {
          armedSwitches: all.armedSwitches + one.armedSwitches,
          restingOrders: all.restingOrders + one.restingOrders,
        };
      }
      return all;
    },
    async leftRunningOfAccount(account) {
      const entry = await accounts.find(account);
      return entry?.network === "embedded" ? runningOn(entry) : NOTHING;
    },
  };
}

const NOTHING: LeftRunning = { armedSwitches: 0, restingOrders: 0 };
