import type { ObservedEvent } from "@propgate/core";
import type { LinkedRecord } from "@propgate/ledger";

/**
 * How a request of this service can have caused the event: it has placed the event's order, attached the leg, edited or
 * cancelled the order, or closed the position.
 */
export type OwnAct =
  /** `placed`: the request placed the order with the event's id. */
  "placed" | "attached" | "edited" | "cancelled" | "flattened";

/** An event that a reading shows, before it is known whether the journal has it. */
export interface ObservedChange {
  readonly event: ObservedEvent;
  /** The validator's time, by which the events of a reading are ordered; null when there is none. */
  readonly orderMs: number | null;
  /** The order that the event is about; null for an event of the account and for the closing of a position. */
  readonly orderUuid: string | null;
  /** The pair of the event; null for an event of the account. */
  readonly pair: string | null;
  /**
   * The stored record that shows the event: the event is new when the record is new. Null for a change of the account,
   * and of open positions and orders.
   */
  readonly record: Pick<LinkedRecord, "kind" | "id"> | null;
  /**
   * True for an event that is left out when the journal already has a fill of its order, because an order fills once.
   */
  readonly isUnlessFilled: boolean;
  readonly act: OwnAct | null;
}

/** An event of the account, which follows from a change of its figures. */
export function observedAccountChange(event: ObservedEvent): ObservedChange {
  return {
    event,
    orderMs: event.dueMs,
    orderUuid: null,
    pair: null,
    record: null,
    isUnlessFilled: false,
    act: null,
  };
}
