import type { ObservedEvent } from "@propgate/core";
import type { LinkedRecord } from "@propgate/ledger";

/** How an order of this service can have caused the event. */
export type OwnAct =
  /** By its own id. */
  "placed" | "attached" | "edited" | "cancelled" | "flattened";

/** An event that a reading shows, before it is known whether the journal has it. */
export interface Sighting {
  readonly event: ObservedEvent;
  /** The validator's time by which the events of a reading are ordered; null when it says none. */
  readonly orderMs: number | null;
  /** The order that it is about; null for an event of the account. */
  readonly orderUuid: string | null;
  /** Its pair; null for an event of the account. */
  readonly pair: string | null;
  /** The record that it comes with: it is news when the record is. Null for a change of what is open. */
  readonly record: Pick<LinkedRecord, "kind" | "id"> | null;
  /** True for an event that is none once the order has filled: it fills once. */
  readonly isUnlessFilled: boolean;
  readonly act: OwnAct | null;
}

/** An event of the account, which follows from a change of its figures. */
export function sightingOfAccount(event: ObservedEvent): Sighting {
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
