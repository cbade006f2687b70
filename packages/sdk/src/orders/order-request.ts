import {
  type OrderLeg as DescribedLeg,
  type LegsInOnePlace,
  type OrderBody,
  parsePlaceOrder,
  type SizeField,
  type UncheckedTrade,
} from "@propgate/contract";
import type { OrderLegNotes, OrderNotes } from "../described/order-notes.ts";

export type { OneSize, TrailingStop } from "@propgate/contract";

/**
 * Adds the documentation of the fields to the type of each kind of order. The notes have the type `unknown`, so the
 * types of the fields do not change.
 */
type Noted<Kind, Notes> = Kind extends unknown
  ? Flat<Kind & Pick<Notes, Extract<keyof Notes, keyof Kind>>>
  : never;

/** The fields of the type `All` as one object type, so that an editor finds one description for each field. */
type Flat<All> = { readonly [Name in keyof All]: All[Name] };

/**
 * One order. Its kind is `execution_type`. An order whose fields the service would reject does not compile, such as a
 * LIMIT without `limit_price`, two sizes, or a field of another kind. @rule S4.2.fields
 */
export type OrderTrade = LegsInOnePlace<Noted<OrderBody, OrderNotes>>;

/** The type of one leg in `bracket_orders` of an order, with the documentation of its fields. */
export type OrderLeg = Noted<DescribedLeg, OrderLegNotes>;

/** The body of POST orders. */
export interface OrderRequest {
  /** Never needed: the id of any account other than the key's own is rejected. */
  readonly accountId?: string;
  readonly trade: OrderTrade;
}

/** Another name of `OrderLeg`, for programs that build `bracket_orders`. */
export type BracketLegRequest = OrderLeg;

/** Any of the size fields; an order has exactly one of them. */
export type OrderSizing = Noted<Pick<UncheckedTrade, SizeField>, OrderNotes>;

/**
 * Checks an order that a program has built from input. `problem` is the text with which the service would reject its
 * fields. The service may still refuse an order without a problem, because of its account or the market.
 */
export function readOrder(
  body: unknown,
): { readonly order: OrderRequest } | { readonly problem: string } {
  const parsed = parsePlaceOrder(body);
  if (!parsed.ok) return { problem: parsed.message };
  return isOrder(body) ? { order: body } : { problem: "'trade' is required" };
}

/** Checks only the form, because the contract's parser has already read the fields. */
function isOrder(body: unknown): body is OrderRequest {
  return typeof body === "object" && body !== null && "trade" in body;
}
