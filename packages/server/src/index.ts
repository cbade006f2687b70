export {
  addToSecretFile,
  CannotStart,
  databaseAddressProblem,
  databaseUrls,
  flagName,
  givenText,
  LineTooLong,
  listedUrls,
  type MasterKeys,
  readMasterKeys,
  readSandboxNames,
  readSettings,
  SETTINGS,
  type Settings,
  systemChance,
  systemClock,
  systemStopwatch,
  systemTimer,
  textLines,
} from "@propgate/base";
export { type JournalFileJudge, unixMs } from "@propgate/core";
export type { FirstKey } from "@propgate/ledger";
export {
  asOne,
  checkBackup,
  checkSchemaKnown,
  createCandleStore,
  createFileJudge,
  createJournalDesk,
  exportJournal,
  instrumentsOfLastStart,
  isSandboxFolder,
  type JournalDesk,
  mayHoldServiceData,
  migrateDatabases,
  openServiceDatabase,
  openServiceDatabaseAsItIs,
  openShards,
  perShard,
  type Restored,
  restoreBackup,
  type ShardsPlace,
  shardedJournalDesk,
  takeBackup,
  WHOLE_JOURNAL,
} from "@propgate/ledger";
export type { Difference, NumberedQuote, Proposal } from "@propgate/market";
export {
  type CandleProof,
  createTapeReader,
  type ImportOptions,
  importInstruments,
  loadCatalogue,
  parseTapePair,
  TapeDamaged,
  type TapeProof,
  verifyCandles,
  verifyTape,
} from "@propgate/market";
export {
  type AddressRules,
  type AfterAttempt,
  afterAttempt,
  createWebhookSender,
  type DeliveryResult,
  isWebhookSecret,
  newWebhookSecret,
  parseWebhookAddress,
  type WebhookAddress,
  type WebhookSender,
  webhookBody,
} from "@propgate/push";
export { type EvidenceVerdict, provedEvent, verifyEvidence } from "@propgate/wire";
export { parseAccountId } from "./calls/json/json-fields.ts";
export { journalProofView } from "./calls/operator/operator-views.ts";
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
export { warningText } from "./start/warning-text.ts";
