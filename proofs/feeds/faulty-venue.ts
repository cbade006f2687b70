import { type PairId, price, type UnixMs, unixMs } from "@propgate/core";
import type { OfferedQuote } from "../../packages/market/src/prices/quotes/numbered-quote.ts";
import type { LiveSink, LiveSource } from "../../packages/market/src/prices/venues/live-source.ts";

/** The faults of a venue. `shift`, `freeze` and `outlier` are wrong prices that look well-formed. */
export const VENUE_FAULTS = [
  "cut",
  "silence",
  "crossed",
  "invalid",
  "future",
  "late",
  "reorder",
  "outlier",
  "shift",
  "freeze",
] as const;
export type VenueFault = (typeof VENUE_FAULTS)[number];

/** Random numbers of a run, which its seed determines. */
export interface RandomDraw {
  /** A whole number of at least 0 and below `limit`. */
  below(limit: number): number;
}

/** A quote that a venue sends, before its prices get the tag that identifies it. */
export interface VenueMessage {
  readonly source: string;
  readonly connection: number;
  readonly quote: OfferedQuote;
  /** The fault that the venue had when it sent the message; null for an honest quote. */
  readonly fault: VenueFault | null;
}

/** A venue whose faults and messages the test triggers. */
export interface FaultyVenue extends LiveSource {
  /** Begins a fault, which replaces the present one and ends at `untilMs`. */
  fail(fault: VenueFault, untilMs: number): void;
  /** Sends the messages that are due. */
  step(): void;
}

export interface FaultyVenueOptions {
  readonly name: string;
  readonly pairs: readonly PairId[];
  readonly now: () => UnixMs;
  /** The true middle price of the pair. */
  readonly truth: (pair: PairId) => number;
  readonly draw: RandomDraw;
  /** The venue's usual delay. */
  readonly lagMs: number;
  /** Called before each message is offered. Returns the tag for its prices, at least 1 and below a million. */
  readonly tag: (message: VenueMessage) => number;
}

const CENT = 0.01;
const TAG_STEP = 1e-9;
const TAGS = 1_000_000;

/** The tag in a price: its digits below a hundredth. */
export function tagOf(side: number): number {
  const cents = side / CENT;
  return Math.round(((cents - Math.floor(cents)) * CENT) / TAG_STEP) % TAGS;
}

/**
 * A venue in this process that fails on request. Bid and ask contain the tag of their message, except an invalid bid.
 */
export function createFaultyVenue(options: FaultyVenueOptions): FaultyVenue {
  const { name, pairs, now, draw } = options;
  const dueMs = new Map(pairs.map((pair) => [pair, 0]));
  const frozen = new Map<PairId, number>();
  let sink: LiveSink | null = null;
  let fault: { readonly kind: VenueFault; readonly untilMs: number } | null = null;
  let connection = 1;

  const midOf = (pair: PairId, kind: VenueFault | null): number => {
    const mid = options.truth(pair);
    if (kind === "shift") return mid * 1.03;
    if (kind === "outlier") return draw.below(3) === 0 ? mid * 1.5 : mid;
    if (kind !== "freeze") return mid;
    const level = frozen.get(pair) ?? mid;
    frozen.set(pair, level);
    return level;
  };
  const madeAt = (kind: VenueFault | null): number => {
    if (kind === "future") return now() + 1_001 + draw.below(3_600_000);
    if (kind === "late") return now() - 60_001 - draw.below(60_000);
    if (kind === "reorder") return now() - options.lagMs - draw.below(1_000);
    return now() - options.lagMs;
  };
  const send = (pair: PairId): void => {
    const kind = fault?.kind ?? null;
    const mid = Math.round(midOf(pair, kind) / CENT) * CENT;
    const half = kind === "crossed" ? -2 : 2;
    const sides = { bid: mid - half * CENT, ask: mid + half * CENT };
    const times = { madeAtMs: unixMs(madeAt(kind)), receivedAtMs: now() };
    const plain = { source: name, pair, ...times };
    const tagged = (tag: number): OfferedQuote => ({
      ...plain,
      bid: price(centsOf(sides.bid) + tag * TAG_STEP),
      ask: price(centsOf(sides.ask) + tag * TAG_STEP),
    });
    const message = { source: name, connection, quote: tagged(0), fault: kind };
    const tag = options.tag(message);
    const quote = tagged(tag);
    sink?.offer(kind === "invalid" ? { ...quote, bid: NOT_A_PRICE } : quote);
  };

  return {
    name,
    pairs,
    async start(given) {
      sink = given;
    },
    async stop() {
      sink = null;
    },
    health: () => ({
      state: fault?.kind === "cut" ? "down" : "up",
      reason: fault?.kind === "cut" ? "cut" : null,
      reconnects: connection - 1,
      unreadable: 0,
    }),
    fail(kind, untilMs) {
      fault = { kind, untilMs };
      frozen.clear();
    },
    step() {
      const nowMs = now();
      if (fault !== null && nowMs >= fault.untilMs) {
        if (fault.kind === "cut") connection += 1;
        fault = null;
      }
      if (fault?.kind === "cut" || fault?.kind === "silence") return;
      for (const pair of pairs) {
        if (nowMs < (dueMs.get(pair) ?? 0)) continue;
        dueMs.set(pair, nowMs + 100 + draw.below(500));
        send(pair);
      }
    },
  };
}

/** A negative price, which no venue should send. `JSON.parse` returns it without the check in the function `price`. */
const NOT_A_PRICE = JSON.parse("-1");

function centsOf(side: number): number {
  return Math.round(side / CENT) * CENT;
}
