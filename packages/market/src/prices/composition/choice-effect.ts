import type { PairId, Price, Quote, Quotes, UnixMs } from "@propgate/core";
import type { ReachedTriggers } from "../watch/account-watch.ts";
import { laneQuoteOf } from "./lane.ts";
import type { LaneView, PairView } from "./live-feed.ts";

/** A price with its source. */
export interface SourcedPrice {
  /** Null for the pair's last price, whose source is not known. */
  readonly source: string | null;
  readonly bid: Price;
  readonly ask: Price;
  readonly atMs: UnixMs;
}

/** How the choice of a source changes the price of a pair, and whom it reaches. */
export interface ChoiceEffect {
  /**
   * The price that the choice leaves behind: of the pair's present price and the other sources' fresh prices, the one
   * farthest from `to`, because any of them may be right. Null when there is no such price.
   */
  readonly from: SourcedPrice | null;
  /** The price of the chosen source; null while it has no fresh price. */
  readonly to: SourcedPrice | null;
  /** The distance between both prices, percent of `from`; null when one of them is null. */
  readonly distancePct: number | null;
  /** Beyond this distance the choice must have `far`, which confirms it. */
  readonly limitPct: number;
  readonly isFar: boolean;
  /** Accounts that hold the pair. */
  readonly holders: number;
  /** The triggers that the new price reaches; none when there is no new price. */
  readonly reached: ReachedTriggers;
}

/** @rule D13.farPrice */
export function effectOf(
  options: {
    readonly quotes: Quotes;
    readonly holders: () => ReadonlyMap<PairId, number>;
    readonly reachedBy: (quote: Quote) => ReachedTriggers;
  },
  view: PairView,
  source: string,
): ChoiceEffect {
  const { pair, lanes, speaker, deviationPct } = view;
  const present = options.quotes.get(pair) ?? null;
  const to = priceOf(lanes.find((lane) => lane.source === source));
  // The choice of the source that speaks already changes nothing.
  const others = speaker === source ? [] : lanes.filter((lane) => lane.source !== source);
  const left = [
    ...(present === null ? [] : [{ ...sidesOf(present), source: speaker }]),
    ...others.map(priceOf).filter((one) => one !== null),
  ];
  const from = to === null ? (left[0] ?? null) : farthest(left, to);
  const distancePct = from === null || to === null ? null : distance(from, to);
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

/** `coinbase quotes 45000 (bid), 10 % below 50000 of kraken …` */
export function farText(
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

function distance(from: SourcedPrice, to: SourcedPrice): number {
  return (middle(to) / middle(from) - 1) * PERCENT;
}

function middle({ bid, ask }: SourcedPrice): number {
  return (bid + ask) / 2;
}

function farthest(candidates: readonly SourcedPrice[], to: SourcedPrice): SourcedPrice | null {
  const [first] = candidates.toSorted(
    (one, other) => Math.abs(distance(other, to)) - Math.abs(distance(one, to)),
  );
  return first ?? null;
}

function priceOf(lane: LaneView | undefined): SourcedPrice | null {
  if (lane === undefined || lane.quote === null) return null;
  const { bid, ask } = lane.quote;
  return { source: lane.source, bid, ask, atMs: laneQuoteOf(lane.quote).atMs };
}

function sidesOf({ bid, ask, atMs }: Pick<Quote, "bid" | "ask" | "atMs">) {
  return { bid, ask, atMs };
}

/** 10, 0.25, 99.9. */
function shown(percent: number): string {
  return String(Number(percent.toPrecision(3)));
}
