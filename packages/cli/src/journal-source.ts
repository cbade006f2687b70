import type { JournalProofView, JournalRebuildView } from "@propgate/contract";
import { usageError } from "./cli-error.ts";
import type { JournalOptions } from "./commands/journal.ts";
import { connectOperator } from "./operator-client.ts";
import { cannotStart } from "./start-failure.ts";
import type { Terminal } from "./terminal.ts";

/** Where journals can be verified: a running service, or the data of a stopped one. */
export interface JournalSource {
  /** Null: all accounts. */
  verify(accountId: string | null): Promise<JournalProofView>;
  rebuild(accountId: string | null, write: boolean): Promise<JournalRebuildView>;
  close(): Promise<void>;
}

export async function openJournalSource(
  terminal: Terminal,
  options: JournalOptions,
): Promise<JournalSource> {
  return options.offline === true ? openOffline(terminal, options) : openOnline(terminal, options);
}

async function openOnline(terminal: Terminal, options: JournalOptions): Promise<JournalSource> {
  const call = await connectOperator(terminal, options);
  const which = (accountId: string | null) => (accountId === null ? {} : { accountId });
  return {
    verify: (accountId) => call("journal.verify", { body: which(accountId) }),
    rebuild: (accountId, write) =>
      call("journal.rebuild", { body: { ...which(accountId), write } }),
    close: async () => {},
  };
}

async function openOffline(terminal: Terminal, options: JournalOptions): Promise<JournalSource> {
  const server = await import("@propgate/server");
  const databaseUrl = options.databaseUrl ?? terminal.env.PROPGATE_DATABASE_URL ?? null;
  const dataDir = options.dataDir ?? terminal.env.PROPGATE_DATA_DIR ?? "data";
  const database = await server
    .openServiceDatabase({ databaseUrl, dataDir })
    .catch((cause: unknown) => {
      throw cannotStart(cause);
    });
  const { instruments } = await server.loadCatalogue(terminal.env.PROPGATE_CATALOGUE ?? null);
  const journal = server.createJournalDesk(database, instruments);
  const which = (text: string | null) => (text === null ? "all" : server.parseAccountId(text));
  const known = <Which>(one: Which | null): Which => {
    if (one === null) throw usageError("--account is not an account id");
    return one;
  };
  return {
    verify: async (account) => server.journalProofView(await journal.verify(known(which(account)))),
    rebuild: (account, write) => journal.rebuild(known(which(account)), write),
    close: () => database.close(),
  };
}
