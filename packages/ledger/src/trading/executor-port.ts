import type {
  AccountId,
  AccountState,
  BestQuotes,
  Command,
  Event,
  PairId,
  Refusal,
  TraderCommand,
  UnixMs,
} from "@propgate/core";
import type { QuotePosition } from "../storage/rows/quote-position.ts";
import type { Origin, TraderReceipt } from "./network/port.ts";

/** An account as committed. `version` is the number of the journal line that led to the state. */
export interface VersionedState {
  readonly version: number;
  readonly state: AccountState;
  /** The hash of the journal line that made this version; absent when the source of the account does not know it. */
  readonly headHash?: Uint8Array;
}

/** The result of a command that was carried out. */
export interface ExecutedCommand {
  readonly ok: true;
  readonly events: readonly Event[];
  readonly account: VersionedState;
  /** The receipt of a trader's order; null for every other command. */
  readonly receipt: TraderReceipt | null;
}

/** The result of a command: it was carried out, or the network refused it. */
export type Execution = ExecutedCommand | { readonly ok: false; readonly refusal: Refusal };

/** A command on an account, and its sender. */
export interface Submission {
  readonly accountId: AccountId;
  readonly command: Command;
  readonly origin: Origin;
  /**
   * Identifies a command that has no nonce and that one node forwards to another, or that its client may repeat. A
   * receipt with this id is committed with the command. Undefined for other commands.
   */
  readonly commandId?: string | undefined;
  /**
   * True when the command may have been carried out before. If it was, the earlier result is the answer instead of a
   * refusal.
   */
  readonly isRepeat?: boolean;
  /** Set when another node has forwarded the command to this one. `again`: it may have been carried out before. */
  readonly forwarded?: "first" | "again";
  /** When the request of a trader's command arrived; undefined for every other command. */
  readonly receivedAtMs?: UnixMs | undefined;
}

/**
 * A trader's command. Its execution has a `TraderReceipt`, from which its answer is made. If the command has a stored
 * receipt, the parts of the answer are committed with it.
 */
export interface TraderSubmission extends Submission {
  readonly command: TraderCommand;
  readonly receivedAtMs: UnixMs;
}

/**
 * The quotes with the best prices that the account's trailing stops have followed since this version of the account.
 * Undefined when no stop has followed a better price, or when the process watches another version of the account.
 */
export type BestQuotesLookup = (accountId: AccountId, version: number) => BestQuotes | undefined;

/** The quotes that decisions on an account have read, and the pairs that its next decision may read. */
export interface DecidedQuotes {
  /** The place (epoch and number) of the newest quote that a decision on the account has read. */
  readonly place: QuotePosition;
  /**
   * The newest epoch among the quotes that decisions on the account had read and that were lost with their process; 0
   * when none was lost.
   */
  readonly lostEpoch: number;
  /** True when this process made the account's last decision. */
  readonly isDecidedHere: boolean;
  /** The pairs whose quotes the next decision may read. */
  readonly pairs: () => Iterable<PairId>;
}

/** Holds back decisions until this process shows the quotes that they need. */
export interface QuoteBarrier {
  /**
   * True when the account may be decided here. False when one of the pairs may show an older quote here than an earlier
   * decision on the account has read, and that earlier quote could still be fresh.
   */
  allows(quotes: DecidedQuotes): boolean;
  /**
   * The newest epoch among the lost quotes that decisions on the account had read; 0 when none was lost. It is
   * `lostEpoch` of the argument, or the epoch of its `place` when the quote at `place` is lost too.
   */
  lostEpoch(quotes: DecidedQuotes): number;
  /**
   * Waits until `allows` returns true, and resolves with true. Resolves with false when that has not happened after
   * `forMs`. Calls resolve in their order, and never immediately.
   */
  wait(quotes: DecidedQuotes, forMs: number): Promise<boolean>;
}

/**
 * Another node has decided the account at newer quotes than this one has. The command had no effect and may be tried
 * again. Commands of the market and of the clock end with this error; all others wait.
 */
export class QuotesBehind extends Error {
  override readonly name = "QuotesBehind";

  constructor() {
    super("the account was decided at newer quotes than this node has");
  }
}

/** Called after each commit, in commit order, with every account whose version changed. */
export type CommitListener = (accounts: readonly VersionedState[]) => void;

/**
 * Carries out commands. Commands that arrive while a batch commits are decided together in the next transaction, and
 * each is answered after its commit. A refused command had no effect. When the promise is rejected, the cause shows the
 * fate. `UnknownFate`: the command may have been carried out. `NotCarriedOut`: it was not and never will be. Any other
 * cause: it had no effect.
 */
export interface Executor {
  submit(submission: Submission): Promise<Execution>;
  /** Resolves when everything submitted so far has been answered. */
  idle(): Promise<void>;
  onCommit(listener: CommitListener): void;
  /** Called with the accounts of commands that may have committed without an answer. */
  onUnknownFate(listener: (accounts: ReadonlySet<AccountId>) => void): void;
}

/** True for a trader's command: only its submission has `receivedAtMs`. */
export function isTraderSubmission(submission: Submission): submission is TraderSubmission {
  return submission.receivedAtMs !== undefined;
}

/** True for commands of the market and of the clock. When such a command fails, its sender makes it again. */
export function isOfMarketOrClock({ origin }: Pick<Submission, "origin">): boolean {
  return origin.by === "market" || origin.by === "clock";
}
