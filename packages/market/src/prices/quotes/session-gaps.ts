import {
  type CorporateAction,
  findMissingSplit,
  type Instruments,
  implausibleGap,
  implausibleMove,
  midOf,
  type PairId,
  type Quote,
  type Ratio,
  type Split,
  type UnixMs,
} from "@propgate/core";

/**
 * Watches the first price of each session, and the prices during the day after a split. An implausible price may come
 * from an unannounced split. So it is rejected like all implausible prices after it, and no account is judged at them.
 * The pair continues when an operator accepts the gap, or when an announced corporate action explains it. Until the
 * halt that the gap causes is stored, a plausible price ends the gap too.
 * @rule D13.formerScale
 */
export interface SessionGaps {
  /**
   * Judges a price. `last` is the pair's newest quote in the scale of `next`. The result `accepted` is a gap that an
   * operator has accepted; the quote then needs no confirmation.
   */
  judge(last: Quote, next: Priced): "plausible" | "gap" | "accepted";
  /**
   * Whether the price has the scale from before a split. Repetition does not confirm such a price. `expected` is the
   * middle of the pair's newest quote in the scale of the price. @rule D13.formerScale
   */
  isOfFormerScale(expected: number, next: Priced): boolean;
  /** Notes a usable price that was not judged because the pair is halted. */
  note(next: Priced): void;
  /**
   * Whether the newest rejected or noted price of the pair fits the last quote, which the caller has adjusted for the
   * corporate actions since then. False for a pair outside the catalogue, and when no price was rejected or noted since
   * the last of these actions; without an action, since the quote.
   */
  isExplained(last: Quote): boolean;
  /**
   * Whether a gap of the pair was reported and has not ended: since then no plausible price was judged, and neither
   * `accept` nor `forget` was called.
   */
  isReported(pair: PairId): boolean;
  /**
   * Accepts the pair's next price at any distance. Only the feed judges prices, so on another node the pair's next
   * quote ends the acceptance.
   */
  accept(pair: PairId): void;
  /** Forgets the reported gap of the pair, so that its next gap is reported again. */
  forget(pair: PairId): void;
}

type Priced = Pick<Quote, "pair" | "bid" | "ask" | "atMs">;

/** A gap of a pair. It is reported once, until the pair continues. */
export type SessionGap = {
  readonly pair: PairId;
  /** The mid prices before and after the gap. */
  readonly from: number;
  readonly to: number;
} & (
  | { readonly kind: "session"; readonly share: Ratio }
  /** Prices still have the scale from before this split. */
  | { readonly kind: "formerScale"; readonly split: Split }
);

/**
 * How long a pair may have prices in the former scale before the gap is reported. Some venues send such prices for some
 * seconds after a split.
 */
const FORMER_SCALE_MS = 10_000;

export function createSessionGaps(options: {
  readonly instruments: Instruments;
  readonly actionsOf: (pair: PairId) => readonly CorporateAction[];
  /** The time of the pair's newest quote; null when there is none. */
  readonly lastAtMs: (pair: PairId) => UnixMs | null;
  readonly onGap: (gap: SessionGap) => void;
}): SessionGaps {
  const reported = new Set<PairId>();
  /** The pairs whose next price an operator has accepted, each with the time of its newest quote at that moment. */
  const accepted = new Map<PairId, UnixMs | null>();
  /** The time from which on each pair has had only prices in a former scale. */
  const formerSince = new Map<PairId, UnixMs>();
  const lastUnjudged = new Map<PairId, Priced>();

  const formerGap = (from: number, next: Priced): SessionGap | null => {
    const { pair, atMs } = next;
    const to = midOf(next);
    const split = findMissingSplit(from, { mid: to, atMs }, options.actionsOf(pair));
    return split === null ? null : { kind: "formerScale", pair, from, to, split };
  };
  const gapOf = (last: Quote, next: Priced): SessionGap | null => {
    const { pair } = next;
    const former = formerGap(midOf(last), next);
    if (former !== null) return former;
    const instrument = options.instruments.get(pair);
    const share = instrument === undefined ? null : implausibleGap(last, next, instrument);
    if (share === null) return null;
    return { kind: "session", pair, from: midOf(last), to: midOf(next), share };
  };
  const reject = (gap: SessionGap, next: Priced): void => {
    const { pair, atMs } = next;
    lastUnjudged.set(pair, next);
    if (gap.kind === "formerScale") {
      const since = formerSince.get(pair) ?? atMs;
      formerSince.set(pair, since);
      if (atMs - since < FORMER_SCALE_MS) return;
    }
    if (reported.has(pair)) return;
    reported.add(pair);
    options.onGap(gap);
  };
  const clearReport = (pair: PairId): void => {
    reported.delete(pair);
    formerSince.delete(pair);
  };
  const isAccepted = (pair: PairId): boolean =>
    accepted.has(pair) && accepted.get(pair) === options.lastAtMs(pair);

  return {
    /**
     * Rejects a price with an implausible gap to `last`, unless an operator has accepted the gap. Later prices are
     * compared with the same `last`, so they are rejected too until one is plausible. @rule D11.gap decides
     */
    judge(last, next) {
      const { pair } = next;
      const gap = gapOf(last, next);
      const wasAccepted = isAccepted(pair);
      accepted.delete(pair);
      if (gap === null || wasAccepted) {
        clearReport(pair);
        return gap === null ? "plausible" : "accepted";
      }
      reject(gap, next);
      return "gap";
    },
    isOfFormerScale(expected, next) {
      const gap = isAccepted(next.pair) ? null : formerGap(expected, next);
      if (gap === null) return false;
      reject(gap, next);
      return true;
    },
    note: (next) => void lastUnjudged.set(next.pair, next),
    /** True when the adjusted last quote makes the newest rejected price plausible. @rule D13.gapExplained decides */
    isExplained(last) {
      const next = lastUnjudged.get(last.pair);
      const instrument = options.instruments.get(last.pair);
      if (next === undefined || instrument === undefined) return false;
      if (next.atMs < (last.adjustedToMs ?? last.atMs)) return false;
      return (
        formerGap(midOf(last), next) === null && implausibleMove(last, next, instrument) === null
      );
    },
    isReported: (pair) => reported.has(pair),
    accept(pair) {
      accepted.set(pair, options.lastAtMs(pair));
      clearReport(pair);
    },
    forget: clearReport,
  };
}

/** The reason of a halt in words for the operator. */
export function gapText(gap: SessionGap): string {
  const { from, to } = gap;
  if (gap.kind === "formerScale") {
    const { newShares, oldShares } = gap.split;
    return `the price ${to} is still of before the split of ${newShares}:${oldShares}, after which about ${from} is expected: the halt ends with a price of the new scale; auto accepts the price as it is`;
  }
  return `the first price of the session is ${to}, ${(gap.share * 100).toFixed(1)} % from ${from}: announce the corporate action that explains it, or accept it`;
}
