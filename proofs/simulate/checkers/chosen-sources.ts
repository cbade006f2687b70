/** While an operator has chosen a source for a pair, the pair has only the prices of that source. */
import {
  decodeInputs,
  type Instrument,
  isOpen,
  midOf,
  type PairId,
  pairId,
  type Quote,
  unixMs,
} from "@propgate/core";
import type { NumberedQuote } from "../../../packages/market/src/prices/quotes/numbered-quote.ts";
import { createQuoteStore } from "../../../packages/market/src/storage/quote-store.ts";
import type { Checker, Finding, Observation } from "../checker.ts";
import { fieldOf, listOrEmpty } from "../clients.ts";
import type { QuoteOffer } from "../price-sources.ts";
import type { SourceAnswer } from "../price-tasks.ts";
import { RIGHT_WITHIN_MS } from "../time/wall-clock.ts";
import type { JournalLine, JournalReader } from "./journal-reader.ts";
import {
  isPositionAfter,
  type PublishedQuotes,
  type SequencePosition,
} from "./published-quotes.ts";
import { liveQuote } from "./reached-levels.ts";

/** The deviation limit of each asset class: the distance, in percent, up to which the prices of two sources agree. */
const LIMIT_PCT: Readonly<Record<Instrument["assetClass"], number>> = {
  crypto: 1,
  forex: 0.3,
  indices: 0.5,
  equities: 1,
  commodities: 1,
};
const PERCENT = 100;
/**
 * The tolerance for percentages. The service computes the percentages in its answers in another way than this checker.
 */
const NOISE = 1e-9;
/** A quote that is this far or farther from the last price, in percent, is usable only when its source repeats it. */
const USABLE_PCT = 15;
/**
 * A quote counts as usable only when it has at least this time left until it is stale, because it may become stale
 * while the answer is on its way.
 */
const MARGIN_MS = 5_000;
/** The time after which every node knows a quote that a source has sent. */
const SHARED_MS = 1_500;
const KEPT = 60;

interface Choice {
  readonly kind: string;
  readonly source: string | null;
  readonly isFar: boolean;
  readonly version: number;
}

interface ChoiceRow {
  readonly pair: string;
  readonly kind: string;
  readonly source: string | null;
  readonly is_far: boolean;
  readonly version: number;
}

/** The last observation without faults. At that time every node knew the choices in `choices`. */
interface CalmObservation {
  readonly turn: number;
  readonly choices: ReadonlyMap<PairId, Choice>;
  /** The newest quote that was published until that observation; null when there was none. */
  readonly newest: SequencePosition | null;
  /** For each pair, the oldest position in the quote sequence that a board showed or the database had. */
  readonly oldest: ReadonlyMap<PairId, SequencePosition>;
}

/**
 * Finds published, shown and used prices of a source that is not the chosen one, and answers that accept a distant
 * price without `far`. @rule D13.farPrice
 */
export class ChosenSources implements Checker {
  readonly name = "chosen sources";
  readonly #journal: JournalReader;
  readonly #published: PublishedQuotes;
  /** The newest quotes of all sources by pair, in the order in which the nodes got them. */
  readonly #fed = new Map<PairId, QuoteOffer[]>();
  #inOrder: CalmObservation | null = null;

  constructor(journal: JournalReader, published: PublishedQuotes) {
    this.#journal = journal;
    this.#published = published;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    this.#published.addObserved(at);
    for (const fed of at.fed) this.#keep(fed);
    const { moved } = await this.#journal.news(at);
    const now = await choicesOf(at);
    const inForce = this.#unchanged(now);
    const isQuiet = this.#isWithoutFaults(at);
    const messages = [
      ...at.sourceAnswers.flatMap((answer) => this.#answered(answer, at)),
      ...this.#publishedOf(inForce, at),
      ...(isQuiet
        ? moved.flatMap(({ lines }) => lines).flatMap(createDecisionCheck(inForce, at))
        : []),
      ...(at.calm ? this.#shown(inForce, at) : []),
    ];
    if (at.calm)
      this.#inOrder = {
        turn: at.turn,
        choices: now,
        newest: this.#published.newest,
        oldest: await this.#oldestOf(at),
      };
    return messages.map((message) => ({ checker: this.name, accountId: null, message }));
  }

  #keep(fed: QuoteOffer): void {
    const kept = this.#fed.get(fed.quote.pair) ?? [];
    this.#fed.set(fed.quote.pair, kept);
    kept.push(fed);
    if (kept.length > 2 * KEPT) kept.splice(0, KEPT);
  }

  /** The choices of a source that were in force at the last observation without faults and still are. */
  #unchanged(now: ReadonlyMap<PairId, Choice>): ReadonlyMap<PairId, Choice> {
    const before = this.#inOrder?.choices ?? new Map<PairId, Choice>();
    return new Map(
      [...now].filter(
        ([pair, { kind, version }]) => kind === "use" && before.get(pair)?.version === version,
      ),
    );
  }

  /**
   * The problems of the published quotes: another source than the chosen one, or a price of the chosen one beyond the
   * deviation limit without the operator's `far`.
   */
  #publishedOf(
    inForce: ReadonlyMap<PairId, Choice>,
    { instruments }: Observation,
  ): readonly string[] {
    return this.#published.news.flatMap((quote) => {
      const choice = inForce.get(quote.pair);
      const instrument = instruments.get(quote.pair);
      if (choice === undefined || instrument === undefined || this.#isLate(quote)) return [];
      const { pair, source, bid, ask } = quote;
      if (source !== choice.source)
        return [`${pair} ${bid}/${ask} of ${source} was published, but ${choice.source} is chosen`];
      const former = this.#published.before(quote);
      if (former === null || choice.isFar || isLostBetween(former, quote)) return [];
      const limitPct = LIMIT_PCT[instrument.assetClass] + NOISE;
      const isNear = this.#known(quote, former).some(
        (one) => one.source === source || distancePct(one, quote) <= limitPct,
      );
      if (isNear) return [];
      const pct = shown(distancePct(former, quote));
      return [`${pair} ${bid}/${ask} of ${source} is ${pct} % from ${former.source}, without far`];
    });
  }

  /**
   * For each pair, the oldest position in the quote sequence that a board shows or the database has. A node that
   * started before the database had the newest quote shows an earlier one until the next quote.
   */
  async #oldestOf({ databases, database, boards }: Observation) {
    const stored = await createQuoteStore(databases?.[0] ?? database).load();
    const oldest = new Map<PairId, SequencePosition>(
      stored.map(({ quote, place }) => [quote.pair, place]),
    );
    for (const quote of boards.flatMap((board) => [...board.values()])) {
      const place = this.#published.positionOf(quote);
      const known = oldest.get(quote.pair);
      if (place !== null && known !== undefined && isPositionAfter(known, place))
        oldest.set(quote.pair, place);
    }
    return oldest;
  }

  /** True when the quote was published before the last observation without faults, and reached a node later. */
  #isLate(quote: SequencePosition): boolean {
    const newest = this.#inOrder?.newest ?? null;
    return newest !== null && !isPositionAfter(quote, newest);
  }

  /**
   * The quotes with which the feed may have compared this quote. Nodes store their quotes every five seconds, so a feed
   * that begins after all nodes died may not know the newest ones.
   */
  #known(quote: NumberedQuote, former: NumberedQuote): readonly NumberedQuote[] {
    if (former.epoch === quote.epoch) return [former];
    return this.#published.from(quote.pair, this.#inOrder?.oldest.get(quote.pair) ?? null, quote);
  }

  /**
   * The boards that show a price of another source than the chosen one as fresh. A board without a fresh price is
   * allowed, because the chosen source may be silent.
   */
  #shown(inForce: ReadonlyMap<PairId, Choice>, at: Observation): readonly string[] {
    const now = unixMs(at.nowMs);
    return [...inForce].flatMap(([pair, { source }]) =>
      at.boards.flatMap((quotes, node) => {
        const live = liveQuote(pair, { quotes, instruments: at.instruments, now });
        if (live === null || live.standing === "stored") return [];
        const fed = this.#fed.get(pair) ?? [];
        const isOwn = fed.some((one) => one.source === source && isSame(one.quote, live));
        if (isOwn) return [];
        return [
          `a board (${node}) has ${pair} ${live.bid}/${live.ask}, not of ${source}, as fresh`,
        ];
      }),
    );
  }

  #answered(answer: SourceAnswer, at: Observation): readonly string[] {
    return answer.kind === "list"
      ? this.#listed(answer, at)
      : [...ownPriceProblems(answer, at), ...this.#compared(answer, at)];
  }

  /**
   * The problems of a list of prices: it calls a pair live although the chosen source of the pair has no fresh quote.
   * The list must call such a pair `missing`.
   */
  #listed(answer: SourceAnswer, at: Observation): readonly string[] {
    if (answer.isAgain || !this.#isWithoutFaults(at)) return [];
    return listOrEmpty(fieldOf(answer.data, "items")).flatMap((item) => {
      const pair = pairId(String(fieldOf(item, "pair")));
      const choice = fieldOf(item, "choice");
      const instrument = at.instruments.get(pair);
      const known = this.#inOrder?.choices.get(pair);
      if (instrument === undefined || known?.kind !== "use") return [];
      if (fieldOf(choice, "version") !== known.version || fieldOf(item, "state") !== "live")
        return [];
      const last = this.#newest(pair, known.source ?? "", answer.turn);
      const isSilent = last === null || answer.atMs - last.atMs > instrument.staleAfterMs;
      return isSilent ? [`${pair} is live, but ${known.source} is chosen and silent`] : [];
    });
  }

  /**
   * The problems of the answer to a choice or to a read of its effect, compared with the quotes of the sources. The
   * answer must name the present price of its source. A choice of a price beyond the deviation limit needs `far`.
   * Nothing is judged after a fault, and when the source has no usable price.
   */
  #compared(answer: SourceAnswer, at: Observation): readonly string[] {
    if (answer.isAgain || !this.#isWithoutFaults(at)) return [];
    const { source, atMs, turn } = answer;
    const pair = pairId(answer.pair);
    const instrument = at.instruments.get(pair);
    const taken = this.#newest(pair, source, turn);
    const { newestAtSending } = answer;
    if (instrument === undefined || taken === null || newestAtSending === null) return [];
    const isFed = (this.#fed.get(pair) ?? []).some(
      (one) => one.steadyMs > answer.sentSteadyMs - SHARED_MS && one.turn <= turn,
    );
    const isUsable =
      !isFed &&
      isOpen(instrument.session, taken.atMs) &&
      atMs - taken.atMs < instrument.staleAfterMs - MARGIN_MS &&
      distancePct(newestAtSending, taken) < USABLE_PCT;
    if (!isUsable) return [];
    if (answer.status !== 200) return [];
    if (fieldOf(effectOf(answer), "to") === null)
      return [`${answer.kind} of ${pair} names no price of ${source}, which has sent ${taken.bid}`];
    const isFar = distancePct(newestAtSending, taken) > LIMIT_PCT[instrument.assetClass] + NOISE;
    return answer.kind === "use" && isFar && !answer.isFar && newestAtSending.source !== source
      ? [`use of ${pair} from ${newestAtSending.bid} to ${taken.bid} was accepted without far`]
      : [];
  }

  /**
   * True when there was a calm observation and no fault has struck since then. Every node then knows the choices of
   * that observation and the quotes of the sources.
   */
  #isWithoutFaults({ lastFaultTurn }: Observation): boolean {
    return this.#inOrder !== null && lastFaultTurn < this.#inOrder.turn;
  }

  #newest(pair: PairId, source: string, turn: number): Quote | null {
    const fed = this.#fed.get(pair) ?? [];
    return fed.findLast((one) => one.source === source && one.turn <= turn)?.quote ?? null;
  }
}

/**
 * The problems of an answer by the two prices that it names itself: a choice beyond the deviation limit needs `far`,
 * and `isFar` must say whether the prices are that far apart.
 */
function ownPriceProblems(answer: SourceAnswer, at: Observation): readonly string[] {
  const instrument = at.instruments.get(pairId(answer.pair));
  const effect = effectOf(answer);
  const [from, to] = [sidesOf(fieldOf(effect, "from")), sidesOf(fieldOf(effect, "to"))];
  if (answer.status !== 200 || instrument === undefined || from === null || to === null) return [];
  const pct = distancePct(from, to);
  const isFar = pct > LIMIT_PCT[instrument.assetClass] + NOISE;
  const what = `${answer.kind} of ${answer.pair} from ${from.bid} to ${to.bid}, ${shown(pct)} % away,`;
  if (answer.kind === "use" && isFar && !answer.isFar) return [`${what} was accepted without far`];
  return fieldOf(effect, "isFar") === isFar ? [] : [`${what} says the opposite of far`];
}

/**
 * Creates a function that finds decisions at a price of another source than the chosen one. A quote at which the pair
 * does not trade may only value positions, so it is allowed.
 */
function createDecisionCheck(inForce: ReadonlyMap<PairId, Choice>, { instruments }: Observation) {
  return ({ inputs: text, command, seq, accountId }: JournalLine): readonly string[] => {
    const inputs = text === null ? null : decodeInputs(text, command);
    return (inputs?.quotes ?? []).flatMap(({ quote, origin }) => {
      const choice = inForce.get(quote.pair);
      const instrument = instruments.get(quote.pair);
      if (choice === undefined || instrument === undefined || inputs === null) return [];
      if (origin === null || origin.source === choice.source) return [];
      const quotes = new Map([[quote.pair, quote]]);
      if (liveQuote(quote.pair, { quotes, instruments, now: inputs.now }) === null) return [];
      const where = `line ${seq} of ${accountId}, ${command}`;
      return [
        `${where}: ${quote.pair} ${quote.bid}/${quote.ask} of ${origin.source}, but ${choice.source} is chosen`,
      ];
    });
  };
}

/** The stored choices of the operator by pair. The first database has them for all databases. */
export async function choicesOf({ databases, database }: Observation) {
  const rows = await (databases?.[0] ?? database).query<ChoiceRow>(
    "select pair, kind, source, is_far, version from price_choices",
    [],
  );
  return new Map(
    rows.map(({ pair, is_far: isFar, ...choice }) => [pairId(pair), { ...choice, isFar }]),
  );
}

/** True when the feed published a quote between these two quotes and no node got it. */
function isLostBetween(former: SequencePosition, { epoch, previous }: NumberedQuote): boolean {
  return previous !== (former.epoch === epoch ? former.number : 0);
}

function effectOf({ kind, data }: SourceAnswer): unknown {
  return kind === "use" ? fieldOf(data, "effect") : data;
}

function sidesOf(given: unknown): Pick<Quote, "bid" | "ask"> | null {
  const [bid, ask] = [fieldOf(given, "bid"), fieldOf(given, "ask")];
  return typeof bid === "number" && typeof ask === "number" ? ({ bid, ask } as Quote) : null;
}

function distancePct(from: Pick<Quote, "bid" | "ask">, to: Pick<Quote, "bid" | "ask">): number {
  return Math.abs(midOf(to) / midOf(from) - 1) * PERCENT;
}

function shown(pct: number): string {
  return String(Number(pct.toPrecision(4)));
}

/**
 * True for the same prices at nearly the same time: a feed whose clock is a little behind dates a quote by its own
 * moment of receipt.
 */
function isSame(one: Quote, other: Quote): boolean {
  const isOfThatTime = Math.abs(one.atMs - other.atMs) <= RIGHT_WITHIN_MS;
  return one.bid === other.bid && one.ask === other.ask && isOfThatTime;
}
