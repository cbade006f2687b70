import {
  type Instruments,
  isOpen,
  nextClose,
  nextOpening,
  type PairId,
  type Session,
  type UnixMs,
} from "@propgate/core";

/** Finds whether the market of a pair was open at a moment. */
export interface MarketHours {
  /** A pair that is not in the catalogue has no hours, so it counts as open. */
  isOpenAt(pair: PairId, atMs: UnixMs): boolean;
}

/** How long the result is cached for a market that will not open or close again, so that no stretch ends. */
const RECHECK_MS = 86_400_000;

/** The time between two changes of a market, in which it is always open or always closed. */
interface Stretch {
  readonly fromMs: number;
  /** The first moment after the stretch. */
  readonly untilMs: number;
  readonly isOpen: boolean;
}

/**
 * Computes the hours of a session once for each stretch between two changes and caches the last stretch, because every
 * quote needs them. A moment outside the cached stretch is computed anew, so the result is never wrong.
 */
export function createMarketHours(instruments: Instruments): MarketHours {
  const stretches = new Map<Session, Stretch>();
  return {
    isOpenAt(pair, atMs) {
      const session = instruments.get(pair)?.session;
      if (session === undefined) return true;
      const known = stretches.get(session);
      if (known !== undefined && atMs >= known.fromMs && atMs < known.untilMs) return known.isOpen;
      const found = stretchFrom(session, atMs);
      stretches.set(session, found);
      return found.isOpen;
    },
  };
}

function stretchFrom(session: Session, fromMs: UnixMs): Stretch {
  const open = isOpen(session, fromMs);
  const changesAtMs = open ? nextClose(session, fromMs) : nextOpening(session, fromMs);
  return { fromMs, untilMs: changesAtMs ?? fromMs + RECHECK_MS, isOpen: open };
}
