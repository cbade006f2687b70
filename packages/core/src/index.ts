/**
 * # Core: what happens to an account
 *
 * The trading network and the rules of an account: `decide` returns the events of a command, `evolve` the state after
 * an event. Orders, fills, fees, loss limits, evaluation and payouts are decided here and nowhere else.
 *
 * ## Invariants
 * - Functions read only their arguments: time, quotes, the catalogue and ids are given, so a decision can be repeated.
 * - The refusal of a command is a value, and a refused command changes nothing. Only a fault of the program throws.
 * - Money is whole micro dollars, a quantity whole steps of 0.00001 lots; each unit is a type of its own.
 * - The state follows from the events alone, so it can be computed again from a journal.
 *
 * ## Limits
 * Amounts up to 2^53 micro dollars are exact; an order that could go beyond is refused (`orders/exact-amounts.ts`).
 *
 * Start with `network/decide.ts`, then `orders/fill.ts` and `rules/registry.ts`.
 */

export { equityOf, positionValueOf, shownEquityOf, shownValueOf } from "./account/equity.ts";
export { exposureOf } from "./account/exposure.ts";
export { type AwaitedPrice, type AwaitedReason, awaitedPrice } from "./account/judging-price.ts";
export { createQuoteFreshnessFinder, type QuoteFreshness } from "./account/quote-freshness.ts";
export { assert, assertNever } from "./assert.ts";
export { lowestPassingEquity } from "./challenge/target.ts";
export { bestQuoteInScale, isImprovedBy } from "./evolve/bests.ts";
export { endedDayReturn } from "./evolve/daily-returns.ts";
export { evolve } from "./evolve/evolve.ts";
export {
  type AccountId,
  accountId,
  type OrderUuid,
  type OwnerId,
  orderUuid,
  ownerId,
  type PairId,
  pairId,
  positionUuid,
} from "./ids.ts";
export {
  CHAIN_START,
  type ChainedLine,
  type ChainProblem,
  chainHash,
  checkChain,
  hashedText,
  type JournalHead,
  type JournalRow,
  parseHashedText,
} from "./journal/chain.ts";
export { CORE_VERSION } from "./journal/core-version.ts";
export {
  catalogueHashOf,
  decodeInputs,
  encodeInputs,
  type QuoteOrigin,
} from "./journal/decision-inputs.ts";
export {
  type EndingDecision,
  findRecordedEnd,
  type RecordedEnd,
  searchEnding,
} from "./journal/ending-decision.ts";
export {
  catalogueText,
  createInputHashes,
  inputHash,
  parseCatalogue,
  termsText,
} from "./journal/input-hashes.ts";
export {
  catalogueLineText,
  headText,
  type JournalFileJudge,
  judgeJournalFile,
  lineText,
} from "./journal/journal-file.ts";
export { isObserved, type ObservedEvent } from "./journal/observed-event.ts";
export { parseEvent, parseLineEvent, parseState } from "./journal/parse-event.ts";
export { createRecordingMoment } from "./journal/recording-moment.ts";
export {
  JOURNAL_START,
  type JournalStart,
  type Judgement,
  judgeJournal,
} from "./journal/rejudge.ts";
export type { Sha256 } from "./journal/sha256.ts";
export { FUNDING_DELAY_MS } from "./market/carry.ts";
export {
  type ActionId,
  actionId,
  type CorporateAction,
  type CorporateActions,
  type Dividend,
  type NewAction,
  quoteInScale,
  type Split,
} from "./market/corporate-action.ts";
export { findMissingSplit } from "./market/former-scale.ts";
export type { FundingRates } from "./market/funding.ts";
export type {
  AccountClass,
  AssetClass,
  CarryModel,
  FormerCarry,
  Instrument,
  Instruments,
  LeverageTier,
  MinPosition,
} from "./market/instrument.ts";
export { liveMarket } from "./market/live-market.ts";
export { gridStepOf, minPositionOnGrid } from "./market/lot-grid.ts";
export { baseUnits } from "./market/lot-unit.ts";
export { markOf, midOf } from "./market/mark.ts";
export { createPairFinder, type PairFinder, pairKey } from "./market/pair-finder.ts";
export type { Quote, QuoteMap, QuoteStanding, Quotes } from "./market/quote.ts";
export type { OpenStretch, Session } from "./market/session.ts";
export { implausibleGap, implausibleMove } from "./market/session-gap.ts";
export { roundToTick } from "./market/tick.ts";
export {
  isBeyondCalendar,
  isFresh,
  isFromFuture,
  isLastPrice,
  isOpen,
  nextClose,
  nextOpening,
} from "./market/trading.ts";
export {
  gainUsd,
  notionalUsd,
  type PricedMarket,
  ratePairs,
  usdRateAt,
} from "./market/valuation.ts";
export { staleRateOf, valuationInstruments } from "./market/valuation-instruments.ts";
export { decide } from "./network/decide.ts";
export { type Ending, endingAfterDueWork, endingOf } from "./network/ending.ts";
export { earliestDueMs, hasDueWork } from "./network/pass-time.ts";
export {
  type LimitAfter,
  type OrderPreview,
  type PreviewCommand,
  previewOrder,
} from "./network/preview.ts";
export {
  type EffectScope,
  rangesWithoutEffect,
  type Verdict,
  verdictAt,
} from "./network/verdict.ts";
export { barredEntries } from "./orders/barred-entries.ts";
export { leverageCapOf } from "./orders/caps.ts";
export { isAwaitingSwitchClose } from "./orders/dead-mans-switch.ts";
export { EXACT_AMOUNT_MAX } from "./orders/exact-amounts.ts";
export { findNamedPositions, flattenPlan } from "./orders/flatten.ts";
export { pairRefusal } from "./orders/guards.ts";
export { legsRefusal } from "./orders/leg-side.ts";
export { isSameTrailing } from "./orders/same-order.ts";
export { accrualOf, sumUnpaidTotals } from "./payouts/accrual.ts";
export { matchesExactAmount } from "./payouts/record.ts";
export { nearestLevels, stopLevel } from "./pending/bracket-leg.ts";
export { triggersOf } from "./pending/entry-kinds.ts";
export {
  exitSide,
  isReached,
  priceAtSide,
  type Trigger,
  type TriggerLevel,
} from "./pending/triggers.ts";
export { splitOrder } from "./positions/carry-out-split.ts";
export { type Objective, objectivesAt } from "./pro/objectives.ts";
export { minProSize } from "./pro/offer.ts";
export { missedTargets } from "./pro/soft-breach.ts";
export { drawdownBelow } from "./pro/statistics.ts";
export { ok, type Result, refuse } from "./result.ts";
export { type LimitFigures, type LossLimit, limitFiguresNow } from "./rules/limit.ts";
export { type LimitUsage, type MostUsedLimits, mostUsedLimits } from "./rules/limit-usage.ts";
export {
  breachPriceOf,
  type DrawdownOutlook,
  firstBreachMovePct,
  type LimitOutlook,
} from "./rules/outlook.ts";
export { dailyLossOf, drawdownOf, LOSS_LIMITS, liveBreach, maxLossOf } from "./rules/registry.ts";
export { type AccountSnapshot, accountSnapshot } from "./snapshot/account-snapshot.ts";
export { type PositionReading, positionReadings } from "./snapshot/position-readings.ts";
export type { ProTrackFigures } from "./snapshot/pro-track-figures.ts";
export { payableAt, stressedAccount } from "./snapshot/stress.ts";
export { todayPnlOf } from "./snapshot/today.ts";
export { withoutStatistics } from "./snapshot/without-statistics.ts";
export type {
  AccountState,
  AccountStatus,
  ArmedSwitch,
  DailyReturn,
  Elimination,
  EliminationCause,
  FailedPhase,
  LossRule,
  Phase,
  SwitchAction,
} from "./state/account.ts";
export { balanceOf } from "./state/balance.ts";
export {
  type CancelAllAfter,
  type CancelOrders,
  type CloseAccount,
  type Command,
  type EditLeg,
  type EditOrder,
  entryContent,
  type Flatten,
  isTraderCommand,
  type OrderCommand,
  type PlaceBracket,
  type PlaceEntry,
  type PlaceMarket,
  placesEntry,
  type RecordPayout,
  type SeenPhase,
  type TraderCommand,
} from "./state/command.ts";
export type {
  CancelReason,
  CarryCharged,
  CycleClosed,
  DayEnded,
  DividendPaid,
  Event,
  FillKind,
  OrderCancelled,
  OrderFilled,
  SharesSplit,
  SplitPosition,
} from "./state/event.ts";
export type { CappedExposure, ExposureCap } from "./state/exposure-cap.ts";
export type { ExcessCode, FillDifference, ShortfallCode } from "./state/fill-difference.ts";
export { parentOrderOfLeg } from "./state/leg-ids.ts";
export type { BestQuotes, Moment } from "./state/moment.ts";
export {
  type BracketLeg,
  type Direction,
  type EntryContent,
  type EntryKind,
  type EntryOrder,
  type EntryRequest,
  KIND_PLACED,
  type LegRequest,
  type PendingOrder,
  type TrailingDistance,
} from "./state/order.ts";
export {
  NEW_PAYMENT,
  type Payment,
  type Payout,
  type PayoutStatus,
  payoutId,
} from "./state/payout.ts";
export { holderScaleOf, isActionPending, momentOfHoldings } from "./state/pending-actions.ts";
export type { Position } from "./state/position.ts";
export type { Refusal, StayReason } from "./state/refusal.ts";
export type { LegSize, Size } from "./state/requested-size.ts";
export type { DrawdownCriteria, PhaseTerms, ProTerms, Terms } from "./state/terms.ts";
export type { Trade } from "./state/trade.ts";
export {
  civilDateOf,
  dateText,
  dayNumberFromText,
  dayNumberOf,
  weekdayOf,
} from "./time/civil-date.ts";
export { DAY_MS, nextUtcMidnight } from "./time/utc-day.ts";
export { nextUtcMonday, startOfUtcWeek } from "./time/utc-week.ts";
export { instantOfLocalTime, localTime, ZONE_NAMES } from "./time/zone.ts";
export {
  addUsd,
  dollars,
  type Leverage,
  leverage,
  lots,
  type MicroUsd,
  microUsd,
  type Percent,
  PRICE_MAX,
  PRICE_MIN,
  type Price,
  percent,
  price,
  QUANTITY_MAX,
  QUANTITY_PER_LOT,
  type Quantity,
  quantity,
  type Ratio,
  ratio,
  roundUsd,
  statisticRatio,
  subtractUsd,
  type UnixMs,
  unixMs,
} from "./units.ts";
