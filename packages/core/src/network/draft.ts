import type { AccountState } from "../account/account.ts";
import { balanceOf } from "../account/balance.ts";
import { assert } from "../assert.ts";
import type { MicroUsd } from "../units.ts";
import type { Event } from "./event.ts";
import { evolve } from "./evolve.ts";
import type { Moment } from "./moment.ts";

/** An event before the draft puts its time on it. */
export type Undated<Dated extends Event = Event> = Dated extends Event
  ? Omit<Dated, "atMs">
  : never;

/**
 * One command at work. Each recorded event is applied at once, so that the next step of the same
 * command (a leg after its fill, a limit after a close) sees the account as the last one left it,
 * and the state can never differ from the fold of the events.
 */
export interface Draft {
  readonly moment: Moment;
  /** After everything recorded so far. */
  readonly state: AccountState;
  readonly balance: MicroUsd;
  readonly events: readonly Event[];
  record(event: Undated): void;
}

/** `state` is null only for a command whose first event opens the account. */
export function openDraft(before: AccountState | null, moment: Moment): Draft {
  const events: Event[] = [];
  let state = before;
  return {
    moment,
    events,
    get state() {
      assert(state !== null, "an account that has been opened");
      return state;
    },
    get balance() {
      return balanceOf(this.state);
    },
    record(undated) {
      const event: Event = { ...undated, atMs: moment.now };
      events.push(event);
      state = evolve(state, event);
    },
  };
}
