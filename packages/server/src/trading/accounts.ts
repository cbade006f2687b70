import type {
  AccountId,
  Command,
  OwnerId,
  ProTerms,
  RecordPayout,
  Refusal,
  Result,
  SeenPhase,
  Terms,
} from "@propgate/core";
import type { AccountEntry, AccountStore } from "../storage/stores/account-store.ts";
import type { Executor, VersionedState } from "./executor-port.ts";

export interface AccountToOpen {
  readonly ownerId: OwnerId;
  readonly terms: Terms;
  /** False when the account may not trade until it is provisioned. */
  readonly provisioned: boolean;
}

/** The state of a payment; a null field keeps its value. */
export type PayoutToRecord = Omit<RecordPayout, "type">;

/** Null when the account does not exist, or is linked. */
export type Change = Result<VersionedState, Refusal> | null;

/** The operator's actions on accounts; every change is a command in the account's journal. @rule D8.states */
export interface Accounts {
  open(account: AccountToOpen): Promise<AccountId>;
  /** Opens an account under a chosen id. False when that id exists already. */
  openAs(id: AccountId, account: AccountToOpen): Promise<boolean>;
  find(account: AccountId): Promise<AccountEntry | null>;
  list: AccountStore["list"];
  provision(account: AccountId): Promise<Change>;
  close(account: AccountId, seen?: SeenPhase): Promise<Change>;
  eliminate(account: AccountId, reason: string, seen?: SeenPhase): Promise<Change>;
  offerPro(account: AccountId, terms: ProTerms, seen?: SeenPhase): Promise<Change>;
  /** Moves the account to its next phase, as if it had met every objective. */
  promote(account: AccountId, seen?: SeenPhase): Promise<Change>;
  recordPayout(account: AccountId, record: PayoutToRecord): Promise<Change>;
}

export function createAccounts(options: {
  readonly executor: Executor;
  readonly store: AccountStore;
  readonly newAccountId: (owner: OwnerId) => Promise<AccountId>;
}): Accounts {
  const { executor, store, newAccountId } = options;
  const submit = async (
    id: AccountId,
    command: Command,
  ): Promise<Result<VersionedState, Refusal>> => {
    const origin = { by: "operator" } as const;
    const execution = await executor.submit({ accountId: id, command, origin });
    return execution.ok ? { ok: true, value: execution.account } : execution;
  };
  const change = async (id: AccountId, command: Command): Promise<Change> =>
    (await store.find(id))?.network === "embedded" ? submit(id, command) : null;

  const openAs: Accounts["openAs"] = async (id, account) =>
    (await submit(id, { type: "openAccount", accountId: id, ...account })).ok;

  return {
    async open(account) {
      const id = await newAccountId(account.ownerId);
      if (!(await openAs(id, account))) throw new Error("broken invariant: a new id");
      return id;
    },
    openAs,
    find: (id) => store.find(id),
    list: (page) => store.list(page),
    provision: (id) => change(id, { type: "provisionAccount" }),
    close: (id, seen) => change(id, { type: "closeAccount", ...seen }),
    eliminate: (id, reason, seen) => change(id, { type: "eliminateAccount", reason, ...seen }),
    offerPro: (id, terms, seen) => change(id, { type: "offerPro", terms, ...seen }),
    promote: (id, seen) => change(id, { type: "promote", ...seen }),
    recordPayout: (id, record) => change(id, { type: "recordPayout", ...record }),
  };
}
