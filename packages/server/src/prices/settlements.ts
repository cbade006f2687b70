import type { AccountId } from "@propgate/core";
import type { Executor, VersionedState } from "../network/executor-port.ts";

export interface SettlementsOptions {
  readonly executor: Executor;
  /** Told what a settlement has made of an account. */
  readonly observe: (account: VersionedState) => void;
  readonly onFault: (cause: unknown) => void;
}

/** The accounts that prices have reached and that the network is busy settling. */
export interface Settlements {
  /** One settlement of an account at a time; nominated meanwhile, it has another turn. */
  nominate(accountId: AccountId): void;
  readonly pending: number;
  /** Resolves when the accounts that are pending now have settled, their follow-ups included. */
  current(): Promise<void>;
  /** Resolves when none is pending. */
  all(): Promise<void>;
}

export function createSettlements(options: SettlementsOptions): Settlements {
  const running = new Map<AccountId, Promise<void>>();
  const again = new Set<AccountId>();

  const settle = async (accountId: AccountId): Promise<void> => {
    // It is in the list of the running before anything can end it.
    await Promise.resolve();
    do {
      again.delete(accountId);
      try {
        const execution = await options.executor.submit({
          accountId,
          command: { type: "settlePrices" },
          origin: { by: "market" },
        });
        if (execution.ok) options.observe(execution.account);
      } catch (cause) {
        options.onFault(cause);
        break;
      }
    } while (again.has(accountId));
    again.delete(accountId);
    running.delete(accountId);
  };
  const current = async () => {
    await Promise.all(running.values());
  };

  return {
    nominate(accountId) {
      if (running.has(accountId)) {
        again.add(accountId);
        return;
      }
      running.set(accountId, settle(accountId));
    },
    get pending() {
      return running.size;
    },
    current,
    async all() {
      while (running.size > 0) await current();
    },
  };
}
