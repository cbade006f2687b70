import { delay, type Timer } from "@propgate/base";
import { isOfMarketOrClock } from "../executor-port.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import { NotOwner, type Ownership } from "../ownership.ts";
import type { ReplayAnswer } from "../receipts/replay-answer.ts";
import type { StateCache } from "../state-cache.ts";
import type { CommandForwarder, ForwardedCommand } from "./command-forwarder.ts";
import type { CommandOutcome } from "./outcome.ts";
import { endCommand, type QueuedCommand } from "./queued-command.ts";

export interface AttemptOptions {
  readonly cache: StateCache;
  readonly timer: Timer;
  /** The accounts that this node decides; all when absent. */
  readonly ownership?: Ownership | undefined;
  /** Finds the result of a command that was carried out before. */
  readonly replayed: ReplayAnswer;
  /** Forwards commands to the nodes that own their accounts; absent in a process without NATS. */
  readonly forwarding?: CommandForwarder | undefined;
}

/**
 * The three things that can happen to a command: it enters this node's queue, it is forwarded to the owner of its
 * account, or it is answered from its receipt.
 */
export interface Attempts {
  /**
   * Puts the command into this node's queue, or forwards it to the owner of its account. When an earlier message may
   * have carried the command out, its receipt is looked for first.
   */
  begin(command: QueuedCommand): void;
  beginAfter(command: QueuedCommand, pauseMs: number): Promise<void>;
  /**
   * Ends the command with the answer that its receipt has. Without a receipt the command ends with `otherwise`, or with
   * an unknown fate.
   */
  replay(command: QueuedCommand, otherwise?: CommandOutcome): Promise<void>;
  /**
   * Returns the given outcome while there is time to forward the command, and later the outcome that ends the command.
   * For a command that cannot be forwarded, returns a failure.
   */
  limitForwarding(command: QueuedCommand, outcome: CommandOutcome): CommandOutcome;
}

export function createAttempts(
  { cache, timer, ownership, replayed, forwarding }: AttemptOptions,
  loop: {
    readonly enter: (command: QueuedCommand) => void;
    readonly follow: (command: QueuedCommand, outcome: CommandOutcome) => void;
    /** The executor is not idle before this work has ended. */
    readonly keepBusy: (work: Promise<void>) => void;
  },
): Attempts {
  /** The command as it is forwarded; null when it cannot be forwarded. */
  const forwardedOf = (command: QueuedCommand): ForwardedCommand | null => {
    const { submission } = command;
    if (forwarding === undefined || submission.forwarded !== undefined) return null;
    if (isOfMarketOrClock(submission)) return null;
    command.forwarded ??= forwarding.begin(submission, cache);
    command.submission = command.forwarded.submission;
    return command.forwarded;
  };
  const forward = async (command: QueuedCommand, forwarded: ForwardedCommand): Promise<void> => {
    const failed = (cause: unknown): CommandOutcome => ({ is: "failed", cause });
    loop.follow(command, await forwarded.attempt().catch(failed));
  };
  const replayOr = async (command: QueuedCommand, without: () => void): Promise<void> => {
    try {
      const execution = await replayed(command.submission);
      if (execution === null) without();
      else endCommand(command, { is: "done", execution });
    } catch (cause) {
      endCommand(command, { is: "failed", cause });
    }
  };
  const begin = (command: QueuedCommand): void => {
    const { accountId, forwarded: arrival } = command.submission;
    const isOwn = ownership === undefined || ownership.leaseOf(accountId) !== null;
    const forwarded = isOwn ? null : forwardedOf(command);
    if (forwarded !== null) void forward(command, forwarded);
    else if (arrival === "again" || command.forwarded?.isOpen === true) {
      // An earlier message may have carried out the command, so its receipt is read first. A new decision could refuse
      // it.
      loop.keepBusy(replayOr(command, () => loop.enter(command)));
    } else loop.enter(command);
  };
  return {
    begin,
    async beginAfter(command, pauseMs) {
      if (pauseMs > 0) await delay(timer, pauseMs);
      begin(command);
    },
    replay: (command, otherwise) =>
      replayOr(command, () => {
        if (otherwise !== undefined) return endCommand(command, otherwise);
        const cause = new UnknownFate(new Error("the receipt of the command cannot be found"));
        endCommand(command, { is: "unknown", cause });
      }),
    limitForwarding: (command, outcome) =>
      forwardedOf(command)?.applyLimit(outcome) ?? { is: "failed", cause: new NotOwner() },
  };
}
