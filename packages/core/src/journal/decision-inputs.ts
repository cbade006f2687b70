/** The inputs of a decision, and their text in the journal. */
import type { OrderUuid, PairId } from "../ids.ts";
import type { CorporateAction } from "../market/corporate-action.ts";
import type { Quote, QuoteStanding } from "../market/quote.ts";
import type { Command } from "../state/command.ts";
import { type Price, type Ratio, type UnixMs, unixMs } from "../units.ts";

/** The number that the intake gave to a quote, and the source that sent the quote. */
export interface QuoteOrigin {
  /** Greater with every start of the feed. */
  readonly epoch: number;
  /** Counts the accepted quotes of all pairs in this epoch, from 1. */
  readonly number: number;
  readonly source: string;
}

/** A quote that the decision read. */
export interface UsedQuote {
  readonly quote: Quote;
  /** Null for a quote of an earlier process, whose number is not known any more. */
  readonly origin: QuoteOrigin | null;
}

/** A rate of hourly funding that the decision read. */
export interface UsedRate {
  readonly pair: PairId;
  readonly hourMs: UnixMs;
  readonly rate: Ratio;
}

/** The quote whose price a trailing stop had followed and no line had recorded yet. @rule D5.trailing */
export interface UsedBest {
  readonly orderUuid: OrderUuid;
  readonly quote: Quote;
}

/**
 * Everything that a decision was made from, apart from the account before it. With these inputs, `decide` returns the
 * same events again.
 */
export interface DecisionInputs {
  readonly command: Command;
  readonly now: UnixMs;
  /** The version of core that decided. */
  readonly core: string;
  /** The number of journal lines of the decision. */
  readonly lines: number;
  /** The hash of the instruments. */
  readonly catalogue: string;
  /** The hash of the account's terms before the decision; of the command's terms when it opens the account. */
  readonly program: string;
  readonly quotes: readonly UsedQuote[];
  readonly actions: readonly CorporateAction[];
  readonly rates: readonly UsedRate[];
  readonly bests: readonly UsedBest[];
}

const FORMAT = 1;

/** Epoch, number and source; 0 when they are not known. */
type OriginText = readonly [epoch: number, number: number, source: string] | 0;
/** Prices are exact, and the time is the quote's age in ms at the decision. The last two are left out when not set. */
type QuoteText = readonly [
  pair: PairId,
  bid: Price,
  ask: Price,
  ageMs: number,
  origin: OriginText,
  standing?: StandingText,
  adjustedToMs?: UnixMs,
];
/** In the order of their numbers in the text; the first is a quote without one. */
const STANDINGS = [undefined, "halted", "stored", "given"] as const satisfies readonly (
  | QuoteStanding
  | undefined
)[];
type StandingText = 0 | 1 | 2 | 3;
type RateText = readonly [pair: PairId, hourMs: UnixMs, rate: Ratio];
type BestText = readonly [orderUuid: OrderUuid, quote: QuoteText];
/** The command's type is left out: the journal line has it in a column of its own. */
type InputsText = readonly [
  format: number,
  core: string,
  now: UnixMs,
  lines: number,
  catalogue: string,
  program: string,
  command: Omit<Command, "type">,
  quotes: readonly QuoteText[],
  actions?: readonly CorporateAction[],
  rates?: readonly RateText[],
  bests?: readonly BestText[],
];

/** A JSON list without names, so that it is short. Empty lists at its end are left out. */
export function encodeInputs(inputs: DecisionInputs): string {
  const { now, core, lines, catalogue, program, actions } = inputs;
  const { type: _type, ...command } = inputs.command;
  const quotes = inputs.quotes.map((used) => quoteText(used, now));
  const rates = inputs.rates.map(({ pair, hourMs, rate }) => [pair, hourMs, rate] as const);
  const bests = inputs.bests.map(
    ({ orderUuid, quote }) => [orderUuid, quoteText({ quote, origin: null }, now)] as const,
  );
  const head = [FORMAT, core, now, lines, catalogue, program, command, quotes] as const;
  if (bests.length > 0) return textOf([...head, actions, rates, bests]);
  if (rates.length > 0) return textOf([...head, actions, rates]);
  return textOf(actions.length > 0 ? [...head, actions] : head);
}

/** `command` is the type of the command, from the line's column. Null for a text of another format. */
export function decodeInputs(text: string, command: string): DecisionInputs | null {
  const values = JSON.parse(text) as InputsText;
  if (!Array.isArray(values) || values[0] !== FORMAT) return null;
  const [, core, now, lines, catalogue, program, fields, quotes, ...more] = values as InputsText;
  const [actions = [], rates = [], bests = []] = more;
  return {
    command: { ...fields, type: command } as Command,
    now,
    core,
    lines,
    catalogue,
    program,
    quotes: quotes.map((quote) => usedQuote(quote, now)),
    actions,
    rates: rates.map(([pair, hourMs, rate]) => ({ pair, hourMs, rate })),
    bests: bests.map(([orderUuid, quote]) => ({ orderUuid, quote: usedQuote(quote, now).quote })),
  };
}

/** The hash of the catalogue that a text of `encodeInputs` names; null for any other text. */
export function namedCatalogue(text: string): string | null {
  try {
    const values: unknown = JSON.parse(text);
    const catalogue: unknown = Array.isArray(values) ? values[CATALOGUE_AT] : null;
    return typeof catalogue === "string" ? catalogue : null;
  } catch {
    return null;
  }
}

/** The place of the catalogue in `InputsText`. */
const CATALOGUE_AT = 4;

function textOf(values: InputsText): string {
  return JSON.stringify(values);
}

function quoteText({ quote, origin }: UsedQuote, now: UnixMs): QuoteText {
  const { pair, bid, ask, atMs, standing, adjustedToMs } = quote;
  const from = origin === null ? 0 : ([origin.epoch, origin.number, origin.source] as const);
  const head = [pair, bid, ask, now - atMs, from] as const;
  const mark = STANDINGS.indexOf(standing) as StandingText;
  if (adjustedToMs !== undefined) return [...head, mark, adjustedToMs];
  return mark === 0 ? head : [...head, mark];
}

function usedQuote(
  [pair, bid, ask, ageMs, from, mark, adjustedToMs]: QuoteText,
  now: UnixMs,
): UsedQuote {
  const standing = STANDINGS[mark ?? 0];
  const quote: Quote = {
    pair,
    bid,
    ask,
    atMs: unixMs(now - ageMs),
    ...(standing === undefined ? {} : { standing }),
    ...(adjustedToMs === undefined ? {} : { adjustedToMs }),
  };
  if (from === 0) return { quote, origin: null };
  const [epoch, number, source] = from;
  return { quote, origin: { epoch, number, source } };
}
