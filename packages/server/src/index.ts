export { type MasterKeys, readMasterKeys } from "./access/keys/master-key.ts";
export { CannotStart } from "./base/cannot-start.ts";
export {
  flagName,
  readSandboxNames,
  readSettings,
  SETTINGS,
  type Settings,
} from "./base/config.ts";
export { addToSecretFile } from "./base/secret-file.ts";
export { parseAccountId } from "./calls/json/json-fields.ts";
export { journalProofView } from "./calls/operator/operator-views.ts";
export { loadCatalogue } from "./catalogue/catalogue.ts";
export type {
  FirstLink,
  RunningSandbox,
  RunningService,
  SandboxSettings,
} from "./start/running-service.ts";
export { startSandbox } from "./start/start-sandbox.ts";
export { startService } from "./start/start-service.ts";
export {
  mayHoldServiceData,
  migrateDatabase,
  openServiceDatabase,
  openServiceDatabaseAsItIs,
} from "./storage/databases/service-database.ts";
export type { FirstKey } from "./storage/rows/first-key.ts";
export { checkBackup } from "./trading/backup/backup-file.ts";
export { type Restored, restoreBackup } from "./trading/backup/restore-backup.ts";
export { takeBackup } from "./trading/backup/take-backup.ts";
export { createJournalDesk, type JournalDesk } from "./trading/journal/journal-desk.ts";
