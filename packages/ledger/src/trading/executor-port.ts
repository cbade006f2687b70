import type {
  AccountId,
  AccountState,
  Bests,
  Command,
  Event,
  PairId,
  Refusal,
  TraderCommand,
  UnixMs,
} from "@propgate/core";
import type { QuotePlace } from "../storage/rows/quote-place.ts";
import type { Origin, TraderReceipt } from "./network/port.ts";

/** An account as committed: its state and the journal sequence number that made it. */
export interface VersionedState {
  readonly version: number;
  readonly state: AccountState;
  /** The hash of the journal line that made this version; absent when it is not known here. */
  readonly headHash?: Uint8Array;
}

/** The result of a command that was carried out. */
export interface Executed {
  readonly ok: true;
  readonly events: readonly Event[];
  readonly account: VersionedState;
  /** The receipt of a trader's command; null for every other command. */
  readonly receipt: TraderReceipt | null;
}

export type Execution = Executed | { readonly ok: false; readonly refusal: Refusal };

export interface Submission {
  readonly accountId: AccountId;
  readonly command: Command;
  readonly origin: Origin;
  /**
   * Identifies a command without a nonce that one node forwards to another, or that its client may repeat: a receipt
   * commits with it. Undefined for other commands.
   */
  readonly commandId?: string | undefined;
  /** True: the command may have been carried out before; then it is not refused, and gets that result. */
  readonly isRepeat?: boolean;
  /** Another node has forwarded the command to this one; `again`: it may have been carried out before. */
  readonly forwarded?: "first" | "again";
  /** When the request of a trader's command arrived; undefined for every other command. */
  readonly receivedAtMs?: UnixMs | undefined;
}

/** A trader's command: its execution has an answer, which is committed with the command's receipt if it has one. */
export interface TraderSubmission extends Submission {
  readonly command: TraderCommand;
  readonly receivedAtMs: UnixMs;
}

/**
 * The best prices that the account's trailing stops have followed since this version of it. Undefined
 * when there are none, or when another version is watched: then its events have recorded them.
 */
export type BestsOf = (accountId: AccountId, version: number) => Bests | undefined;

/** The quotes that an account was decided at, and those that its next decision may read. */
export interface DecidedQuotes {
  /** The newest quote that a decision on the account has read. */
  readonly place: QuotePlace;
  /**
   * The newest epoch that a process found to have lost quotes which the account was decided at; 0 when there is none.
   */
  readonly lostEpoch: number;
  /** True when this process made the account's last decision. */
  readonly isDecidedHere: boolean;
  /** The pairs whose quotes the next decision may read. */
  readonly pairs: () => Iterable<PairId>;
}

/** Holds back decisions until the quotes of the feed have come here. */
export interface QuoteBarrier {
  /** True when none of the pairs can show an older quote here than the account was decided at. */
  allows(quotes: DecidedQuotes): boolean;
  /** The newest epoch that is known to have lost quotes which the account was decided at; 0 when there is none. */
  lostEpoch(quotes: DecidedQuotes): number;
  /**
   * Resolves with true when it does, and with false when it does not after `forMs`. Calls resolve in their order, and
   * none immediately.
   */
  wait(quotes: DecidedQuotes, forMs: number): Promise<boolean>;
}

/**
 * Another node has decided the account at newer quotes than this one has. Nothing happened; it may be tried again.
 * Commands of the market and of the clock end with it; all others wait.
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
 * Carries out commands. Commands that arrive while a batch commits are decided together in the next
 * transaction, and each is answered after its commit. A refusal means that nothing happened. A
 * rejected promise means that the fate is unknown (the database failed), or, with `NotCarriedOut`,
 * that nothing happened and never will, or, with `NotOwner`, that nothing happened here.
 */
export interface Executor {
  submit(submission: Submission): Promise<Execution>;
  /** Resolves when everything submitted so far has been answered. */
  idle(): Promise<void>;
  onCommit(listener: CommitListener): void;
  /** Called with accounts whose commands may have committed without an answer. */
  onUnknownFate(listener: (accounts: ReadonlySet<AccountId>) => void): void;
}

export function isTraderSubmission(submission: Submission): submission is TraderSubmission {
  return submission.receivedAtMs !== undefined;
}

/** Commands of prices and of the clock, which their sources make again. */
export function isOfMarketOrClock({ origin }: Pick<Submission, "origin">): boolean {
  return origin.by === "market" || origin.by === "clock";
}
