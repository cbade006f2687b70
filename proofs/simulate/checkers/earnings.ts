/** No profit is paid twice, and none while the account is below its size. */
import {
  type AccountId,
  type AccountState,
  decodeInputs,
  evolve,
  type QuoteMap,
  unixMs,
} from "@propgate/core";
import { LedgerModel } from "../../../packages/core/src/testing/lives/ledger-model.ts";
import type { Checker, Finding, Observation } from "../checker.ts";
import { type AnnouncedAction, announcedActions, quoteInEachScale } from "./announced-actions.ts";
import type { JournalLine, JournalReader } from "./journal-reader.ts";

/**
 * The model of an account, and the sums of its cycles since its balance was last set to its size. A promotion within
 * the pro program does not set it again.
 */
interface EarnedSums {
  ledger: LedgerModel;
  state: AccountState | null;
  /** The quotes that the latest decision read. */
  quotes: QuoteMap;
  gross: number;
  highestProfit: number;
}

/** Compares the profit and gross of each closed cycle with a model of the rules. @rule D13.mark */
export class Earnings implements Checker {
  readonly name = "earnings";
  readonly #journal: Pick<JournalReader, "news">;
  readonly #accounts = new Map<AccountId, EarnedSums>();

  constructor(journal: Pick<JournalReader, "news">) {
    this.#journal = journal;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved } = await this.#journal.news(at);
    const within = { instruments: at.instruments, actions: await announcedActions(at) };
    return moved.flatMap(({ head: { accountId }, lines }) =>
      lines.flatMap((line) =>
        this.#take(accountId, line, within).map((problem) => ({
          checker: this.name,
          accountId,
          message: `line ${line.seq}: ${problem}`,
        })),
      ),
    );
  }

  #take(
    accountId: AccountId,
    line: JournalLine,
    { instruments, actions }: Pick<Observation, "instruments"> & { readonly actions: Actions },
  ): readonly string[] {
    const earned = this.#of(accountId);
    const { event, atMs } = line;
    const inputs = line.inputs === null ? null : decodeInputs(line.inputs, line.command);
    if (inputs !== null)
      earned.quotes = new Map(inputs.quotes.map(({ quote }) => [quote.pair, quote]));
    const moment = { now: unixMs(atMs), quotes: earned.quotes, instruments };
    const { state, ledger } = earned;
    const problems =
      event.type === "cycleClosed" && state !== null
        ? cycleProblems(
            earned,
            event,
            scalesOf(earned.quotes, actions).map((quotes) =>
              ledger.profit(state, { ...moment, quotes }),
            ),
          )
        : [];
    if (event.type === "challengePassed" || event.type === "proStarted") {
      earned.gross = 0;
      earned.highestProfit = 0;
    }
    earned.ledger.take({ event, moment });
    earned.state = evolve(earned.state, event);
    return problems;
  }

  #of(accountId: AccountId): EarnedSums {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const made: EarnedSums = {
      ledger: new LedgerModel(),
      state: null,
      quotes: new Map(),
      gross: 0,
      highestProfit: 0,
    };
    this.#accounts.set(accountId, made);
    return made;
  }
}

type Actions = readonly AnnouncedAction[];

/**
 * The quotes as they were read, then copies in which one quote has another scale: the account may not have had a split
 * of that quote's pair yet.
 */
function scalesOf(quotes: QuoteMap, actions: Actions): readonly QuoteMap[] {
  const read = new Map(quotes);
  const others = [...read.values()].flatMap((quote) => quoteInEachScale(quote, actions).slice(1));
  return [read, ...others.map((quote) => new Map(read).set(quote.pair, quote))];
}

/**
 * The problems of a closed cycle. `profits` are the account's profits in each scale; the first is that of the quotes as
 * read.
 */
function cycleProblems(
  earned: EarnedSums,
  {
    profit: stated,
    gross,
    payout,
  }: Extract<JournalLine["event"], { readonly type: "cycleClosed" }>,
  profits: readonly (number | null)[],
): readonly string[] {
  const profit = profits.includes(stated) ? stated : (profits[0] ?? null);
  const problems: string[] = [];
  if (profit !== stated) problems.push(`a profit of ${stated} instead of ${String(profit)}`);
  earned.gross += gross;
  earned.highestProfit = Math.max(earned.highestProfit, profit ?? 0);
  if (earned.gross > earned.highestProfit)
    problems.push(`${earned.gross} earned, and no cycle had more than ${earned.highestProfit}`);
  if (payout !== null && (profit ?? 0) < 0)
    problems.push(`a payout of ${payout.amount} at a profit of ${String(profit)}`);
  return problems;
}
