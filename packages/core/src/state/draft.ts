import type { MicroUsd, Price } from "../units.ts";
import type { AccountState } from "./account.ts";
import type { Event } from "./event.ts";
import type { Moment } from "./moment.ts";
import type { BracketLeg } from "./order.ts";

/** An event without its time, which the draft adds. */
export type UndatedEvent<Dated extends Event = Event> = Dated extends Event
  ? Omit<Dated, "atMs">
  : never;

/**
 * The work of one command. Each recorded event is applied immediately, so the next step of the command sees its effect:
 * legs, for example, see the position that the fill before them opened. The state results from the recorded events and
 * from the best prices that trailing stops have followed since.
 */
export interface Draft {
  /** The moment of the decision, with its quotes in the scale of the account's holdings. @rule D11.scale */
  readonly moment: Moment;
  /** The account after all events recorded so far. */
  readonly state: AccountState;
  readonly balance: MicroUsd;
  readonly events: readonly Event[];
  record(event: UndatedEvent): void;
  /**
   * Lets a trailing leg follow a better price, which records no event by itself. The newest best price of a leg is
   * recorded before the next event when its last record is at least a second old, and always before an event that reads
   * it. @rule D5.trailing
   */
  followBestPrice(leg: Pick<BracketLeg, "uuid">, bestPrice: Price): void;
  /** A separate draft that begins with this state, for work whose events are discarded. */
  createTrial(): Draft;
  /** Records the best prices that trailing legs have followed since their last record. @rule D13.stopNeverFalls */
  recordBestPrices(): void;
}
