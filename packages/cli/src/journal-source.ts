import { CliError, EXIT, usageError } from "./cli-error.ts";
import type { JournalOptions } from "./commands/journal.ts";
import { connectOperator } from "./operator-client.ts";
import { isRecord } from "./render/record.ts";
import { cannotStart } from "./start-failure.ts";
import type { Terminal } from "./terminal.ts";

export interface ProofAnswer {
  readonly accounts: number;
  readonly events: number;
  readonly broken: readonly {
    readonly accountId: string;
    readonly sequence: number;
    readonly problem: string;
  }[];
}

export interface RebuildAnswer {
  readonly accounts: number;
  readonly different: readonly string[];
  readonly written: number;
}

/** Somewhere a journal can be proved: a running service, or the data of a stopped one. */
export interface JournalSource {
  /** Null: all accounts. */
  verify(accountId: string | null): Promise<ProofAnswer>;
  rebuild(accountId: string | null, write: boolean): Promise<RebuildAnswer>;
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
    async verify(accountId) {
      const path = "/journal/verify";
      return readProof(await call({ method: "POST", path, body: which(accountId) }));
    },
    async rebuild(accountId, write) {
      const body = { ...which(accountId), write };
      return readRebuild(await call({ method: "POST", path: "/journal/rebuild", body }));
    },
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
  const journal = server.journalDesk(database, instruments);
  const which = (text: string | null) => (text === null ? "all" : server.parseAccountId(text));
  const known = <Which>(one: Which | null): Which => {
    if (one === null) throw usageError("--account is no account's id");
    return one;
  };
  return {
    async verify(account) {
      return server.journalProofView(await journal.verify(known(which(account))));
    },
    rebuild: (account, write) => journal.rebuild(known(which(account)), write),
    close: () => database.close(),
  };
}

function readProof(value: unknown): ProofAnswer {
  if (isRecord(value) && Array.isArray(value.broken)) {
    return {
      accounts: Number(value.accounts),
      events: Number(value.events),
      broken: value.broken.filter(isRecord).map((one) => ({
        accountId: String(one.accountId),
        sequence: Number(one.sequence),
        problem: String(one.problem),
      })),
    };
  }
  throw notUnderstood();
}

function readRebuild(value: unknown): RebuildAnswer {
  if (isRecord(value) && Array.isArray(value.different)) {
    return {
      accounts: Number(value.accounts),
      different: value.different.map(String),
      written: Number(value.written),
    };
  }
  throw notUnderstood();
}

function notUnderstood(): CliError {
  return new CliError({
    message: "the service's answer is not understood",
    fix: "Use the command of the same version as the service.",
    exitCode: EXIT.unreachable,
  });
}
