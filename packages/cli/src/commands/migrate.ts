import type { Command } from "commander";
import { usageError } from "../cli-error.ts";
import { databaseUrlOption } from "../database-url.ts";
import { print } from "../output.ts";
import { cannotStart } from "../start-failure.ts";
import type { Terminal } from "../terminal.ts";

interface MigrateOptions {
  readonly databaseUrl?: string;
  readonly grantTo?: string;
  readonly json?: boolean;
}

/** `propgate migrate`: creates the tables as their owner, for a service that may not create tables. */
export function addMigrate(program: Command, terminal: Terminal): void {
  const command = program
    .command("migrate")
    .summary("update the tables of a PostgreSQL database")
    .description(
      "Create or update the tables of a PostgreSQL database as the user of the URL, who owns them. " +
        "--grant-to grants another role the rights of the service: it can read and write rows, but cannot " +
        "change tables or written lines of the journal. The service migrates at its start when its own " +
        "user has the right.",
    )
    .addOption(
      databaseUrlOption(
        "the owner's (PROPGATE_MIGRATION_DATABASE_URL, else PROPGATE_DATABASE_URL)",
      ),
    )
    .option("--grant-to <role>", "the existing role that the service connects as");
  command.action(async () => {
    const options = command.optsWithGlobals<MigrateOptions>();
    const { env } = terminal;
    const url =
      options.databaseUrl ?? env.PROPGATE_MIGRATION_DATABASE_URL ?? env.PROPGATE_DATABASE_URL;
    if (url === undefined || url === "") {
      throw usageError("no database to migrate", "Name it with --database-url.");
    }
    const role = options.grantTo ?? null;
    const { schema } = await migrate(url, role);
    print(terminal, options, {
      value: { schema, grantedTo: role },
      lines: [
        `The tables are those of schema ${schema}.`,
        ...(role === null ? [] : [`The role ${role} may run the service on them.`]),
      ],
    });
  });
}

async function migrate(url: string, role: string | null): Promise<{ readonly schema: number }> {
  const server = await import("@propgate/server");
  try {
    return await server.migrateDatabase(url, role);
  } catch (cause) {
    throw cannotStart(cause);
  }
}
