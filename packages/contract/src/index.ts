export * from "./base62.ts";
export * from "./brand.ts";
export { conforms, problemOf } from "./conforms.ts";
export * from "./credentials.ts";
export * from "./dashboard/account.ts";
export * from "./dashboard/keys.ts";
export * from "./dashboard/session.ts";
export * from "./dead-mans-switch/switch-events.ts";
export * from "./dead-mans-switch/switch-request.ts";
export * from "./dead-mans-switch/switch-result.ts";
export { differenceText } from "./difference-text.ts";
export * from "./endpoints.ts";
export * from "./envelope.ts";
export * from "./errors/edge-errors.ts";
export * from "./errors/error-name.ts";
export * from "./errors/error-notes.ts";
export * from "./errors/errors.ts";
export * from "./event-frame.ts";
export * from "./examples/accounts.ts";
export * from "./examples/additive.ts";
export * from "./examples/examples.ts";
export * from "./examples/listings.ts";
export * from "./examples/order-results.ts";
export * from "./limits.ts";
export { operatorRefusals } from "./openapi/operator-responses.ts";
export * from "./openapi.ts";
export * from "./operator/account-reads.ts";
export * from "./operator/accounts.ts";
export * from "./operator/alerts.ts";
export * from "./operator/audit.ts";
export * from "./operator/backup.ts";
export * from "./operator/bulk.ts";
export * from "./operator/call-notes.ts";
export * from "./operator/calls.ts";
export * from "./operator/corporate-actions.ts";
export * from "./operator/error-codes.ts";
export * from "./operator/events.ts";
export * from "./operator/exposure.ts";
export * from "./operator/external-ids.ts";
export * from "./operator/files.ts";
export * from "./operator/health.ts";
export * from "./operator/instruments.ts";
export * from "./operator/journal.ts";
export * from "./operator/keys.ts";
export {
  describeList,
  type ListDescription,
  type ListOf,
  type ListParameter,
} from "./operator/lists/list-description.ts";
export {
  type ListField,
  type ListFieldKind,
  listFields,
} from "./operator/lists/list-field.ts";
export { LIST_FILE_TYPES, type ListFileFormat } from "./operator/lists/list-files.ts";
export { type ListCall, type ListItem, OPERATOR_LISTS } from "./operator/lists/operator-lists.ts";
export * from "./operator/owners.ts";
export type { OperatorPage } from "./operator/page.ts";
export * from "./operator/parameters.ts";
export * from "./operator/payouts.ts";
export * from "./operator/people.ts";
export * from "./operator/prices.ts";
export * from "./operator/programs.ts";
export * from "./operator/queries.ts";
export * from "./operator/search.ts";
export * from "./operator/shapes.ts";
export * from "./operator/tokens.ts";
export * from "./operator/unanswered-orders.ts";
export * from "./operator/webhooks.ts";
export * from "./operator-openapi.ts";
export { decimalsOf, fixedText, type PriceStep, priceText, roundedPrice } from "./price-text.ts";
export { isRecord } from "./record.ts";
export { passwordsOf, redactor } from "./redact.ts";
export * from "./refusals.ts";
export * from "./requests/candles-query.ts";
export * from "./requests/edit-trade.ts";
export {
  type EventStreamQuery,
  type EventStreamRequest,
  parseEventStreamQuery,
  unknownStreamPairText,
} from "./requests/event-stream-query.ts";
export {
  type EventsQuery,
  type EventsRequest,
  parseEventsQuery,
} from "./requests/events-query.ts";
export * from "./requests/history-query.ts";
export * from "./requests/ignored-fields.ts";
export * from "./requests/json-body.ts";
export * from "./requests/order-acts.ts";
export {
  FATES,
  type Fate,
  type FatePlace,
  PLACE_WORDS,
  REQUEST_FIELDS,
  type RequestField,
  rejectionText,
} from "./requests/order-fates.ts";
export {
  actOf,
  type EditFields,
  fieldsOfKind,
  ORDER_KINDS,
  type OrderBody,
  type OrderFieldName,
  type OrderFields,
  type OrderTrade,
  placesOrder,
  type UncheckedTrade,
} from "./requests/order-kinds.ts";
export type {
  LegFields,
  LegSizeFields,
  LegsInOnePlace,
  OrderLeg,
  TrailingFields,
  TrailingStop,
} from "./requests/order-legs.ts";
export { ORDER_REQUEST, ORDER_TRADE } from "./requests/order-request.ts";
export type { OrderAct } from "./requests/order-shape.ts";
export type { OneSize, OrderSize } from "./requests/order-size.ts";
export type { Target } from "./requests/order-values.ts";
export * from "./requests/pair-name.ts";
export * from "./requests/payouts-query.ts";
export * from "./requests/place-order.ts";
export type { QueryParameters } from "./requests/query-string.ts";
export { parseQuery, queryFitsAccount, splitTarget } from "./requests/query-string.ts";
export * from "./requests/quotes-query.ts";
export { isTimeMs, type MistakenUnit, mistakenUnit, timeProblem } from "./requests/time-unit.ts";
export * from "./requests/trades-query.ts";
export * from "./resources/account.ts";
export * from "./resources/attached-leg.ts";
export * from "./resources/candle.ts";
export * from "./resources/drawdown.ts";
export * from "./resources/events/account-events.ts";
export * from "./resources/events/event-cursor.ts";
export * from "./resources/events/event-order.ts";
export * from "./resources/events/event-parts.ts";
export * from "./resources/events/event-stream.ts";
export * from "./resources/events/events.ts";
export * from "./resources/events/order-events.ts";
export * from "./resources/events/position-events.ts";
export * from "./resources/events/program-events.ts";
export * from "./resources/evidence-key.ts";
export * from "./resources/instrument.ts";
export * from "./resources/order-history.ts";
export * from "./resources/order-result.ts";
export * from "./resources/payout.ts";
export * from "./resources/pending-order.ts";
export * from "./resources/position.ts";
export * from "./resources/preview.ts";
export * from "./resources/pro-track.ts";
export * from "./resources/receipt.ts";
export * from "./resources/service-time.ts";
export * from "./resources/trade.ts";
export {
  hasUnsent,
  isIfSent,
  isUnused,
  type JsonSchema,
  type Linked,
  linked,
  type Schema,
  type Wire,
} from "./schema.ts";
export * from "./secret-form.ts";
export * from "./signing.ts";
export * from "./version.ts";
export * from "./words.ts";
