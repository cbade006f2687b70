import type { Instrument, PairId, UnixMs } from "@propgate/core";
import type { ChosenPrices } from "../../storage/stores/prices/price-choice-store.ts";
import type { OfferedQuote } from "../quotes/numbered-quote.ts";
import type { QuoteVerdict } from "../quotes/quote-intake.ts";
import { agreementOf } from "./agreement.ts";
import { chooseSpeaker } from "./choose-speaker.ts";
import type { JudgeQuote } from "./judge-quote.ts";
import { createLane, isStale, type Lane, type LaneFault, laneQuoteOf, loseHealth } from "./lane.ts";

export interface PairFeedOptions {
  readonly pair: PairId;
  readonly instrument: Instrument;
  /** The names of its sources by priority. */
  readonly sources: readonly string[];
  readonly judge: JudgeQuote;
  /** The largest difference between two sources that agree, as a share of the price. */
  readonly agreement: number;
  readonly chosen: () => ChosenPrices;
  /** The middle of the newest accepted quote, also of an earlier process; null without one. */
  readonly lastMid: () => number | null;
  /** Offers a quote of the speaking source to the intake. */
  readonly accept: (quote: OfferedQuote) => QuoteVerdict;
  /** Called when its sources have differed for longer than a moment, and before the first quote after they agree. */
  readonly onHeld: (isHeld: boolean) => void;
  /** Called with the former speaker before it changes. */
  readonly onChange: (from: string | null) => void;
}

/** The sources of one pair, of which one speaks at a time. */
export interface PairFeed {
  /** A quote of one of its sources; those of other sources are ignored. */
  take(source: string, quote: OfferedQuote, nowMs: UnixMs): void;
  /** Finds out which sources are stale, and which one speaks. */
  settle(nowMs: UnixMs): void;
  /** Applies a new choice of the operator. */
  choose(nowMs: UnixMs): void;
  eachLane(change: (lane: Lane) => void): void;
  /** By priority. */
  readonly lanes: readonly Lane[];
  readonly speaker: string | null;
  readonly isHeld: boolean;
  readonly changes: number;
}

/** Sources that follow a jump one after the other differ for less than this. */
const HELD_MS = 2_000;

/** These say nothing about the source: its newest usable quote stays. */
const HARMLESS: ReadonlySet<LaneFault> = new Set(["older", "closed"]);

export function createPairFeed(options: PairFeedOptions): PairFeed {
  const { instrument, agreement } = options;
  const lanes = options.sources.map((name, place) => createLane(name, place));
  let speaker: Lane | null = null;
  /** The place of the last speaker; null before the first. */
  let former: number | null = null;
  /** Null while its sources agree. */
  let heldSinceMs: number | null = null;
  let isHoldReported = false;
  let changes = 0;

  const offer = (lane: Lane): void => {
    if (lane.quote === null || lane.isOffered) return;
    lane.isOffered = true;
    const verdict = options.accept(lane.quote.offered);
    if (verdict === "accepted") lane.accepted += 1;
    // The source before was faster.
    else if (verdict === "older") lane.rejected.older += 1;
  };
  const speak = (next: Lane | null): void => {
    if (next !== speaker) {
      options.onChange(speaker?.source ?? null);
      speaker = next;
      changes += 1;
    }
    if (next === null) return;
    former = next.place;
    offer(next);
  };
  const noteHold = (isHeld: boolean, nowMs: UnixMs): void => {
    heldSinceMs = isHeld ? (heldSinceMs ?? nowMs) : null;
    const isLong = heldSinceMs !== null && nowMs - heldSinceMs >= HELD_MS;
    if (isLong === isHoldReported) return;
    isHoldReported = isLong;
    options.onHeld(isLong);
  };
  const settle = (nowMs: UnixMs): void => {
    for (const lane of lanes) loseStale(lane, instrument, nowMs);
    const candidates = candidatesOf(lanes, options.chosen());
    const agreed = agreementOf(candidates, agreement);
    noteHold(agreed.kind === "held", nowMs);
    if (agreed.kind === "held") return;
    for (const candidate of candidates) {
      if (agreed.believed.includes(candidate)) continue;
      candidate.lane.rejected.disagreeing += 1;
      loseHealth(candidate.lane);
    }
    speak(chooseSpeaker(agreed.believed, former, nowMs)?.lane ?? null);
  };

  return {
    take(source, offered, nowMs) {
      const lane = lanes.find((one) => one.source === source);
      if (lane === undefined) return;
      // A gap ends its health even when no tick fell into it.
      loseStale(lane, instrument, nowMs);
      const quote = laneQuoteOf(offered);
      const others = lanes.filter((one) => one !== lane);
      const lastMid = options.lastMid();
      const fault = options.judge({ quote, lane, others, instrument, lastMid, agreement, nowMs });
      if (fault === null) {
        lane.quote = quote;
        lane.isOffered = false;
        lane.healthySinceMs ??= nowMs;
      } else {
        lane.rejected[fault] += 1;
        if (!HARMLESS.has(fault)) loseHealth(lane);
      }
      settle(nowMs);
    },
    settle,
    choose(nowMs) {
      // A choice is no return: the chosen source, or the preferred one, may speak immediately.
      former = null;
      settle(nowMs);
    },
    eachLane: (change) => lanes.forEach(change),
    lanes,
    get speaker() {
      return speaker?.source ?? null;
    },
    get isHeld() {
      return heldSinceMs !== null;
    },
    get changes() {
      return changes;
    },
  };
}

function loseStale(lane: Lane, instrument: Instrument, nowMs: UnixMs): void {
  if (lane.quote !== null && isStale(lane.quote, instrument, nowMs)) loseHealth(lane);
}

interface LaneCandidate {
  readonly lane: Lane;
  readonly place: number;
  readonly mid: number;
  readonly healthySinceMs: number;
}

/** The lanes with a usable quote that the operator's choice allows, by priority. */
function candidatesOf(lanes: readonly Lane[], chosen: ChosenPrices): readonly LaneCandidate[] {
  if (chosen.kind === "halt") return [];
  return lanes.flatMap((lane) => {
    const { quote, healthySinceMs, source, place } = lane;
    if (quote === null || healthySinceMs === null) return [];
    if (chosen.kind === "use" && chosen.source !== source) return [];
    return [{ lane, place, mid: quote.mid, healthySinceMs }];
  });
}
