import { type CorporateAction, type HeldScale, quotesInScale } from "../market/corporate-action.ts";
import type { AccountState } from "./account.ts";
import type { Moment } from "./moment.ts";

/**
 * True while the action is due and the position or an order from before its moment has not had it. Later positions and
 * orders have the new scale already. @rule D11.once decides
 */
export function isPendingOn(
  state: AccountState,
  action: CorporateAction,
  { now }: Pick<Moment, "now">,
): boolean {
  if (action.atMs > now) return false;
  if (state.carriedOut?.some(({ id }) => id === action.id) === true) return false;
  return isAffected(state, action);
}

/**
 * A split affects positions and pending orders from before its moment, and orders that were placed before the service
 * learned of it; a dividend only positions. @rule D13.sinceTheMoment
 */
function isAffected(state: AccountState, action: CorporateAction): boolean {
  const { kind, pair, atMs, announcedAtMs } = action;
  if (kind === "split") {
    return holdsFromBefore(state, action) || hasOrderFrom(state, { pair, atMs: announcedAtMs });
  }
  return hasPositionFrom(state, { pair, atMs });
}

type OnPair = Pick<CorporateAction, "pair" | "atMs">;

/** Whether a position or a pending order of the pair is from before that time. */
export function holdsFromBefore(state: AccountState, before: OnPair): boolean {
  return hasPositionFrom(state, before) || hasOrderFrom(state, before);
}

function hasPositionFrom({ positions }: AccountState, { pair, atMs }: OnPair): boolean {
  return positions.some((held) => held.pair === pair && held.openedAtMs < atMs);
}

function hasOrderFrom({ orders }: AccountState, { pair, atMs }: OnPair): boolean {
  return orders.some((order) => order.pair === pair && order.placedAtMs < atMs);
}

/**
 * The first action that is due on the account; null when there is none. An action waits, and holds back no other work,
 * while no catalogue knows its pair. @rule D13.judges
 */
export function firstPending(state: AccountState, moment: Moment): CorporateAction | null {
  let first: CorporateAction | null = null;
  for (const [pair, ofPair] of moment.actions ?? []) {
    if (!moment.instruments.has(pair)) continue;
    const next = ofPair.find((action) => isPendingOn(state, action, moment));
    if (next !== undefined && (first === null || next.atMs < first.atMs)) first = next;
  }
  return first;
}

/**
 * The moment with its quotes in the scale of the account's holdings, so that a value is the same
 * before and after an action. Every figure of an account comes from it. @rule D11.scale
 */
export function momentOfHoldings(state: AccountState, moment: Moment): Moment {
  const { actions } = moment;
  if (actions === undefined || actions.size === 0) return moment;
  return { ...moment, quotes: quotesInScale(moment.quotes, actions, scaleOf(state, moment)) };
}

/** The scale of the account's positions and orders. @rule D11.scale */
export function scaleOf(state: AccountState, { now }: Pick<Moment, "now">): HeldScale {
  return { now, isPending: (action) => isPendingOn(state, action, { now }) };
}
