/** One account's states since the last look, and which of them anybody can have seen. */
import { type ModelAccount, NO_ACCOUNT } from "./account-model.ts";
import type { Line } from "./journal-feed.ts";
import { step } from "./model-step.ts";
import { isOneCommand } from "./one-command.ts";

export interface PastLine {
  readonly line: Line;
  readonly before: ModelAccount;
  /** Of the same command for sure; null: none. */
  readonly next: Line | null;
}

export class AccountPast {
  #now: ModelAccount = NO_ACCOUNT;
  #lines: PastLine[] = [];
  /** Between commits, oldest first. */
  #seen: ModelAccount[] = [NO_ACCOUNT];

  get now(): ModelAccount {
    return this.#now;
  }

  get lines(): readonly PastLine[] {
    return this.#lines;
  }

  /** The account as it was when the last look ended, and after every commit since. */
  get seen(): readonly ModelAccount[] {
    return this.#seen;
  }

  /** What about the lines is not allowed. */
  take(lines: readonly Line[]): readonly string[] {
    this.#lines = [];
    this.#seen = [this.#now];
    return lines.flatMap((line, index) => {
      const after = lines[index + 1];
      const next = after !== undefined && isOneCommand(line, after) ? after : null;
      this.#lines.push({ line, before: this.#now, next });
      const { account, problems } = step(this.#now, line);
      this.#now = account;
      if (next === null) this.#seen.push(account);
      return problems;
    });
  }
}
