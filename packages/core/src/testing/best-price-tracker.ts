import type { OrderUuid } from "../ids.ts";
import type { Quote } from "../market/quote.ts";
import type { AccountState } from "../state/account.ts";
import type { BestQuotes, Moment } from "../state/moment.ts";
import type { BracketLeg } from "../state/order.ts";
import { momentOfHoldings } from "../state/pending-actions.ts";
import { gainSignOf, tradablePairOf } from "./reference/reference-prices.ts";

interface Kept {
  readonly quote: Quote;
  /** The trailing distance of the leg when the quote was kept. With another distance the stop starts again. */
  readonly trailing: string;
}

/** Keeps the best prices of an account's trailing stops between its commands, as the watch of a service does. */
export class BestPriceTracker {
  readonly #kept = new Map<OrderUuid, Kept>();

  get bests(): BestQuotes {
    return new Map([...this.#kept].map(([uuid, { quote }]) => [uuid, quote]));
  }

  /**
   * To be called with the account after a command. Drops the best prices that an event has recorded or an edit has
   * reset, and those of legs that are gone.
   */
  observe(state: AccountState | null, world: Moment): void {
    for (const [uuid, { quote, trailing }] of [...this.#kept]) {
      const leg = state?.orders.find((order) => order.uuid === uuid);
      const isVoid =
        state === null ||
        leg?.kind !== "bracket" ||
        JSON.stringify(leg.trailing) !== trailing ||
        !isBetter(
          leg,
          exitPriceInScale(state, leg, { ...world, quotes: new Map([[leg.pair, quote]]) }),
        );
      if (isVoid) this.#kept.delete(uuid);
    }
  }

  /**
   * To be called with the quotes of a settlement. Keeps each quote that is better than the best price of a leg whose
   * pair can be traded.
   */
  observeQuotes(state: AccountState, world: Moment): void {
    const shown = this.accountWithBests(state, world);
    const scaled = momentOfHoldings(state, world);
    for (const leg of shown.orders) {
      const quote = world.quotes.get(leg.pair);
      if (leg.kind !== "bracket" || quote === undefined) continue;
      if (
        tradablePairOf(leg.pair, scaled) === null ||
        !isBetter(leg, exitPriceInScale(state, leg, world))
      )
        continue;
      this.#kept.set(leg.uuid, { quote, trailing: JSON.stringify(leg.trailing) });
    }
  }

  /** The account with the kept best prices, as its owner sees it. */
  accountWithBests(state: AccountState, world: Moment): AccountState {
    const orders = state.orders.map((order) => {
      const kept = this.#kept.get(order.uuid);
      if (kept === undefined || order.kind !== "bracket") return order;
      const quotes = new Map([[order.pair, kept.quote]]);
      return { ...order, bestPrice: exitPriceInScale(state, order, { ...world, quotes }) };
    });
    return { ...state, orders };
  }
}

function isBetter({ direction, bestPrice }: BracketLeg, price: BracketLeg["bestPrice"]): boolean {
  if (bestPrice === null || price === null) return false;
  return gainSignOf(direction) * price > gainSignOf(direction) * bestPrice;
}

/** The exit price of the leg, in the scale of the account's holdings; null without a quote. */
function exitPriceInScale(
  state: AccountState,
  { pair, direction }: BracketLeg,
  world: Moment,
): BracketLeg["bestPrice"] {
  const splits = (world.actions?.get(pair) ?? []).filter(({ kind }) => kind === "split");
  // A dividend changes no best price, so only splits count.
  const scaled = { ...world, actions: new Map([[pair, splits]]) };
  const quote = momentOfHoldings(state, scaled).quotes.get(pair);
  if (quote === undefined) return null;
  return direction === "long" ? quote.bid : quote.ask;
}
