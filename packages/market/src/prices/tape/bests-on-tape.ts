import {
  type BracketLeg,
  bestQuoteInScale,
  type CorporateAction,
  exitSide,
  type Instrument,
  type Instruments,
  isFresh,
  isOpen,
  type PairId,
  type Quote,
  type UnixMs,
} from "@propgate/core";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import type { TapeReader } from "./tape.ts";

/**
 * Finds the recorded quote with the best exit price for a leg since the time of its recorded best price; null when the
 * tape has none.
 */
export type BestOnTape = (leg: BracketLeg) => Quote | null;

/** The legs whose best prices are looked for, with the data to judge recorded quotes. */
export interface TapeLegs {
  readonly legs: readonly BracketLeg[];
  readonly instruments: Instruments;
  readonly now: UnixMs;
  readonly actionsOf: (pair: PairId) => readonly CorporateAction[];
}

/**
 * Finds the best prices that trailing stops have followed and no event has recorded, in the accepted quotes of a tape.
 * Quotes of a closed market do not count, nor those that were too old when they came. Quotes from before and after a
 * split are compared in one scale; the returned quote is as it was made. Throws `TapeDamaged`.
 * @rule D5.trailing D13.oneScale
 */
export async function findBestsOnTape(
  tape: Pick<TapeReader, "read">,
  { legs, instruments, now, actionsOf }: TapeLegs,
): Promise<BestOnTape> {
  const extremes = new Map<PairId, Extremes>();
  for (const [pair, fromMs] of startsOf(legs)) {
    const instrument = instruments.get(pair);
    if (instrument === undefined) continue;
    const ofPair: Extremes = { bid: [], ask: [] };
    for await (const quotes of tape.read(pair, { fromMs, toMs: now })) {
      for (const made of quotes.filter((one) => isTradingTime(one, instrument))) {
        // One scale serves all legs: another scale multiplies all prices by one ratio, so the best quote stays the
        // best.
        add(ofPair, {
          made,
          ...sidesOf(bestQuoteInScale(made, actionsOf(pair), { now, isPending })),
        });
      }
    }
    extremes.set(pair, ofPair);
  }
  return (leg) => {
    const later = extremes.get(leg.pair)?.[exitSide(leg.direction)] ?? [];
    return later.find(({ made }) => made.receivedAtMs >= followedSince(leg))?.made ?? null;
  };
}

/** The first time from which quotes count, for each pair with a leg that follows a price. */
function startsOf(legs: readonly BracketLeg[]): ReadonlyMap<PairId, UnixMs> {
  const starts = new Map<PairId, UnixMs>();
  for (const leg of legs) {
    const first = starts.get(leg.pair) ?? Number.POSITIVE_INFINITY;
    if (leg.bestPrice !== null && followedSince(leg) < first)
      starts.set(leg.pair, followedSince(leg));
  }
  return starts;
}

/**
 * For each side, in order of time, the quotes that are better than every later quote of the pair. The best bid is the
 * highest, the best ask the lowest.
 */
interface Extremes {
  readonly bid: Scaled[];
  readonly ask: Scaled[];
}

/** A quote with its bid and ask in the scale in which all quotes are compared. */
interface Scaled extends Pick<Quote, "bid" | "ask"> {
  readonly made: NumberedQuote;
}

/** Whether a corporate action is still to come: never here, so all quotes are in the scale after all splits. */
function isPending(): boolean {
  return false;
}

function sidesOf({ bid, ask }: Quote): Pick<Quote, "bid" | "ask"> {
  return { bid, ask };
}

/** The time from which quotes count for the leg: that of its recorded best price, else of its placement. */
export function followedSince({ bestAtMs, placedAtMs }: BracketLeg): UnixMs {
  return bestAtMs ?? placedAtMs;
}

function isTradingTime(quote: NumberedQuote, instrument: Instrument): boolean {
  const { receivedAtMs: at } = quote;
  return isOpen(instrument.session, at) && isFresh(quote, instrument, at);
}

function add({ bid, ask }: Extremes, quote: Scaled): void {
  while ((bid.at(-1)?.bid ?? Number.POSITIVE_INFINITY) <= quote.bid) bid.pop();
  bid.push(quote);
  while ((ask.at(-1)?.ask ?? Number.NEGATIVE_INFINITY) >= quote.ask) ask.pop();
  ask.push(quote);
}
