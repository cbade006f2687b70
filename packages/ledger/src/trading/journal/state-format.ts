/**
 * States, due times and projections are derived from the journal. When a release derives them differently, the stored
 * ones cannot be used, and the first start of that release rebuilds them.
 */
import { evolve, type Instruments } from "@propgate/core";
import type { Database, Queryable } from "../../storage/databases/database.ts";
import { DatabaseUnusable } from "../../storage/databases/database-error.ts";
import { createAccountStore } from "../../storage/stores/account-store.ts";
import { createSettingStore } from "../../storage/stores/setting-store.ts";
import { rebuildJournal } from "./rebuild-journal.ts";

/**
 * The number of the format in which this release derives data from a journal. Increase it in every release that stores
 * another result for the same journal.
 */
export const STATE_FORMAT = 6;

/** The format of a database that records none: one of the first release, or a new one. */
const FIRST_FORMAT = 1;
const SETTING = "state.format";

/**
 * The log to which a start writes a line before and after it rebuilds all accounts of a database. A database without
 * accounts causes no line.
 */
export interface UpgradeLog {
  info(fields: Readonly<Record<string, number>>, text: string): void;
}

/**
 * Rebuilds all derived data in this release's format. An interrupted rebuild is repeated by the next start, and several
 * nodes may run one concurrently.
 * @throws DatabaseUnusable when a newer release has used the database
 */
export async function upgradeStates(options: {
  readonly databases: readonly Database[];
  readonly instruments: Instruments;
  readonly log: UpgradeLog;
}): Promise<void> {
  for (const database of options.databases) await upgradeDatabaseStates({ ...options, database });
}

async function upgradeDatabaseStates(options: {
  readonly database: Database;
  readonly instruments: Instruments;
  readonly log: UpgradeLog;
}): Promise<void> {
  const { database, log } = options;
  const from = await readStateFormat(database);
  if (from > STATE_FORMAT) {
    throw new DatabaseUnusable(
      `The database has accounts of format ${from}, this program knows ${STATE_FORMAT}: it was used by a newer release. Start that one.`,
    );
  }
  if (from === STATE_FORMAT) return;
  const formats = { from, to: STATE_FORMAT };
  if (await createAccountStore(database).hasAny()) {
    log.info(formats, "rebuilding all accounts from their journals for this release");
    const all = { ...options, evolve, which: "all", write: true } as const;
    const { accounts, written } = await rebuildJournal(all);
    log.info({ ...formats, accounts, written }, "all accounts are rebuilt");
  }
  await createSettingStore(database).set(SETTING, String(STATE_FORMAT));
}

/** The format of the derived data in the database. */
export async function readStateFormat(database: Queryable): Promise<number> {
  return Number((await createSettingStore(database).get(SETTING)) ?? FIRST_FORMAT);
}
