import {
  type Instruments,
  isOpen,
  nextClose,
  nextOpening,
  type PairId,
  type Session,
  type UnixMs,
} from "@propgate/core";

/** Finds out whether the market of a pair was open at a moment. */
export interface MarketHours {
  /** A pair outside the catalogue has no hours: it counts as open. */
  isOpenAt(pair: PairId, atMs: UnixMs): boolean;
}

/** A market that never opens or closes is computed again after this time. */
const RECHECK_MS = 86_400_000;

/** From one opening or close to the next. */
interface Stretch {
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly isOpen: boolean;
}

/**
 * Computes a session's hours once for each stretch between two changes and caches the last one,
 * because every quote needs them. A moment outside the cached stretch costs a new computation and
 * is never wrong.
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
