import type { PairId, Price, Quote, Quotes, UnixMs } from "@propgate/core";
import type { ReachedTriggers } from "../watch/account-watch.ts";
import type { PairSourceView, PairView } from "./live-feed.ts";
import { sourceQuoteOf } from "./pair-source.ts";

/** The bid and ask of a pair at one moment, with their source. */
export interface SourcedPrice {
  /** The source of the price; null for a pair's last price when no source speaks. */
  readonly source: string | null;
  readonly bid: Price;
  readonly ask: Price;
  readonly atMs: UnixMs;
}

/** How the choice of a source would change the price of a pair, and how many accounts and triggers that reaches. */
export interface ChoiceEffect {
  /**
   * The price that the choice replaces. Candidates are the pair's present price and, unless the chosen source already
   * speaks, the other sources' quotes. Of these it is the one farthest from `to`, because any of them may be right;
   * without `to` it is the first of them. Null when there is none.
   */
  readonly from: SourcedPrice | null;
  /** The price of the chosen source; null while it has no usable quote. */
  readonly to: SourcedPrice | null;
  /**
   * The distance from `from` to `to` in percent of `from`, negative for a lower price; null when one of them is null.
   */
  readonly distancePct: number | null;
  /** The distance in percent beyond which the choice must be confirmed with `far`. */
  readonly limitPct: number;
  /** Whether the distance is beyond `limitPct` in either direction. */
  readonly isFar: boolean;
  /** How many accounts hold a position in the pair. */
  readonly holders: number;
  /** The triggers that the chosen source's price reaches; none while it has no price. */
  readonly reached: ReachedTriggers;
}

/**
 * Computes how the choice of `source` would act on the pair of the view. `isFar` says whether the choice needs `far`.
 * @rule D13.choiceEffect decides
 */
export function computeChoiceEffect(
  options: {
    readonly quotes: Quotes;
    readonly holders: () => ReadonlyMap<PairId, number>;
    readonly reachedBy: (quote: Quote) => ReachedTriggers;
  },
  view: PairView,
  source: string,
): ChoiceEffect {
  const { pair, sources, speaker, deviationPct } = view;
  const present = options.quotes.get(pair) ?? null;
  const to = priceOf(sources.find(({ name }) => name === source));
  // The choice of the source that already speaks changes no price, so it is not compared with other sources.
  const others = speaker === source ? [] : sources.filter(({ name }) => name !== source);
  const left = [
    ...(present === null ? [] : [{ ...sidesOf(present), source: speaker }]),
    ...others.map(priceOf).filter((one) => one !== null),
  ];
  const from = to === null ? (left[0] ?? null) : farthest(left, to);
  const distancePct = from === null || to === null ? null : distancePctOf(from, to);
  return {
    from,
    to,
    distancePct,
    limitPct: deviationPct,
    isFar: distancePct !== null && Math.abs(distancePct) > deviationPct,
    holders: options.holders().get(pair) ?? 0,
    reached: to === null ? NONE_REACHED : options.reachedBy({ ...sidesOf(to), pair }),
  };
}

/** The refusal of a far choice in words: `coinbase quotes 45000, 10 % below 50000 of kraken; the limit of …` */
export function farChoiceText(
  pair: PairId,
  source: string,
  { from, to, distancePct, limitPct, holders, reached }: ChoiceEffect,
): string {
  if (from === null || to === null || distancePct === null) {
    throw new Error("broken invariant: a far price has no distance");
  }
  const side = distancePct < 0 ? "below" : "above";
  const { triggers } = reached;
  return (
    `${source} quotes ${to.bid}, ${shown(Math.abs(distancePct))} % ${side} ${from.bid}` +
    `${from.source === null ? "" : ` of ${from.source}`}; the limit of ${pair} is ${limitPct} %. ` +
    `${holders} ${holders === 1 ? "account holds" : "accounts hold"} it, and ${triggers} ` +
    `${triggers === 1 ? "order or stop" : "orders and stops"} would act. Repeat it with far if that is right`
  );
}

const PERCENT = 100;
const NONE_REACHED: ReachedTriggers = { triggers: 0, accounts: 0 };

function distancePctOf(from: SourcedPrice, to: SourcedPrice): number {
  return (midOf(to) / midOf(from) - 1) * PERCENT;
}

function midOf({ bid, ask }: SourcedPrice): number {
  return (bid + ask) / 2;
}

/** The candidate with the greatest distance to a price; null without candidates. */
function farthest(candidates: readonly SourcedPrice[], to: SourcedPrice): SourcedPrice | null {
  const [first] = candidates.toSorted(
    (one, other) => Math.abs(distancePctOf(other, to)) - Math.abs(distancePctOf(one, to)),
  );
  return first ?? null;
}

function priceOf(source: PairSourceView | undefined): SourcedPrice | null {
  if (source === undefined || source.quote === null) return null;
  const { bid, ask } = source.quote;
  return { source: source.name, bid, ask, atMs: sourceQuoteOf(source.quote).atMs };
}

function sidesOf({ bid, ask, atMs }: Pick<Quote, "bid" | "ask" | "atMs">) {
  return { bid, ask, atMs };
}

/** A percent with three significant digits: 10, 0.25, 99.9. */
function shown(percent: number): string {
  return String(Number(percent.toPrecision(3)));
}
