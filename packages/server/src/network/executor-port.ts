import type { AccountId, AccountState, Command, Event, Moment, Refusal } from "@propgate/core";
import type { Origin } from "./port.ts";

/** An account as committed: its state and the journal sequence number that made it. */
export interface VersionedState {
  readonly version: number;
  readonly state: AccountState;
}

/** What a command did. */
export interface Executed {
  readonly ok: true;
  readonly events: readonly Event[];
  readonly account: VersionedState;
}

export type Execution = Executed | { readonly ok: false; readonly refusal: Refusal };

export interface Submission {
  readonly accountId: AccountId;
  readonly command: Command;
  readonly origin: Origin;
  /**
   * Called with what the command does, before that commits; once more if the commit is tried again.
   * What it returns is committed with it as the receipt of the key's nonce; null: it has none.
   */
  readonly receiptOf?: (executed: Executed, moment: Moment) => string | null;
}

/** Told after a commit, in commit order, once for each account whose version moved. */
export type CommitListener = (accounts: readonly VersionedState[]) => void;

/**
 * Carries out commands: those that arrive while a batch commits are decided together in the next
 * transaction. The answer comes after the commit. A rejected promise means that the fate is
 * unknown (the database failed), or that nothing happened and never will (`NotCarriedOut`); a
 * refusal means that nothing happened.
 */
export interface Executor {
  submit(submission: Submission): Promise<Execution>;
  /** Resolves when everything submitted so far has been answered. */
  idle(): Promise<void>;
  onCommit(listener: CommitListener): void;
  /** Told of accounts whose commands may have been committed although nobody was told so. */
  onUnknownFate(listener: (accounts: ReadonlySet<AccountId>) => void): void;
}
