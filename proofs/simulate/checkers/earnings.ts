/** No profit is paid twice, and none while the account is below its size. */
import {
  type AccountId,
  type AccountState,
  decodeInputs,
  evolve,
  type Quotes,
  unixMs,
} from "@propgate/core";
import { LedgerModel } from "../../../packages/core/src/testing/lives/ledger-model.ts";
import type { Checker, Finding, Observation } from "../history.ts";
import type { JournalFeed, Line } from "./journal-feed.ts";

/** An account since its balance last began at the size; a promotion does not begin it again. */
interface Earned {
  ledger: LedgerModel;
  state: AccountState | null;
  /** The quotes that the decision in progress read. */
  quotes: Quotes;
  gross: number;
  highestProfit: number;
}

/** @rule D13.mark */
export class Earnings implements Checker {
  readonly name = "earnings";
  readonly #feed: Pick<JournalFeed, "news">;
  readonly #accounts = new Map<AccountId, Earned>();

  constructor(feed: Pick<JournalFeed, "news">) {
    this.#feed = feed;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved } = await this.#feed.news(at);
    return moved.flatMap(({ head: { accountId }, lines }) =>
      lines.flatMap((line) =>
        this.#take(accountId, line, at).map((problem) => ({
          checker: this.name,
          accountId,
          message: `line ${line.seq}: ${problem}`,
        })),
      ),
    );
  }

  #take(accountId: AccountId, line: Line, { instruments }: Observation): readonly string[] {
    const earned = this.#of(accountId);
    const { event, atMs } = line;
    const inputs = line.inputs === null ? null : decodeInputs(line.inputs, line.command);
    if (inputs !== null)
      earned.quotes = new Map(inputs.quotes.map(({ quote }) => [quote.pair, quote]));
    const moment = { now: unixMs(atMs), quotes: earned.quotes, instruments };
    const problems =
      event.type === "cycleClosed" && earned.state !== null
        ? cycleProblems(earned, event, earned.ledger.profit(earned.state, moment))
        : [];
    if (event.type === "challengePassed" || event.type === "proStarted") {
      earned.gross = 0;
      earned.highestProfit = 0;
    }
    earned.ledger.take({ event, moment });
    earned.state = evolve(earned.state, event);
    return problems;
  }

  #of(accountId: AccountId): Earned {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const made: Earned = {
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

function cycleProblems(
  earned: Earned,
  { profit: stated, gross, payout }: Extract<Line["event"], { readonly type: "cycleClosed" }>,
  profit: number | null,
): readonly string[] {
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
