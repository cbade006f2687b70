/**
 * The open positions and pending orders of the reference. The reference is slow and literal: it follows the text of the
 * rules, and shares no code with `orders` and `positions`.
 */
import type { Quote } from "../../market/quote.ts";
import type { Direction, LegRequest } from "../../state/order.ts";
import type { Size } from "../../state/requested-size.ts";

/** An open position of the reference. */
export interface HeldPosition {
  readonly uuid: string;
  readonly pair: string;
  readonly direction: Direction;
  /** The open quantity in 0.00001 lots. */
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

/** A pending leg of a position: a stop, a target, a trailing stop or several of them. */
export interface PendingLeg {
  readonly what: "leg";
  readonly uuid: string;
  readonly positionUuid: string;
  readonly pair: string;
  readonly direction: Direction;
  readonly request: LegRequest;
  /** The best price that the trailing stop has followed; null for a leg that does not trail. */
  readonly best: number | null;
  /**
   * The quantity of which the leg's size may be a share: the position's quantity as if no leg of the same request had
   * filled, with its maximum rounding error.
   */
  readonly whole: { readonly lots: number; readonly slack: number };
}

/** A pending order of the reference. */
export type ReferencePendingOrder = PendingEntry | PendingLeg;

/** The legs of one request that are sized by `bracketPct` and have acted, in 0.00001 lots. @rule D12.ladder */
export interface Ladder {
  /** The sum of their shares; `slack` is its maximum rounding error. */
  readonly shares: number;
  readonly slack: number;
  /** The quantity that they have closed together. */
  readonly closed: number;
}

/** The open positions and pending orders of one account, in the order in which they began. */
export class ReferenceBook {
  /** The open positions by pair. */
  readonly positions = new Map<string, HeldPosition>();
  /** The pending orders and legs by uuid, oldest first. */
  readonly pending = new Map<string, ReferencePendingOrder>();
  /** The ladders of requests of which a leg has acted. */
  readonly #ladders = new Map<string, Ladder>();
  /** For each held order the quote that closed its position, at which it does not act. */
  readonly heldAt = new Map<string, Quote>();

  /** The number of pending entries, of their legs, and of the legs of open positions. @rule D10.hundred */
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

  /**
   * The ladder of the leg's request, without the leg itself. Null for a leg that is not sized by `bracketPct`, or is
   * the only such leg of its request when none has acted.
   */
  ladderOf(leg: PendingLeg): Ladder | null {
    if (shareOf(leg) === null) return null;
    const request = requestIdOf(leg.uuid);
    const others = this.legsOf(leg.positionUuid).filter(({ uuid }) => uuid !== leg.uuid);
    const waits = others.some(
      (other) => shareOf(other) !== null && requestIdOf(other.uuid) === request,
    );
    const begun = this.#ladders.get(request) ?? null;
    return begun === null && waits ? { shares: 0, slack: 0, closed: 0 } : begun;
  }

  /** Removes a leg that has acted, and adds its share and the quantity that it closed to its ladder. */
  removeActedLeg(leg: PendingLeg, closed: number): void {
    this.pending.delete(leg.uuid);
    const share = shareOf(leg);
    if (share === null) return;
    const request = requestIdOf(leg.uuid);
    const begun = this.#ladders.get(request);
    this.#ladders.set(request, {
      shares: (begun?.shares ?? 0) + share * leg.whole.lots,
      slack: (begun?.slack ?? 0) + share * leg.whole.slack,
      closed: (begun?.closed ?? 0) + closed,
    });
  }

  /** Adds to a position. `whole` of each of its legs grows by the same quantity. @rule D13.shareWhole */
  add(position: HeldPosition, lots: number): void {
    position.open += lots;
    for (const leg of this.legsOf(position.uuid)) {
      const whole = { lots: leg.whole.lots + lots, slack: leg.whole.slack };
      this.pending.set(leg.uuid, { ...leg, whole });
    }
  }

  /**
   * Reduces a position. `whole` of each of its legs falls in proportion, except for legs of the request whose leg
   * reduced the position.
   * @rule D5.legsFollow
   */
  reducePosition(position: HeldPosition, lots: number, by: string): void {
    const before = position.open;
    position.open -= lots;
    if (position.open === 0) return;
    const factor = position.open / before;
    for (const leg of this.legsOf(position.uuid)) {
      if (requestIdOf(leg.uuid) === requestIdOf(by)) continue;
      const whole = { lots: leg.whole.lots * factor, slack: leg.whole.slack * factor + 0.5 };
      this.pending.set(leg.uuid, { ...leg, whole });
    }
  }

  /**
   * Closes a position, with its legs and the reduce-only orders against it.
   * @returns the uuids of the removed legs and orders
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

/** The share of the leg; null for a leg that is not sized by `bracketPct`. */
function shareOf({ request: { size } }: PendingLeg): number | null {
  return size?.kind === "bracketPct" ? size.ratio : null;
}

/** The id of the request that attached a leg; any other id unchanged. */
export function requestIdOf(uuid: string): string {
  return uuid.replace(/-bracket-\d+$/, "");
}
