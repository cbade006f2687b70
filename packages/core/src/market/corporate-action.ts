/** Corporate actions, and their effect on a price. */
import type { Brand } from "../brand.ts";
import type { PairId } from "../ids.ts";
import {
  PRICE_MAX,
  PRICE_MIN,
  type Price,
  price,
  roundToTwelveDigits,
  type UnixMs,
  unixMs,
} from "../units.ts";
import type { Quote, Quotes } from "./quote.ts";

/** The id of an announced corporate action, a uuid. */
export type ActionId = Brand<string, "ActionId">;
/** Marks a text as the id of a corporate action; the text is not checked. */
export const actionId = (value: string): ActionId => value as ActionId;

interface AnnouncedAction {
  readonly id: ActionId;
  readonly pair: PairId;
  /**
   * The moment of the action. The action affects earlier positions and orders; quotes from this moment on are in the
   * new scale.
   */
  readonly atMs: UnixMs;
  /** When the service learned of the action; later than `atMs` when it was announced late. */
  readonly announcedAtMs: UnixMs;
}

/** `newShares` replace `oldShares`: 4 and 1 for a split of 4:1, 1 and 10 for a reverse split of 1:10. */
export interface Split extends AnnouncedAction {
  readonly kind: "split";
  readonly newShares: number;
  readonly oldShares: number;
}

/** A dividend that is paid in cash. */
export interface Dividend extends AnnouncedAction {
  readonly kind: "dividend";
  /** The amount for one share, in the pair's quote currency. */
  readonly amount: number;
}

export type CorporateAction = Split | Dividend;

/** A corporate action that has not been announced to the service yet. */
export type NewAction = Omit<Split, "announcedAtMs"> | Omit<Dividend, "announcedAtMs">;

/** The announced actions of each pair, sorted by time. */
export type CorporateActions = ReadonlyMap<PairId, readonly CorporateAction[]>;

/**
 * Converts a price level from before a split to the scale after it. Rounding to twelve digits removes the rounding
 * error of the division.
 */
export function levelAfterSplit(
  { newShares, oldShares }: Pick<Split, "newShares" | "oldShares">,
  level: number,
): number {
  return roundToTwelveDigits(clampPrice((level * oldShares) / newShares));
}

/** Limits a level to the allowed prices, so that a chain of splits never ends at zero or at infinity. */
export function clampPrice(level: number): Price {
  return price(Math.min(Math.max(level, PRICE_MIN), PRICE_MAX));
}

/** Whether the quote includes the action: the quote is from the time of the action or later, or was adjusted for it. */
export function includesAction(quote: Quote, { atMs }: CorporateAction): boolean {
  return (quote.adjustedToMs ?? quote.atMs) >= atMs;
}

/**
 * Determines the scale of a holder, such as an account: the present time, and which actions were not carried out on the
 * holder yet.
 */
export interface HolderScale {
  readonly now: UnixMs;
  readonly isPending: (action: CorporateAction) => boolean;
}

/**
 * The quote in the scale of a holder. A quote from before an action that was carried out on the holder is adjusted by
 * the ratio of the split, or by the amount of the dividend. A quote from after an action that was not carried out on
 * the holder yet is adjusted in the opposite direction. So the scale of a quote never changes the account's equity.
 * @rule D11.scale decides
 */
export function quoteInScale(
  quote: Quote,
  actions: readonly CorporateAction[],
  { now, isPending }: HolderScale,
): Quote {
  let adjusted = quote;
  for (const action of actions) {
    if (action.atMs > now || includesAction(quote, action) || isPending(action)) continue;
    adjusted = { ...adjustQuote(action, adjusted, "after"), adjustedToMs: action.atMs };
  }
  for (const action of actions.toReversed()) {
    if (action.atMs > now || !includesAction(quote, action) || !isPending(action)) continue;
    adjusted = {
      ...adjustQuote(action, adjusted, "before"),
      adjustedToMs: unixMs(action.atMs - 1),
    };
  }
  return adjusted;
}

/** Quotes in the scale of a holder; each is adjusted when it is read. */
export function quotesInScale(
  quotes: Quotes,
  actions: CorporateActions,
  scale: HolderScale,
): Quotes {
  return {
    get(pair) {
      const quote = quotes.get(pair);
      const ofPair = quote === undefined ? undefined : actions.get(pair);
      return quote === undefined || ofPair === undefined
        ? quote
        : quoteInScale(quote, ofPair, scale);
    },
  };
}

function adjustQuote(action: CorporateAction, quote: Quote, to: "after" | "before"): Quote {
  const bid = adjustLevel(action, quote.bid, to);
  const ask = adjustLevel(action, quote.ask, to);
  return { ...quote, bid, ask };
}

/**
 * The price level converted to the scale after or before an action. When a dividend is at least the whole price, the
 * level stays: no price is below zero.
 */
function adjustLevel(action: CorporateAction, level: Price, to: "after" | "before"): Price {
  if (action.kind === "split") {
    const { newShares, oldShares } = action;
    const ratio = to === "after" ? oldShares / newShares : newShares / oldShares;
    return clampPrice(level * ratio);
  }
  const moved = level + (to === "after" ? -action.amount : action.amount);
  return moved > 0 ? price(moved) : level;
}
