/** The facts with which the reference checks a command or a fill. */
import type { AccountState } from "../../state/account.ts";
import type { CancelOrders, Flatten } from "../../state/command.ts";
import type { Moment } from "../../state/moment.ts";
import { dollarRate } from "../lives/valuation-model.ts";
import type { HeldPosition, ReferenceBook } from "./reference-book.ts";
import { tradablePairOf } from "./reference-prices.ts";
import type { SizePricing } from "./reference-sizes.ts";

/** The reference book, the moment and the account's terms and money. */
export interface ReferenceCircumstances {
  readonly book: ReferenceBook;
  readonly moment: Moment;
  /** The balance in micro dollars. */
  readonly cash: number;
  readonly accountSize: number;
  readonly maxPending: number;
  readonly account: AccountState;
}

/** The value, in micro dollars, of a number of 0.00001 lots. */
export function microDollarsOf(lots: number, { price, usdRate, instrument }: SizePricing): number {
  return (lots / 100_000) * instrument.lotSize * price * usdRate * 1_000_000;
}

/** The values from which a size on the pair is computed; null when the pair, the price or the rate is unknown. */
export function sizePricingOf(
  pair: string,
  price: number | null,
  { moment, cash, accountSize }: Pick<ReferenceCircumstances, "moment" | "cash" | "accountSize">,
): SizePricing | null {
  const instrument = [...moment.instruments.values()].find(({ id }) => id === pair);
  if (instrument === undefined || price === null) return null;
  const usdRate = dollarRate(instrument, price, moment);
  return usdRate === null ? null : { instrument, price, usdRate, cash, accountSize };
}

/**
 * The uuids that the command cancels, in any order; null when it lists ids and none of them is pending.
 * @rule D10.lists D5.cancel D13.oneOrder
 */
export function ordersToCancel(
  { target, pair }: CancelOrders,
  { pending }: ReferenceBook,
): ReadonlySet<string> | null {
  const all = [...pending.values()].filter((one) => pair === null || one.pair === pair);
  if (target === "all") return new Set(all.map(({ uuid }) => uuid));
  const gone = all.filter(({ uuid }) => target.some((id) => uuid === id));
  return gone.length === 0 ? null : new Set(gone.map(({ uuid }) => uuid));
}

/** The positions that a FLAT_ALL names, and those of them that can be closed at this moment. @rule D10.flattenAll */
export function positionsToFlatten(
  { target, pair }: Flatten,
  { book, moment }: ReferenceCircumstances,
): { readonly named: readonly HeldPosition[]; readonly closing: readonly HeldPosition[] } {
  const named = [...book.positions.values()].filter(
    (held) =>
      (target === "all" || target.some((id) => id === held.uuid)) &&
      (pair === null || held.pair === pair),
  );
  return { named, closing: named.filter((held) => tradablePairOf(held.pair, moment) !== null) };
}
