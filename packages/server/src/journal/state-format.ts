/**
 * States, due times and projections are what the network makes of the journal. When a release makes
 * something else of it, what is stored is of no use: the first start of that release makes it anew.
 */
import { evolve, type Instruments } from "@propgate/core";
import type { Database, Queryable } from "../storage/database.ts";
import { DatabaseUnusable } from "../storage/database-error.ts";
import { settingStore } from "../storage/stores/setting-store.ts";
import { rebuildJournal } from "./rebuild-journal.ts";

/** To be counted up by every release whose fold of the same journal is stored differently. */
export const STATE_FORMAT = 2;

/** Of data folders from before the format was written down. */
const FIRST_FORMAT = 1;
const SETTING = "state.format";

/** Told before and after the accounts are made anew; a start with nothing to do tells nothing. */
export interface UpgradeLog {
  info(fields: Readonly<Record<string, number>>, text: string): void;
}

/**
 * Brings everything that is made of the journal to the format of this release. One that was cut off
 * goes on where it stopped, and several nodes may do it at once.
 * @throws DatabaseUnusable when a newer release has been here
 */
export async function upgradeStates(need: {
  readonly database: Database;
  readonly instruments: Instruments;
  readonly log: UpgradeLog;
}): Promise<void> {
  const { database, log } = need;
  const from = await storedFormat(database);
  if (from > STATE_FORMAT) {
    throw new DatabaseUnusable(
      `The database has accounts of format ${from}, this program knows ${STATE_FORMAT}: it was used by a newer release. Start that one.`,
    );
  }
  if (from === STATE_FORMAT) return;
  const formats = { from, to: STATE_FORMAT };
  if (await hasAccounts(database)) {
    log.info(formats, "accounts are made anew from their journals, for this release");
    const all = { ...need, evolve, which: "all", write: true } as const;
    const { accounts, written } = await rebuildJournal(all);
    log.info({ ...formats, accounts, written }, "accounts are made anew");
  }
  await settingStore(database).set(SETTING, String(STATE_FORMAT));
}

/** The format of what the database holds. */
export async function storedFormat(database: Queryable): Promise<number> {
  return Number((await settingStore(database).get(SETTING)) ?? FIRST_FORMAT);
}

async function hasAccounts(database: Database): Promise<boolean> {
  return (await database.query("select 1 from accounts limit 1", [])).length > 0;
}
