import { assert } from "../assert.ts";
import type { OrderUuid } from "../ids.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Draft } from "../state/draft.ts";
import type { Event, TrailMoved } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";
import { momentOfHoldings } from "../state/pending-actions.ts";
import { betterBests } from "./bests.ts";
import { evolve } from "./evolve.ts";

/**
 * `before` is null only for the command that opens the account. The draft begins with the best prices
 * of the moment. @rule D5.trailing
 */
export function openDraft(before: AccountState | null, moment: Moment): Draft {
  const events: Event[] = [];
  let state = before;
  let scaled = before === null ? moment : momentOfHoldings(before, moment);
  /** The best prices that no event has recorded yet; one for each leg. */
  const followed = new Map<OrderUuid, TrailMoved>();

  const draft: Draft = {
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
      events.push(...followed.values());
      followed.clear();
      const event: Event = { ...undated, atMs: moment.now };
      events.push(event);
      const { carriedOut } = state ?? {};
      state = evolve(state, event);
      if (state.carriedOut !== carriedOut) scaled = momentOfHoldings(state, moment);
    },
    follow({ uuid }, bestPrice) {
      const event: TrailMoved = {
        type: "trailMoved",
        orderUuid: uuid,
        bestPrice,
        atMs: moment.now,
      };
      followed.set(uuid, event);
      state = evolve(state, event);
    },
  };
  if (before !== null) {
    for (const { leg, bestPrice } of betterBests(before, moment)) draft.follow(leg, bestPrice);
  }
  return draft;
}
