import type { AccountId } from "@propgate/core";
import type { DecidedQuotes } from "../executor-port.ts";
import type { CommandOutcome } from "./outcome.ts";
import type { QueuedCommand } from "./queued-command.ts";

/** The queue of one account: its waiting commands, in the order of their calls. */
export interface AccountQueue {
  readonly commands: QueuedCommand[];
  /** The quotes that the account waits for; null when it waits for another reason. */
  quotes: DecidedQuotes | null;
}

/** The queues of accounts whose commands wait. All other commands are in the executor's queue. */
export interface AccountQueues {
  queueOf(account: AccountId): AccountQueue | undefined;
  /** Adds a command that waits only for the earlier commands in the account's queue. */
  add(command: QueuedCommand): AccountQueue;
  /**
   * Adds a command that waits until `over` resolves, with the quotes that it waits for, if any. If `over` resolves with
   * an outcome, that ends the command. If it resolves with null, the command is free as soon as no earlier command of
   * the account waits.
   */
  pause(
    command: QueuedCommand,
    quotes: DecidedQuotes | null,
    over: Promise<CommandOutcome | null>,
  ): Promise<void>;
}

export function createAccountQueues(options: {
  /** Called with a command that may be decided again, because its waits are over. */
  readonly onFree: (command: QueuedCommand) => void;
  readonly onEnd: (command: QueuedCommand, outcome: CommandOutcome) => void;
}): AccountQueues {
  const queues = new Map<AccountId, AccountQueue>();
  const add: AccountQueues["add"] = (command) => {
    const { accountId } = command.submission;
    const line = queues.get(accountId) ?? { commands: [], quotes: null };
    queues.set(accountId, line);
    const before = line.commands.findLastIndex(({ number }) => number < command.number);
    line.commands.splice(before + 1, 0, command);
    command.isReady = true;
    return line;
  };
  return {
    queueOf: (account) => queues.get(account),
    add,
    async pause(command, quotes, over) {
      const line = add(command);
      line.quotes = quotes ?? line.quotes;
      command.isReady = false;
      const end = await over;
      command.isReady = true;
      const { commands } = line;
      if (end !== null) {
        commands.splice(commands.indexOf(command), 1);
        options.onEnd(command, end);
      }
      while (commands[0]?.isReady === true) commands.splice(0, 1).forEach(options.onFree);
      if (commands.length === 0) queues.delete(command.submission.accountId);
    },
  };
}
