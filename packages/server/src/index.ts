/**
 * # Server: requests in, and the composition of everything
 *
 * The signed API, the operator's interface, the calls of the pages and the sandbox, each a table of calls with one
 * handler per row; and `start/`, which builds a service or a sandbox from the rooms. The command line imports what it
 * needs of the rooms from here.
 *
 * ## Invariants
 * - A signed request passes the gates in one order, and its nonce is stored before its endpoint answers.
 * - A handler reads and commands the rooms below. It never decides what happens to an account.
 * - A service and a sandbox are composed by the same code. A sandbox passes in another clock, prices that are given by
 *   hand, and wrappers that make its parts fail.
 *
 * ## Limits
 * The edge has fixed limits of connections, bodies and requests on one connection (`api/edge/limits.ts`).
 *
 * Start with `start/service.ts`, then `api/gates/order.ts` and `api/routes/routes.ts`.
 */

export type { FirstKey } from "@propgate/access";
export {
  addToSecretFile,
  CannotStart,
  cleanUpAfter,
  databaseAddressProblem,
  flagName,
  LineTooLong,
  type MasterKeys,
  parseDatabaseUrls,
  readMasterKeys,
  readSandboxNames,
  readSettings,
  readSettingText,
  SETTINGS,
  type Settings,
  splitDatabaseUrls,
  systemChance,
  systemClock,
  systemStopwatch,
  systemTimer,
  textLines,
} from "@propgate/base";
export { type JournalFileJudge, unixMs } from "@propgate/core";
export {
  checkBackup,
  checkSchemaKnown,
  createFileJudge,
  createShardedJournalDesk,
  exportJournal,
  isSandboxFolder,
  mayHoldServiceData,
  migrateDatabases,
  openServiceDatabase,
  openServiceDatabaseWithoutMigration,
  openShards,
  type RestoreResult,
  readInstrumentsOfLastStart,
  restoreBackup,
  takeBackup,
  WHOLE_JOURNAL,
} from "@propgate/ledger";
export type { CatalogueDifference, NumberedQuote, Proposal } from "@propgate/market";
export {
  type CandleProof,
  createCandleStore,
  createTapeReader,
  findTapePair,
  type ImportOptions,
  importInstruments,
  loadCatalogue,
  type RecordingTotals,
  recordPrices,
  TapeDamaged,
  type TapeProof,
  tapeFolder,
  verifyCandles,
  verifyTape,
} from "@propgate/market";
export {
  type AddressRules,
  type AttemptConsequence,
  createWebhookSender,
  type DeliveryResult,
  generateWebhookSecret,
  isWebhookSecret,
  judgeAttempt,
  parseWebhookAddress,
  type WebhookAddress,
  type WebhookSender,
  webhookBody,
} from "@propgate/push";
export { type EvidenceVerdict, provedEvent, verifyEvidence } from "@propgate/wire";
export { parseAccountId } from "./calls/json/json-fields.ts";
export { journalProofView } from "./calls/operator/operator-views.ts";
export type { SandboxValidator, ValidatorQuote } from "./sandbox/sandbox-validator.ts";
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
