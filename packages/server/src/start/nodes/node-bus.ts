import { createHmac } from "node:crypto";
import {
  CannotStart,
  type Clock,
  type Job,
  type Log,
  type MasterKeys,
  openNatsTransport,
  parseNatsUrl,
  type Settings,
  systemChance,
  systemStopwatch,
  systemTimer,
  type Transport,
} from "@propgate/base";
import type { SharedBus } from "@propgate/cluster";
import type { Instruments } from "@propgate/core";
import {
  createLeaseStore,
  createRestoreStore,
  createSettingStore,
  type Database,
  INSTALLATION_SETTING,
  type Shards,
} from "@propgate/ledger";
import {
  type MarketLoop,
  type OpenedSource,
  offerQuote,
  openFeedEpochs,
  type PriceRecords,
  type PriceSource,
  type QuoteBoard,
  type QuoteFlow,
  type SourceWarning,
} from "@propgate/market";
import type { FeedNode } from "./feed-node.ts";
import { FEED_LEASE } from "./lease-names.ts";
import type { NodeClock } from "./node-clock.ts";
import { rolesOf } from "./node-membership.ts";

/** The connection between the nodes of a database, and the bus that uses it for quotes. */
export interface NodeBus {
  readonly bus: SharedBus;
  /** Carries the messages of the bus, and commands from node to node. */
  readonly transport: Transport;
  /** The id of the database, or of its incarnation after a restore. It is the second word of every subject. */
  readonly installation: string;
  /** The id of this process. */
  readonly node: string;
  /** The keys that seal messages between the nodes, one for each master key, the newest first. */
  readonly sealKeys: readonly Uint8Array[];
  close(): Promise<void>;
}

/** Checks the settings that concern several nodes. @throws CannotStart when they exclude each other */
export function checkBusSettings(settings: Settings): void {
  if (settings.natsUrl === null) {
    if (settings.role === "all") return;
    throw new CannotStart(`PROPGATE_ROLE=${settings.role} is for several nodes, which need NATS`, {
      fix: "Set PROPGATE_NATS_URL, or remove PROPGATE_ROLE.",
    });
  }
  if (settings.databaseUrl === null && settings.databaseUrls === null) {
    throw new CannotStart("PROPGATE_NATS_URL is set, but the embedded database has one process", {
      fix: "Set PROPGATE_DATABASE_URL, or remove PROPGATE_NATS_URL.",
    });
  }
  if (settings.replay.length > 0 && settings.replayRebase === "own") {
    throw new CannotStart(
      "A replay on its own time runs in one process, without PROPGATE_NATS_URL",
      {
        fix: "Use --replay-rebase now, or remove PROPGATE_NATS_URL.",
      },
    );
  }
}

/** Opens the connection to the other nodes, which is established in the background; null without NATS. */
export async function openNodeBus(options: {
  readonly settings: Pick<Settings, "natsUrl">;
  readonly masterKeys: MasterKeys;
  readonly database: Database;
  readonly node: string;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<NodeBus | null> {
  const { settings, database, log } = options;
  const address = settings.natsUrl === null ? null : parseNatsUrl(settings.natsUrl);
  if (address === null) return null;
  const own = await createSettingStore(database).setOnce(INSTALLATION_SETTING, systemChance.uuid());
  // A restore changes the id. Messages of processes that still run on the data from before the restore are therefore
  // ignored, because their quotes and commands belong to other data.
  const installation = (await createRestoreStore(database).incarnation()) ?? own;
  const leases = createLeaseStore(database);
  const transport = await openNatsTransport({
    address,
    timer: systemTimer,
    chance: systemChance,
    log,
  });
  const sealKeys = sealKeysOf(options.masterKeys);
  const { createSharedBus } = await import("@propgate/cluster");
  const bus = createSharedBus({
    ...options,
    transport,
    sealKeys,
    installation,
    steadyClock: systemStopwatch,
    feedEpoch: () => leases.epochOf(FEED_LEASE),
  });
  const { node } = options;
  return { bus, transport, installation, node, sealKeys, close: () => transport.close() };
}

/** Derives a key from each master key, so that a seal does not reveal the keys that seal secrets. Newest first. */
function sealKeysOf({ byVersion }: MasterKeys): readonly Uint8Array[] {
  return [...byVersion]
    .toSorted(([one], [other]) => other - one)
    .map(([, key]) => createHmac("sha256", key).update("messages between nodes").digest());
}

/**
 * The prices of this process once they are started. In a process without a bus, `jobs` is empty and there is no
 * problem.
 */
export interface RunningPrices {
  readonly jobs: readonly Job[];
  /** The reason why orders would be decided at old prices here; null when they would not. */
  problem(): string | null;
  stop(): Promise<void>;
}

/** Starts the prices. Without NATS this process makes them; otherwise the node that is the feed does. */
export async function startPrices(options: {
  readonly settings: Pick<Settings, "role">;
  /** The connection to the other nodes; null without NATS. */
  readonly nodeBus: NodeBus | null;
  readonly nodeClock: NodeClock;
  readonly databases: Shards;
  readonly flow: Pick<QuoteFlow, "bus" | "intake" | "feed" | "source">;
  /** Opens the price source again after a stop, when its prices are not live. */
  readonly openPrices: () => Promise<OpenedSource>;
  readonly records: Pick<PriceRecords, "lastEpoch">;
  readonly board: QuoteBoard;
  readonly market: MarketLoop;
  readonly instruments: Instruments;
  readonly log: Log;
}): Promise<RunningPrices> {
  const { nodeBus, databases, flow, market } = options;
  if (flow.feed !== null || nodeBus !== null) flow.bus.subscribe((quote) => market.push(quote));
  if (nodeBus === null) {
    await flow.source.start(market.publish);
    return { jobs: [], problem: () => null, stop: async () => undefined };
  }
  const { createFeedNode } = await import("./feed-node.ts");
  const node = createFeedNode({
    ...options,
    ...nodeBus,
    isCandidate: rolesOf(options.settings.role).includes("feed"),
    leases: createLeaseStore(databases.first),
    steadyClock: systemStopwatch,
    timer: systemTimer,
    epochs: await openFeedEpochs(databases.all, {
      lastOnTape: options.records.lastEpoch,
      bus: nodeBus.bus,
    }),
    intake: flow.intake,
    prices: flow.feed ?? createOfferedPrices(flow, options.openPrices),
  });
  await node.start();
  const problem = () => problemOf(nodeBus.bus, { ...options, node });
  return { jobs: node.jobs, problem, stop: () => node.stop() };
}

/** Prices that this process makes itself. They reach the accounts by the bus, like the prices of venues. */
function createOfferedPrices(
  { intake, source }: Pick<QuoteFlow, "intake" | "source">,
  reopen: () => Promise<OpenedSource>,
): { start(): Promise<void>; stop(): Promise<void> } {
  let next: PriceSource | null = source;
  let started: PriceSource | null = null;
  return {
    async start() {
      const opened = next ?? (await reopen()).source;
      next = null;
      started = opened;
      await opened.start(async (quotes) => {
        for (const quote of quotes) offerQuote(intake, quote, { source: opened.name });
      });
    },
    async stop() {
      await started?.stop();
      started = null;
    },
  };
}

/** The reason why the prices of this node may be older than those of the feed; null when there is none. */
function problemOf(bus: SharedBus, { node, market, instruments }: Problems): string | null {
  const problem = bus.problem();
  if (problem !== null) return problem;
  if (node.isHalted) return "prices are about to be used again";
  const behindMs = market.lag().oldestMs;
  const freshMs = Math.min(...[...instruments.values()].map(({ staleAfterMs }) => staleAfterMs));
  return behindMs > freshMs
    ? `the prices are ${Math.round(behindMs / MS_PER_SECOND)} s behind`
    : null;
}

interface Problems {
  readonly node: Pick<FeedNode, "isHalted">;
  readonly market: Pick<MarketLoop, "lag">;
  readonly instruments: Instruments;
}

/** Warnings with the number of messages that were dropped since the start, by kind. */
export function busWarnings(nodeBus: NodeBus | null): readonly SourceWarning[] {
  const dropped = nodeBus?.bus.dropped() ?? new Map<string, number>();
  return [...dropped].map(([kind, count]) => {
    const reason = `messages of other nodes were dropped: ${kind}`;
    return { source: "bus", reason, count, first: null };
  });
}

const MS_PER_SECOND = 1_000;
