/** No account is decided at an older price than it was decided at before. */
import { type AccountId, decodeInputs, isOpen, type PairId } from "@propgate/core";
import type { Checker, Finding, Observation } from "../history.ts";
import type { JournalFeed, Line } from "./journal-feed.ts";
import { isAfter, type Place, type PublishedQuotes, placeText } from "./published-quotes.ts";

/**
 * Compares the quotes in the inputs of the journal: a decision reads no earlier quote of a pair than the decisions
 * before it. While the pair's market is closed, a process that started with stored quotes does not wait for a newer one
 * (ADR 0055), and neither does one whose pair is halted or has had no quote for too long, so it may value a position at
 * an earlier one. No order triggers or fills at that, and it judges no account.
 * @rule D5.triggers D13.judges
 */
export class OlderPrices implements Checker {
  readonly name = "older prices";
  readonly #feed: JournalFeed;
  readonly #published: PublishedQuotes;
  /** By account and pair: the place of the newest quote that a decision has read. */
  readonly #decided = new Map<AccountId, Map<PairId, Place>>();

  constructor(feed: JournalFeed, published: PublishedQuotes) {
    this.#feed = feed;
    this.#published = published;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    this.#published.take(at);
    const { moved } = await this.#feed.news(at);
    return moved.flatMap(({ lines }) => lines.flatMap((line) => this.#judge(line, at)));
  }

  #judge(line: Line, { instruments }: Observation): readonly Finding[] {
    const inputs = line.inputs === null ? null : decodeInputs(line.inputs, line.command);
    if (inputs === null) return [];
    const { accountId, seq } = line;
    const decided = this.#decided.get(accountId) ?? new Map<PairId, Place>();
    this.#decided.set(accountId, decided);
    const problems = inputs.quotes.flatMap(({ quote, origin }) => {
      // A node that has started knows the stored quotes without their numbers.
      const place = origin ?? this.#published.placeOf(quote);
      if (place === null) return [];
      const before = decided.get(quote.pair);
      const isOlder = before !== undefined && isAfter(before, place);
      const instrument = instruments.get(quote.pair);
      const onlyValues =
        quote.standing === "halted" ||
        (instrument !== undefined &&
          (inputs.now - quote.atMs > instrument.staleAfterMs ||
            !isOpen(instrument.session, inputs.now)));
      if (isOlder && onlyValues) return [];
      decided.set(quote.pair, place);
      if (!isOlder) return [];
      return [`${quote.pair} at ${placeText(place)} was used at ${placeText(before)} before`];
    });
    return problems.map((problem) => ({
      checker: this.name,
      accountId,
      message: `line ${seq}, ${line.command}: ${problem}`,
    }));
  }
}
