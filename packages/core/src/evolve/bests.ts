/** The best prices that trailing stops have followed and that no event has recorded yet. */
import {
  type CorporateAction,
  type HolderScale,
  quoteInScale,
} from "../market/corporate-action.ts";
import { markOf } from "../market/mark.ts";
import type { Quote } from "../market/quote.ts";
import type { AccountState } from "../state/account.ts";
import type { Moment } from "../state/moment.ts";
import type { BracketLeg } from "../state/order.ts";
import { holderScaleOf } from "../state/pending-actions.ts";
import type { Price } from "../units.ts";

/** A trailing leg, and a price that is better than its recorded best. */
export interface ImprovedBest {
  readonly leg: BracketLeg;
  readonly bestPrice: Price;
}

/**
 * The trailing legs for which the moment has a better price than the recorded best, each with that price.
 * @rule D5.trailing
 */
export function findImprovedBests(state: AccountState, moment: Moment): readonly ImprovedBest[] {
  const { bests } = moment;
  if (bests === undefined || bests.size === 0) return [];
  return state.orders.flatMap((leg) => {
    const quote = bests.get(leg.uuid);
    if (quote === undefined || leg.kind !== "bracket" || leg.pair !== quote.pair) return [];
    const bestPrice = markOf(leg.direction, quoteInAccountScale(state, quote, moment));
    return isImprovedBy(leg, bestPrice) ? [{ leg, bestPrice }] : [];
  });
}

/**
 * Whether the price is better than the recorded best of the leg, which a trailing stop follows; false for a leg that
 * does not trail. Only a better price replaces the best, so the stop never moves back. @rule D5.trailing decides
 */
export function isImprovedBy(
  { direction, bestPrice }: Pick<BracketLeg, "direction" | "bestPrice">,
  than: Price,
): boolean {
  if (bestPrice === null) return false;
  return direction === "long" ? than > bestPrice : than < bestPrice;
}

function quoteInAccountScale(state: AccountState, quote: Quote, moment: Moment): Quote {
  const ofPair = moment.actions?.get(quote.pair);
  return ofPair === undefined
    ? quote
    : bestQuoteInScale(quote, ofPair, holderScaleOf(state, moment));
}

/**
 * A quote that a trailing stop has followed, in the scale of a holder. A dividend changes no best price, so only splits
 * adjust the quote. @rule D13.oneScale decides
 */
export function bestQuoteInScale(
  quote: Quote,
  actions: readonly CorporateAction[],
  scale: HolderScale,
): Quote {
  const splits = actions.filter(({ kind }) => kind === "split");
  return quoteInScale(quote, splits, scale);
}
