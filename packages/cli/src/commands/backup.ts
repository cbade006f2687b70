import type { Command } from "commander";
import { writeBackup } from "../backup-file.ts";
import { CliError, EXIT, usageError } from "../cli-error.ts";
import { databaseUrlOption } from "../database-url.ts";
import { addOperatorOptions, fetchFromOperator, type OperatorOptions } from "../operator-client.ts";
import { nameValueLines, printResult } from "../output.ts";
import { createProgress, withProgress } from "../render/progress.ts";
import { chooseDatabase, databaseOption } from "../secrets/database-urls.ts";
import { MASTER_KEY_OPTION, readMasterKeyOption } from "../secrets/master-key-option.ts";
import { startFailure } from "../start-failure.ts";
import type { Terminal } from "../terminal.ts";
import type { FileSource } from "../whole-file.ts";

interface BackupOptions extends OperatorOptions {
  readonly to: string;
  readonly offline?: boolean;
  readonly databaseUrl?: string;
  readonly database?: number;
  readonly masterKeyFile?: string;
}

/** Printed when a backup was taken without the master key. */
const NO_TAG_WARNING =
  "THE BACKUP HAS NO TAG, because no master key was given: a restore cannot prove that the file was\n" +
  "not altered. Set PROPGATE_MASTER_KEY or --master-key-file, and take another backup.";

/** Printed with every backup and restore, because a missing key is noticed too late. */
export const MASTER_KEY_WARNING =
  "THE BACKUP DOES NOT CONTAIN THE MASTER KEY (master.key in the data folder, or PROPGATE_MASTER_KEY).\n" +
  "Without it no API key of this backup works. Keep the master key in another place.";

/** `propgate backup`: writes all stored data to one file. */
export function addBackup(program: Command, terminal: Terminal): void {
  const command = addOperatorOptions(program.command("backup"))
    .summary("write all stored data to one file")
    .description(
      "Write a consistent snapshot of all stored data to one file, which can be restored into either kind " +
        "of database. The running service writes it and keeps working. The file does not contain the master " +
        "key, but a tag made with it, so that a restore detects an altered file. Of several databases, each " +
        "has a file of its own; write the first one last.",
    )
    .requiredOption("--to <file>", "the file to write; only its owner may read it")
    .option("--offline", "open the data itself; an embedded database must not be in use")
    .addOption(databaseUrlOption("with --offline: PostgreSQL (PROPGATE_DATABASE_URL)"))
    .addOption(databaseOption("of several databases, the number of the one to write, from 0"))
    .option(MASTER_KEY_OPTION[0], `with --offline: ${MASTER_KEY_OPTION[1]}`);
  command.action(async () => {
    const options = command.optsWithGlobals<BackupOptions>();
    const written = await writeBackup(options.to, () =>
      options.offline === true
        ? takeOfflineBackup(terminal, options)
        : fetchOnlineBackup(async () =>
            withProgress(
              await fetchFromOperator(terminal, options, {
                name: "backup",
                body: options.database === undefined ? {} : { database: options.database },
              }),
              createProgress(terminal),
            ),
          ),
    );
    const { file, bytes, header, rows, sha256 } = written;
    const { takenAtMs, schema, storage, database, accounts, events, keys } = header;
    printResult(terminal, options, {
      value: {
        file,
        bytes,
        takenAtMs,
        schema,
        storage,
        database,
        rows,
        sha256,
        masterKeyIncluded: false,
        masterKeyVersion: header.masterKey,
      },
      lines: [
        ...nameValueLines([
          ["file", `${file}, ${bytes} bytes`],
          ["as of", new Date(takenAtMs).toISOString()],
          ...(options.database === undefined ? [] : [["database", String(database)] as const]),
          ["accounts", `${accounts}, with ${events} journal lines`],
          ["API keys", String(keys)],
          ["sha256", sha256],
        ]),
        "",
        MASTER_KEY_WARNING,
        ...(header.masterKey === null ? ["", NO_TAG_WARNING] : []),
      ],
    });
  });
}

async function fetchOnlineBackup(
  fetch: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<FileSource> {
  return { content: await fetch(), close: async () => {} };
}

async function takeOfflineBackup(terminal: Terminal, options: BackupOptions): Promise<FileSource> {
  const server = await import("@propgate/server");
  const { databaseUrl } = await chooseDatabase(terminal, options);
  const place = {
    databaseUrl,
    dataDir: options.dataDir ?? terminal.env.PROPGATE_DATA_DIR ?? "data",
  };
  if (!server.mayHoldServiceData(place)) {
    throw server.isSandboxFolder(place.dataDir)
      ? usageError(
          `${place.dataDir} is the data folder of a sandbox, which has no backups`,
          "Stop the sandbox and copy the folder; propgate sandbox --data goes on from the copy.",
        )
      : usageError(
          `there is nothing to back up in ${place.dataDir}`,
          "Name the service's data folder with --data, or its PostgreSQL with --database-url.",
        );
  }
  const { masterKeyFile } = options;
  const masterKeys = await readMasterKeyOption(terminal, {
    ...(masterKeyFile === undefined ? {} : { masterKeyFile }),
    dataDir: place.dataDir,
  });
  const database = await server
    .openServiceDatabaseWithoutMigration(place)
    .catch((cause: unknown) => {
      throw startFailure(cause);
    });
  try {
    await server.checkSchemaKnown(database);
    const content = await server.takeBackup({ database, nowMs: terminal.now(), masterKeys });
    return { content: withFaultAsCliError(content), close: () => database.close() };
  } catch (cause) {
    throw await server.cleanUpAfter(startFailure(cause), () => database.close());
  }
}

async function* withFaultAsCliError(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(
      {
        message: `the database failed: ${reason}`,
        fix: "Try again when the database works.",
        exitCode: EXIT.unreachable,
      },
      { cause },
    );
  }
}
