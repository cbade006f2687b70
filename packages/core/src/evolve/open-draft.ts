import { invariantError } from "../assert.ts";
import type { OrderUuid } from "../ids.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Draft } from "../state/draft.ts";
import type { Event, TrailMoved } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";
import { momentOfHoldings } from "../state/pending-actions.ts";
import type { UnixMs } from "../units.ts";
import { findImprovedBests } from "./bests.ts";
import { evolve } from "./evolve.ts";

/**
 * A draft that begins with the account and with the best prices that its trailing stops have followed up to this
 * moment. `before` is null only for the command that opens the account. @rule D5.trailing
 */
export function openDraft(before: AccountState | null, moment: Moment): Draft {
  const events: Event[] = [];
  let state = before;
  let scaled = before === null ? moment : momentOfHoldings(before, moment);
  /** The best prices that no event has recorded yet, at most one for each leg. */
  const followed = new Map<OrderUuid, FollowedBest>();

  const draft: Draft = {
    get moment() {
      return scaled;
    },
    events,
    get state() {
      if (state === null) throw invariantError("an open account");
      return state;
    },
    get balance() {
      return balanceOf(this.state);
    },
    record(undated) {
      const event: Event = { ...undated, atMs: moment.now };
      for (const [uuid, { moved, isDue }] of followed) {
        if (!isDue && !readsBestPrice(event, uuid)) continue;
        followed.delete(uuid);
        if (isPending(state, uuid)) events.push(moved);
      }
      events.push(event);
      const { carriedOut } = state ?? {};
      state = evolve(state, event);
      if (state.carriedOut !== carriedOut) scaled = momentOfHoldings(state, moment);
    },
    createTrial: () => openDraft(state, moment),
    recordBestPrices() {
      for (const { moved } of followed.values()) events.push(moved);
      followed.clear();
    },
    followBestPrice({ uuid }, bestPrice) {
      const moved: TrailMoved = {
        type: "trailMoved",
        orderUuid: uuid,
        bestPrice,
        atMs: moment.now,
      };
      followed.set(uuid, { moved, isDue: isRecordDue(before, uuid, moment.now) });
      state = evolve(state, moved);
    },
  };
  if (before !== null) {
    for (const { leg, bestPrice } of findImprovedBests(before, moment))
      draft.followBestPrice(leg, bestPrice);
  }
  return draft;
}

/** A best price that is not recorded yet, as the event that will record it. */
interface FollowedBest {
  readonly moved: TrailMoved;
  /** True when it is recorded before the next event of any type; false when only before an event that reads it. */
  readonly isDue: boolean;
}

/** A leg's best price is recorded at most once in this time, unless an event reads it. */
const BEST_RECORD_INTERVAL_MS = 1_000;

function isRecordDue(before: AccountState | null, uuid: OrderUuid, now: UnixMs): boolean {
  const leg = before?.orders.find((order) => order.uuid === uuid);
  if (leg?.kind !== "bracket") return true;
  return now - (leg.bestAtMs ?? leg.placedAtMs) >= BEST_RECORD_INTERVAL_MS;
}

/**
 * Whether the event depends on the leg's best price: a fill or an edit of the leg itself, or a split, which scales it.
 */
function readsBestPrice(event: Event, uuid: OrderUuid): boolean {
  if (event.type === "sharesSplit") return true;
  if (event.type === "orderEdited") return event.order.uuid === uuid;
  return event.type === "orderFilled" && event.orderUuid === uuid;
}

/** Whether the order is still pending. An earlier event of the decision may have ended it. */
function isPending(state: AccountState | null, uuid: OrderUuid): boolean {
  return state?.orders.some((order) => order.uuid === uuid) ?? false;
}
