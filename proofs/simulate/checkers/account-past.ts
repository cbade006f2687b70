/** The states of one account since the last observation, and those that a client can have read. */
import { type ModelAccount, NO_ACCOUNT } from "./account-model.ts";
import type { Line } from "./journal-feed.ts";
import { step } from "./model-step.ts";
import { isOneCommand } from "./one-command.ts";

export interface PastLine {
  readonly line: Line;
  readonly before: ModelAccount;
  /** The next line, if it is certainly of the same command; else null. */
  readonly next: Line | null;
}

export class AccountPast {
  #now: ModelAccount = NO_ACCOUNT;
  #lines: PastLine[] = [];
  /** The states after each commit, oldest first. */
  #visible: ModelAccount[] = [NO_ACCOUNT];

  get now(): ModelAccount {
    return this.#now;
  }

  get lines(): readonly PastLine[] {
    return this.#lines;
  }

  /** The account at the last observation and after every commit since. */
  get visible(): readonly ModelAccount[] {
    return this.#visible;
  }

  /** Takes new lines and returns their problems. */
  take(lines: readonly Line[]): readonly string[] {
    this.#lines = [];
    this.#visible = [this.#now];
    return lines.flatMap((line, index) => {
      const after = lines[index + 1];
      const next = after !== undefined && isOneCommand(line, after) ? after : null;
      this.#lines.push({ line, before: this.#now, next });
      const { account, problems } = step(this.#now, line);
      this.#now = account;
      if (next === null) this.#visible.push(account);
      return problems;
    });
  }
}
