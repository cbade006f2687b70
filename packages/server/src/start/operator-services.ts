import { linkUrl, type OperatorTokens } from "@propgate/access";
import { listenerPort } from "@propgate/base";
import type { ServiceHealth } from "@propgate/contract";
import { mergeAwaited, type Shards, shardAt, sumFutureLines, takeBackup } from "@propgate/ledger";
import {
  type BoardLag,
  calendarWarnings,
  catalogueMisfit,
  type MissingPrice,
  type PriceDesk,
  type ProgramDesk,
  type SourceWarning,
} from "@propgate/market";
import type { Firehose } from "@propgate/push";
import type { ExpensiveReads } from "@propgate/wire";
import type { FastifyInstance } from "fastify";
import { createAccountBook } from "../calls/operator/accounts/account-book.ts";
import type { AccountReadDesk, OperatorServices } from "../calls/operator/operator-services.ts";
import type { RepeatedWrites } from "../calls/operator/repeats/repeated-writes.ts";
import { createSwitchDesk } from "../calls/operator/switch-desk.ts";
import { createListReader } from "../storage/lists/list-reader.ts";
import type { ComposedNetworks } from "./networks/compose-networks.ts";
import { mergeUnjudged } from "./nodes/added-figures.ts";
import type { ComposedService, ServiceOptions } from "./service.ts";

/** Composes the dependencies of the operator's calls. */
export function composeOperatorServices(
  options: ServiceOptions,
  parts: Omit<ComposedService, "accountPages" | "repeats"> & {
    /** The databases, wrapped so that a failed statement is noticed. */
    readonly databases: Shards;
    readonly programs: ProgramDesk;
    readonly tokens: OperatorTokens;
    readonly reads: AccountReadDesk;
    readonly firehose: Firehose;
    readonly expensiveReads: ExpensiveReads;
    readonly repeats: RepeatedWrites;
  } & Pick<ComposedNetworks, "links" | "networkHealth" | "networkWarnings" | "readings">,
): OperatorServices {
  const { clock, publicUrl = null } = options;
  const { databases, storage, engine, people, app } = parts;
  return {
    accounts: parts.accounts,
    accountNames: engine.accountNames,
    book: createAccountBook({
      index: engine.index,
      accounts: engine.accountStore,
      linked: parts.readings.vanta,
      moment: () => engine.present.moment(),
      origins: () =>
        [...options.board.quotes.keys()].flatMap((pair) => options.board.origin(pair) ?? []),
      lag: () => engine.market.lag(),
    }),
    links: parts.links,
    reads: parts.reads,
    programs: parts.programs,
    payouts: engine.payouts,
    keys: parts.keyring.desk,
    people: {
      ...people,
      linkUrl: (token) => linkUrl(publicUrl ?? listeningAt(app), token),
    },
    tokens: parts.tokens,
    evidence: parts.keyring.evidence,
    expensiveReads: parts.expensiveReads,
    journal: engine.desks.journal,
    firehose: parts.firehose,
    market: { instruments: options.catalogue.instruments, quotes: options.board.quotes },
    prices: parts.prices,
    actions: engine.actions,
    funding: engine.funding,
    limits: engine.limits,
    switches: createSwitchDesk({ accounts: engine.accounts, states: engine.cache }),
    webhooks: parts.webhooks.desk,
    lists: createListReader(databases.all),
    search: engine.search,
    repeats: parts.repeats,
    catalogueMisfit: (instruments) => catalogueMisfit(databases, instruments),
    databases: databases.all.length,
    confirmRestore: async () => (await options.dataLife?.confirm()) ?? null,
    backup: (number) =>
      takeBackup({
        database: shardAt(databases.all, number),
        nowMs: clock.now(),
        masterKeys: options.masterKeys,
      }),
    health: async () => {
      // This query is first, because its failure tells `storage` that the database fails, and `storageFault` is read
      // from there.
      const clockWork = await engine.due.lagOfAllNodes().catch(() => null);
      const others = options.figuresOfOthers?.() ?? [];
      const audit = await people.audit.head().catch(() => null);
      const jobs = options.jobs?.() ?? [];
      return {
        ...healthOf(options, parts.prices, {
          lag: engine.market.lag(),
          unjudged: mergeUnjudged([
            engine.market.missingPrices(),
            ...others.map(({ unjudged }) => unjudged),
          ]),
          networkWarnings: await parts.networkWarnings().catch(() => []),
        }),
        storageFault: faultOf(storage),
        restored: waitingRestore(options),
        historiesChanged: engine.cache.historiesChanged(),
        linesOfFuture: sumFutureLines([
          engine.linesOfFuture(),
          ...others.map(({ linesOfFuture }) => linesOfFuture),
        ]),
        clockWork:
          clockWork === null
            ? null
            : {
                ...clockWork,
                awaited: mergeAwaited([clockWork.awaited, ...others.map(({ awaited }) => awaited)]),
              },
        network: await parts.networkHealth().catch(() => null),
        audit,
        jobs,
      };
    },
  };
}

function waitingRestore({ dataLife }: ServiceOptions): ServiceHealth["restored"] {
  const mark = dataLife?.unconfirmedRestore() ?? null;
  return mark === null ? null : { asOfMs: mark.asOfMs, restoredAtMs: mark.restoredAtMs };
}

/**
 * The first fault of a database; null when there is none. With several databases, the reason begins with the number of
 * the database.
 */
function faultOf(storage: ComposedService["storage"]): ServiceHealth["storageFault"] {
  for (const [number, watch] of storage.entries()) {
    const fault = watch.fault();
    if (fault === null) continue;
    return storage.length === 1
      ? fault
      : { ...fault, reason: `database ${number}: ${fault.reason}` };
  }
  return null;
}

/** The service's address on this machine. */
function listeningAt({ server }: FastifyInstance): string {
  return `http://127.0.0.1:${listenerPort(server.address())}`;
}

function healthOf(
  { clock, databases, board, prices, catalogue, busWarnings }: ServiceOptions,
  desk: PriceDesk,
  {
    lag,
    unjudged,
    networkWarnings,
  }: {
    readonly lag: BoardLag;
    readonly unjudged: readonly MissingPrice[];
    readonly networkWarnings: readonly SourceWarning[];
  },
): Omit<
  ServiceHealth,
  | "storageFault"
  | "restored"
  | "historiesChanged"
  | "linesOfFuture"
  | "clockWork"
  | "network"
  | "audit"
  | "jobs"
> {
  const nowMs = clock.now();
  let newest: ServiceHealth["prices"]["newestQuoteAtMs"] = null;
  for (const { atMs } of board.quotes.values()) {
    if (newest === null || atMs > newest) newest = atMs;
  }
  return {
    nowMs,
    storage: databases.first.kind,
    prices: {
      source: prices.name,
      pairs: board.quotes.size,
      newestQuoteAtMs: newest,
      waitingQuotes: lag.waiting,
      boardLagMs: lag.oldestMs,
      blocked: desk.list().flatMap(({ instrument, state, holders }) => {
        const { id: pair, blocked, retired } = instrument;
        return blocked && holders > 0
          ? [{ pair, isRetired: retired === true, state, holders }]
          : [];
      }),
      unjudged,
      warnings: [
        ...prices.warnings(),
        ...desk.warnings(),
        ...calendarWarnings(catalogue.instruments, nowMs),
        ...networkWarnings,
        ...(busWarnings?.() ?? []),
      ],
    },
  };
}
