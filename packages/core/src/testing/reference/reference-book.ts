/**
 * What an account has open and pending, as the reference keeps it. The reference is slow and literal: it follows
 * the text of the rules, and shares no code with `orders` and `positions`.
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

/** A pending LIMIT, or a STOP_LIMIT whose stop has not been passed yet. */
export interface WaitingEntry {
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

export interface WaitingLeg {
  readonly what: "leg";
  readonly uuid: string;
  readonly positionUuid: string;
  readonly pair: string;
  readonly direction: Direction;
  readonly asked: LegRequest;
  /** The best price since it trails; null without a trailing distance. */
  readonly best: number | null;
  /** The position as if no sister leg had filled, and how far rounding may take it off. */
  readonly whole: { readonly lots: number; readonly slack: number };
}

export type Waiting = WaitingEntry | WaitingLeg;

export class ReferenceBook {
  /** By pair. */
  readonly positions = new Map<string, HeldPosition>();
  /** By uuid, oldest first. */
  readonly waiting = new Map<string, Waiting>();
  /** By uuid: exits whose position a quote has closed, and that quote, at which they do nothing more. */
  readonly heldAt = new Map<string, Quote>();

  /** Entries, their legs, and legs of open positions. @rule D10.hundred */
  get count(): number {
    let count = 0;
    for (const one of this.waiting.values()) count += one.what === "leg" ? 1 : 1 + one.legs.length;
    return count;
  }

  legsOf(positionUuid: string): readonly WaitingLeg[] {
    return [...this.waiting.values()].filter(
      (one): one is WaitingLeg => one.what === "leg" && one.positionUuid === positionUuid,
    );
  }

  entriesOn(pair: string): readonly WaitingEntry[] {
    return [...this.waiting.values()].filter(
      (one): one is WaitingEntry => one.what === "entry" && one.pair === pair,
    );
  }

  add(position: HeldPosition, lots: number): void {
    const before = position.open;
    position.open += lots;
    this.#shareAgain(position, before);
  }

  /** Takes lots off a position. `byLeg`: the shares of its sister legs stay shares of the same whole. */
  take(position: HeldPosition, lots: number, byLeg: boolean): void {
    const before = position.open;
    position.open -= lots;
    if (position.open > 0 && !byLeg) this.#shareAgain(position, before);
  }

  /**
   * The position is gone: with it go its legs and what could only have reduced it.
   * @returns the uuids of what is cancelled
   */
  close(position: HeldPosition): readonly string[] {
    this.positions.delete(position.pair);
    const reducers = this.entriesOn(position.pair).filter(
      ({ isReduceOnly, direction }) => isReduceOnly && direction !== position.direction,
    );
    const gone = [...this.legsOf(position.uuid), ...reducers].map(({ uuid }) => uuid);
    for (const uuid of gone) this.waiting.delete(uuid);
    return gone;
  }

  /** What is added or reduced by others moves the whole in proportion. @rule D5.legsFollow */
  #shareAgain(position: HeldPosition, before: number): void {
    for (const leg of this.legsOf(position.uuid)) {
      const factor = position.open / before;
      const whole = { lots: leg.whole.lots * factor, slack: leg.whole.slack * factor + 0.5 };
      this.waiting.set(leg.uuid, { ...leg, whole });
    }
  }
}
