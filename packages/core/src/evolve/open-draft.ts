import { assert } from "../assert.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Draft } from "../state/draft.ts";
import type { Event } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";
import { momentOfHoldings } from "../state/pending-actions.ts";
import { evolve } from "./evolve.ts";

/** `before` is null only for the command that opens the account. */
export function openDraft(before: AccountState | null, moment: Moment): Draft {
  const events: Event[] = [];
  let state = before;
  let scaled = before === null ? moment : momentOfHoldings(before, moment);
  return {
    get moment() {
      return scaled;
    },
    events,
    get state() {
      assert(state !== null, "an open account");
      return state;
    },
    get balance() {
      return balanceOf(this.state);
    },
    record(undated) {
      const event: Event = { ...undated, atMs: moment.now };
      events.push(event);
      const { carriedOut } = state ?? {};
      state = evolve(state, event);
      if (state.carriedOut !== carriedOut) scaled = momentOfHoldings(state, moment);
    },
  };
}
