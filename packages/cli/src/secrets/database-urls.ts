import { Option } from "commander";
import { usageError } from "../cli-error.ts";
import type { Terminal } from "../terminal.ts";
import { readSecretSetting, type SecretVariable } from "./secret-setting.ts";

/** The variables of the database URLs: one for a single URL and one for several. */
interface UrlVariables {
  readonly one: SecretVariable;
  readonly several: SecretVariable;
}

const OF_SERVICE: UrlVariables = {
  one: "PROPGATE_DATABASE_URL",
  several: "PROPGATE_DATABASE_URLS",
};
const OF_OWNER: UrlVariables = {
  one: "PROPGATE_MIGRATION_DATABASE_URL",
  several: "PROPGATE_MIGRATION_DATABASE_URLS",
};

/** The URLs of the service's databases, the first database first. Empty for the embedded database. */
export function readDatabaseUrls(terminal: Pick<Terminal, "env">): Promise<readonly string[]> {
  return readUrls(terminal, OF_SERVICE);
}

/** The database URLs for the user who owns the tables. When none is set, the URLs of the service. */
export async function readMigrationUrls(
  terminal: Pick<Terminal, "env">,
): Promise<readonly string[]> {
  const owned = await readUrls(terminal, OF_OWNER);
  return owned.length > 0 ? owned : readDatabaseUrls(terminal);
}

async function readUrls(
  terminal: Pick<Terminal, "env">,
  { one, several }: UrlVariables,
): Promise<readonly string[]> {
  const url = await readSecretSetting(terminal, one);
  const list = await readSecretSetting(terminal, several);
  if (list === null && url === null) return [];
  if (list !== null && url !== null) {
    throw usageError(
      `${one} and ${several} are both set`,
      `Keep ${several}, with the database of ${one} first.`,
    );
  }
  const { databaseAddressProblem, splitDatabaseUrls, parseDatabaseUrls } = await import(
    "@propgate/server"
  );
  if (list === null) {
    const problem = url === null ? null : databaseAddressProblem(url);
    if (problem !== null) throw usageError(`${one} ${problem}`);
    return url === null ? [] : [url];
  }
  const read = parseDatabaseUrls(list);
  if ("problem" in read) throw usageError(`${several} ${read.problem}`);
  return splitDatabaseUrls(read.value);
}

/** The database that a command works on. */
export interface ChosenDatabase {
  /** Its URL; null for the embedded database. */
  readonly databaseUrl: string | null;
  /** Its number among several databases; absent when only one is given. */
  readonly number?: number;
}

export interface DatabaseChoice {
  readonly databaseUrl?: string;
  readonly database?: number;
}

/** The option `--database`, for commands that work on one database at a time. */
export function databaseOption(about: string): Option {
  return new Option("--database <n>", about).argParser((text) => {
    if (/^\d{1,3}$/.test(text)) return Number(text);
    throw usageError("--database must be the number of a database, from 0");
  });
}

/**
 * The database that `--database-url` names. Without that option, the database that the environment names; when it names
 * several, the one that `--database` chooses.
 */
export async function chooseDatabase(
  terminal: Pick<Terminal, "env">,
  { databaseUrl, database }: DatabaseChoice,
): Promise<ChosenDatabase> {
  if (databaseUrl !== undefined) {
    if (database === undefined) return { databaseUrl };
    throw usageError(
      "--database and --database-url exclude each other",
      "--database takes the URL of that number from PROPGATE_DATABASE_URLS.",
    );
  }
  const urls = await readDatabaseUrls(terminal);
  if (urls.length < 2 && database === undefined) return { databaseUrl: urls[0] ?? null };
  const count = Math.max(1, urls.length);
  if (database === undefined) {
    throw usageError(
      `PROPGATE_DATABASE_URLS names ${count} databases, and this works on one at a time`,
      `Add --database with a number from 0 to ${count - 1}.`,
    );
  }
  if (database >= count) {
    throw usageError(
      `there is no database ${database}`,
      `The settings name ${count}, with the numbers from 0.`,
    );
  }
  return { databaseUrl: urls[database] ?? null, number: database };
}
