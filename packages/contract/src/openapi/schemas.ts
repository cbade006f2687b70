import { SWITCH_REQUEST } from "../dead-mans-switch/switch-request.ts";
import { SWITCH_RESULT } from "../dead-mans-switch/switch-result.ts";
import type { EnvelopedName } from "../endpoints.ts";
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
import { EVENT_PAYOUT } from "../resources/events/account-events.ts";
import { EVENT_CAUSE, EVENT_PROOF } from "../resources/events/event-parts.ts";
import { STREAM_END, STREAM_MARK } from "../resources/events/event-stream.ts";
import {
  EVENT,
  EVENT_SCHEMA_NAMES,
  EVENT_SCHEMAS,
  EVENTS_PAGE,
} from "../resources/events/events.ts";
import { ORDER_IN_EVENT } from "../resources/events/order-in-event.ts";
import { EVIDENCE_KEY } from "../resources/evidence-key.ts";
import { INSTRUMENT, QUOTE } from "../resources/instrument.ts";
import { FILLS, ORDER_HISTORY, ORDER_LIFE, PAST_ORDER } from "../resources/order-history.ts";
import { ORDER_RESULT } from "../resources/order-result.ts";
import { PAYOUTS } from "../resources/payout.ts";
import { PENDING_ORDER } from "../resources/pending-order.ts";
import { POSITION } from "../resources/position.ts";
import { PREVIEW } from "../resources/preview.ts";
import { RECEIPT } from "../resources/receipt.ts";
import { SERVICE_TIME } from "../resources/service-time.ts";
import { TRADE } from "../resources/trade.ts";
import type { JsonSchema, Schema } from "../schema.ts";
import { createSharedSchemas, type NamedSchema, schemaPath } from "./shared-schemas.ts";

/** The schemas that have a name of their own in the document, and so a type in generated clients. */
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
  EventsPage: EVENTS_PAGE,
  Event: EVENT,
  EventCause: EVENT_CAUSE,
  EventProof: EVENT_PROOF,
  StreamMark: STREAM_MARK,
  StreamEnd: STREAM_END,
  EventOrder: ORDER_IN_EVENT,
  EventPayout: EVENT_PAYOUT,
  PastOrder: PAST_ORDER,
  OrderLife: ORDER_LIFE,
  OrderHistory: ORDER_HISTORY,
  Fills: FILLS,
  Preview: PREVIEW,
  SwitchRequest: SWITCH_REQUEST,
  SwitchResult: SWITCH_RESULT,
  ServiceTime: SERVICE_TIME,
  EvidenceKey: EVIDENCE_KEY,
  Failure: FAILURE,
} as const;
export type SchemaName = keyof typeof SCHEMAS;

const EVENTS: readonly NamedSchema[] = [...EVENT_SCHEMA_NAMES].map(([type, name]) => [
  name,
  EVENT_SCHEMAS[type],
]);

/** The schemas that follow a schema of `SCHEMAS` in the document: its variants. */
const VARIANTS: Readonly<Partial<Record<string, readonly NamedSchema[]>>> = {
  OrderTrade: Object.entries(ORDER_SCHEMAS),
  Event: EVENTS,
};

/** All schemas of `SCHEMAS`, each followed by its variants. */
const NAMED: readonly NamedSchema[] = Object.entries(SCHEMAS).flatMap(
  (entry): readonly NamedSchema[] => [entry, ...(VARIANTS[entry[0]] ?? [])],
);

/**
 * The keywords that tell a generator the schema of each `execution_type`, and of each type of event. @rule D10.openapi
 */
const DISCRIMINATORS: ReadonlyMap<unknown, JsonSchema> = new Map([
  [ORDER_TRADE.json, discriminator("execution_type", Object.entries(ORDER_SCHEMA_NAMES))],
  [EVENT.json, discriminator("type", [...EVENT_SCHEMA_NAMES])],
]);

function discriminator(
  propertyName: string,
  names: readonly (readonly [word: string, name: string])[],
): JsonSchema {
  const mapping = Object.fromEntries(names.map(([word, name]) => [word, schemaPath(name)]));
  return { discriminator: { propertyName, mapping } };
}

/** The reference to a schema of `components.schemas`. */
export function schemaReference(name: SchemaName): Schema<unknown> {
  return { json: { $ref: schemaPath(name) } };
}

function listSchemaOf(name: SchemaName): Schema<unknown> {
  return { json: { type: "array", items: schemaReference(name).json } };
}

/**
 * `components.schemas`: each schema once, and a reference wherever another schema contains it. With linked accounts, a
 * figure that a validator need not send is nullable. @rule D10.openapi D13.types
 */
export function schemaComponents(options: { readonly hasLinked: boolean }): JsonSchema {
  const { components } = createSharedSchemas(NAMED, options);
  const entries = NAMED.map(([name, { json }]) => [
    name,
    Object.assign({}, components[name], DISCRIMINATORS.get(json)),
  ]);
  return Object.fromEntries(entries);
}

/** The schema of `data` in the successful answer of each endpoint. */
export const ANSWER_SCHEMAS: Readonly<Record<EnvelopedName, Schema<unknown>>> = {
  getAccount: schemaReference("Account"),
  getPositions: listSchemaOf("Position"),
  getOrders: listSchemaOf("PendingOrder"),
  getTrades: listSchemaOf("Trade"),
  getPayouts: schemaReference("Payouts"),
  placeOrder: schemaReference("OrderResult"),
  getInstruments: listSchemaOf("Instrument"),
  getQuotes: listSchemaOf("Quote"),
  getCandles: listSchemaOf("Candle"),
  getReceipt: schemaReference("Receipt"),
  getEvents: schemaReference("EventsPage"),
  getOrder: schemaReference("OrderLife"),
  getOrderHistory: schemaReference("OrderHistory"),
  getFills: schemaReference("Fills"),
  previewOrder: schemaReference("Preview"),
  cancelAllAfter: schemaReference("SwitchResult"),
};
