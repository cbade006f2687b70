/**
 * Delivers the events of accounts and the alerts of owners to webhooks. A journal is a queue, and so are the numbered
 * alerts of an owner. A lane is one endpoint with one queue: it knows the number of the last event or alert that its
 * receiver has accepted, and later ones wait in the queue. So an event that waits takes no storage of its own, no event
 * is lost between its commit and its delivery, and a replay only sets the number back.
 *
 * A lane sends one event at a time and the next one only after an answer of success, so each receiver sees the events
 * of an account, and the alerts of an owner, in their order. A lane that fails waits for its next retry, and other
 * lanes continue. The progress is stored before the next event is sent: after a crash only the last event can come
 * twice.
 *
 * One node delivers, the one with the lease. It sees its own commits immediately, and finds those of the other nodes by
 * the transactions that wrote them. It scans all queues when it begins, and when people have changed an endpoint or
 * moved its lanes.
 */
import { type Clock, createSerialQueue, type Log, type Stopwatch } from "@propgate/base";
import { namesAlerts, namesEvents } from "@propgate/contract";
import { type OwnerId, type UnixMs, unixMs } from "@propgate/core";
import type { Executor, PerShard } from "@propgate/ledger";
import type { EndpointStore, StoredEndpoint } from "../storage/endpoint-store.ts";
import type { Lane, LaneQueue } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";
import { createEnabledEndpoints, type EnabledEndpoints } from "./enabled-endpoints.ts";
import type { LaneDelivery } from "./lane-delivery.ts";
import { createLanesUnderWay, type LanesUnderWay } from "./lanes-under-way.ts";
import { createQueueWatch, type QueueWatch } from "./queue-watch.ts";
import { createQueuesToScan, type QueuesToScan } from "./queues-to-scan.ts";

export interface WebhookLanesOptions {
  readonly endpoints: Pick<EndpointStore, "listEnabled" | "disable">;
  readonly databases: PerShard<LaneDatabase>;
  /** Whether the database with this number fails. The lanes of the other databases continue meanwhile. */
  readonly isAtFault: (database: number) => boolean;
  readonly delivery: LaneDelivery;
  readonly executor: Pick<Executor, "onCommit">;
  /** Gives new alerts their numbers. Returns the owners whose alerts were numbered, null for the operator. */
  readonly numberAlerts: () => Promise<readonly (OwnerId | null)[]>;
  readonly clock: Clock;
  readonly steadyClock: Stopwatch;
  /** False while another node delivers. */
  readonly mayDeliver: () => boolean;
  readonly log: Pick<Log, "warn">;
  readonly onFault: (cause: unknown) => void;
}

/** Delivers the events and alerts of all lanes. */
export interface WebhookLanes {
  /**
   * Numbers new alerts, reads the endpoints again and starts the lanes with something to send. Call it every second.
   * While another node delivers, it only remembers to scan all queues later.
   */
  tick(): Promise<void>;
  /** Does the same as `tick`, but scans all queues. Call it when an endpoint has changed. */
  refresh(): Promise<void>;
  /** Resolves when every attempt that is due has ended, when a lane has failed with an error, or after `stop`. */
  waitUntilSettled(): Promise<void>;
  /** When the next retry is due; null when no lane waits for one, and when no endpoint is enabled. */
  nextRetryMs(): Promise<UnixMs | null>;
  /** Starts no further delivery; resolves when those under way have ended. */
  stop(): Promise<void>;
}

/** The maximum number of lanes of an endpoint that one scan returns; the next scan returns others. */
const LANES_PER_LOOK = 500;

export function createWebhookLanes(options: WebhookLanesOptions): WebhookLanes {
  const { onFault } = options;
  const turns = createSerialQueue();
  const queues = createQueuesToScan();
  const enabled = createEnabledEndpoints(options);
  const watch = createQueueWatch(options);
  let seenRevision = "";
  let willLook = false;
  let isStopped = false;

  const mayDeliver = (): boolean => !isStopped && options.mayDeliver();
  const underWay = createLanesUnderWay({
    delivery: options.delivery,
    enabledOf: enabled.find,
    // Disabling waits in the queue of tasks, so that no scan in progress continues with the endpoint as it was.
    disable: (endpoint) => turns.run(() => enabled.disable(endpoint)),
    mayDeliver,
    isStopped: () => isStopped,
    onEnd(queue) {
      // More events may wait in this queue, or in lanes that got no slot.
      queues.add(queue);
      wake();
    },
    onFault(cause, queue) {
      watch.keepForNextSearch(queue);
      onFault(cause);
    },
  });
  const startDue = createLaneStarter({ ...options, enabled, queues, underWay, watch });
  /**
   * Starts the due lanes of all queues when `ofAll` is true, else only those of the queues that have grown. True when a
   * lane was started or must be read again.
   */
  const scanQueues = async (ofAll: boolean): Promise<boolean> => {
    if (!mayDeliver()) {
      // Another node delivers. This node begins with a scan of all queues when it gets the lease.
      queues.forget();
      watch.forget();
      return false;
    }
    if (enabled.all.length === 0) return false;
    try {
      const chosen = queues.take(ofAll);
      if (chosen === null) {
        seenRevision = enabled.revision;
        await watch.begin();
      }
      return await startDue(chosen);
    } catch (cause) {
      // The queues of this scan were taken but not scanned, so a scan of all queues is due.
      watch.forget();
      throw cause;
    }
  };
  const wake = (): void => {
    if (willLook || isStopped || enabled.all.length === 0) return;
    willLook = true;
    const next = turns.run(() => {
      willLook = false;
      return scanQueues(false);
    });
    next.catch(onFault);
  };

  options.executor.onCommit((changed) => {
    if (!enabled.all.some(({ types }) => namesEvents(types))) return;
    for (const { state } of changed) queues.add({ accountId: state.accountId });
    wake();
  });
  const refresh = (): Promise<boolean> =>
    turns.run(async () => {
      if (mayDeliver()) await numberAlerts(options, queues);
      await enabled.read();
      return scanQueues(true);
    });

  return {
    tick: () =>
      turns.run(async () => {
        if (!mayDeliver()) return watch.forget();
        await numberAlerts(options, queues);
        await enabled.read();
        const grown = enabled.revision === seenRevision ? await watch.findQueues() : null;
        for (const queue of grown ?? []) queues.add(queue);
        await scanQueues(grown === null);
      }),
    async refresh() {
      await refresh();
    },
    async waitUntilSettled() {
      const before = underWay.failures;
      for (let isDone = false; !isDone && !isStopped; ) {
        const hasStarted = await refresh();
        isDone = !hasStarted && underWay.isEmpty;
        await underWay.waitUntilEmpty();
        isDone ||= underWay.failures > before;
      }
    },
    async nextRetryMs() {
      await turns.run(enabled.read);
      return enabled.all.length === 0 ? null : nextRetryIn(options.databases, options.clock.now());
    },
    async stop() {
      isStopped = true;
      // A scan in progress still reads the database, so it is awaited.
      await turns.run(async () => undefined);
      await underWay.waitUntilEmpty();
    },
  };
}

/**
 * Makes a function that starts the due lanes of the given queues, or of all queues when it gets null. The function
 * returns true when it started a lane, and when a lane must be read again.
 */
function createLaneStarter({
  clock,
  enabled,
  queues,
  underWay,
  watch,
}: Pick<WebhookLanesOptions, "clock"> & {
  readonly enabled: EnabledEndpoints;
  readonly queues: QueuesToScan;
  readonly underWay: LanesUnderWay;
  readonly watch: Pick<QueueWatch, "workingDatabases">;
}): (chosen: readonly LaneQueue[] | null) => Promise<boolean> {
  const startAll = (part: LaneDatabase, due: readonly Lane[]): boolean => {
    // A lane that ended during the read may have been read before its progress was stored, so the next scan reads it
    // again.
    const outdated = due.filter((lane) => underWay.hasEnded(lane));
    for (const lane of outdated) queues.add(lane);
    const current = due.filter((lane) => !outdated.includes(lane));
    const waiting = current.filter((lane) => !underWay.start(part, lane));
    // The lanes that got no slot are scanned again when a slot is free.
    for (const lane of waiting) queues.add(lane);
    return waiting.length < due.length;
  };
  return async (chosen) => {
    let hasStarted = false;
    for (const part of watch.workingDatabases()) {
      const now = clock.now();
      underWay.beforeRead();
      const due = await findDueIn(part, { enabled: enabled.all, queues: chosen, now });
      if (due.length >= LANES_PER_LOOK) queues.expectMore();
      hasStarted = startAll(part, due) || hasStarted;
    }
    return hasStarted;
  };
}

/** Numbers the new alerts, and adds the queues of their owners to `queues`, because these have grown. */
async function numberAlerts(
  { numberAlerts: number }: Pick<WebhookLanesOptions, "numberAlerts">,
  queues: QueuesToScan,
): Promise<void> {
  for (const ownerId of await number()) queues.add({ accountId: null, ownerId });
}

/**
 * The lanes of one database with something to send. Before that it makes the missing lanes of these queues: of accounts
 * for endpoints whose types name events, of alerts for those whose types name alerts. @rule D9.webhookKinds
 */
async function findDueIn(
  { lanes }: LaneDatabase,
  {
    enabled,
    queues,
    now,
  }: {
    readonly enabled: readonly StoredEndpoint[];
    readonly queues: readonly LaneQueue[] | null;
    readonly now: UnixMs;
  },
): Promise<readonly Lane[]> {
  const ofEvery = enabled.filter((one) => one.accountId === null && namesEvents(one.types));
  const accounts = queues?.flatMap(({ accountId }) => accountId ?? []) ?? null;
  if (ofEvery.length > 0 && accounts?.length !== 0)
    await lanes.createMissingLanes(ofEvery, accounts);
  const ofAlerts = enabled.filter(({ types }) => namesAlerts(types));
  const owners = queues?.flatMap((one) => (one.accountId === null ? [one.ownerId] : [])) ?? null;
  if (ofAlerts.length > 0 && owners?.length !== 0)
    await lanes.createMissingAlertLanes(ofAlerts, owners);
  const ids = enabled.map(({ id }) => id);
  return lanes.findDue(ids, { nowMs: now, queues, limit: LANES_PER_LOOK });
}

async function nextRetryIn(databases: PerShard<LaneDatabase>, now: UnixMs): Promise<UnixMs | null> {
  const times = await Promise.all(databases.map(({ lanes }) => lanes.nextRetryMs(now)));
  const known = times.filter((one) => one !== null);
  return known.length === 0 ? null : unixMs(Math.min(...known));
}
