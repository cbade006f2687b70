export { type JournalFileJudge, unixMs } from "@propgate/core";
export { type MasterKeys, readMasterKeys } from "./access/keys/master-key.ts";
export { CannotStart } from "./base/cannot-start.ts";
export { systemClock } from "./base/clock.ts";
export {
  flagName,
  readSandboxNames,
  readSettings,
  SETTINGS,
  type Settings,
} from "./base/config.ts";
export { systemChance } from "./base/random.ts";
export { addToSecretFile } from "./base/secret-file.ts";
export { databaseUrls, listedUrls } from "./base/settings/database-list.ts";
export { givenText } from "./base/settings/given-text.ts";
export { parseAccountId } from "./calls/json/json-fields.ts";
export { journalProofView } from "./calls/operator/operator-views.ts";
export { loadCatalogue } from "./catalogue/catalogue.ts";
export { type ImportOptions, importInstruments } from "./catalogue/import/import-instruments.ts";
export type { Difference, Proposal } from "./catalogue/import/proposal.ts";
export { type CandleProof, verifyCandles } from "./prices/candles/verify-candles.ts";
export type { NumberedQuote } from "./prices/quotes/numbered-quote.ts";
export { parseTapePair } from "./prices/tape/tape-folder.ts";
export { createTapeReader, TapeDamaged } from "./prices/tape/tape-reader.ts";
export { type TapeProof, verifyTape } from "./prices/tape/verify-tape.ts";
export type { SandboxValidator, ValidatorQuote } from "./sandbox/sandbox-validator.ts";
export { tapeFolder } from "./start/price-records.ts";
export { type RecordedPrices, recordPrices } from "./start/record-prices.ts";
export type {
  FirstLink,
  RunningSandbox,
  RunningService,
  SandboxSettings,
  Tuning,
} from "./start/running-service.ts";
export { startSandbox } from "./start/start-sandbox.ts";
export { startService } from "./start/start-service.ts";
export {
  isSandboxFolder,
  mayHoldServiceData,
  migrateDatabases,
  openServiceDatabase,
  openServiceDatabaseAsItIs,
} from "./storage/databases/service-database.ts";
export { checkSchemaKnown } from "./storage/migrations/migrate.ts";
export type { FirstKey } from "./storage/rows/first-key.ts";
export { openShards, type ShardsPlace } from "./storage/shards/open-shards.ts";
export { asOne, perShard } from "./storage/shards/per-shard.ts";
export { createCandleStore } from "./storage/stores/prices/candle-store.ts";
export { checkBackup } from "./trading/backup/backup-file.ts";
export { type Restored, restoreBackup } from "./trading/backup/restore-backup.ts";
export { takeBackup } from "./trading/backup/take-backup.ts";
export { createJournalDesk, type JournalDesk } from "./trading/journal/journal-desk.ts";
export { createFileJudge, exportJournal, WHOLE_JOURNAL } from "./trading/journal/journal-export.ts";
export { instrumentsOfLastStart } from "./trading/journal/last-catalogue.ts";
export { shardedJournalDesk } from "./trading/shards/sharded-journal-desk.ts";
