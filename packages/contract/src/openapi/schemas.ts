import { FAILURE } from "../envelope.ts";
import { BRACKET_TRIGGER, LEG_SIZE, ORDER_LEG, TRAILING_STOP } from "../requests/order-legs.ts";
import {
  ORDER_REQUEST,
  ORDER_SCHEMA_NAMES,
  ORDER_SCHEMAS,
  ORDER_TRADE,
} from "../requests/order-request.ts";
import { ORDER_SIZE } from "../requests/order-size.ts";
import { ACCOUNT } from "../resources/account.ts";
import { ATTACHED_LEG } from "../resources/attached-leg.ts";
import { CANDLE } from "../resources/candle.ts";
import { INSTRUMENT, QUOTE } from "../resources/instrument.ts";
import { ORDER_RESULT } from "../resources/order-result.ts";
import { PAYOUTS } from "../resources/payout.ts";
import { PENDING_ORDER } from "../resources/pending-order.ts";
import { POSITION } from "../resources/position.ts";
import { PREVIEW } from "../resources/preview.ts";
import { RECEIPT } from "../resources/receipt.ts";
import { SERVICE_TIME } from "../resources/service-time.ts";
import { TRADE } from "../resources/trade.ts";
import type { JsonSchema, Schema } from "../schema.ts";

/** The schemas that have a name of their own in the document, and so in generated clients. */
const SCHEMAS = {
  Account: ACCOUNT,
  Position: POSITION,
  PendingOrder: PENDING_ORDER,
  Trade: TRADE,
  Payouts: PAYOUTS,
  OrderResult: ORDER_RESULT,
  AttachedLeg: ATTACHED_LEG,
  OrderRequest: ORDER_REQUEST,
  OrderTrade: ORDER_TRADE,
  OrderSize: ORDER_SIZE,
  OrderLeg: ORDER_LEG,
  LegSize: LEG_SIZE,
  BracketTrigger: BRACKET_TRIGGER,
  TrailingStop: TRAILING_STOP,
  Instrument: INSTRUMENT,
  Quote: QUOTE,
  Candle: CANDLE,
  Receipt: RECEIPT,
  Preview: PREVIEW,
  ServiceTime: SERVICE_TIME,
  Failure: FAILURE,
} as const;
export type SchemaName = keyof typeof SCHEMAS;

type Named = readonly [name: string, schema: Schema<unknown>];

/** Everything in SCHEMAS, and after `OrderTrade` the kinds of an order. */
const NAMED: readonly Named[] = Object.entries(SCHEMAS).flatMap((entry): readonly Named[] =>
  entry[0] === "OrderTrade" ? [entry, ...Object.entries(ORDER_SCHEMAS)] : [entry],
);

/** The schema of each `execution_type`. @rule D10.openapi */
const DISCRIMINATED: JsonSchema = {
  discriminator: {
    propertyName: "execution_type",
    mapping: Object.fromEntries(
      Object.entries(ORDER_SCHEMA_NAMES).map(([word, name]) => [word, pathOf(name)]),
    ),
  },
};

export function reference(name: SchemaName): Schema<unknown> {
  return { json: { $ref: pathOf(name) } };
}

export function listOf(name: SchemaName): Schema<unknown> {
  return { json: { type: "array", items: reference(name).json } };
}

/** `components.schemas`: each schema once, and a reference wherever another one contains it. @rule D10.openapi */
export function schemaComponents(): JsonSchema {
  const paths = new Map(NAMED.map(([name, { json }]): [unknown, string] => [json, pathOf(name)]));
  const referring = (value: unknown): unknown => {
    const $ref = paths.get(value);
    return $ref === undefined ? inside(value) : { $ref };
  };
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referring);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, referring(one)]));
  };
  const components = NAMED.map(([name, { json }]) => [
    name,
    Object.assign({}, inside(json), json === ORDER_TRADE.json ? DISCRIMINATED : {}),
  ]);
  return Object.fromEntries(components);
}

function pathOf(name: string): string {
  return `#/components/schemas/${name}`;
}
