import type { PairId } from "@propgate/core";
import type { NumberedQuote } from "../../packages/market/src/prices/quotes/numbered-quote.ts";
import { tagOf, type VenueFault, type VenueMessage } from "./faulty-venue.ts";

/** A model of the feed's promises. It is written from the rules and does not use the feed's code. */
export interface FeedModel {
  /** Records a message on its way to the feed, and returns its tag. */
  sent(message: VenueMessage): number;
  /** Records a jump of the true price, after which sources differ for a moment. */
  jumped(pair: PairId): void;
  /** Records the operator's choice for a pair. */
  chose(pair: PairId, choice: ModelChoice): void;
  accepted(quote: NumberedQuote): void;
  /** Called right before each tick of the feed, with the venues that are down. */
  ticking(down: ReadonlySet<string>): void;
  /** Called right after each tick of the feed. */
  ticked(): void;
  readonly broken: readonly string[];
  /**
   * The longest time without an accepted quote beyond the staleness limit of its pair. Only ticks at which a good
   * source existed count.
   */
  readonly latestFailoverMs: number;
  readonly returns: number;
  readonly failovers: number;
  /** The number of accepted quotes whose source was compared with the rules. */
  readonly comparedSources: number;
  /** The number of ticks, summed over the pairs, at which a good source had to be in use. */
  readonly comparedTicks: number;
}

/** The operator's choice for a pair, in the model. */
export type ModelChoice =
  | { readonly kind: "auto" | "halt" }
  | { readonly kind: "use"; readonly source: string };

/** A pair of the model, with its staleness limit in milliseconds. */
export interface ModelPair {
  readonly pair: PairId;
  readonly limitMs: number;
  /** The sources of the pair, the preferred one first. */
  readonly sources: readonly string[];
}

interface SourceHealth {
  goodSinceMs: number | null;
  /** The time of the newest quote: when it was made or when it was received, the earlier of both. */
  lastAtMs: number;
  isDown: boolean;
}

interface PairState extends ModelPair {
  readonly healthBySource: ReadonlyMap<string, SourceHealth>;
  choice: ModelChoice;
  choseMs: number;
  /** Wrong prices may make the sources differ until this time. */
  disturbedUntilMs: number;
  jumpedMs: number;
  /** True when the last accepted price was wrong. The next honest one may be an outlier, which must be confirmed. */
  isWrong: boolean;
  acceptedMs: number;
  speaker: string | null;
}

const HEALTH_MS = 10_000;
const FAILOVER_MS = 1_000;
const TICK_MS = 250;
const FUTURE_MS = 1_000;
const TAGS = 1_000_000;
const KEPT = 50_000;
const HARMLESS: ReadonlySet<VenueFault> = new Set(["reorder"]);
const WRONG_PRICES: ReadonlySet<VenueFault> = new Set(["outlier", "shift", "freeze"]);

export function createFeedModel(pairs: readonly ModelPair[], now: () => number): FeedModel {
  const states = new Map(pairs.map((pair) => [pair.pair, stateOf(pair, now())]));
  const messages = new Map<number, VenueMessage>();
  const broken: string[] = [];
  let [tag, latestFailoverMs, returns, failovers] = [0, 0, 0, 0];
  let [comparedSources, comparedTicks] = [0, 0];
  const fail = (promise: string, about: object): void => {
    if (broken.length < 50) broken.push(`${promise}: ${JSON.stringify(about)}`);
  };
  const find = (pair: PairId): PairState => {
    const state = states.get(pair);
    if (state === undefined) throw new Error(`no pair ${pair}`);
    return state;
  };

  return {
    sent(message) {
      tag = (tag % (TAGS - 1)) + 1;
      messages.set(tag, message);
      messages.delete((tag - KEPT + TAGS) % TAGS);
      updateHealth(find(message.quote.pair), message, now());
      return tag;
    },
    jumped(pair) {
      const state = find(pair);
      state.jumpedMs = now();
      beginDisturbance(state, now());
    },
    chose(pair, choice) {
      const state = find(pair);
      state.choice = choice;
      state.choseMs = now();
    },
    accepted(quote) {
      const nowMs = now();
      const state = find(quote.pair);
      checkQuote({ quote, state, nowMs, messages, fail });
      if (isCalm(state, nowMs)) {
        comparedSources += 1;
        checkSource({ quote, state, nowMs, fail });
      }
      const [before, after] = [priorityOf(state, state.speaker), priorityOf(state, quote.source)];
      if (after < before) returns += 1;
      if (after > before) failovers += 1;
      state.speaker = quote.source;
      // The feed compares the first quote after a jump with the price before the jump.
      if (state.isWrong || state.acceptedMs <= state.jumpedMs) beginDisturbance(state, nowMs);
      const fault = messages.get(tagOf(quote.bid))?.fault ?? null;
      state.isWrong = fault !== null && WRONG_PRICES.has(fault);
      state.acceptedMs = nowMs;
    },
    ticking(down) {
      const nowMs = now();
      for (const { healthBySource, limitMs } of states.values()) {
        for (const [source, health] of healthBySource) {
          health.isDown = down.has(source);
          if (health.isDown || nowMs - health.lastAtMs > limitMs) health.goodSinceMs = null;
        }
      }
    },
    ticked() {
      const nowMs = now();
      for (const state of states.values()) {
        const isServed = [...state.healthBySource.values()].some(
          ({ goodSinceMs }) => goodSinceMs !== null,
        );
        if (!isServed || !isCalm(state, nowMs)) continue;
        comparedTicks += 1;
        const waitedMs = nowMs - state.acceptedMs;
        latestFailoverMs = Math.max(latestFailoverMs, waitedMs - state.limitMs);
        if (waitedMs > state.limitMs + FAILOVER_MS) {
          fail("failover within the limit and a second", { pair: state.pair, waitedMs });
        }
      }
    },
    broken,
    get latestFailoverMs() {
      return latestFailoverMs;
    },
    get returns() {
      return returns;
    },
    get failovers() {
      return failovers;
    },
    get comparedSources() {
      return comparedSources;
    },
    get comparedTicks() {
      return comparedTicks;
    },
  };
}

function stateOf(pair: ModelPair, nowMs: number): PairState {
  const newHealth = (): SourceHealth => ({ goodSinceMs: null, lastAtMs: 0, isDown: false });
  return {
    ...pair,
    healthBySource: new Map(pair.sources.map((source) => [source, newHealth()])),
    choice: { kind: "auto" },
    choseMs: 0,
    disturbedUntilMs: 0,
    jumpedMs: 0,
    isWrong: false,
    acceptedMs: nowMs,
    speaker: null,
  };
}

/**
 * True when the model knows which source must be in use: the operator's choice is `auto` and was made long enough ago,
 * no recent wrong price can still have an effect, the last accepted price is honest, and it came after the last jump.
 */
function isCalm(state: PairState, nowMs: number): boolean {
  const { choice, choseMs, disturbedUntilMs, limitMs, jumpedMs, acceptedMs, isWrong } = state;
  const isSettled = nowMs > disturbedUntilMs && nowMs - choseMs > limitMs + HEALTH_MS;
  return choice.kind === "auto" && isSettled && !isWrong && acceptedMs > jumpedMs;
}

/** Updates the health of the message's source. A wrong price also begins a disturbance. */
function updateHealth(
  state: PairState,
  { source, quote, fault }: VenueMessage,
  nowMs: number,
): void {
  const health = state.healthBySource.get(source);
  if (health === undefined) return;
  if (fault !== null && WRONG_PRICES.has(fault)) beginDisturbance(state, nowMs);
  if (fault !== null && !HARMLESS.has(fault)) {
    health.goodSinceMs = null;
    return;
  }
  const atMs = Math.min(quote.madeAtMs ?? quote.receivedAtMs, quote.receivedAtMs);
  // The feed ignores a quote that is older than the previous quote of the same source.
  if (atMs < health.lastAtMs) return;
  if (nowMs - health.lastAtMs > state.limitMs) health.goodSinceMs = null;
  health.lastAtMs = atMs;
  health.goodSinceMs ??= nowMs;
}

/**
 * Begins a disturbance: the time in which the model cannot know the feed's source. It lasts until wrong prices are
 * stale and the sources count as healthy again.
 */
function beginDisturbance(state: PairState, nowMs: number): void {
  state.disturbedUntilMs = nowMs + state.limitMs + HEALTH_MS + FAILOVER_MS;
}

interface CheckedQuote {
  readonly quote: NumberedQuote;
  readonly state: PairState;
  readonly nowMs: number;
  readonly fail: (promise: string, about: object) => void;
}

/**
 * Checks the quote itself: both prices are from one message of its source, the bid is above zero, and bid and ask are
 * not crossed. The quote is not from the future, not stale, and from a source that the operator allows.
 */
function checkQuote({
  quote,
  state,
  nowMs,
  messages,
  fail,
}: CheckedQuote & { readonly messages: ReadonlyMap<number, VenueMessage> }): void {
  const about = { ...quote, nowMs };
  const { bid, ask, madeAtMs, receivedAtMs, source } = quote;
  const message = messages.get(tagOf(bid));
  if (tagOf(bid) !== tagOf(ask) || message?.source !== source) fail("never mixed", about);
  if (!(bid > 0 && bid <= ask)) fail("never crossed", about);
  if ((madeAtMs ?? 0) > receivedAtMs + FUTURE_MS) fail("never from the future", about);
  if (nowMs - Math.min(madeAtMs ?? receivedAtMs, receivedAtMs) > state.limitMs) {
    fail("never stale", about);
  }
  const { choice } = state;
  if (choice.kind === "halt") fail("no quote of a halted pair", about);
  if (choice.kind === "use" && choice.source !== source) fail("only the chosen source", about);
}

/**
 * Checks the source of the quote: it is the preferred usable source. A preferred source returns only after ten seconds
 * of health.
 */
function checkSource({ quote, state, nowMs, fail }: CheckedQuote): void {
  const about = { pair: quote.pair, from: state.speaker, to: quote.source, nowMs };
  const place = priorityOf(state, quote.source);
  const [own, former] = [
    state.healthBySource.get(quote.source),
    state.healthBySource.get(state.speaker ?? ""),
  ];
  const healthyMs = nowMs - (own?.goodSinceMs ?? nowMs);
  // A change to a preferred source is a return only while the former source still sends quotes. A former source that
  // was silent for longer than the failover time has stopped.
  const isReturn =
    place < priorityOf(state, state.speaker) && nowMs - state.acceptedMs <= FAILOVER_MS;
  if (isReturn && former !== undefined && isUsable(former, state, nowMs) && healthyMs < HEALTH_MS) {
    fail("return after ten seconds of health", { ...about, healthyMs });
  }
  for (const [source, health] of state.healthBySource) {
    if (priorityOf(state, source) >= place || health.goodSinceMs === null) continue;
    const steadyMs = nowMs - health.goodSinceMs;
    if (isUsable(health, state, nowMs) && steadyMs > HEALTH_MS + TICK_MS) {
      fail("the preferred source speaks", { ...about, source, steadyMs });
    }
  }
}

function isUsable(
  { goodSinceMs, lastAtMs, isDown }: SourceHealth,
  state: PairState,
  nowMs: number,
) {
  return goodSinceMs !== null && !isDown && nowMs - lastAtMs <= state.limitMs;
}

/** The index of the source by priority, 0 for the preferred one. The number of sources when the source is null. */
function priorityOf({ sources }: PairState, source: string | null): number {
  return source === null ? sources.length : sources.indexOf(source);
}
