import { CannotStart, type Chance, cleanUpAfter, splitDatabaseUrls } from "@propgate/base";
import type { Database } from "../databases/database.ts";
import { openDatabase } from "../databases/open-database.ts";
import {
  nameDatabaseOnFailure,
  openServiceDatabase,
  type ServiceDataLocation,
} from "../databases/service-database.ts";
import { createSettingStore } from "../stores/setting-store.ts";
import type { PerShard } from "./per-shard.ts";
import { createShards, type Shards } from "./shards.ts";

/** Where the databases of an installation are. */
export interface ShardLocations extends ServiceDataLocation {
  /** Several URLs of PostgreSQL, comma-separated; null for one database. */
  readonly databaseUrls: string | null;
}

/** The setting with the installation's id, which all its databases have. */
export const INSTALLATION_SETTING = "installation.id";
/** The setting with the database's position in the list. A database that is the only one has no such setting. */
export const NUMBER_SETTING = "database.number";
/** The setting of the first database with the number of databases. */
const COUNT_SETTING = "database.count";

/**
 * Opens the databases that the settings name and brings their schemas up to date.
 * @throws DatabaseUnusable
 * @throws CannotStart when one of them is of another installation or at another position
 */
export async function openShards(place: ShardLocations, chance: Chance): Promise<Shards> {
  const { databaseUrl, databaseUrls } = place;
  if (databaseUrl !== null && databaseUrls !== null) {
    throw new CannotStart("PROPGATE_DATABASE_URL and PROPGATE_DATABASE_URLS are both set", {
      fix: "Keep PROPGATE_DATABASE_URLS, with the database of PROPGATE_DATABASE_URL first.",
    });
  }
  const [first = null, ...others] =
    databaseUrls === null ? [databaseUrl] : splitDatabaseUrls(databaseUrls);
  const opened: [Database, ...Database[]] = [
    await openServiceDatabase({ databaseUrl: first, dataDir: place.dataDir }),
  ];
  try {
    for (const [index, url] of others.entries()) {
      const opening = openDatabase({ databaseUrl: url, dataDir: null });
      opened.push(await nameDatabaseOnFailure(index + 1, opening));
    }
    await checkInstallation(opened, chance);
  } catch (cause) {
    throw await cleanUpAfter(cause, ...opened.map((database) => () => database.close()));
  }
  return createShards(opened);
}

/**
 * Checks that the databases form one installation, in their order, and records it in their settings. A single database
 * is not written to.
 */
async function checkInstallation(all: PerShard<Database>, chance: Chance): Promise<void> {
  const settings = createSettingStore(all[0]);
  const count = Number((await settings.get(COUNT_SETTING)) ?? 1);
  if (all.length < count) {
    throw new CannotStart(
      `The installation has ${count} databases, and the settings name ${all.length}`,
      { fix: "Set PROPGATE_DATABASE_URLS to all of them, in their order." },
    );
  }
  if (all.length === 1) {
    const number = Number((await settings.get(NUMBER_SETTING)) ?? 0);
    if (number !== 0) throw wrongPositionError(0, number);
    return;
  }
  // All checks come first, so that a start that is refused does not write.
  for (const [position, database] of all.entries()) await checkMember(database, position, all[0]);
  const installation = await settings.setOnce(INSTALLATION_SETTING, chance.uuid());
  for (const [position, database] of all.entries()) {
    await joinInstallation({ position, database, installation });
  }
  await settings.set(COUNT_SETTING, String(all.length));
}

async function checkMember(database: Database, position: number, first: Database): Promise<void> {
  const settings = createSettingStore(database);
  const number = await settings.get(NUMBER_SETTING);
  if (position > 0 && number === null && (await isUsed(database)))
    throw otherInstallationError(position);
  const its = await settings.get(INSTALLATION_SETTING);
  // The first database is read last, because a concurrent start writes it before the others.
  const ours = await createSettingStore(first).get(INSTALLATION_SETTING);
  if (its !== null && its !== ours) throw otherInstallationError(position);
  if (number !== null && Number(number) !== position)
    throw wrongPositionError(position, Number(number));
}

interface Member {
  readonly database: Database;
  readonly position: number;
  readonly installation: string;
}

/**
 * Records the installation and the position in the database. It compares them again, because another start may have
 * written in between.
 */
async function joinInstallation({ database, position, installation }: Member): Promise<void> {
  const settings = createSettingStore(database);
  const its = await settings.setOnce(INSTALLATION_SETTING, installation);
  if (its !== installation) throw otherInstallationError(position);
  const number = Number(await settings.setOnce(NUMBER_SETTING, String(position)));
  if (number !== position) throw wrongPositionError(position, number);
}

/** True when a service has used this database: it has accounts or people. */
async function isUsed(database: Database): Promise<boolean> {
  const [row] = await database.query<{ readonly used: boolean }>(
    "select exists (select 1 from accounts) or exists (select 1 from people) as used",
    [],
  );
  return row?.used === true;
}

function otherInstallationError(position: number): CannotStart {
  return new CannotStart(`Database ${position} of the list is of another installation`, {
    fix: "Set PROPGATE_DATABASE_URLS to the databases of this installation, in their order. A further one must be new.",
  });
}

function wrongPositionError(position: number, number: number): CannotStart {
  return new CannotStart(
    `The database at position ${position} is number ${number} of its installation`,
    { fix: "Set PROPGATE_DATABASE_URLS to all databases of the installation, in their order." },
  );
}
