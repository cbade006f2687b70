/** No decision on an account uses an older price than an earlier decision on the same account. */
import { type AccountId, decodeInputs, isOpen, type PairId } from "@propgate/core";
import type { Checker, Finding, Observation } from "../checker.ts";
import type { JournalLine, JournalReader } from "./journal-reader.ts";
import {
  isPositionAfter,
  type PublishedQuotes,
  positionText,
  type SequencePosition,
} from "./published-quotes.ts";

/**
 * Compares the quotes in the inputs of the journal: a decision reads no earlier quote of a pair than the decisions
 * before it. An earlier quote may still value positions while the market of its pair is closed (ADR 0055), while the
 * pair is halted, and when the quote is stale. No order triggers or fills at such a quote, and it judges no account.
 * @rule D5.triggers D13.judges
 */
export class OlderPrices implements Checker {
  readonly name = "older prices";
  readonly #journal: JournalReader;
  readonly #published: PublishedQuotes;
  /** The position of the newest quote that a decision has read, by account and pair. */
  readonly #decided = new Map<AccountId, Map<PairId, SequencePosition>>();

  constructor(journal: JournalReader, published: PublishedQuotes) {
    this.#journal = journal;
    this.#published = published;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    this.#published.addObserved(at);
    const { moved } = await this.#journal.news(at);
    return moved.flatMap(({ lines }) => lines.flatMap((line) => this.#judge(line, at)));
  }

  #judge(line: JournalLine, { instruments }: Observation): readonly Finding[] {
    const inputs = line.inputs === null ? null : decodeInputs(line.inputs, line.command);
    if (inputs === null) return [];
    const { accountId, seq } = line;
    const decided = this.#decided.get(accountId) ?? new Map<PairId, SequencePosition>();
    this.#decided.set(accountId, decided);
    const problems = inputs.quotes.flatMap(({ quote, origin }) => {
      // A node that has just started knows the stored quotes without their epochs and numbers, so the inputs do not
      // have them.
      const place = origin ?? this.#published.positionOf(quote);
      if (place === null) return [];
      const before = decided.get(quote.pair);
      const isOlder = before !== undefined && isPositionAfter(before, place);
      const instrument = instruments.get(quote.pair);
      const onlyValues =
        quote.standing === "halted" ||
        (instrument !== undefined &&
          (inputs.now - quote.atMs > instrument.staleAfterMs ||
            !isOpen(instrument.session, inputs.now)));
      if (isOlder && onlyValues) return [];
      decided.set(quote.pair, place);
      if (!isOlder) return [];
      return [`${quote.pair} at ${positionText(place)} was used at ${positionText(before)} before`];
    });
    return problems.map((problem) => ({
      checker: this.name,
      accountId,
      message: `line ${seq}, ${line.command}: ${problem}`,
    }));
  }
}
