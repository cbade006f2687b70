/** What the reference looks at when it judges a command or a fill. */
import type { AccountState } from "../../state/account.ts";
import type { CancelOrders, Flatten } from "../../state/command.ts";
import type { Moment } from "../../state/moment.ts";
import { dollarRate } from "../lives/valuation-model.ts";
import type { HeldPosition, ReferenceBook } from "./reference-book.ts";
import { tradingOf } from "./reference-prices.ts";
import type { Pricing } from "./reference-sizes.ts";

export interface Circumstances {
  readonly book: ReferenceBook;
  readonly moment: Moment;
  /** Micro dollars. */
  readonly cash: number;
  readonly accountSize: number;
  readonly mostWaiting: number;
  readonly account: AccountState;
}

/** Micro dollars: the value of so many 0.00001 lots. */
export function microDollarsOf(lots: number, { price, usdRate, instrument }: Pricing): number {
  return (lots / 100_000) * instrument.lotSize * price * usdRate * 1_000_000;
}

/** Null where something that it takes is not known. */
export function pricingOf(
  pair: string,
  price: number | null,
  { moment, cash, accountSize }: Pick<Circumstances, "moment" | "cash" | "accountSize">,
): Pricing | null {
  const instrument = [...moment.instruments.values()].find(({ id }) => id === pair);
  if (instrument === undefined || price === null) return null;
  const usdRate = dollarRate(instrument, price, moment);
  return usdRate === null ? null : { instrument, price, usdRate, cash, accountSize };
}

/** The uuids that go, in any order; null when none of a list is known. @rule D10.lists D5.cancel */
export function cancelled(
  { target, pair }: CancelOrders,
  { waiting }: ReferenceBook,
): ReadonlySet<string> | null {
  const all = [...waiting.values()];
  if (target === "all") {
    return new Set(all.filter((one) => pair === null || one.pair === pair).map(({ uuid }) => uuid));
  }
  const gone = all.filter(({ uuid }) =>
    target.some((id) => uuid === id || uuid.startsWith(`${id}-bracket-`)),
  );
  return gone.length === 0 ? null : new Set(gone.map(({ uuid }) => uuid));
}

/** What FLAT_ALL means, and what of that can close now. @rule D10.flattenAll */
export function flattened(
  { target, pair }: Flatten,
  { book, moment }: Circumstances,
): { readonly meant: readonly HeldPosition[]; readonly closing: readonly HeldPosition[] } {
  const meant = [...book.positions.values()].filter(
    (held) =>
      (target === "all" || target.some((id) => id === held.uuid)) &&
      (pair === null || held.pair === pair),
  );
  return { meant, closing: meant.filter((held) => tradingOf(held.pair, moment) !== null) };
}
