import type { MicroUsd } from "../units.ts";
import type { AccountState } from "./account.ts";
import type { Event } from "./event.ts";
import type { Moment } from "./moment.ts";

/** An event without its time, which the draft adds. */
export type Undated<Dated extends Event = Event> = Dated extends Event
  ? Omit<Dated, "atMs">
  : never;

/**
 * The work of one command. Each recorded event is applied immediately: the next step of the command
 * (a leg after its fill, a limit after a close) sees its effect, and the state always equals the
 * fold of the events.
 */
export interface Draft {
  /** With the quotes in the scale of the account's holdings. @rule D11.scale */
  readonly moment: Moment;
  /** Includes all events recorded so far. */
  readonly state: AccountState;
  readonly balance: MicroUsd;
  readonly events: readonly Event[];
  record(event: Undated): void;
}
