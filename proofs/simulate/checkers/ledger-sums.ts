/** Sums over the journal's events agree with the stored states and with the answers. */
import { type AccountId, type AccountState, type Moment, unixMs } from "@propgate/core";
import { DueModel } from "../../../packages/core/src/testing/lives/due-model.ts";
import { LedgerModel } from "../../../packages/core/src/testing/lives/ledger-model.ts";
import { OrderModel } from "../../../packages/core/src/testing/lives/order-model.ts";
import { ExitPromises } from "../../../packages/core/src/testing/reference/exit-promises.ts";
import type { Checker, Finding, Observation } from "../checker.ts";
import { answeredDataOf, requestText } from "./answers.ts";
import { figureProblems } from "./figures.ts";
import type { JournalLine, JournalReader } from "./journal-reader.ts";
import { areOfOneCommand } from "./one-command.ts";

interface Models {
  readonly ledger: LedgerModel;
  readonly orders: OrderModel;
  readonly promises: ExitPromises;
  readonly due: DueModel;
  /** The first problem of the account; null while there is none. Events after a problem cannot be checked. */
  problem: string | null;
}

/**
 * Applies the events to models of the rules, and compares these with the states.
 * @rule D4.balance D7.carry D10.oneQuote D10.reduceOnly D10.legNeverMore D10.editKeeps D10.hundred
 */
export class LedgerSums implements Checker {
  readonly name = "ledger";
  readonly #journal: JournalReader;
  readonly #models = new Map<AccountId, Models>();

  constructor(journal: JournalReader) {
    this.#journal = journal;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved, accounts } = await this.#journal.news(at);
    const kept = moved.flatMap(({ head: { accountId }, lines }) => {
      const problem = this.#keep(accountId, lines, at);
      const state = accounts.get(accountId)?.state;
      const message = problem ?? (state === undefined ? null : this.#compare(state, at));
      return message === null ? [] : [{ checker: this.name, accountId, message }];
    });
    const answered = at.ended.flatMap((exchange) => {
      const { accountId } = exchange;
      const isClosed = accounts.get(accountId)?.state.status === "closed";
      return figureProblems(exchange, answeredDataOf(exchange), { ...at, isClosed }).map(
        (problem) => ({
          checker: this.name,
          accountId,
          message: `${requestText(exchange)}: ${problem}`,
        }),
      );
    });
    return [...kept, ...answered];
  }

  #of(accountId: AccountId): Models {
    const known = this.#models.get(accountId);
    if (known !== undefined) return known;
    const made: Models = {
      ledger: new LedgerModel(),
      orders: new OrderModel(),
      promises: new ExitPromises(),
      due: new DueModel(),
      problem: null,
    };
    this.#models.set(accountId, made);
    return made;
  }

  /**
   * Applies the lines to the models. Returns the problem, or null when the models accept the lines or had a problem
   * before.
   */
  #keep(accountId: AccountId, lines: readonly JournalLine[], at: Observation): string | null {
    const models = this.#of(accountId);
    if (models.problem !== null) return null;
    models.problem = problemOf(() => {
      for (const command of commandsOf(lines)) models.due.take(command.map(({ event }) => event));
      for (const { event, atMs } of lines) {
        const moment: Moment = {
          now: unixMs(atMs),
          quotes: new Map(),
          instruments: at.instruments,
        };
        models.ledger.take({ event, moment });
        models.orders.take({ event, before: null, moment });
        models.promises.take(event, at.instruments);
      }
    });
    return models.problem;
  }

  #compare(state: AccountState, at: Observation): string | null {
    const models = this.#of(state.accountId);
    if (models.problem !== null) return null;
    const { instruments, nowMs, boards } = at;
    const quotes = boards[0] ?? new Map();
    models.problem = problemOf(() => {
      models.ledger.check(state, { now: unixMs(nowMs), quotes, instruments });
      models.orders.check(state);
    });
    return models.problem;
  }
}

function problemOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

function commandsOf(lines: readonly JournalLine[]): readonly (readonly JournalLine[])[] {
  const commands: JournalLine[][] = [];
  for (const line of lines) {
    const last = commands.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && areOfOneCommand(before, line))
      last.push(line);
    else commands.push([line]);
  }
  return commands;
}
