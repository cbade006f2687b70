import type { Command } from "commander";
import { usageError } from "../cli-error.ts";
import { databaseUrlOption } from "../database-url.ts";
import { printResult } from "../output.ts";
import { readMigrationUrls } from "../secrets/database-urls.ts";
import { startFailure } from "../start-failure.ts";
import type { Terminal } from "../terminal.ts";

interface MigrateOptions {
  readonly databaseUrl?: string;
  readonly grantTo?: string;
  readonly json?: boolean;
}

/** `propgate migrate`: creates or updates the tables as their owner, for a service that may not create tables. */
export function addMigrate(program: Command, terminal: Terminal): void {
  const command = program
    .command("migrate")
    .summary("update the tables of PostgreSQL databases")
    .description(
      "Create or update the tables of a PostgreSQL database as the user of the URL, who owns them. " +
        "--grant-to grants another role the rights of the service: it can read and write rows, but cannot " +
        "change tables or written lines of the journal. The service migrates at its start when its own " +
        "user has the right. Several databases are updated one after the other.",
    )
    .addOption(
      databaseUrlOption(
        "the owner's (PROPGATE_MIGRATION_DATABASE_URL, else PROPGATE_DATABASE_URL; or URLS for several)",
      ),
    )
    .option("--grant-to <role>", "the existing role that the service connects as");
  command.action(async () => {
    const options = command.optsWithGlobals<MigrateOptions>();
    const { databaseUrl } = options;
    const urls = databaseUrl === undefined ? await readMigrationUrls(terminal) : [databaseUrl];
    if (urls.every((url) => url === "")) {
      throw usageError("no database to migrate", "Name it with --database-url.");
    }
    const role = options.grantTo ?? null;
    const { schema } = await migrate(urls, role);
    const of = urls.length === 1 ? "" : ` in all ${urls.length} databases`;
    printResult(terminal, options, {
      value: { schema, grantedTo: role, databases: urls.length },
      lines: [
        `The tables are those of schema ${schema}${of}.`,
        ...(role === null ? [] : [`The role ${role} may run the service on them.`]),
      ],
    });
  });
}

async function migrate(
  urls: readonly string[],
  role: string | null,
): Promise<{ readonly schema: number }> {
  const server = await import("@propgate/server");
  try {
    return await server.migrateDatabases(urls, role);
  } catch (cause) {
    throw startFailure(cause);
  }
}
