/**
 * The open positions and pending orders of the reference. The reference is slow and literal: it follows the text
 * of the rules, and shares no code with `orders` and `positions`.
 */
import type { Quote } from "../../market/quote.ts";
import type { Direction, LegRequest } from "../../state/order.ts";
import type { Size } from "../../state/requested-size.ts";

export interface HeldPosition {
  readonly uuid: string;
  readonly pair: string;
  readonly direction: Direction;
  /** In 0.00001 lots. */
  open: number;
}

/** A pending LIMIT, or a STOP_LIMIT whose stop has not triggered yet. */
export interface PendingEntry {
  readonly what: "entry";
  readonly uuid: string;
  readonly pair: string;
  readonly direction: Direction;
  readonly size: Size;
  readonly limitPrice: number;
  readonly stop: { readonly price: number; readonly condition: "gte" | "lte" } | null;
  readonly legs: readonly LegRequest[];
  readonly isReduceOnly: boolean;
}

export interface PendingLeg {
  readonly what: "leg";
  readonly uuid: string;
  readonly positionUuid: string;
  readonly pair: string;
  readonly direction: Direction;
  readonly request: LegRequest;
  /** The best price since the leg was attached; null without a trailing distance. */
  readonly best: number | null;
  /** The position's quantity as if no other leg had filled, and its maximum rounding error. */
  readonly whole: { readonly lots: number; readonly slack: number };
}

export type Pending = PendingEntry | PendingLeg;

/** The legs of one request that are shares and have acted, in 0.00001 lots. @rule D12.ladder */
export interface Ladder {
  /** The sum of their shares, and its maximum rounding error. */
  readonly shares: number;
  readonly slack: number;
  /** The quantity that they have closed together. */
  readonly closed: number;
}

export class ReferenceBook {
  /** By pair. */
  readonly positions = new Map<string, HeldPosition>();
  /** By uuid, oldest first. */
  readonly pending = new Map<string, Pending>();
  /** By request: the ladders of which a leg has acted. */
  readonly #ladders = new Map<string, Ladder>();
  /** By uuid: exits whose position a quote has closed, with that quote, at which they no longer act. */
  readonly heldAt = new Map<string, Quote>();

  /** The number of pending entries, their legs, and legs of open positions. @rule D10.hundred */
  get count(): number {
    let count = 0;
    for (const one of this.pending.values()) count += one.what === "leg" ? 1 : 1 + one.legs.length;
    return count;
  }

  legsOf(positionUuid: string): readonly PendingLeg[] {
    return [...this.pending.values()].filter(
      (one): one is PendingLeg => one.what === "leg" && one.positionUuid === positionUuid,
    );
  }

  entriesOn(pair: string): readonly PendingEntry[] {
    return [...this.pending.values()].filter(
      (one): one is PendingEntry => one.what === "entry" && one.pair === pair,
    );
  }

  /** The ladder of the leg's request, without the leg itself; null for a leg that is alone, or is not a share. */
  ladderOf(leg: PendingLeg): Ladder | null {
    if (shareOf(leg) === null) return null;
    const request = requestOf(leg.uuid);
    const others = this.legsOf(leg.positionUuid).filter(({ uuid }) => uuid !== leg.uuid);
    const waits = others.some(
      (other) => shareOf(other) !== null && requestOf(other.uuid) === request,
    );
    const begun = this.#ladders.get(request) ?? null;
    return begun === null && waits ? { shares: 0, slack: 0, closed: 0 } : begun;
  }

  /** A leg has acted and is gone. */
  act(leg: PendingLeg, closed: number): void {
    this.pending.delete(leg.uuid);
    const share = shareOf(leg);
    if (share === null) return;
    const request = requestOf(leg.uuid);
    const begun = this.#ladders.get(request);
    this.#ladders.set(request, {
      shares: (begun?.shares ?? 0) + share * leg.whole.lots,
      slack: (begun?.slack ?? 0) + share * leg.whole.slack,
      closed: (begun?.closed ?? 0) + closed,
    });
  }

  /**
   * An addition to the position increases the whole that each leg's share refers to by the same quantity.
   * @rule D13.shareWhole
   */
  add(position: HeldPosition, lots: number): void {
    position.open += lots;
    for (const leg of this.legsOf(position.uuid)) {
      const whole = { lots: leg.whole.lots + lots, slack: leg.whole.slack };
      this.pending.set(leg.uuid, { ...leg, whole });
    }
  }

  /**
   * Reduces a position, which makes the wholes of its legs smaller in proportion. A reduction by a leg does not change
   * the wholes of the other legs of its request. @rule D5.legsFollow
   */
  take(position: HeldPosition, lots: number, by: string): void {
    const before = position.open;
    position.open -= lots;
    if (position.open === 0) return;
    const factor = position.open / before;
    for (const leg of this.legsOf(position.uuid)) {
      if (requestOf(leg.uuid) === requestOf(by)) continue;
      const whole = { lots: leg.whole.lots * factor, slack: leg.whole.slack * factor + 0.5 };
      this.pending.set(leg.uuid, { ...leg, whole });
    }
  }

  /**
   * Closes a position, with its legs and the reduce-only orders against it.
   * @returns the uuids of the cancelled orders
   */
  close(position: HeldPosition): readonly string[] {
    this.positions.delete(position.pair);
    const reducers = this.entriesOn(position.pair).filter(
      ({ isReduceOnly, direction }) => isReduceOnly && direction !== position.direction,
    );
    const gone = [...this.legsOf(position.uuid), ...reducers].map(({ uuid }) => uuid);
    for (const uuid of gone) this.pending.delete(uuid);
    return gone;
  }
}

/** Null for a leg of another size. */
function shareOf({ request: { size } }: PendingLeg): number | null {
  return size?.kind === "bracketPct" ? size.ratio : null;
}

/** The id of the request that attached a leg; any other id itself. */
export function requestOf(uuid: string): string {
  return uuid.replace(/-bracket-\d+$/, "");
}
