/**
 * # Wire: the public words
 *
 * The dictionary between the domain and the contract. It reads orders from bodies, and writes answers and events from
 * states and journal lines. It also has the port of a trading service with answers in the API's form. An account behind
 * this port is embedded or at a validator.
 *
 * ## Invariants
 * - The view of a journal line is made only from stored data, so the same line has the same bytes in every release.
 * - A body is read once, by the contract's schema; a wrong field is named.
 * - Amounts are those of the domain. A view computes only what follows from them, such as percentages and differences.
 *
 * Start with `wire.ts`, then `views/`.
 */

export { type CandleAnswerOptions, createCandleAnswers } from "./candle-answers.ts";
export { createPayoutCursorCodec, type PayoutCursorCodec } from "./cursor.ts";
export {
  commandKindFields,
  KIND_OF_WORD,
  NO_KIND_FIELDS,
  PENDING_KIND_WORDS,
  SHARED_LEG_FIELDS,
} from "./entry-kinds.ts";
export { cursorOfPlace, cursorProblemText } from "./event-cursors.ts";
export type { EventStreams, StreamRequest } from "./event-streams.ts";
export { canonicalJson } from "./evidence/canonical-json.ts";
export {
  canonicalEvidencePieces,
  EVIDENCE_LINES_MAX,
  type EvidenceBody,
  endSummary,
  evidenceSteps,
  programOfTerms,
} from "./evidence/evidence-document.ts";
export { type EvidenceVerdict, verifyEvidence } from "./evidence/verify-evidence.ts";
export { createExpensiveReads, type EndRead, type ExpensiveReads } from "./expensive-reads.ts";
export { ENVELOPE_BYTES_MAX, fittingList, fittingTexts } from "./fitting-list.ts";
export { jsonListPieces } from "./list-pieces.ts";
export { absentNetwork } from "./network/absent-network.ts";
export type {
  AccountReadings,
  LinkedAccountReadings,
  LinkedAccountRow,
  NetworkReadings,
  NotOffered,
} from "./network/account-readings.ts";
export { createEmbeddedWireNetwork } from "./network/embedded-network.ts";
export {
  EQUITY_WINDOW_MS,
  type EquityHistoryParts,
  equityHistory,
  equityPoints,
} from "./network/equity-history.ts";
export { mapReading } from "./network/map-reading.ts";
export type {
  FlattenAnswer,
  KeyOrigin,
  OrderAnswer,
  PayoutsAnswer,
  WireNetwork,
  WireNetworks,
} from "./network/wire-network.ts";
export {
  placementRejection,
  readJsonBody,
  readOrderBody,
  rejectionOfRefusal,
  type SentOrder,
} from "./order-body.ts";
export { orderCommand } from "./order-command.ts";
export { refusalText } from "./refusal-text.ts";
export type { Rejection } from "./rejection.ts";
export { accountView, evaluationTitle } from "./views/account.ts";
export {
  type AccountItem,
  accountItem,
  createAccountFieldReader,
  createValuationMoment,
  linkedAccountItem,
  type ValuationMoment,
  type ValuedAccount,
  valueAccount,
} from "./views/account-item.ts";
export { attachedLegView } from "./views/attached-leg.ts";
export { eventSentence } from "./views/events/event-sentence.ts";
export { eventView } from "./views/events/event-view.ts";
export { coreEventTypesOf } from "./views/events/event-views.ts";
export { observedEvent } from "./views/events/observed-event.ts";
export { orderLife, pastOrder } from "./views/events/order-life.ts";
export { provedEvent } from "./views/events/proved-event.ts";
export { fillDifferenceView } from "./views/fill-difference.ts";
export {
  capText,
  countText,
  durationText,
  leverageText,
  moneyText,
  percentText,
  priceText,
  roundedPercent,
  shortSizeText,
  sizeText,
} from "./views/format.ts";
export { createSessionHoursReader, gridView, percentOfRatio } from "./views/instrument.ts";
export { answerJson, receiptOfStoredAnswer, storedAnswerText } from "./views/order-answer.ts";
export { payoutItem, payoutsPage } from "./views/payouts.ts";
export { pendingOrderView } from "./views/pending-order.ts";
export { positionView } from "./views/position.ts";
export { previewView } from "./views/preview.ts";
export { quoteViews } from "./views/quote.ts";
export { receiptView } from "./views/receipt.ts";
export { type SentSizeFields, sentSizeFields } from "./views/size-fields.ts";
export { usdOrNull } from "./views/usd-or-null.ts";
export {
  ASSET_CLASS_OF_WORD,
  ASSET_CLASS_WORDS,
  bindingCapText,
  DIRECTION_WORDS,
  evaluationWord,
  exposureCapText,
  KEY_SCOPE_OF_WORD,
  LIMIT_CHECK_WORDS,
  LOSS_LIMIT_WORDS,
  LOSS_RULE_OF_WORD,
  ORDER_TYPE_WORDS,
  operatorPhase,
  phasesOfWord,
  SCOPE_WORDS,
} from "./wire.ts";
