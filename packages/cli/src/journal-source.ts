import type { JournalProofView, JournalRebuildView } from "@propgate/contract";
import { usageError } from "./cli-error.ts";
import type { JournalOptions } from "./commands/journal.ts";
import { connectOperator, fetchFromOperator } from "./operator-client.ts";
import { createProgress, withProgress } from "./render/progress.ts";
import { readDatabaseUrls } from "./secrets/database-urls.ts";
import { startFailure } from "./start-failure.ts";
import type { Terminal } from "./terminal.ts";
import type { FileSource } from "./whole-file.ts";

/** The journals of a running service, or of a stopped service's data. */
export interface JournalSource {
  /** Verifies one account, or all accounts when `accountId` is null. */
  verify(accountId: string | null): Promise<JournalProofView>;
  rebuild(accountId: string | null, write: boolean): Promise<JournalRebuildView>;
  close(): Promise<void>;
}

/** Opens the journals of the running service, or with `--offline` those of a stopped one. */
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

/**
 * The account's journal file. It comes from the running service, or with `--offline` from the data of a stopped one.
 */
export async function openJournalFile(
  terminal: Terminal,
  options: JournalOptions,
  account: string,
): Promise<FileSource> {
  if (options.offline === true) return openFileOffline(terminal, options, account);
  const content = await fetchFromOperator(terminal, options, {
    name: "journal.export",
    target: { id: account },
  });
  return { content: withProgress(content, createProgress(terminal)), close: async () => {} };
}

async function openFileOffline(
  terminal: Terminal,
  options: JournalOptions,
  account: string,
): Promise<FileSource> {
  const server = await import("@propgate/server");
  const id = server.parseAccountId(account);
  if (id === null) throw usageError("the argument is not an account id");
  const databases = await openData(terminal, options);
  const texts = server.exportJournal(databases.databaseOf(id), id, server.WHOLE_JOURNAL);
  return { content: linesOf(texts), close: () => databases.close() };
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const text of texts) {
    isEmpty = false;
    yield Buffer.from(`${text}\n`);
  }
  if (isEmpty) throw usageError("there is no such account with a journal");
}

/** Opens the databases that the options or the environment name. */
async function openData(terminal: Terminal, options: JournalOptions) {
  const server = await import("@propgate/server");
  const { databaseUrl } = options;
  const urls = databaseUrl === undefined ? await readDatabaseUrls(terminal) : [databaseUrl];
  const several = urls.length > 1;
  const place = {
    databaseUrl: several ? null : (urls[0] ?? null),
    databaseUrls: several ? urls.join(",") : null,
    dataDir: options.dataDir ?? terminal.env.PROPGATE_DATA_DIR ?? "data",
  };
  return server.openShards(place, server.systemChance).catch((cause: unknown) => {
    throw startFailure(cause);
  });
}

async function openOffline(terminal: Terminal, options: JournalOptions): Promise<JournalSource> {
  const server = await import("@propgate/server");
  const databases = await openData(terminal, options);
  const file = await server.loadCatalogue(terminal.env.PROPGATE_CATALOGUE ?? null);
  const instruments =
    (await server.readInstrumentsOfLastStart(databases.first)) ?? file.instruments;
  const journal = server.createShardedJournalDesk(databases.all, instruments);
  const which = (text: string | null) => (text === null ? "all" : server.parseAccountId(text));
  const known = <Which>(one: Which | null): Which => {
    if (one === null) throw usageError("--account is not an account id");
    return one;
  };
  return {
    verify: async (account) => server.journalProofView(await journal.verify(known(which(account)))),
    rebuild: (account, write) => journal.rebuild(known(which(account)), write),
    close: () => databases.close(),
  };
}
