/**
 * # Ledger: accounts and their histories, and the only way to change them
 *
 * Core decides a command on the state of one account. One statement writes the result: journal lines, the rows derived
 * from them, the receipt of the request, and every few versions the state. The journal is the truth; every row that is
 * derived from it can be computed again.
 *
 * ## Invariants
 * - SQL is in folders named `storage/`, here and in the rooms that import this one. PGlite and PostgreSQL get the
 *   same SQL.
 * - An account's version is compared when its commands are written, so two processes never both write one version.
 * - A caller gets its answer after the commit, never before. When the answer is lost, the receipt has the fate.
 * - The lines of an account form a chain of hashes, and no line is older than the previous line.
 *
 * ## Limits
 * A batch is one transaction, so its slowest statement is the latency of all its commands. Accounts of one owner are on
 * one shard, and no account moves to another.
 *
 * Start with `composition/open-ledger.ts` for the interface to other rooms, `trading/execution/executor.ts` for how a
 * command is carried out, and `storage/stores/account-rows.ts` for the statement that writes its result.
 */

export type { LedgerShard } from "./composition/ledger-shard.ts";
export { openDeciders } from "./composition/open-deciders.ts";
export { type Ledger, openLedger } from "./composition/open-ledger.ts";
export { type DatabaseWatch, watchDatabases } from "./composition/watch-databases.ts";
export type { Database, Queryable } from "./storage/databases/database.ts";
export { CLOCK_SKEW_MAX_MS, clockDistanceText } from "./storage/databases/database-clock.ts";
export {
  DatabaseUnusable,
  isOutage,
  isUnavailable,
  isUniqueViolation,
} from "./storage/databases/database-error.ts";
export { embeddedMaintenanceJobs } from "./storage/databases/embedded-maintenance.ts";
export { hasCode } from "./storage/databases/error-code.ts";
export { limitStatements } from "./storage/databases/few-connections.ts";
export { type FolderLock, lockFolder } from "./storage/databases/folder-lock.ts";
export { openDatabase } from "./storage/databases/open-database.ts";
export { hasEndedHere, ownProcessIdentity } from "./storage/databases/process-identity.ts";
export {
  isSandboxFolder,
  mayHoldServiceData,
  migrateDatabases,
  openServiceDatabase,
  openServiceDatabaseWithoutMigration,
} from "./storage/databases/service-database.ts";
export type { StorageWatch } from "./storage/databases/storage-watch.ts";
export type { NewLine } from "./storage/journal/append-lines.ts";
export type { EventLines, ProgramChange } from "./storage/journal/event-lines.ts";
export { createEventLines } from "./storage/journal/event-lines.ts";
export {
  ADOPT_FOREIGN_LINES_SQL,
  HAS_FOREIGN_LINES_SQL,
  hasForeignLines,
} from "./storage/journal/foreign-lines.ts";
export type { LineRow } from "./storage/journal/journal-store.ts";
export { chainedLine, type JournalEntry, readJournal } from "./storage/journal/journal-store.ts";
export { sha256 } from "./storage/journal/line-hash.ts";
export type { OrderLines } from "./storage/journal/order-lines.ts";
export {
  PROGRAM_ID_SQL,
  programAfterLineSql,
  SETS_PROGRAM_SQL,
} from "./storage/journal/program-lines.ts";
export { createLeaseStore, type Lease, type LeaseStore } from "./storage/leases/lease-store.ts";
export { checkSchemaKnown } from "./storage/migrations/migrate.ts";
export type { AuditHead, AuditProof } from "./storage/rows/audit-chain.ts";
export type { EquityFigures, LimitFloor } from "./storage/rows/equity-figures.ts";
export { type ExternalId, externalId } from "./storage/rows/external-id.ts";
export type {
  KnownHistory,
  LinkedAccount,
  LinkedAccountStore,
  LinkedRecord,
  LinkedRecordKind,
  NewLink,
  OwnOrder,
  ReadingLines,
} from "./storage/rows/linked-account.ts";
export type { NetworkName } from "./storage/rows/network-name.ts";
export { PARTITIONS, partitionLease, partitionOf } from "./storage/rows/partition.ts";
export { type PersonId, personId } from "./storage/rows/person-id.ts";
export {
  BEFORE_FIRST_QUOTE,
  compareQuotePositions,
  isLater,
  type QuotePosition,
} from "./storage/rows/quote-position.ts";
export type { AnswerSource, UndecidedWrite, WriteFate } from "./storage/rows/receipt-store-port.ts";
export { keyIdOnShard, shardNumberOf, shardNumberOfKey } from "./storage/rows/shard-number.ts";
export type {
  NewUpstreamOrder,
  OrderEnd,
  OrderRequestId,
  UpstreamOrderStore,
} from "./storage/rows/upstream-order.ts";
export { earlierTime } from "./storage/shards/earlier-time.ts";
export {
  INSTALLATION_SETTING,
  openShards,
} from "./storage/shards/open-shards.ts";
export {
  type PerShard,
  perShard,
  shardAt,
  shardOf,
  shardOfKey,
} from "./storage/shards/per-shard.ts";
export { createShards, type Shards } from "./storage/shards/shards.ts";
export { OLDEST_OPEN_TRANSACTION_SQL } from "./storage/stores/account-index-store.ts";
export type { AccountNameStore } from "./storage/stores/account-name-store.ts";
export {
  readNewestLineTime,
  readNewestQuoteEpoch,
  replaceDueTime,
} from "./storage/stores/account-rows.ts";
export type {
  AccountStore,
  AccountSummary,
  LinkedSummary,
} from "./storage/stores/account-store.ts";
export {
  type AuditQuery,
  createAuditStore,
  type NewAuditLine,
} from "./storage/stores/audit-store.ts";
export {
  hasDueTimesOfLastStart,
  noteDueTimes,
  replaceStartCatalogue,
} from "./storage/stores/catalogue-store.ts";
export type { ActionRecord } from "./storage/stores/corporate-action-store.ts";
export type { EquityStore } from "./storage/stores/equity-store.ts";
export type { ExternalIdClaim } from "./storage/stores/external-id-store.ts";
export { externalIdSql } from "./storage/stores/external-id-store.ts";
export type { FundingRate } from "./storage/stores/funding-store.ts";
export { addAlert, alertsFrom } from "./storage/stores/new-alerts.ts";
export { type AccountPayout, IS_RESTORED_SQL } from "./storage/stores/payout-store.ts";
export { createRestoreStore, type RestoreMark } from "./storage/stores/restore-store.ts";
export type { SearchStore } from "./storage/stores/search-store.ts";
export { createSettingStore } from "./storage/stores/setting-store.ts";
export type { ClosedTrade } from "./storage/stores/trade-store.ts";
export type { AccountIndex, IndexedAccount } from "./trading/account-index.ts";
export type {
  AccountOperations,
  ChangeResult,
  ClosedRewards,
  ClosingResult,
} from "./trading/account-operations.ts";
export { checkBackup } from "./trading/backup/backup-file.ts";
export { type RestoreResult, restoreBackup } from "./trading/backup/restore-backup.ts";
export { type BackupContent, takeBackup } from "./trading/backup/take-backup.ts";
export { ClockIsWrong, DatabaseClockIsWrong, DataReadOnly } from "./trading/barred-executor.ts";
export { mergeAwaited } from "./trading/blocked-accounts.ts";
export type { ActionDesk } from "./trading/corporate-actions/action-desk.ts";
export type { DueLag, DueWork } from "./trading/due-work.ts";
export { equityFigures, finalFigures, presentFigures } from "./trading/equity/equity-figures.ts";
export type { OnRequestEnd } from "./trading/events/commit-waits.ts";
export {
  type CursorProblem,
  type EventDesk,
  type EventPageResult,
  eventTypeOf,
  type LineRef,
  type LinesRequest,
  readEventPage,
  type WaitAside,
} from "./trading/events/event-desk.ts";
export type {
  CommandForwarder,
  ForwardCache,
  ForwardedCommand,
} from "./trading/execution/command-forwarder.ts";
export type { CommitObserver } from "./trading/execution/commit-observer.ts";
export { hashCatalogue } from "./trading/execution/decision-inputs.ts";
export { sumFutureLines } from "./trading/execution/decision-times.ts";
export { type CommandOutcome, OUTCOMES } from "./trading/execution/outcome.ts";
export type {
  BestQuotesLookup,
  DecidedQuotes,
  Execution,
  Executor,
  QuoteBarrier,
  Submission,
  TraderSubmission,
  VersionedState,
} from "./trading/executor-port.ts";
export {
  FUNDING_FINAL_AFTER_MS,
  type FundingDesk,
  type FundingRefusal,
} from "./trading/funding-desk.ts";
export type { JournalDesk } from "./trading/journal/journal-desk.ts";
export {
  createFileJudge,
  exportJournal,
  type JournalPart,
  WHOLE_JOURNAL,
} from "./trading/journal/journal-export.ts";
export { readInstrumentsOfLastStart } from "./trading/journal/last-catalogue.ts";
export { STATE_FORMAT, upgradeStates } from "./trading/journal/state-format.ts";
export type { JournalProof } from "./trading/journal/verify-journal.ts";
export { putRecent } from "./trading/network/history/recent-entries.ts";
export { NotWritten } from "./trading/network/not-written.ts";
export {
  type FactsBesideEvents,
  type OrderRest,
  orderReceipt,
  switchReceipt,
  type TraderAnswer,
} from "./trading/network/order-receipt.ts";
export type {
  AccountReading,
  Accrual,
  MarketReading,
  OrderReceipt,
  OrderRecord,
  Origin,
  PayoutsPage,
  PayoutsPosition,
  PayoutsReading,
  Placement,
  PromptReading,
  ReadAt,
  Reading,
  ReceiptLeg,
  RenderedReceipt,
  ShownVersion,
  SwitchReceipt,
  TraderReceipt,
  TradingNetwork,
  UnclosedPosition,
} from "./trading/network/port.ts";
export type { PresentAccount, PresentAccounts } from "./trading/network/present-account.ts";
export { withTimeouts } from "./trading/network/timed-network.ts";
export { UnknownFate } from "./trading/network/unknown-fate.ts";
export type {
  HistoryPage,
  LifeRead,
  OrderLifeDesk,
} from "./trading/order-lives/order-life-desk.ts";
export type { OwnerAccounts, OwnerLimits } from "./trading/owner-limits.ts";
export { NotOwner, type Ownership } from "./trading/ownership.ts";
export { accountOfPayoutId, type PayoutDesk } from "./trading/payouts.ts";
export type { NonceMerger } from "./trading/receipts/nonce-merger.ts";
export { NotCarriedOut } from "./trading/receipts/not-carried-out.ts";
export type { ReceiptDesk } from "./trading/receipts/receipt-desk.ts";
export { receiptIdOf, receiptKey } from "./trading/receipts/receipt-key.ts";
export { createShardedJournalDesk } from "./trading/shards/sharded-journal-desk.ts";
export { type CommittedAccount, createStateCache, type StateCache } from "./trading/state-cache.ts";
export { DatabaseAtFault, isRetryable } from "./trading/try-later.ts";
export { mergeByPrice, type WaitingCount } from "./trading/waiting-counts.ts";
