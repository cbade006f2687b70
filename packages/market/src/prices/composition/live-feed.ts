import { type Clock, findBuiltInSource } from "@propgate/base";
import { type Instruments, midOf, type PairId, type Quote, type UnixMs } from "@propgate/core";
import type { ChosenPrices, PriceChoice } from "../../storage/price-choice-store.ts";
import { createMarketHours } from "../market-hours.ts";
import type { OfferedQuote } from "../quotes/numbered-quote.ts";
import type { OutlierFilter } from "../quotes/outlier-check.ts";
import type { QuoteVerdict } from "../quotes/quote-intake.ts";
import type { SessionGaps } from "../quotes/session-gaps.ts";
import type { ConnectionHealth, LiveSink, LiveSource } from "../venues/live-source.ts";
import { createPairFeed, type PairFeed } from "./pair-feed.ts";
import { type PairSource, resetHealth, type SourceFault } from "./pair-source.ts";
import { createQuoteJudge } from "./quote-judge.ts";

export interface LiveFeedOptions {
  readonly sources: readonly LiveSource[];
  /** The names of each pair's sources by priority; an empty list for a pair that no source can price. */
  readonly plan: ReadonlyMap<PairId, readonly string[]>;
  readonly instruments: Instruments;
  readonly choices: { choiceOf(pair: PairId): Pick<PriceChoice, "chosen"> | null };
  /** The largest difference between two sources of the pair that agree, in percent of the price. */
  readonly deviationPct: (pair: PairId) => number;
  readonly outliers: OutlierFilter;
  /** Recognizes prices from before a split. Without it, repeated quotes confirm such prices. */
  readonly gaps?: Pick<SessionGaps, "isOfFormerScale" | "note"> | undefined;
  readonly clock: Clock;
  /**
   * The pair's newest accepted quote with its source, also when another process accepted it; null when there is none.
   */
  readonly newest: (pair: PairId) => (Quote & Pick<OfferedQuote, "source">) | null;
  /** Offers a quote of the speaking source to the intake. */
  readonly accept: (quote: OfferedQuote) => QuoteVerdict;
  /** Called at a tick with the pairs whose speaking source has changed since the previous tick. */
  readonly onChanges?: (changes: readonly SpeakerChange[]) => void;
}

/** A change of the source that speaks for a pair. */
export interface SpeakerChange {
  readonly pair: PairId;
  /** The former speaker; null when no source spoke. */
  readonly from: string | null;
  /** The speaker; null when no source speaks. */
  readonly to: string | null;
}

/** The state of one source of a pair at the moment at which `LiveFeed.pairs` is called. */
export interface PairSourceView {
  readonly name: string;
  readonly quote: OfferedQuote | null;
  readonly healthySinceMs: number | null;
  readonly accepted: number;
  readonly rejected: Readonly<Record<SourceFault, number>>;
  readonly connection: ConnectionHealth;
}

/** The state of a pair's sources at the moment at which `LiveFeed.pairs` is called. */
export interface PairView {
  readonly pair: PairId;
  /** The source that speaks for the pair; null when none does. */
  readonly speaker: string | null;
  /** True while fresh sources differ and none is believed, and while the only usable source is `far`. */
  readonly isHeld: boolean;
  /** The source that would speak if its price were not far from the pair's last price; null when there is none. */
  readonly far: string | null;
  /** True when the operator has chosen a source, and it has no fresh quote while the market is open. */
  readonly isSilent: boolean;
  /** Whether the pair's last quote is in doubt; `LiveFeed.onDoubt` lists the reasons. */
  readonly isDoubtful: boolean;
  /** The largest difference between two sources that agree, in percent of the price. */
  readonly deviationPct: number;
  /** How often the speaking source has changed since the start of this process. */
  readonly changes: number;
  /** The pair's sources by priority. */
  readonly sources: readonly PairSourceView[];
}

/**
 * Composes the quotes of several venues. One source at a time speaks for a pair, and only its quotes reach the intake,
 * never a mixture. ADR 0035 explains the choice of the source.
 */
export interface LiveFeed {
  /** Resolves when every source was started. It does not reject for an unreachable venue. */
  start(): Promise<void>;
  /** Ends all connections. No quote is taken until the next start. */
  stop(): Promise<void>;
  /** Notes which sources have fallen silent and chooses the speakers again. Call it four times a second. */
  tick(): void;
  /** Applies the operator's new choice for the pair. */
  applyChoice(pair: PairId): void;
  /**
   * Adds a listener. It is called with true when a pair's last quote comes into doubt: its sources have differed for
   * two seconds, or the only usable one has been far from that quote for two seconds, or the chosen one has no fresh
   * quote while the market is open. It is called with false when the doubt ends, before the next quote is offered.
   */
  onDoubt(listener: (pair: PairId, isHeld: boolean) => void): void;
  /** The state of every pair of the plan. */
  pairs(): readonly PairView[];
}

/** When the clock goes back by more than this, it has been set back. */
const CLOCK_BACK_MS = 1_000;
/**
 * The maximum time between two readings of the clock. A longer time means that the clock was set forward or the process
 * was paused.
 */
const CLOCK_STEP_MS = 5_000;

export function createLiveFeed(options: LiveFeedOptions): LiveFeed {
  const { sources, clock } = options;
  const changed = new Map<PairId, string | null>();
  const heldListeners: ((pair: PairId, isHeld: boolean) => void)[] = [];
  let isStopped = true;
  const feeds = pairFeeds(options, {
    isRunning: () => !isStopped,
    onChange(pair, from) {
      if (!changed.has(pair)) changed.set(pair, from);
    },
    onHeld(pair, isHeld) {
      for (const listener of heldListeners) listener(pair, isHeld);
    },
  });
  let lastReadMs = clock.now();

  const eachSource = (change: (source: PairSource) => void): void => {
    for (const feed of feeds.values()) feed.sources.forEach(change);
  };
  /**
   * Reads the clock. When it was set back, all sources lose their quotes and their health. When it leapt ahead, the
   * time since which each healthy source has been healthy is set to now.
   */
  const readClock = (): UnixMs => {
    const nowMs = clock.now();
    if (nowMs < lastReadMs - CLOCK_BACK_MS) eachSource(forgetTimes);
    else if (nowMs > lastReadMs + CLOCK_STEP_MS)
      eachSource((source) => restartHealth(source, nowMs));
    lastReadMs = nowMs;
    return nowMs;
  };
  const reportChanges = (): void => {
    const changes = [...changed].map(([pair, from]) => ({
      pair,
      from,
      to: feeds.get(pair)?.speaker ?? null,
    }));
    changed.clear();
    const real = changes.filter(({ from, to }) => from !== to);
    if (real.length > 0) options.onChanges?.(real);
  };

  return {
    async start() {
      isStopped = false;
      const sink = (source: string): LiveSink => ({
        offer(quote) {
          // A source may have symbols for pairs whose plan does not name it; their quotes are ignored.
          if (!isStopped) feeds.get(quote.pair)?.judge(source, quote, readClock());
        },
      });
      await Promise.all(sources.map((source) => source.start(sink(source.name))));
    },
    async stop() {
      isStopped = true;
      await Promise.all(sources.map((source) => source.stop()));
    },
    tick() {
      const nowMs = readClock();
      // A source may have several connections, so only some of its pairs may be down.
      const down = new Map(
        sources.filter((source) => source.health().state === "down").map((one) => [one.name, one]),
      );
      for (const [pair, feed] of feeds) {
        feed.sources.forEach((source) => {
          if (down.get(source.name)?.health(pair).state === "down") resetHealth(source);
        });
        feed.reselectSpeaker(nowMs);
      }
      reportChanges();
    },
    onDoubt: (listener) => void heldListeners.push(listener),
    applyChoice: (pair) => feeds.get(pair)?.applyChoice(readClock()),
    pairs() {
      const named = new Map(sources.map((source) => [source.name, source]));
      return [...feeds].map(([pair, feed]) =>
        pairView(pair, feed, {
          deviationPct: options.deviationPct(pair),
          healthOf: (name) => named.get(name)?.health(pair) ?? NOT_CONFIGURED,
        }),
      );
    },
  };
}

/**
 * Removes the times that the source has from before the clock was set back. Later times cannot be compared with them.
 */
function forgetTimes(source: PairSource): void {
  resetHealth(source);
  source.doubt = null;
}

function restartHealth(source: PairSource, nowMs: UnixMs): void {
  if (source.healthySinceMs !== null) source.healthySinceMs = nowMs;
}

/** The feeds of all pairs of the plan that the catalogue has. */
function pairFeeds(
  options: LiveFeedOptions,
  listeners: {
    readonly isRunning: () => boolean;
    readonly onChange: (pair: PairId, from: string | null) => void;
    readonly onHeld: (pair: PairId, isHeld: boolean) => void;
  },
): ReadonlyMap<PairId, PairFeed> {
  const { plan, instruments, choices, accept } = options;
  const judge = createQuoteJudge({ ...options, hours: createMarketHours(instruments) });
  const feeds = new Map<PairId, PairFeed>();
  for (const [pair, names] of plan) {
    const instrument = instruments.get(pair);
    if (instrument === undefined) continue;
    const feed = createPairFeed({
      pair,
      instrument,
      sources: names,
      judge,
      agreement: options.deviationPct(pair) / PERCENT,
      moveMax: options.outliers.moveMax,
      chosen: () => choices.choiceOf(pair)?.chosen ?? AUTO,
      isRunning: listeners.isRunning,
      lastMid: () => midOrNull(options.newest(pair)),
      lastSource: () => venueOf(options.newest(pair)),
      accept,
      onChange: (from) => listeners.onChange(pair, from),
      onHeld: (isHeld) => listeners.onHeld(pair, isHeld),
    });
    feeds.set(pair, feed);
  }
  return feeds;
}

const PERCENT = 100;
const AUTO: ChosenPrices = { kind: "auto" };

function midOrNull(quote: Quote | null): number | null {
  return quote === null ? null : midOf(quote);
}

/**
 * The source of the quote; null without a quote, and for a simulated or replayed one, from which any real price may be
 * far.
 */
function venueOf(quote: Pick<OfferedQuote, "source"> | null): string | null {
  return quote === null || findBuiltInSource(quote.source) !== null ? null : quote.source;
}

const NOT_CONFIGURED: ConnectionHealth = {
  state: "down",
  reason: "not configured",
  reconnects: 0,
  unreadable: 0,
};

function pairView(
  pair: PairId,
  { sources, speaker, isHeld, far, isSilent, isDoubtful, changes }: PairFeed,
  about: {
    readonly deviationPct: number;
    readonly healthOf: (source: string) => ConnectionHealth;
  },
): PairView {
  return {
    pair,
    speaker,
    isHeld,
    far,
    isSilent,
    isDoubtful,
    deviationPct: about.deviationPct,
    changes,
    sources: sources.map(({ name, quote, healthySinceMs, accepted, rejected }) => ({
      name,
      quote: quote?.offered ?? null,
      healthySinceMs,
      accepted,
      rejected: { ...rejected },
      connection: about.healthOf(name),
    })),
  };
}
