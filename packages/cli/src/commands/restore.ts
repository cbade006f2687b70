import type { RestoreResult } from "@propgate/server";
import { type Command, Option } from "commander";
import { readBackup } from "../backup-file.ts";
import { EndWith, EXIT, usageError } from "../cli-error.ts";
import { databaseUrlOption } from "../database-url.ts";
import { nameValueLines, printResult } from "../output.ts";
import { createProgress } from "../render/progress.ts";
import { type ChosenDatabase, chooseDatabase, databaseOption } from "../secrets/database-urls.ts";
import { MASTER_KEY_OPTION, readMasterKeyOption } from "../secrets/master-key-option.ts";
import { startFailure, startupError } from "../start-failure.ts";
import type { Terminal } from "../terminal.ts";
import { MASTER_KEY_WARNING } from "./backup.ts";

interface RestoreOptions {
  readonly from: string;
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  readonly database?: number;
  readonly masterKeyFile?: string;
  readonly unproved?: boolean;
  readonly json?: boolean;
}

/** `propgate restore`: restores a backup into an empty database of either kind. */
export function addRestore(program: Command, terminal: Terminal): void {
  const command = program
    .command("restore")
    .summary("restore a backup into an empty database")
    .description(
      "Restore a backup into an empty database, recompute every hash chain and compare all data with the " +
        "journals. A torn, altered or unproved file is rejected, and so is a database that is not empty; " +
        "then nothing is written. The master key of the service that wrote the file proves it. Exit code " +
        "1 when a hash chain is broken.",
    )
    .requiredOption("--from <file>", "the backup")
    .addOption(
      new Option(
        "--data, --data-dir <dir>",
        "a data folder without a database, for the embedded one (PROPGATE_DATA_DIR)",
      ),
    )
    .addOption(databaseUrlOption("an empty database of PostgreSQL (PROPGATE_DATABASE_URL)"))
    .addOption(databaseOption("of several databases, the number of the one to restore, from 0"))
    .option(...MASTER_KEY_OPTION)
    .option(
      "--unproved",
      "accept a file that the master key does not prove and that may have been altered",
    );
  command.action(async () => {
    const options = command.optsWithGlobals<RestoreOptions>();
    const target = await readRestoreTarget(terminal, options);
    const restored = await restore(terminal, options, target);
    const { header, rows, proof, rebuild, audit, checked, held } = restored;
    const { broken } = proof;
    const { different } = rebuild;
    printResult(terminal, options, {
      value: {
        takenAtMs: header.takenAtMs,
        rows,
        broken,
        different,
        masterKeyIncluded: false,
        proved: checked.proof === "proved",
        operators: checked.operators,
        audit,
        held: { ...held, unpaidPayouts: { ...held.unpaidPayouts, amount: unpaidUsd(held) } },
      },
      lines: restoredLines(restored, target),
    });
    if (!isUnaltered(restored)) throw new EndWith(EXIT.refused);
  });
}

interface RestoreTarget extends ChosenDatabase {
  readonly dataDir: string;
}

/**
 * The database or data folder to restore into. When the command line names the data folder, the environment is not
 * read.
 */
async function readRestoreTarget(
  terminal: Terminal,
  options: RestoreOptions,
): Promise<RestoreTarget> {
  const { dataDir, databaseUrl, database } = options;
  if (dataDir !== undefined && databaseUrl !== undefined) {
    throw usageError(
      "--data and --database-url exclude each other",
      "Name one place to restore into.",
    );
  }
  if (dataDir !== undefined && database !== undefined) {
    throw usageError("--data and --database exclude each other");
  }
  if (dataDir !== undefined) return { databaseUrl: null, dataDir };
  const chosen = await chooseDatabase(terminal, options);
  const folder = terminal.env.PROPGATE_DATA_DIR;
  if (chosen.databaseUrl === null && folder === undefined) {
    throw usageError("no place to restore into", "Name it with --data or --database-url.");
  }
  return { ...chosen, dataDir: folder ?? "" };
}

async function restore(
  terminal: Terminal,
  options: RestoreOptions,
  place: RestoreTarget,
): Promise<RestoreResult> {
  const { from: path, masterKeyFile, unproved: mayBeUnproved = false } = options;
  const masterKeys = await readMasterKeyOption(terminal, {
    ...(masterKeyFile === undefined ? {} : { masterKeyFile }),
    dataDir: place.databaseUrl === null ? place.dataDir : null,
  });
  // The file is read first, so that an unusable file creates no database and no folder.
  const progress = createProgress(terminal);
  progress.show("reading the backup");
  const checked = await readBackup(path, { masterKeys, mayBeUnproved }).finally(() =>
    progress.end(),
  );
  const server = await import("@propgate/server");
  try {
    const { instruments } = await server.loadCatalogue(terminal.env.PROPGATE_CATALOGUE ?? null);
    const database = await server.openServiceDatabaseWithoutMigration(place);
    try {
      const log = { info: (_: unknown, text: string) => progress.show(text) };
      progress.show("restoring and verifying every journal");
      const { number } = place;
      const [now, chance] = [server.systemClock.now(), server.systemChance];
      const given = { path, checked, instruments, number, now, chance, log };
      return await server.restoreBackup({ ...given, database });
    } finally {
      progress.end();
      await database.close();
    }
  } catch (cause) {
    const isRejected = cause instanceof Error && cause.name === "BackupRefused";
    throw isRejected ? startupError(cause, EXIT.usage) : startFailure(cause);
  }
}

const NOT_PROVED =
  "NOT PROVED. The file may have been altered. Check the people and keys in it before the service\n" +
  "starts: an attacker who could write the file could add an operator.";

/** True when no journal line and no audit line was altered, and all stored data matches the journals. */
function isUnaltered({ proof, rebuild, audit }: RestoreResult): boolean {
  return proof.broken.length === 0 && rebuild.different.length === 0 && audit.broken === null;
}

function auditCell({ lines, broken }: RestoreResult["audit"]): string {
  return broken === null ? String(lines) : `${lines}, line ${broken.auditId}: ${broken.why}`;
}

function unpaidUsd({ unpaidPayouts: { amount } }: RestoreResult["held"]): number {
  return amount / MICRO_PER_USD;
}

const MICRO_PER_USD = 1_000_000;

/** The text about everything that happened after the backup and is therefore missing. */
function missingSinceText({ takenAtMs }: RestoreResult["header"]): string {
  const asOf = new Date(takenAtMs).toISOString();
  return (
    `Everything since ${asOf} is missing: orders and their nonces, renewals of switches, and payments\n` +
    "that were recorded since then. Their payouts are unpaid again, and payouts list shows restored until\n" +
    "you record them. Keys that were revoked, people that were disabled and passwords that were changed\n" +
    "since then are as they were. The service only reads this data until propgate operator restore confirm."
  );
}

/** Where the restored data is, in words. A URL is not shown, because it may contain a password. */
function targetText({ databaseUrl, dataDir, number }: RestoreTarget): string {
  if (databaseUrl === null) return `the embedded database in ${dataDir}`;
  return number === undefined ? "PostgreSQL" : `PostgreSQL, database ${number}`;
}

function restoredLines(restored: RestoreResult, place: RestoreTarget): readonly string[] {
  const { header, proof, rebuild, audit, checked, held } = restored;
  const figures = nameValueLines([
    ["restored into", targetText(place)],
    ["as of", new Date(header.takenAtMs).toISOString()],
    ["accounts", `${proof.accounts}, with ${proof.events} lines of journal`],
    ["API keys", String(header.keys)],
    ["broken journals", String(proof.broken.length)],
    ["different", String(rebuild.different.length)],
    ["lines of audit", auditCell(audit)],
    [
      "proved",
      checked.proof === "proved" ? `by version ${header.masterKey} of the master key` : "no",
    ],
    ["operators", checked.operators.join(", ")],
    ["positions", String(held.positions)],
    ["resting orders", String(held.restingOrders)],
    ["armed switches", String(held.armedSwitches)],
    ["usable keys", String(held.usableKeys)],
    ["unpaid payouts", `${held.unpaidPayouts.count}, together ${unpaidUsd(held).toFixed(2)} USD`],
  ]);
  const verdict = isUnaltered(restored)
    ? "Every hash chain is intact, and all stored data matches the journals."
    : "The data was like this when the backup was taken. See propgate journal verify and rebuild.";
  return [
    ...figures,
    "",
    verdict,
    ...(checked.proof === "proved" ? [] : ["", NOT_PROVED]),
    "",
    missingSinceText(header),
    "",
    MASTER_KEY_WARNING,
  ];
}
