/**
 * The new lines of one account's journal, and the states of the account that a client may have read since the last
 * observation.
 */
import { EMPTY_ACCOUNT, type ModelAccount } from "./account-model.ts";
import { applyLine } from "./apply-line.ts";
import type { JournalLine } from "./journal-reader.ts";
import { areOfOneCommand } from "./one-command.ts";

/** A line of the journal, with the state of the account before that line. */
export interface PastLine {
  readonly line: JournalLine;
  readonly before: ModelAccount;
  /** The next line when it certainly belongs to the same command; null otherwise. */
  readonly next: JournalLine | null;
}

export class AccountHistory {
  #now: ModelAccount = EMPTY_ACCOUNT;
  #lines: PastLine[] = [];
  /** The state at the last observation and the states after each commit since, oldest first. */
  #visible: ModelAccount[] = [EMPTY_ACCOUNT];

  get now(): ModelAccount {
    return this.#now;
  }

  get lines(): readonly PastLine[] {
    return this.#lines;
  }

  /** The states that a client may have read: the one at the last observation, and those after every commit since. */
  get visible(): readonly ModelAccount[] {
    return this.#visible;
  }

  /** Applies the new lines and returns their problems. */
  applyLines(lines: readonly JournalLine[]): readonly string[] {
    this.#lines = [];
    this.#visible = [this.#now];
    return lines.flatMap((line, index) => {
      const after = lines[index + 1];
      const next = after !== undefined && areOfOneCommand(line, after) ? after : null;
      this.#lines.push({ line, before: this.#now, next });
      const { account, problems } = applyLine(this.#now, line);
      this.#now = account;
      if (next === null) this.#visible.push(account);
      return problems;
    });
  }
}
