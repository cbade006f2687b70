/** Corporate actions, and their effect on a price. */
import type { Brand } from "../brand.ts";
import type { PairId } from "../ids.ts";
import { PRICE_MAX, PRICE_MIN, type Price, price, type UnixMs, unixMs } from "../units.ts";
import type { Quote, Quotes } from "./quote.ts";

/** An announced corporate action, a uuid. */
export type ActionId = Brand<string, "ActionId">;
export const actionId = (value: string): ActionId => value as ActionId;

interface Announced {
  readonly id: ActionId;
  readonly pair: PairId;
  /** It affects positions and orders from before this time. Quotes from this time on are in the new scale. */
  readonly atMs: UnixMs;
  /** When the service learned of it. Later than `atMs` when it was announced late. */
  readonly announcedAtMs: UnixMs;
}

/** `newShares` replace `oldShares`: 4 and 1 for a split of 4:1, 1 and 10 for a reverse split of 1:10. */
export interface Split extends Announced {
  readonly kind: "split";
  readonly newShares: number;
  readonly oldShares: number;
}

/** A cash dividend. */
export interface Dividend extends Announced {
  readonly kind: "dividend";
  /** For one share, in the pair's quote currency. */
  readonly amount: number;
}

export type CorporateAction = Split | Dividend;

/** An action before it is announced. */
export type NewAction = Omit<Split, "announcedAtMs"> | Omit<Dividend, "announcedAtMs">;

/** The actions of each pair, by time. */
export type CorporateActions = ReadonlyMap<PairId, readonly CorporateAction[]>;

/** A price as the split states it, of a level before the split. Twelve digits remove the noise of the quotient. */
export function splitLevel(
  { newShares, oldShares }: Pick<Split, "newShares" | "oldShares">,
  level: number,
): number {
  return Number(withinPrices((level * oldShares) / newShares).toPrecision(12));
}

/** A chain of splits ends at a price that is far beyond every market, and not at zero or at infinity. */
export function withinPrices(level: number): Price {
  return price(Math.min(Math.max(level, PRICE_MIN), PRICE_MAX));
}

/** Whether the quote was made after the action, or adjusted for it. */
export function isInQuote(quote: Quote, { atMs }: CorporateAction): boolean {
  return (quote.adjustedToMs ?? quote.atMs) >= atMs;
}

/** The time of the quotes, and the actions that the holder does not have yet. */
export interface HeldScale {
  readonly now: UnixMs;
  readonly isPending: (action: CorporateAction) => boolean;
}

/**
 * The quote in the scale of a holder. A quote from before an action that the holder has is adjusted
 * for it: by the ratio of the split, or less the dividend. A quote from after an action that the
 * holder does not have yet is adjusted back. Either changes the value of no position. @rule D11.scale decides
 */
export function quoteInScale(
  quote: Quote,
  actions: readonly CorporateAction[],
  { now, isPending }: HeldScale,
): Quote {
  let adjusted = quote;
  for (const action of actions) {
    if (action.atMs > now || isInQuote(quote, action) || isPending(action)) continue;
    adjusted = { ...movedBy(action, adjusted, "after"), adjustedToMs: action.atMs };
  }
  for (const action of actions.toReversed()) {
    if (action.atMs > now || !isInQuote(quote, action) || !isPending(action)) continue;
    adjusted = {
      ...movedBy(action, adjusted, "before"),
      adjustedToMs: unixMs(action.atMs - 1),
    };
  }
  return adjusted;
}

/** The quotes in the scale of a holder, each adjusted when it is read. */
export function quotesInScale(quotes: Quotes, actions: CorporateActions, scale: HeldScale): Quotes {
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

function movedBy(action: CorporateAction, quote: Quote, to: "after" | "before"): Quote {
  const bid = levelBeside(action, quote.bid, to);
  const ask = levelBeside(action, quote.ask, to);
  return { ...quote, bid, ask };
}

/** A dividend of at least the whole price leaves the price as it is: no price is below zero. */
function levelBeside(action: CorporateAction, level: Price, to: "after" | "before"): Price {
  if (action.kind === "split") {
    const { newShares, oldShares } = action;
    const ratio = to === "after" ? oldShares / newShares : newShares / oldShares;
    return withinPrices(level * ratio);
  }
  const moved = level + (to === "after" ? -action.amount : action.amount);
  return moved > 0 ? price(moved) : level;
}
