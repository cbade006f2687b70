import { type Instrument, isOpen, type PairId, type UnixMs } from "@propgate/core";
import type { ChosenPrices } from "../../storage/price-choice-store.ts";
import type { OfferedQuote } from "../quotes/numbered-quote.ts";
import type { QuoteVerdict } from "../quotes/quote-intake.ts";
import { agreementOf } from "./agreement.ts";
import { chooseSpeaker } from "./choose-speaker.ts";
import type { JudgeQuote } from "./judge-quote.ts";
import {
  createLane,
  isNear,
  isStale,
  type Lane,
  type LaneFault,
  laneQuoteOf,
  loseHealth,
} from "./lane.ts";

export interface PairFeedOptions {
  readonly pair: PairId;
  readonly instrument: Instrument;
  /** The names of its sources by priority. */
  readonly sources: readonly string[];
  readonly judge: JudgeQuote;
  /** The largest difference between two sources that agree, as a share of the price. */
  readonly agreement: number;
  /** A price further away than this share is not accepted from another source alone. */
  readonly moveMax: number;
  readonly chosen: () => ChosenPrices;
  /** False on a node that is not the feed: its sources are silent, and another node's quotes come over the bus. */
  readonly isRunning: () => boolean;
  /** The middle of the newest accepted quote, also of another process; null when there is none. */
  readonly lastMid: () => number | null;
  /** The source of that quote; null when there is none. */
  readonly lastSource: () => string | null;
  /** Offers a quote of the speaking source to the intake. */
  readonly accept: (quote: OfferedQuote) => QuoteVerdict;
  /** Called when its last quote comes into doubt, and before the first quote after that: see `LiveFeed.onHeld`. */
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
  /** By priority. */
  readonly lanes: readonly Lane[];
  readonly speaker: string | null;
  readonly isHeld: boolean;
  /** The only source that could speak, and does not, because it is far from the last price; null when there is none. */
  readonly far: string | null;
  /** Whether the operator's source has no fresh quote while the market is open. */
  readonly isSilent: boolean;
  /** Whether its last quote is in doubt: the last that `onHeld` was called with. */
  readonly isDoubtful: boolean;
  readonly changes: number;
}

/** Sources that follow a jump at different times disagree for less than this. */
const HELD_MS = 2_000;

/** These say nothing about the source: its newest usable quote stays. */
const HARMLESS: ReadonlySet<LaneFault> = new Set(["older", "closed"]);

export function createPairFeed(options: PairFeedOptions): PairFeed {
  const { instrument, agreement } = options;
  const lanes = options.sources.map((name, place) => createLane(name, place));
  let speaker: Lane | null = null;
  /** The place of the last speaker; null before the first. */
  let former: number | null = null;
  let far: Lane | null = null;
  /** Null while its sources agree, and none is far. */
  let heldSinceMs: number | null = null;
  let isSilent = false;
  let isDoubtful = false;
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
  /** A source that is chosen and silent leaves no price that is good for a moment longer. */
  const noteHold = (isHeld: boolean, nowMs: UnixMs): void => {
    heldSinceMs = isHeld ? (heldSinceMs ?? nowMs) : null;
    const isLong = heldSinceMs !== null && nowMs - heldSinceMs >= HELD_MS;
    if (isDoubtful === (isLong || isSilent)) return;
    isDoubtful = !isDoubtful;
    options.onHeld(isDoubtful);
  };
  const settle = (nowMs: UnixMs): void => {
    for (const lane of lanes) loseStale(lane, instrument, nowMs);
    const candidates = candidatesOf(lanes, options.chosen());
    const agreed = agreementOf(candidates, agreement);
    if (agreed.kind === "held") {
      far = null;
      isSilent = false;
      noteHold(true, nowMs);
      return;
    }
    dropDisbelieved(candidates, agreed.believed);
    const next = chooseSpeaker(agreed.believed, former, nowMs);
    const agreeing = agreed.believed.length;
    far = next !== null && isFarChange(next, { ...options, lanes, agreeing }) ? next.lane : null;
    isSilent = next === null && isAwaited(options, nowMs);
    noteHold(far !== null, nowMs);
    speak(far === null ? (next?.lane ?? null) : null);
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
      // An operator's choice does not wait like a return: the chosen source, or the preferred one, may speak
      // immediately.
      former = null;
      settle(nowMs);
    },
    lanes,
    get speaker() {
      return speaker?.source ?? null;
    },
    get isHeld() {
      return heldSinceMs !== null;
    },
    get far() {
      return far?.source ?? null;
    },
    get isSilent() {
      return isSilent;
    },
    get isDoubtful() {
      return isDoubtful;
    },
    get changes() {
      return changes;
    },
  };
}

function loseStale(lane: Lane, instrument: Instrument, nowMs: UnixMs): void {
  if (lane.quote !== null && isStale(lane.quote, instrument, nowMs)) loseHealth(lane);
}

/** Whether a source is chosen and its market is open, so that its silence leaves the pair without a price. */
function isAwaited({ chosen, instrument, isRunning }: PairFeedOptions, nowMs: UnixMs): boolean {
  return isRunning() && chosen().kind === "use" && isOpen(instrument.session, nowMs);
}

/** The time of a source's health restarts when the majority contradicts it. */
function dropDisbelieved(
  candidates: readonly LaneCandidate[],
  believed: readonly LaneCandidate[],
): void {
  for (const candidate of candidates) {
    if (believed.includes(candidate)) continue;
    candidate.lane.rejected.disagreeing += 1;
    loseHealth(candidate.lane);
  }
}

/**
 * Whether another source than that of the newest quote would bring a price too far from it. Two sources that agree
 * may, and one that the operator chose with its distance. @rule D13.farPrice decides
 */
function isFarChange(
  { lane, mid }: LaneCandidate,
  {
    lanes,
    agreeing,
    agreement,
    moveMax,
    ...now
  }: Pick<PairFeedOptions, "chosen" | "lastMid" | "lastSource" | "agreement" | "moveMax"> & {
    readonly lanes: readonly Lane[];
    /** How many sources are believed, this one included. */
    readonly agreeing: number;
  },
): boolean {
  const chosen = now.chosen();
  const [lastMid, lastSource] = [now.lastMid(), now.lastSource()];
  const last = lanes.find(({ source }) => source === lastSource);
  if (lastMid === null || last === undefined || last === lane) return false;
  if (chosen.kind === "use") return !chosen.isFar && !isNear(mid, lastMid, agreement);
  return agreeing === 1 && !isNear(mid, lastMid, moveMax);
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
