export { checkBackup } from "./backup/backup-file.ts";
export { type Restored, restoreBackup } from "./backup/restore-backup.ts";
export { takeBackup } from "./backup/take-backup.ts";
export { flagName, readSettings, SETTINGS, type Settings } from "./config.ts";
export { type JournalDesk, journalDesk } from "./journal/journal-desk.ts";
export { parseAccountId } from "./json/json-fields.ts";
export { loadCatalogue } from "./market/catalogue.ts";
export { journalProofView } from "./operator/operator-views.ts";
export {
  CannotStart,
  type FirstKey,
  type FirstLink,
  type RunningSandbox,
  type RunningService,
  type SandboxSettings,
} from "./running-service.ts";
export { startSandbox } from "./start-sandbox.ts";
export { startService } from "./start-service.ts";
export {
  mayHoldServiceData,
  migrateDatabase,
  openServiceDatabase,
  openServiceDatabaseAsItIs,
} from "./storage/service-database.ts";
