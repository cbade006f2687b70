import { type Instrument, isOpen, type PairId, type UnixMs } from "@propgate/core";
import type { ChosenPrices } from "../../storage/price-choice-store.ts";
import type { OfferedQuote } from "../quotes/numbered-quote.ts";
import type { QuoteVerdict } from "../quotes/quote-intake.ts";
import { findAgreement } from "./agreement.ts";
import { chooseSpeaker } from "./choose-speaker.ts";
import {
  createPairSource,
  isNear,
  isStale,
  type PairSource,
  resetHealth,
  type SourceFault,
  sourceQuoteOf,
} from "./pair-source.ts";
import type { QuoteJudge } from "./quote-judge.ts";

export interface PairFeedOptions {
  readonly pair: PairId;
  readonly instrument: Instrument;
  /** The names of the pair's sources by priority. */
  readonly sources: readonly string[];
  readonly judge: QuoteJudge;
  /** The largest difference between two sources that agree, as a share of the price. */
  readonly agreement: number;
  /** The share of the last price beyond which another source is not followed when no second source agrees with it. */
  readonly moveMax: number;
  /** The operator's present choice for the pair. */
  readonly chosen: () => ChosenPrices;
  /**
   * False before the start, after a stop, and on a node that is not the feed. The sources are silent then, and the
   * quotes of another node come over the bus.
   */
  readonly isRunning: () => boolean;
  /**
   * The middle price of the pair's newest accepted quote, also when another process accepted it; null when there is
   * none.
   */
  readonly lastMid: () => number | null;
  /**
   * The source of the pair's newest accepted quote, which may no longer be one of the pair's sources. Null when there
   * is no quote, or no venue made it.
   */
  readonly lastSource: () => string | null;
  /** Offers a quote of the speaking source to the intake. */
  readonly accept: (quote: OfferedQuote) => QuoteVerdict;
  /** Called when the doubt about the pair's last quote begins or ends; see `LiveFeed.onDoubt`. */
  readonly onHeld: (isHeld: boolean) => void;
  /** Called with the former speaker, before the speaker changes. */
  readonly onChange: (from: string | null) => void;
}

/** The sources of one pair. At most one speaks for the pair at a time. */
export interface PairFeed {
  /** Judges a quote of one of the pair's sources; quotes of other sources are ignored. */
  judge(name: string, quote: OfferedQuote, nowMs: UnixMs): void;
  /** Notes which sources are stale, and chooses the one that speaks. */
  reselectSpeaker(nowMs: UnixMs): void;
  /** Applies the operator's new choice. */
  applyChoice(nowMs: UnixMs): void;
  /** The pair's sources by priority. */
  readonly sources: readonly PairSource[];
  /** The source that speaks; null when none does. */
  readonly speaker: string | null;
  /** True while fresh sources differ and none is believed, and while the only usable source is `far`. */
  readonly isHeld: boolean;
  /**
   * The source that could speak and does not, because its price is far from the pair's last price; null when there is
   * none.
   */
  readonly far: string | null;
  /** True when the operator has chosen a source, and it has no fresh quote while the market is open. */
  readonly isSilent: boolean;
  /** Whether the pair's last quote is in doubt: the value of the last call of `onHeld`. */
  readonly isDoubtful: boolean;
  /** How often the speaker has changed since the start of this process. */
  readonly changes: number;
}

/**
 * How long a pair must be held until its last quote is in doubt. Sources that follow a jump at different times disagree
 * for less than this.
 */
const HELD_MS = 2_000;

/** Faults that do not make the source doubtful: its newest usable quote stays. */
const HARMLESS: ReadonlySet<SourceFault> = new Set(["older", "closed"]);

export function createPairFeed(options: PairFeedOptions): PairFeed {
  const { instrument, agreement } = options;
  const sources = options.sources.map((name, place) => createPairSource(name, place));
  let speaker: PairSource | null = null;
  /** The `priority` of the last speaker; null before the first one and after a choice of the operator. */
  let lastSpeakerPriority: number | null = null;
  let far: PairSource | null = null;
  /** When the hold began; null while the sources agree and none is far. */
  let heldSinceMs: number | null = null;
  let isSilent = false;
  let isDoubtful = false;
  let changes = 0;

  const offer = (source: PairSource): void => {
    if (source.quote === null || source.isOffered) return;
    source.isOffered = true;
    const verdict = options.accept(source.quote.offered);
    if (verdict === "accepted") source.accepted += 1;
    // Another source was faster: the intake already has a newer quote.
    else if (verdict === "older") source.rejected.older += 1;
  };
  const speak = (next: PairSource | null): void => {
    if (next !== speaker) {
      options.onChange(speaker?.name ?? null);
      speaker = next;
      changes += 1;
    }
    if (next === null) return;
    lastSpeakerPriority = next.priority;
    offer(next);
  };
  /**
   * Notes whether the pair is held. Its last quote comes into doubt after `HELD_MS` of a hold, and immediately when the
   * chosen source is silent, because then no price of the pair may be used.
   */
  const noteHold = (isHeld: boolean, nowMs: UnixMs): void => {
    heldSinceMs = isHeld ? (heldSinceMs ?? nowMs) : null;
    const isLong = heldSinceMs !== null && nowMs - heldSinceMs >= HELD_MS;
    if (isDoubtful === (isLong || isSilent)) return;
    isDoubtful = !isDoubtful;
    options.onHeld(isDoubtful);
  };
  const selectSpeaker = (nowMs: UnixMs): void => {
    for (const source of sources) dropStaleQuote(source, instrument, nowMs);
    const candidates = candidatesOf(sources, options.chosen());
    const agreed = findAgreement(candidates, agreement);
    if (agreed.kind === "held") {
      far = null;
      isSilent = false;
      noteHold(true, nowMs);
      return;
    }
    dropDisbelieved(candidates, agreed.believed);
    const next = chooseSpeaker(agreed.believed, lastSpeakerPriority, nowMs);
    const agreeing = agreed.believed.length;
    far = next !== null && isFarChange(next, { ...options, agreeing }) ? next.source : null;
    isSilent = next === null && isAwaited(options, nowMs);
    noteHold(far !== null, nowMs);
    speak(far === null ? (next?.source ?? null) : null);
  };

  return {
    judge(name, offered, nowMs) {
      const source = sources.find((one) => one.name === name);
      if (source === undefined) return;
      // The source loses its health if its last quote became stale before this quote came, even when no tick happened
      // in between.
      dropStaleQuote(source, instrument, nowMs);
      const quote = sourceQuoteOf(offered);
      const others = sources.filter((one) => one !== source);
      const lastMid = options.lastMid();
      const fault = options.judge({ quote, source, others, instrument, lastMid, agreement, nowMs });
      if (fault === null) {
        source.quote = quote;
        source.isOffered = false;
        source.healthySinceMs ??= nowMs;
      } else {
        source.rejected[fault] += 1;
        if (!HARMLESS.has(fault)) resetHealth(source);
      }
      selectSpeaker(nowMs);
    },
    reselectSpeaker: selectSpeaker,
    applyChoice(nowMs) {
      // After an operator's choice the chosen source, or the source of the highest priority, may speak immediately. The
      // wait of ten seconds applies only when the service itself returns to a source.
      lastSpeakerPriority = null;
      selectSpeaker(nowMs);
    },
    sources,
    get speaker() {
      return speaker?.name ?? null;
    },
    get isHeld() {
      return heldSinceMs !== null;
    },
    get far() {
      return far?.name ?? null;
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

function dropStaleQuote(source: PairSource, instrument: Instrument, nowMs: UnixMs): void {
  if (source.quote !== null && isStale(source.quote, instrument, nowMs)) resetHealth(source);
}

/**
 * Whether the operator has chosen a source and the market is open, so that the source's silence leaves the pair without
 * a price. @rule D13.silentChoice decides
 */
function isAwaited({ chosen, instrument, isRunning }: PairFeedOptions, nowMs: UnixMs): boolean {
  return isRunning() && chosen().kind === "use" && isOpen(instrument.session, nowMs);
}

/** Removes the quotes of candidates that the majority contradicts, so that their health restarts. */
function dropDisbelieved(
  candidates: readonly SourceCandidate[],
  believed: readonly SourceCandidate[],
): void {
  for (const candidate of candidates) {
    if (believed.includes(candidate)) continue;
    candidate.source.rejected.disagreeing += 1;
    resetHealth(candidate.source);
  }
}

/**
 * Whether a source other than that of the newest quote would move the price too far. Without a chosen source that is
 * more than `moveMax`, unless a second source agrees. With a chosen source it is more than `agreement`, unless the
 * operator has confirmed the distance with the choice. @rule D13.farPrice decides
 */
function isFarChange(
  { source, mid }: SourceCandidate,
  {
    agreeing,
    agreement,
    moveMax,
    ...now
  }: Pick<PairFeedOptions, "chosen" | "lastMid" | "lastSource" | "agreement" | "moveMax"> & {
    /** How many sources are believed, this one included. */
    readonly agreeing: number;
  },
): boolean {
  const chosen = now.chosen();
  const [lastMid, lastSource] = [now.lastMid(), now.lastSource()];
  if (lastMid === null || lastSource === null || lastSource === source.name) return false;
  if (chosen.kind === "use") return !chosen.isFar && !isNear(mid, lastMid, agreement);
  return agreeing === 1 && !isNear(mid, lastMid, moveMax);
}

interface SourceCandidate {
  readonly source: PairSource;
  readonly place: number;
  readonly mid: number;
  readonly healthySinceMs: number;
}

/** The sources with a usable quote that the operator's choice allows, by priority. */
function candidatesOf(
  sources: readonly PairSource[],
  chosen: ChosenPrices,
): readonly SourceCandidate[] {
  if (chosen.kind === "halt") return [];
  return sources.flatMap((source) => {
    const { quote, healthySinceMs, name, priority } = source;
    if (quote === null || healthySinceMs === null) return [];
    if (chosen.kind === "use" && chosen.source !== name) return [];
    return [{ source, place: priority, mid: quote.mid, healthySinceMs }];
  });
}
