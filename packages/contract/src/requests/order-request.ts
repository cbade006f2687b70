import { object, type Schema } from "../schema.ts";
import { fatesRule } from "./fate-check.ts";
import { ORDER_KINDS, type OrderTrade } from "./order-kinds.ts";
import type { OrderKind } from "./order-shape.ts";
import { ACCOUNT_ID } from "./order-values.ts";

/* The published schema of an order. A rule between fields is a shape in which every field that must not be sent is
   null. Code generators can express such a shape, and validators agree with the service, which reads null as absent.
   A rule with `required` alone would not work: generators make `unknown` of a `required` without properties, and
   they ignore `not`. */

const KINDS: readonly (readonly [string, OrderKind])[] = Object.entries(ORDER_KINDS);

/**
 * `trade` of POST orders: one schema for each kind of order, which requires the fields of that kind. A program that
 * uses a client generated from the OpenAPI document does not compile when its order fits no kind. @rule S4.2.fields
 * @rule D10.openapi decides
 */
export const ORDER_TRADE: Schema<OrderTrade> = {
  json: {
    description:
      "One order, whose kind is `execution_type`. Unknown fields are ignored. A known field is rejected where it does not apply.",
    oneOf: KINDS.map(([, { schema }]) => schema.json),
  },
};

/** The body of POST orders, as the OpenAPI document publishes it. */
export const ORDER_REQUEST = object(
  "The body of POST orders.",
  { accountId: ACCOUNT_ID, trade: ORDER_TRADE },
  fatesRule([{ place: "OrderRequest" }]),
);

/** The schema of each kind and of each of its shapes, by name, such as `LimitOrder`. */
export const ORDER_SCHEMAS: Readonly<Record<string, Schema<unknown>>> = Object.fromEntries(
  KINDS.flatMap(([, { name, schema, shapes }]): readonly [string, Schema<unknown>][] => [
    [name, schema],
    ...Object.entries(shapes).map(([of, one]): [string, Schema<unknown>] => [of, one.schema]),
  ]),
);

/** The name of the schema of each `execution_type`. When a kind has several shapes, this schema groups them. */
export const ORDER_SCHEMA_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  KINDS.map(([type, { name }]) => [type, name]),
);
