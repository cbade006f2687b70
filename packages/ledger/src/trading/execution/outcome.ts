import type { DecidedQuotes, Execution } from "../executor-port.ts";

/**
 * The outcome of one attempt to carry out a command. The rest of this comment describes how commands are carried out.
 *
 * **One queue.** Commands of all accounts of a database wait in one queue, in the order of their calls. While a batch
 * commits, the next commands collect. So a busy service writes many orders with one statement, and an idle one writes
 * an order immediately. Batches run one at a time: a command is decided from the state that the account's last command
 * left, and a commit listener gets the versions in their order.
 *
 * **One statement.** A batch is decided from states in memory, without a lock. Its statement compares the version of
 * each account with the database. It writes only accounts whose version is the newest, each with all its rows. It never
 * waits for an account that another session has locked: that account is left out. So one account cannot delay the
 * commands of another.
 *
 * **Every attempt has an outcome from the table `OUTCOMES`.** The loop in `executor.ts` reads the outcome's row and
 * does only what the row requires. The batch itself tries no command twice. So the table lists every reason for which a
 * command is not carried out at the first attempt, with the next step and its limit.
 *
 * **The order of one account's commands.** A command that is tried again goes before all later commands of its account.
 * Without a pause it returns to the front of the queue. With a pause it waits in the queue of its account, and so do
 * the later commands of this account, while the executor's queue goes on with other accounts. No command overtakes
 * another in an account's queue: a command whose pause is over waits for the earlier ones. Commands of an account that
 * another node owns wait in that node's queue of the account, not here.
 *
 * **Why a command waits.** Another node has changed the account since this node read it. Or another session has locked
 * the account: a stopped node, until the server drops its locks, or a person with psql. Or another node has decided the
 * account at newer quotes than this node has: at the older quotes a stop could fill at a price from before its order.
 * Or the account is moving to another node.
 *
 * **A crash** leaves whole batches: each was written with its receipts, or not at all. A command that was answered is
 * written. A command that was not answered may be written too: its fate is unknown until its receipt is read.
 */
export type CommandOutcome =
  | { readonly is: "done" | "refused"; readonly execution: Execution }
  | { readonly is: "failed" | "unknown" | "rolledBack"; readonly cause: unknown }
  | { readonly is: "awaitingQuotes"; readonly quotes: DecidedQuotes }
  | { readonly is: "changed" | "held" | "besideReceipt" | "receiptExists" }
  | { readonly is: "ownerUnknown" | "noAnswer" };

/** The next step after an outcome, with its limits. */
export type NextStep =
  /** The caller gets the execution. */
  | { readonly next: "answer" }
  /** The caller gets the cause. */
  | { readonly next: "fail" }
  /** The listeners of unknown fates are called, then the caller gets the cause. */
  | { readonly next: "report" }
  /** The caller gets the answer that the first execution had. */
  | { readonly next: "replay" }
  /** The command is decided again after the pause. After `triesMax` tries `outcome-limits.ts` ends it. */
  | { readonly next: "retry"; readonly pauseMs: number; readonly triesMax: number }
  /**
   * After the pause, the command is sent to the owner of its account, or decided here if this node owns the account by
   * then. `limitMs`: the maximum time without an owner. `answerTimeoutMs`: the time for the first answer.
   */
  | {
      readonly next: "forward";
      readonly pauseMs: number;
      readonly limitMs?: number;
      readonly answerTimeoutMs?: number;
    }
  /** The command is decided again when the quotes have come. After the limit it is refused, as for a stale quote. */
  | { readonly next: "awaitQuotes"; readonly limitMs: number };

/** For each outcome of an attempt, the next step and its limits. */
export const OUTCOMES = {
  done: { next: "answer" },
  /** The network refused the command, which had no effect. */
  refused: { next: "answer" },
  /**
   * The command had no effect: it threw, the database rejected the batch, the receipt is closed, or another node must
   * decide it and cannot get it.
   */
  failed: { next: "fail" },
  /** The state in memory was not the newest. The retry reads the newest from the database. */
  changed: { next: "retry", pauseMs: 0, triesMax: 1_000 },
  /**
   * The state was just read and still not the newest: another session has locked the account, or changes it all the
   * time.
   */
  held: { next: "retry", pauseMs: 50, triesMax: 200 },
  /** The database rolled the batch back, or failed before the statement was sent: this process may have been paused. */
  rolledBack: { next: "retry", pauseMs: 0, triesMax: 1 },
  /**
   * Another command of the batch has a receipt, which rolled the batch back. Each retry leaves out at least one command
   * that has a receipt.
   */
  besideReceipt: { next: "retry", pauseMs: 0, triesMax: 1_000 },
  /** The limit is short because the client waits, but longer than a new feed needs for its first quotes. */
  awaitingQuotes: { next: "awaitQuotes", limitMs: 5_000 },
  /**
   * The command had no effect: another node owns the account, or none does while it moves between nodes. The command
   * fails after the limit, and immediately when it cannot be forwarded.
   */
  ownerUnknown: { next: "forward", pauseMs: 50, limitMs: 2_000 },
  /**
   * The owner did not answer within `answerTimeoutMs`, which doubles with each attempt. When the time that a client
   * waits for the trading network has passed, the fate of the command is unknown.
   */
  noAnswer: { next: "forward", pauseMs: 0, answerTimeoutMs: 1_000 },
  /** The command was carried out before: its receipt has the answer. */
  receiptExists: { next: "replay" },
  /** The database failed while it wrote, so the batch may have committed. The receipt shows the fate later. */
  unknown: { next: "report" },
} as const satisfies Readonly<Record<CommandOutcome["is"], NextStep>>;
