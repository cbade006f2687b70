// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";
import type {
  AccountClosedEvent,
  AccountEliminatedEvent,
  AccountOpenedEvent,
  AccountProvisionedEvent,
  PayoutCycleClosedEvent,
  PayoutForfeitedEvent,
  PayoutUpdatedEvent,
  SwitchArmedEvent,
  SwitchEndedEvent,
  SwitchFiredEvent,
  SwitchSuspendedEvent,
} from "./account-events.ts";
import type {
  LegsAttachedEvent,
  LegTrailedEvent,
  OrderCancelledEvent,
  OrderEditedEvent,
  OrderFilledEvent,
  OrderHeldEvent,
  OrderRejectedEvent,
  OrderRestingEvent,
  OrderTriggeredEvent,
} from "./order-events.ts";
import type {
  CarryChargedEvent,
  DayEndedEvent,
  DividendPaidEvent,
  PositionClosedEvent,
  SharesSplitEvent,
} from "./position-events.ts";
import type {
  ChallengePassedEvent,
  DrawdownDeepenedEvent,
  LimitNearedEvent,
  ProOfferedEvent,
  ProPromotedEvent,
  ProSoftBreachedEvent,
  ProStartedEvent,
} from "./program-events.ts";

/** An event of the account. `type` decides its fields. Ignore types that you do not know. */
export type AccountEvent<Unsent extends Linked = never> =
  | OrderRestingEvent
  | OrderEditedEvent
  | OrderHeldEvent
  | OrderTriggeredEvent
  | OrderFilledEvent<Unsent>
  | OrderCancelledEvent<Unsent>
  | OrderRejectedEvent
  | LegsAttachedEvent
  | LegTrailedEvent
  | PositionClosedEvent<Unsent>
  | DayEndedEvent
  | CarryChargedEvent
  | SharesSplitEvent
  | DividendPaidEvent
  | ChallengePassedEvent<Unsent>
  | ProOfferedEvent<Unsent>
  | ProStartedEvent<Unsent>
  | ProPromotedEvent<Unsent>
  | ProSoftBreachedEvent<Unsent>
  | DrawdownDeepenedEvent
  | LimitNearedEvent
  | AccountOpenedEvent<Unsent>
  | AccountProvisionedEvent
  | AccountEliminatedEvent<Unsent>
  | AccountClosedEvent
  | PayoutCycleClosedEvent<Unsent>
  | PayoutUpdatedEvent<Unsent>
  | PayoutForfeitedEvent
  | SwitchArmedEvent
  | SwitchSuspendedEvent
  | SwitchEndedEvent
  | SwitchFiredEvent;

/** A page of events, oldest first. */
export interface EventsPage<Unsent extends Linked = never> {
  /** The events in the order of their sequence numbers; with `types`, only those types. */
  readonly items: readonly AccountEvent<Unsent>[];
  /**
   * Pass it back as `after`. It includes events that `types` excluded, so it can change even when
   * the page is empty.
   */
  readonly next: string;
  /**
   * The end of the journal. No more events follow when the sequence number in `next` equals
   * `sequence`.
   */
  readonly head: {
    /** Sequence number of the newest event. */
    readonly sequence: number;
    /** The hash of the newest event's journal line, 64 hexadecimal digits. */
    readonly hash: string;
  };
}
