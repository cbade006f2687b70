/**
 * # Contract: what goes over the wire
 *
 * Endpoints, shapes, errors, limits and the form of a signature, of the signed API and of the operator's interface. A
 * description is written once: parsers, types, OpenAPI documents, SDK, command line and reference pages are made from
 * it.
 *
 * ## Invariants
 * - This package imports no other, so a browser can load all of it.
 * - A schema has three uses, as a parser, a type and a published description, and they cannot differ.
 * - Every known request field has a defined treatment in every kind of request: it is read, compared or rejected.
 * - Every error has its status and its place in the order of precedence, in one table.
 *
 * ## Limits
 * A shape does not decide whether a request is possible for an account: core does. So a request that fits its shape can
 * still be refused.
 *
 * Start with `endpoints.ts`, then `schema.ts`, `requests/order-kinds.ts` and `errors/errors.ts`.
 */

export { BASE62_DIGITS, fromBase62, toBase62 } from "./base62.ts";
export {
  authHeaderKeys,
  authHeaders,
  DEFAULT_BRAND,
  DEFAULT_NETWORK_NAME,
  helpHeaders,
  isBrandWord,
} from "./brand.ts";
export { conforms, schemaProblemOf } from "./conforms.ts";
export { isNonce, isSecretShaped, isWithinSkew, parseTimestamp } from "./credentials.ts";
export {
  ACCOUNT_CHOICES_MAX,
  type AccountChoice,
  type AccountStateView,
  BEAT_EVENT,
  type CandlesView,
  type CarryView,
  type CycleView,
  EQUITY_WINDOWS,
  type EquityHistory,
  type EquityPoint,
  type EquityWindow,
  type FillView,
  type FlattenRequest,
  type FlattenResult,
  JOURNAL_EXPORT,
  type JournalCheck,
  type JournalEntry,
  type JournalPage,
  LIVE_EVENT,
  type MarketView,
  type ObjectiveDay,
  type TicksView,
  type TradeFills,
  type TradesView,
} from "./dashboard/account.ts";
export type { CreatedKeyView, CreateKeyRequest, KeyLine } from "./dashboard/keys.ts";
export {
  type ChangePasswordRequest,
  type ConfirmationView,
  type ConfirmRequest,
  DASHBOARD_PREFIX,
  type LinkRequest,
  type LinkView,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  type PasskeyLine,
  PERSON_NAME_LENGTH_MAX,
  type Role,
  type SessionLine,
  type SessionView,
  type SignInRequest,
  type UseLinkRequest,
} from "./dashboard/session.ts";
export { SWITCH_EVENTS } from "./dead-mans-switch/switch-events.ts";
export {
  parseCancelAllAfter,
  SWITCH_REQUEST,
  type SwitchFields,
} from "./dead-mans-switch/switch-request.ts";
export {
  ARMED_SWITCH,
  SWITCH_RESULT,
  type SwitchResult,
} from "./dead-mans-switch/switch-result.ts";
export { differenceText } from "./difference-text.ts";
export {
  ADDITIVE_ENDPOINTS,
  ENDPOINT_NAMES,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  type ErrorStatus,
  isAdditive,
  isWrite,
  matchEndpoint,
  orderIdsOfPath,
  orderPath,
  receiptNonce,
  receiptPath,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
} from "./endpoints.ts";
export { success } from "./envelope.ts";
export { EDGE_ERRORS, type EdgeErrorName, edgeStatus } from "./errors/edge-errors.ts";
export { errorNameOf } from "./errors/error-name.ts";
export { ERROR_NOTES } from "./errors/error-notes.ts";
export {
  ERROR_NAMES,
  ERRORS,
  type ErrorName,
  type ErrorRow,
  errorsOf,
  errorText,
  type FailureBody,
  type RetryClass,
} from "./errors/errors.ts";
export { END_FRAME, frameText, MARK_FRAME, QUOTE_FRAME } from "./event-frame.ts";
export { ACCOUNT_ELIMINATED, ACCOUNT_PRO, ACCOUNT_STATIC } from "./examples/accounts.ts";
export { REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from "./examples/examples.ts";
export { PAYOUTS_FIRST_PAGE, PENDING_ORDERS, POSITIONS, TRADES } from "./examples/listings.ts";
export {
  ORDER_CANCELLED,
  ORDER_FILLED,
  ORDER_FLATTENED,
  ORDER_RESTING,
} from "./examples/order-results.ts";
export { LIMIT_NOTES, LIMITS, type LimitName } from "./limits.ts";
export { operatorRefusals } from "./openapi/operator-responses.ts";
export { openApiDocument, queryNotes, REQUIRED_PARAMETERS } from "./openapi.ts";
export { ACCOUNT_EQUITY_LIST } from "./operator/account-reads.ts";
export {
  ACCOUNTS_LIST,
  type CloseAccountRequest,
  type ClosedAccount,
  type EliminateAccountRequest,
  type LinkAccountRequest,
  type OfferProRequest,
  type OpenAccountRequest,
  type OperatorAccount,
  type PromoteAccountRequest,
} from "./operator/accounts.ts";
export { type AlertType, isAlertType } from "./operator/alerts.ts";
export type {
  AuditHeadView,
  AuditLine,
  AuditPage,
  AuditProofView,
  VerifyAuditRequest,
} from "./operator/audit.ts";
export type { BackUpRequest } from "./operator/backup.ts";
export type { BulkLine } from "./operator/bulk.ts";
export { OPERATOR_RESOURCES, OPERATOR_SUMMARIES, resourceOf } from "./operator/call-notes.ts";
export {
  IDEMPOTENCY_HEADER,
  isOperatorCall,
  JOURNAL_FILE_TYPE,
  OPERATOR_CALLS,
  OPERATOR_PREFIX,
  type OperatorCall,
  type OperatorCallName,
  type OperatorQuery,
  type OperatorTarget,
  operatorPath,
  REPLAYED_HEADER,
  type RepeatedAnswer,
} from "./operator/calls.ts";
export type {
  AnnounceActionRequest,
  OperatorAction,
  SetFundingRequest,
} from "./operator/corporate-actions.ts";
export {
  OPERATOR_ERRORS,
  OPERATOR_STATUSES,
  type OperatorErrorCode,
} from "./operator/error-codes.ts";
export type { OperatorEvent, OperatorEvents } from "./operator/events.ts";
export {
  ACCOUNT_FILTERS,
  EXPOSURE_COLUMNS,
  EXPOSURE_KEYS,
  type ExposureItem,
  type ExposureKey,
  STRESS_COLUMNS,
  type StressItem,
} from "./operator/exposure.ts";
export { FIRM_ID, FIRM_ID_FORM, type SetExternalIdRequest } from "./operator/external-ids.ts";
export {
  AS_OF_HEADER,
  BULK_ANSWER_TYPE,
  BULK_BYTES_MAX,
  BULK_CALLS,
  BULK_ROWS_MAX,
  BULK_TYPES,
  type BulkCall,
  type FileCall,
  isBulkCall,
  NEXT_HEADER,
  OPERATOR_FILES,
} from "./operator/files.ts";
export type {
  JobHealthView,
  NetworkHealth,
  ServiceHealth,
  UpstreamHealthView,
} from "./operator/health.ts";
export { INSTRUMENTS_LIST, type OperatorInstrument } from "./operator/instruments.ts";
export type {
  JournalProofView,
  JournalRebuildView,
  RebuildJournalRequest,
  VerifyJournalRequest,
} from "./operator/journal.ts";
export type { CreateOperatorKeyRequest, OperatorKey } from "./operator/keys.ts";
export {
  isFilterParameter,
  type ListDescription,
  type ListOf,
  type ListParameter,
} from "./operator/lists/list-description.ts";
export { type ListField, listFields } from "./operator/lists/list-field.ts";
export { LIST_FILE_TYPES, type ListFileFormat } from "./operator/lists/list-files.ts";
export { type ListCall, type ListItem, OPERATOR_LISTS } from "./operator/lists/operator-lists.ts";
export type { UpdateOwnerRequest } from "./operator/owners.ts";
export type { OperatorPage } from "./operator/page.ts";
export { operatorParameters } from "./operator/parameters.ts";
export type { OperatorPayout, RecordPaymentRequest } from "./operator/payouts.ts";
export type {
  AddPersonRequest,
  ChangedPerson,
  DisablePersonRequest,
  EnablePersonRequest,
  OperatorPerson,
  PersonKeysView,
  PersonLinkView,
} from "./operator/people.ts";
export {
  type ChooseAutoRequest,
  type HaltPricesRequest,
  type OperatorPrice,
  PRICE_REASON_LENGTH_MAX,
  PRICE_STATES,
  PRICES_LIST,
  type PriceChoiceView,
  type PriceEffectView,
  type PriceLine,
  type PriceState,
  type SourcePrice,
  type UseSourceRequest,
} from "./operator/prices.ts";
export {
  type OperatorProgram,
  type OperatorProgramVersions,
  PROGRAMS_LIST,
  type ProgramVersionView,
} from "./operator/programs.ts";
export { queryParametersOf, REQUIRED_OPERATOR_PARAMETERS } from "./operator/queries.ts";
export { FOUND_MAX, type FoundView } from "./operator/search.ts";
export {
  type AnsweringCall,
  OPERATOR_ANSWERS,
  OPERATOR_BODIES,
  type OperatorAnswer,
  type OperatorBody,
} from "./operator/shapes.ts";
export type { AddTokenRequest, OperatorTokenLine } from "./operator/tokens.ts";
export {
  type ChangeWebhookRequest,
  type DeliveryError,
  isWebhookType,
  type NewWebhookRequest,
  namesAlerts,
  namesEvents,
  type ReplayWebhookRequest,
  type ResumeWebhookRequest,
  type RotateWebhookRequest,
  type SendEventRequest,
  WEBHOOK_BEGINNINGS,
  WEBHOOK_PAYLOADS,
  WEBHOOK_SIGNATURES,
  WEBHOOKS_LIST,
  type Webhook,
  type WebhookSignature,
  type WebhookType,
} from "./operator/webhooks.ts";
export { OPERATOR_OPENAPI_PATH, operatorOpenApiDocument } from "./operator-openapi.ts";
export { decimalsOf, fixedText, type PricePrecision, priceText, roundPrice } from "./price-text.ts";
export { isRecord } from "./record.ts";
export { createRedactor, passwordsOf } from "./redact.ts";
export {
  isRefusalCode,
  REFUSAL_CODES,
  REFUSALS,
  type RefusalCode,
  type RefusalRow,
} from "./refusals.ts";
export {
  type CandlesRequest,
  parseCandlesQuery,
  unknownTradePairText,
} from "./requests/candles-query.ts";
export { type ChangedFields, editTrade } from "./requests/edit-trade.ts";
export { parseEventStreamQuery, unknownStreamPairText } from "./requests/event-stream-query.ts";
export { type EventsRequest, parseEventsQuery } from "./requests/events-query.ts";
export {
  type HistoryRequest,
  parseHistoryQuery,
  parseLifeQuery,
} from "./requests/history-query.ts";
export { ignoredFieldsHeader } from "./requests/ignored-fields.ts";
export { type JsonObject, type JsonReading, readJsonObject } from "./requests/json-body.ts";
export {
  CANCEL_REQUEST,
  CLOSE_REQUEST,
  EDIT_REQUEST,
  ENTRY_REQUEST,
} from "./requests/order-acts.ts";
export {
  FATE_ROW_WORDS,
  FATES,
  type Fate,
  type FateRowName,
  REQUEST_FIELDS,
  type RequestField,
  rejectionText,
} from "./requests/order-fates.ts";
export { canonicalId } from "./requests/order-id.ts";
export {
  actOf,
  type EditFields,
  fieldsOfKind,
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
export { ORDER_TRADE } from "./requests/order-request.ts";
export type { OrderAct } from "./requests/order-shape.ts";
export type { OneSize, OrderSize } from "./requests/order-size.ts";
export { matchesPairName, normalizePairName } from "./requests/pair-name.ts";
export { parsePayoutsQuery } from "./requests/payouts-query.ts";
export { bodyAccountIds, parsePlaceOrder } from "./requests/place-order.ts";
export {
  parseQuery,
  type QueryParameters,
  queryFitsAccount,
  splitTarget,
} from "./requests/query-string.ts";
export { parseQuotesQuery, unknownPairText } from "./requests/quotes-query.ts";
export { isTimeMs, type MistakenUnit, mistakenUnit, timeProblem } from "./requests/time-unit.ts";
export {
  parseTradesQuery,
  TRADES_AFTER_TEXT,
  type TradesRequest,
} from "./requests/trades-query.ts";
export { ACCOUNT, type Account } from "./resources/account.ts";
export type { AttachedLegItem } from "./resources/attached-leg.ts";
export { CANDLE, type CandleItem } from "./resources/candle.ts";
export type { DrawdownRules, EliminationWire, LossLimitItem } from "./resources/drawdown.ts";
export {
  ACCOUNT_EVENTS,
  EVENT_PAYOUT,
  type EventPayout,
} from "./resources/events/account-events.ts";
export { type EventCursor, eventCursor } from "./resources/events/event-cursor.ts";
export { EVENT_CAUSE, EVENT_CAUSES, EVENT_PROOF } from "./resources/events/event-parts.ts";
export {
  STREAM_MARK,
  type StreamEnd,
  type StreamEndReason,
  type StreamMark,
} from "./resources/events/event-stream.ts";
export {
  type AccountEvent,
  EVENT,
  EVENT_SCHEMA_NAMES,
  EVENT_SCHEMAS,
  EVENT_TYPES,
  EVENTS_PAGE,
  type EventData,
  type EventOf,
  type EventsPage,
  type EventType,
  isEventType,
} from "./resources/events/events.ts";
export { FILL_KINDS, ORDER_EVENTS } from "./resources/events/order-events.ts";
export { type EventOrder, ORDER_IN_EVENT } from "./resources/events/order-in-event.ts";
export { POSITION_EVENTS } from "./resources/events/position-events.ts";
export { PROGRAM_EVENTS } from "./resources/events/program-events.ts";
export type { EvidenceKey } from "./resources/evidence-key.ts";
export { INSTRUMENT, type InstrumentItem, QUOTE, type QuoteItem } from "./resources/instrument.ts";
export {
  FILLS,
  type FillItem,
  type Fills,
  ORDER_HISTORY,
  ORDER_LIFE,
  type OrderHistory,
  type OrderLife,
  PAST_ORDER,
  type PastOrder,
} from "./resources/order-history.ts";
export { ORDER_RESULT, type OrderRecordItem, type OrderResult } from "./resources/order-result.ts";
export {
  type AccrualItem,
  PAYOUT,
  PAYOUTS,
  type PayoutItem,
  type Payouts,
} from "./resources/payout.ts";
export { PENDING_ORDER, type PendingOrder } from "./resources/pending-order.ts";
export { POSITION, type PositionItem } from "./resources/position.ts";
export { PREVIEW, type Preview } from "./resources/preview.ts";
export type { Objective, ProTrack } from "./resources/pro-track.ts";
export { RECEIPT, type Receipt } from "./resources/receipt.ts";
export { SERVICE_TIME, type ServiceTime } from "./resources/service-time.ts";
export { TRADE, type TradeItem } from "./resources/trade.ts";
export {
  hasUnsent,
  isIfSent,
  isNullOnly,
  type JsonSchema,
  type Linked,
  linked,
  type Schema,
} from "./schema.ts";
export {
  makeSecret,
  OPERATOR_TOKEN_PREFIX,
  SECRET_PREFIX,
  SECRET_RANDOM_CHARACTERS,
  secretForm,
} from "./secret-form.ts";
export { DIGITS_SHOWN, shownNumber } from "./shown-number.ts";
export {
  CANONICAL_PARTS,
  type CanonicalPart,
  canonicalString,
  EMPTY_BODY_SHA256,
  signatureHeader,
} from "./signing.ts";
export { EVIDENCE_KEYS_PATH, OPENAPI_PATH, PATH_PREFIX, TIME_PATH } from "./version.ts";
export {
  ACCOUNT_BUCKETS,
  ACCOUNT_STATUSES,
  ASSET_CLASSES,
  type AssetClassWord,
  type Bucket,
  CANDLE_INTERVALS,
  type CandleInterval,
  CHALLENGE_CRITERIA,
  ELIMINATION_REASONS,
  type EvaluationStatus,
  EXECUTION_TYPES,
  type ExecutionType,
  INACTIVITY_REASON,
  type LimitCheckWord,
  LOSS_RULES,
  type LossRuleWord,
  lossRuleLabel,
  MARKET_NAMES,
  OBJECTIVE_LABELS,
  type ObjectiveKey,
  OPERATOR_PHASES,
  type OperatorPhase,
  ORDER_TYPES,
  type OrderStatus,
  type OrderTypeWord,
  OWN_ASSET_CLASSES,
  type OwnAssetClassWord,
  PAYOUT_STATUSES,
  type PayoutStatus,
  POSITION_TYPES,
  type PositionType,
  type ProPhase,
  RESTING_EXECUTION_TYPES,
  type RestingExecutionType,
  SCOPES,
  type Scope,
  SIZE_FIELDS,
  type SizeField,
  STOP_CONDITIONS,
  type StayReasonWord,
  type StopCondition,
  type SwitchActionWord,
  TRADE_STATUSES,
  type TradeStatus,
} from "./words.ts";
