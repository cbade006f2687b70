import {
  type Instruments,
  implausibleGap,
  type PairId,
  type Quote,
  type Ratio,
} from "@propgate/core";

/**
 * Watches the first price of each session. An implausible one is rejected, and so are all that follow it, so no account
 * is judged at them: an unannounced split looks the same. The pair goes on when an operator accepts the gap, when an
 * announced corporate action explains it, or when a plausible price comes. @rule D11.gap
 */
export interface SessionGaps {
  /**
   * `last` is the pair's newest quote in the scale of `next`. `accepted`: a gap that an operator accepted; the quote
   * needs no confirmation.
   */
  judge(
    last: Quote,
    next: Pick<Quote, "pair" | "bid" | "ask" | "atMs">,
  ): "plausible" | "gap" | "accepted";
  /** The pair's next price is accepted, however far it is. */
  accept(pair: PairId): void;
  /** The pair's next gap is reported again. */
  forget(pair: PairId): void;
}

/** A gap as it is reported, once until the pair goes on. */
export interface SessionGap {
  readonly pair: PairId;
  /** The mid prices. */
  readonly from: number;
  readonly to: number;
  readonly share: Ratio;
}

export function createSessionGaps(options: {
  readonly instruments: Instruments;
  readonly onGap: (gap: SessionGap) => void;
}): SessionGaps {
  const reported = new Set<PairId>();
  const accepted = new Set<PairId>();
  return {
    judge(last, next) {
      const { pair } = next;
      const instrument = options.instruments.get(pair);
      const share = instrument === undefined ? null : implausibleGap(last, next, instrument);
      const isAccepted = accepted.delete(pair);
      if (share === null || isAccepted) {
        reported.delete(pair);
        return share === null ? "plausible" : "accepted";
      }
      if (!reported.has(pair)) {
        reported.add(pair);
        options.onGap({ pair, from: midOf(last), to: midOf(next), share });
      }
      return "gap";
    },
    accept: (pair) => void accepted.add(pair),
    forget: (pair) => void reported.delete(pair),
  };
}

function midOf({ bid, ask }: Pick<Quote, "bid" | "ask">): number {
  return (bid + ask) / 2;
}

/** The reason of a halt, for people. */
export function gapText({ from, to, share }: SessionGap): string {
  return `the first price of the session is ${to}, ${(share * 100).toFixed(1)} % from ${from}: announce the corporate action that explains it, or accept it`;
}
