import type { MicroUsd, Price } from "../units.ts";
import type { AccountState } from "./account.ts";
import type { Event } from "./event.ts";
import type { Moment } from "./moment.ts";
import type { BracketLeg } from "./order.ts";

/** An event without its time, which the draft adds. */
export type Undated<Dated extends Event = Event> = Dated extends Event
  ? Omit<Dated, "atMs">
  : never;

/**
 * The work of one command. Each recorded event is applied immediately: the next step of the command
 * (a leg after its fill, a limit after a close) sees its effect. The state equals the fold of the
 * events, and of the best prices that its trailing stops have followed since the last one.
 */
export interface Draft {
  /** With the quotes in the scale of the account's holdings. @rule D11.scale */
  readonly moment: Moment;
  /** Includes all events recorded so far. */
  readonly state: AccountState;
  readonly balance: MicroUsd;
  readonly events: readonly Event[];
  record(event: Undated): void;
  /**
   * Lets a trailing leg follow a better price. This records no event by itself: the newest best price of each leg is
   * recorded before the next event, at most once a second. @rule D5.trailing
   */
  follow(leg: Pick<BracketLeg, "uuid">, bestPrice: Price): void;
  /** A draft of its own that begins with this state, for work that is thrown away. */
  trial(): Draft;
  /** Records the best prices that trailing legs have followed since their last record. @rule D13.stopNeverFalls */
  recordFollowed(): void;
}
