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

/** An event of the account, by its `type`. Ignore types that you do not know. */
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
  /** In the order of their sequences; with `types`, without the other types. */
  readonly items: readonly AccountEvent<Unsent>[];
  /**
   * Pass it back as `after`. It is past the events that `types` left out, so it moves also on an
   * empty page.
   */
  readonly next: string;
  /** The end of the journal. There is nothing more when `next` is at its sequence. */
  readonly head: {
    /** Number of the newest event. */
    readonly sequence: number;
    /** 64 hexadecimal digits: the hash of the newest line. */
    readonly hash: string;
  };
}
