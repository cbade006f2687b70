/**
 * # Market: prices, and how they reach the accounts
 *
 * Sources supply quotes. The intake judges and numbers them, the board holds the last quote of each pair, and the
 * market loop settles the accounts that a quote can affect. The catalogue defines each pair: its session, grid, fees
 * and caps.
 *
 * ## Invariants
 * - A quote that the intake has not judged reaches no account. A quote that is stale, halted or in doubt fills no
 *   order.
 * - A quote is compared only with the prices that it can reach: the trigger book has those of orders and legs, the
 *   equity watch those that matter for an account's equity. Other orders and accounts cost no time.
 * - The tape has every accepted quote, so candles can be counted again and decisions judged again.
 *
 * ## Limits
 * One process at a time is the source of quotes for all nodes. The silence of a venue is noticed only after the venue's
 * time limit.
 *
 * Start with `prices/market-loop.ts`, then `prices/watch/`.
 */

export { calendarWarnings, createCalendarWarningLog } from "./catalogue/calendar-warnings.ts";
export { type Catalogue, loadCatalogue, parseCatalogueDocument } from "./catalogue/catalogue.ts";
export { adoptCatalogue, catalogueMisfit } from "./catalogue/catalogue-in-force.ts";
export { type ImportOptions, importInstruments } from "./catalogue/import/import-instruments.ts";
export type { CatalogueDifference, Proposal } from "./catalogue/import/proposal.ts";
export {
  createProgramDesk,
  type ProgramDesk,
  type StoredProgram,
  storePrograms,
} from "./catalogue/program-desk.ts";
export { defaultOffer, proTermsFor, termsFor } from "./catalogue/program-terms.ts";
export { loadPrograms, type ProgramFile, type Programs } from "./catalogue/programs.ts";
export { createSourceWarningLog } from "./catalogue/source-warnings.ts";
export type { Candle, CandleInterval, CandleReader } from "./prices/candles/candle-reader.ts";
export { CANDLE_MS } from "./prices/candles/candle-start.ts";
export { boardCandles } from "./prices/candles/memory-candles.ts";
export { type CandleProof, verifyCandles } from "./prices/candles/verify-candles.ts";
export type { ChoiceEffect } from "./prices/composition/choice-effect.ts";
export type { GapHalts } from "./prices/composition/gap-halts.ts";
export type { LiveFeed, PairSourceView, PairView } from "./prices/composition/live-feed.ts";
export { openPriceDesk } from "./prices/composition/open-price-desk.ts";
export type { PriceChoices } from "./prices/composition/price-choices.ts";
export type {
  ChoiceRefused,
  PairPrices,
  PriceDesk,
} from "./prices/composition/price-desk.ts";
export type { SourceViews } from "./prices/composition/shared-feed.ts";
export { unpricedPairWarnings } from "./prices/composition/unpriced-pairs.ts";
export { createVenueFundingCollector } from "./prices/funding/venue-funding.ts";
export { createMarketLoop, type MarketLoop } from "./prices/market-loop.ts";
export type { PriceSource, SourceWarning } from "./prices/port.ts";
export { openPriceRecords, type PriceRecords, tapeFolder } from "./prices/price-records.ts";
export type { BoardLag } from "./prices/pushed-quotes.ts";
export { createQuoteBarrier, type ReceivedQuotes } from "./prices/quote-barrier.ts";
export { createQuoteBoard, type QuoteBoard } from "./prices/quote-board.ts";
export { openQuoteFlow, type QuoteFlow } from "./prices/quote-flow.ts";
export { type FeedEpochs, nextEpoch, openFeedEpochs } from "./prices/quotes/epoch.ts";
export type { NumberedQuote } from "./prices/quotes/numbered-quote.ts";
export { offerQuote } from "./prices/quotes/offer-quote.ts";
export { createLocalBus, type QuoteBus } from "./prices/quotes/quote-bus.ts";
export {
  createQuoteIntake,
  type QuoteIntake,
  type QuoteVerdict,
} from "./prices/quotes/quote-intake.ts";
export { createWaitingQuotes } from "./prices/quotes/waiting-quotes.ts";
export { type RecordingTotals, recordPrices } from "./prices/record-prices.ts";
export { type OpenedSource, openPriceSource } from "./prices/registry.ts";
export { type BestOnTape, findBestsOnTape } from "./prices/tape/bests-on-tape.ts";
export type { TapeReader } from "./prices/tape/tape.ts";
export { findTapePair } from "./prices/tape/tape-folder.ts";
export { createTapeReader, TapeDamaged } from "./prices/tape/tape-reader.ts";
export { type TapeProof, verifyTape } from "./prices/tape/verify-tape.ts";
export { timerTicker } from "./prices/ticker.ts";
export { HOURLY_VENUES } from "./prices/venues/ccxt/ccxt-funding.ts";
export { type OpenedVenues, openVenues } from "./prices/venues/open-venues.ts";
export { createPushReader, type PushReader } from "./prices/venues/push/push-reader.ts";
export { PUSH_PATH, pushForm } from "./prices/venues/push/push-request.ts";
export type { MissingPrice } from "./prices/watch/account-watch.ts";
export { createCandleStore } from "./storage/candle-store.ts";
export type { ChosenPrices, PriceChoice } from "./storage/price-choice-store.ts";
export { createQuoteStore } from "./storage/quote-store.ts";
