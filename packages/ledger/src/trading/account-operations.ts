import type { RepeatableCall } from "@propgate/base";
import {
  type AccountId,
  addUsd,
  type CloseAccount,
  type Command,
  type Event,
  type MicroUsd,
  microUsd,
  type OwnerId,
  type Payout,
  type ProTerms,
  type RecordPayout,
  type Refusal,
  type Result,
  type SeenPhase,
  type Terms,
} from "@propgate/core";
import type { ExternalId } from "../storage/rows/external-id.ts";
import { shardNumberOf } from "../storage/rows/shard-number.ts";
import type { AccountStore, AccountSummary } from "../storage/stores/account-store.ts";
import type { ExternalIds } from "../storage/stores/external-id-store.ts";
import type { Execution, Executor, VersionedState } from "./executor-port.ts";

/**
 * The result of opening an account with an external id: the id of the new account, or of the account that has the
 * external id (`taken`).
 */
export type OpenNamedResult = { readonly opened: AccountId } | { readonly taken: AccountId };

export interface AccountToOpen {
  readonly ownerId: OwnerId;
  readonly terms: Terms;
  /** False when the account must be provisioned before it may trade. */
  readonly provisioned: boolean;
}

/** The progress of a payment. A null field keeps its value. */
export type PayoutToRecord = Omit<RecordPayout, "type">;

/** The phase in which the operator saw the account, and the identity of a call that may be repeated. */
export interface ActContext extends SeenPhase {
  readonly act?: RepeatableCall | null;
}

/**
 * The result of a command on an account: the account after it, or the refusal; null when the account does not exist or
 * is linked.
 */
export type ChangeResult = Result<VersionedState, Refusal> | null;

/** The rewards of an account when it was closed. @rule D13.closing */
export interface ClosedRewards {
  /** The payout of the cycle that the closing ended; null when there was none. */
  readonly payout: Payout | null;
  /**
   * The amount that the closing forfeited: the share of the cycle in progress, if it was dropped, and all withheld
   * rewards.
   */
  readonly forfeited: MicroUsd;
}

/** The result of closing an account: its rewards, or the refusal; null when the account does not exist or is linked. */
export type ClosingResult = Result<ClosedRewards, Refusal> | null;

/**
 * The operator's actions on accounts. Every change is a command in the account's journal. An act that is repeated is
 * carried out once. @rule D8.states D12.repeatedWrites
 */
export interface AccountOperations {
  open(account: AccountToOpen, act?: RepeatableCall | null): Promise<AccountId>;
  /** Opens an account that has the external id from its first event on. @rule D13.externalIds */
  openWithExternalId(
    externalId: ExternalId,
    account: AccountToOpen,
    act?: RepeatableCall | null,
  ): Promise<OpenNamedResult>;
  /** Opens an account under a chosen id. False when the command is refused, as for an id that exists. */
  openWithId(id: AccountId, account: AccountToOpen, act?: RepeatableCall | null): Promise<boolean>;
  /** True when the repeatable call `act` has opened an account of the owner, under the id that the call draws. */
  wasOpened(owner: OwnerId, act: RepeatableCall): Promise<boolean>;
  /** The account that was opened with the external id; null when there is none. */
  findByExternalId(externalId: ExternalId): Promise<AccountId | null>;
  /** Gives an account an external id; see `ExternalIds`. */
  claimExternalId: ExternalIds["claim"];
  find(account: AccountId): Promise<AccountSummary | null>;
  list: AccountStore["list"];
  provision(account: AccountId, how?: ActContext): Promise<ChangeResult>;
  /** Closes the account. The cycle in progress is closed first, or dropped with `forfeit`. @rule D13.closing */
  close(
    account: AccountId,
    how?: ActContext & Pick<CloseAccount, "forfeit">,
  ): Promise<ClosingResult>;
  eliminate(account: AccountId, reason: string, how?: ActContext): Promise<ChangeResult>;
  offerPro(account: AccountId, terms: ProTerms, how?: ActContext): Promise<ChangeResult>;
  /** Moves the account to its next phase as if it had met every objective. */
  promote(account: AccountId, how?: ActContext): Promise<ChangeResult>;
  recordPayout(account: AccountId, record: PayoutToRecord, how?: ActContext): Promise<ChangeResult>;
  /** Suspends or resumes the dead man's switch. An account without one does not change. */
  changeSwitch(account: AccountId, change: "suspend" | "resume"): Promise<ChangeResult>;
}

export function createAccountOperations(options: {
  readonly executor: Executor;
  readonly store: AccountStore;
  readonly externalIds: ExternalIds;
  readonly newAccountId: (owner: OwnerId, act: RepeatableCall | null) => Promise<AccountId>;
}): AccountOperations {
  const { executor, store, externalIds, newAccountId } = options;
  const execute = (
    id: AccountId,
    command: Command,
    act: RepeatableCall | null,
  ): Promise<Execution> => {
    const once = act === null ? {} : { commandId: act.id, isRepeat: act.isRepeat };
    return executor.submit({ accountId: id, command, origin: { by: "operator" }, ...once });
  };
  /** Executes the command on an embedded account; null when the account does not exist or is linked. */
  const executeOnOwn = async (
    id: AccountId,
    command: Command,
    act: RepeatableCall | null,
  ): Promise<Execution | null> =>
    (await store.find(id))?.network === "embedded" ? execute(id, command, act) : null;
  const change = async (
    id: AccountId,
    command: Command,
    act: RepeatableCall | null = null,
  ): Promise<ChangeResult> => {
    const changed = await executeOnOwn(id, command, act);
    return changed?.ok ? { ok: true, value: changed.account } : changed;
  };

  const openAs: AccountOperations["openWithId"] = async (id, account, act = null) =>
    (await execute(id, { type: "openAccount", accountId: id, ...account }, act)).ok;

  return {
    async open(account, act = null) {
      const id = await newAccountId(account.ownerId, act);
      if (!(await openAs(id, account, act))) throw new Error("broken invariant: a new id");
      return id;
    },
    async openWithExternalId(externalId, account, act = null) {
      const own = await newAccountId(account.ownerId, act);
      const claimed = await externalIds.claim(externalId, own);
      if (claimed.is !== "taken") {
        if (await openAs(own, account, act)) return { opened: own };
        throw new Error("broken invariant: a new id");
      }
      // The id may have been claimed for an account by a process that died before it opened the account.
      const { by } = claimed;
      const mayOpen =
        shardNumberOf(by) === shardNumberOf(own) &&
        (act?.isRepeat === true || (await store.find(by)) === null);
      return mayOpen && (await openAs(by, account, act)) ? { opened: by } : { taken: by };
    },
    openWithId: openAs,
    async wasOpened(owner, act) {
      return (await store.find(await newAccountId(owner, act))) !== null;
    },
    async findByExternalId(externalId) {
      const id = await externalIds.holder(externalId);
      return id === null || (await store.find(id)) === null ? null : id;
    },
    claimExternalId: (id, account) => externalIds.claim(id, account),
    find: (id) => store.find(id),
    list: (page) => store.list(page),
    provision: (id, how) => change(id, { type: "provisionAccount" }, how?.act),
    async close(id, { act = null, ...closing } = {}) {
      const closed = await executeOnOwn(id, { type: "closeAccount", ...closing }, act);
      return closed?.ok ? { ok: true, value: rewardsOf(closed.events) } : closed;
    },
    eliminate: (id, reason, { act, ...seen } = {}) =>
      change(id, { type: "eliminateAccount", reason, ...seen }, act),
    offerPro: (id, terms, { act, ...seen } = {}) =>
      change(id, { type: "offerPro", terms, ...seen }, act),
    promote: (id, { act, ...seen } = {}) => change(id, { type: "promote", ...seen }, act),
    recordPayout: (id, record, how) => change(id, { type: "recordPayout", ...record }, how?.act),
    changeSwitch: (id, to) =>
      change(id, { type: to === "suspend" ? "suspendSwitch" : "resumeSwitch" }),
  };
}

/**
 * The rewards in the events of a closing. Late work of the same command may have closed an earlier cycle, whose payout
 * is not among them. The last cycle ended with the account.
 */
function rewardsOf(events: readonly Event[]): ClosedRewards {
  const cycles = events.filter((event) => event.type === "cycleClosed");
  const last = cycles.findLast(({ periodEndMs, atMs }) => periodEndMs >= atMs);
  const forfeited = events.map((event) => {
    if (event.type === "accountClosed") return event.forfeited ?? microUsd(0);
    return event.type === "deferralForfeited" ? event.amount : microUsd(0);
  });
  return { payout: last?.payout ?? null, forfeited: addUsd(...forfeited) };
}
