import { delay, type Housekeeping, type Log, type Settings, systemTimer } from "@propgate/base";
import type { Shards } from "@propgate/ledger";
import {
  createQuoteStore,
  type PriceRecords,
  type PriceSource,
  type QuoteBoard,
} from "@propgate/market";
import type { FastifyInstance } from "fastify";
import { DRAIN, type Drain } from "../api/edge/drain.ts";
import type { NodeBus, RunningPrices } from "./nodes/node-bus.ts";
import type { NodeMembership } from "./nodes/node-membership.ts";
import type { NodePartitions } from "./nodes/node-partitions.ts";
import type { ComposedService } from "./service.ts";
import type { Tracing } from "./tracing/open-tracing.ts";

interface StoppedParts {
  readonly settings: Pick<Settings, "stopDelaySeconds">;
  readonly source: PriceSource;
  readonly makingPrices: RunningPrices;
  /** The partitions of this node; null without NATS. */
  readonly partitions: NodePartitions | null;
  /** The bus that connects the nodes; null without NATS. */
  readonly nodeBus: NodeBus | null;
  readonly housekeeping: Housekeeping;
  readonly service: ComposedService;
  /** The listener of the metrics; null when the service has no metrics. */
  readonly metricsApp: FastifyInstance | null;
  /** The traces of the service; null when it has no collector of traces. */
  readonly tracing: Tracing | null;
  readonly records: PriceRecords;
  readonly board: QuoteBoard;
  readonly node: NodeMembership;
  readonly databases: Shards;
  readonly log: Log;
}

const MS_PER_SECOND = 1_000;

/**
 * Stops the service. It first continues to serve for the delay of the settings, while each answer tells its client to
 * close the connection. Then it answers the requests that are under way, saves the state for the next start and closes
 * everything.
 */
export async function stopService(parts: StoppedParts): Promise<void> {
  const { app, operatorApp, vanta } = parts.service;
  const listeners = [app, operatorApp].filter((one) => one !== null);
  const drains = listeners.map((one) => one.getDecorator<Drain>(DRAIN));
  for (const drain of drains) drain.begin();
  const delayMs = parts.settings.stopDelaySeconds * MS_PER_SECOND;
  if (delayMs > 0) await delay(systemTimer, delayMs);
  await Promise.all([
    ...drains.map((drain) => drain.finish()),
    // This runs while the listeners drain, because open requests wait for their orders at the validator until
    // `vanta.stop` gives these orders up.
    vanta?.stop(),
    parts.service.webhooks.stop(),
    stopJobs(parts),
  ]);
  await Promise.all(listeners.map((one) => one.close()));
  await endWork(parts);
  await saveForNextStart(parts);
}

/** Stops the work that no request has caused: gives up the partitions, then stops the price source and the jobs. */
async function stopJobs(parts: StoppedParts): Promise<void> {
  const { source, housekeeping, makingPrices } = parts;
  await handOver(parts);
  await source.stop();
  await housekeeping.stop();
  await makingPrices.stop();
}

/**
 * Gives up the partitions. Other nodes then decide their accounts, also for the requests that are still answered here.
 */
async function handOver({ partitions, log }: StoppedParts): Promise<void> {
  try {
    await partitions?.stop();
  } catch (cause) {
    log.error(
      { err: cause },
      "the partitions could not be given up; their leases end by themselves",
    );
  }
}

/**
 * Ends the work that requests and prices have caused, records the best prices of the stops, and closes the bus, the
 * records of prices, the metrics and the traces.
 */
async function endWork(parts: StoppedParts): Promise<void> {
  const { engine } = parts.service;
  const { market, executor } = engine;
  await market.whenSettled();
  await engine.recordStops();
  await executor.idle();
  await parts.nodeBus?.close();
  await parts.records.close();
  await parts.metricsApp?.close();
  await parts.tracing?.close();
}

/**
 * Saves the newest quotes for the next start, tells the other nodes that this node leaves, and closes the databases. A
 * database that cannot be reached must not prevent the stop.
 */
async function saveForNextStart({ board, node, databases, log }: StoppedParts): Promise<void> {
  try {
    await board.save(createQuoteStore(databases.first));
    await node.leave();
  } catch (cause) {
    log.error({ err: cause }, "the newest quotes could not be saved");
  } finally {
    await databases.close();
  }
}
