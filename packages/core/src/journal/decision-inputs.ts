/** The inputs of a decision, and their form as a text in the journal. */
import type { OrderUuid, PairId } from "../ids.ts";
import type { CorporateAction } from "../market/corporate-action.ts";
import type { Quote, QuoteStanding } from "../market/quote.ts";
import type { Command } from "../state/command.ts";
import { type Price, type Ratio, type UnixMs, unixMs } from "../units.ts";

/** Identifies an accepted quote: its number in the feed, and the source that sent it. */
export interface QuoteOrigin {
  /** The epoch of the feed that accepted the quote; greater with every start of a feed. */
  readonly epoch: number;
  /** The number of the quote among the accepted quotes of all pairs in this epoch; the first is 1. */
  readonly number: number;
  readonly source: string;
}

/** A quote that the decision read, with its origin. */
export interface UsedQuote {
  readonly quote: Quote;
  /** The number and source of the quote; null for a quote from an earlier process, whose number is unknown. */
  readonly origin: QuoteOrigin | null;
}

/** A rate of hourly funding that the decision read. */
export interface UsedRate {
  readonly pair: PairId;
  readonly hourMs: UnixMs;
  readonly rate: Ratio;
}

/**
 * The quote whose price a trailing stop had followed before the decision, and that no journal line had recorded yet.
 * @rule D5.trailing
 */
export interface UsedBest {
  readonly orderUuid: OrderUuid;
  readonly quote: Quote;
}

/**
 * Everything from which a decision was made, apart from the account before it. With that account and these inputs,
 * `decide` returns the same events again.
 */
export interface DecisionInputs {
  readonly command: Command;
  readonly now: UnixMs;
  /** The version of core that decided. */
  readonly core: string;
  /** The number of events that the decision has, which is the number of its journal lines. */
  readonly lines: number;
  /** The hash of the instruments of the decision. */
  readonly catalogue: string;
  /**
   * The hash of the account's terms before the decision, or of the command's terms when it opens the account. Empty
   * when there are neither.
   */
  readonly program: string;
  readonly quotes: readonly UsedQuote[];
  readonly actions: readonly CorporateAction[];
  readonly rates: readonly UsedRate[];
  readonly bests: readonly UsedBest[];
}

const FORMAT = 1;

/** Epoch, number and source of a quote; 0 when they are unknown. */
type OriginText = readonly [epoch: number, number: number, source: string] | 0;
/**
 * A quote. Its prices are exact, and its time is its age at the decision, in milliseconds. A field at the end of the
 * list is left out when neither it nor a later field is set.
 */
type QuoteText = readonly [
  pair: PairId,
  bid: Price,
  ask: Price,
  ageMs: number,
  origin: OriginText,
  standing?: StandingText,
  adjustedToMs?: UnixMs,
];
/** The standings of quotes. The text of a quote has the index of its standing in this list; 0 means none. */
const STANDINGS = [undefined, "halted", "stored", "given"] as const satisfies readonly (
  | QuoteStanding
  | undefined
)[];
type StandingText = 0 | 1 | 2 | 3;
type RateText = readonly [pair: PairId, hourMs: UnixMs, rate: Ratio];
type BestText = readonly [orderUuid: OrderUuid, quote: QuoteText];
/**
 * The inputs as they are in the text. The command has no type, because the journal line has the type in a column of its
 * own.
 */
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

/** Writes the inputs as a JSON list without names, so that it is short. Empty lists at its end are left out. */
export function encodeInputs(inputs: DecisionInputs): string {
  const { now, core, lines, catalogue, program, actions } = inputs;
  const { type: _type, ...command } = inputs.command;
  const quotes = inputs.quotes.map((used) => encodeQuote(used, now));
  const rates = inputs.rates.map(({ pair, hourMs, rate }) => [pair, hourMs, rate] as const);
  const bests = inputs.bests.map(
    ({ orderUuid, quote }) => [orderUuid, encodeQuote({ quote, origin: null }, now)] as const,
  );
  const head = [FORMAT, core, now, lines, catalogue, program, command, quotes] as const;
  if (bests.length > 0) return serializeInputs([...head, actions, rates, bests]);
  if (rates.length > 0) return serializeInputs([...head, actions, rates]);
  return serializeInputs(actions.length > 0 ? [...head, actions] : head);
}

/**
 * Reads a text of `encodeInputs`. `command` is the type of the command, from the line's own column. Null for a text of
 * another format; throws for a text that is not valid JSON.
 */
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
    quotes: quotes.map((quote) => decodeQuote(quote, now)),
    actions,
    rates: rates.map(([pair, hourMs, rate]) => ({ pair, hourMs, rate })),
    bests: bests.map(([orderUuid, quote]) => ({ orderUuid, quote: decodeQuote(quote, now).quote })),
  };
}

/** The hash of the catalogue that a text of `encodeInputs` names; null for any other text. */
export function catalogueHashOf(text: string): string | null {
  try {
    const values: unknown = JSON.parse(text);
    const catalogue: unknown = Array.isArray(values) ? values[CATALOGUE_INDEX] : null;
    return typeof catalogue === "string" ? catalogue : null;
  } catch {
    return null;
  }
}

/** The index of the catalogue in `InputsText`. */
const CATALOGUE_INDEX = 4;

function serializeInputs(values: InputsText): string {
  return JSON.stringify(values);
}

function encodeQuote({ quote, origin }: UsedQuote, now: UnixMs): QuoteText {
  const { pair, bid, ask, atMs, standing, adjustedToMs } = quote;
  const from = origin === null ? 0 : ([origin.epoch, origin.number, origin.source] as const);
  const head = [pair, bid, ask, now - atMs, from] as const;
  const mark = STANDINGS.indexOf(standing) as StandingText;
  if (adjustedToMs !== undefined) return [...head, mark, adjustedToMs];
  return mark === 0 ? head : [...head, mark];
}

function decodeQuote(
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
