import {
  type CorporateAction,
  type HolderScale,
  quotesInScale,
} from "../market/corporate-action.ts";
import type { AccountState } from "./account.ts";
import type { Moment } from "./moment.ts";

/**
 * True when the action is due, was not carried out on the account yet, and affects a position or an order of the
 * account. Positions opened after the action are in the new scale already. @rule D11.once decides
 */
export function isActionPending(
  state: AccountState,
  action: CorporateAction,
  { now }: Pick<Moment, "now">,
): boolean {
  if (action.atMs > now) return false;
  if (state.carriedOut?.some(({ id }) => id === action.id) === true) return false;
  return isAffected(state, action);
}

/**
 * A split affects positions and pending orders from before the split, and orders that were placed before the service
 * learned of it. A dividend affects only positions from before the dividend. @rule D13.sinceTheMoment
 */
function isAffected(state: AccountState, action: CorporateAction): boolean {
  const { kind, pair, atMs, announcedAtMs } = action;
  if (kind === "split") {
    return holdsFromBefore(state, action) || hasOrderFrom(state, { pair, atMs: announcedAtMs });
  }
  return hasPositionFrom(state, { pair, atMs });
}

type PairMoment = Pick<CorporateAction, "pair" | "atMs">;

/** Whether a position or a pending order on the pair is from before `before.atMs`. */
export function holdsFromBefore(state: AccountState, before: PairMoment): boolean {
  return hasPositionFrom(state, before) || hasOrderFrom(state, before);
}

function hasPositionFrom({ positions }: AccountState, { pair, atMs }: PairMoment): boolean {
  return positions.some((held) => held.pair === pair && held.openedAtMs < atMs);
}

function hasOrderFrom({ orders }: AccountState, { pair, atMs }: PairMoment): boolean {
  return orders.some((order) => order.pair === pair && order.placedAtMs < atMs);
}

/**
 * The earliest action that is due on the account and not carried out yet; null when there is none. An action whose pair
 * no catalogue knows is skipped: it waits, and other work does not wait for it. @rule D13.judges
 */
export function firstPendingAction(state: AccountState, moment: Moment): CorporateAction | null {
  let first: CorporateAction | null = null;
  for (const [pair, ofPair] of moment.actions ?? []) {
    if (!moment.instruments.has(pair)) continue;
    const next = ofPair.find((action) => isActionPending(state, action, moment));
    if (next !== undefined && (first === null || next.atMs < first.atMs)) first = next;
  }
  return first;
}

/**
 * The moment with its quotes in the scale of the account's holdings, so that an action changes no value before it is
 * carried out. Every figure of an account is computed from such quotes. @rule D11.scale
 */
export function momentOfHoldings(state: AccountState, moment: Moment): Moment {
  const { actions } = moment;
  if (actions === undefined || actions.size === 0) return moment;
  return { ...moment, quotes: quotesInScale(moment.quotes, actions, holderScaleOf(state, moment)) };
}

/**
 * The scale of the account's positions and orders: which due actions were not carried out on them yet. @rule D11.scale
 */
export function holderScaleOf(state: AccountState, { now }: Pick<Moment, "now">): HolderScale {
  return { now, isPending: (action) => isActionPending(state, action, { now }) };
}
