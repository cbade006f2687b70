import type { OwnerId } from "@propgate/core";
import {
  createEventLines,
  type EventLines,
  type PerShard,
  perShard,
  type Shards,
} from "@propgate/ledger";
import { type AlertLines, createAlertLines } from "./alert-lines.ts";
import { type AttemptStore, createAttemptStore } from "./attempt-store.ts";
import { createEndpointStore, type EndpointStore } from "./endpoint-store.ts";
import { createGrownQueues, type GrownQueues } from "./grown-queues.ts";
import { createLaneStore, type LaneStore } from "./lane-store.ts";
import { numberAlerts } from "./number-alerts.ts";

/** The stores of one database: its lanes and attempts, the journals of its accounts, and the alerts of its owners. */
export interface LaneDatabase {
  readonly lanes: LaneStore;
  readonly attempts: AttemptStore;
  readonly lines: EventLines;
  readonly alerts: AlertLines;
  readonly grown: GrownQueues;
}

/** The stores of webhook endpoints, which are in the first database, and of their deliveries in all databases. */
export interface WebhookStores {
  readonly endpoints: EndpointStore;
  readonly databases: PerShard<LaneDatabase>;
  /** True while the database with this number fails. */
  readonly isAtFault: (database: number) => boolean;
  /** Gives new alerts their numbers. Returns the owners whose alerts were numbered, null for the operator. */
  readonly numberAlerts: () => Promise<readonly (OwnerId | null)[]>;
}

export function openWebhookStores(
  databases: Shards,
  isAtFault: WebhookStores["isAtFault"],
): WebhookStores {
  return {
    isAtFault,
    endpoints: createEndpointStore(databases.first),
    databases: perShard(databases.all, (database) => ({
      lanes: createLaneStore(database),
      attempts: createAttemptStore(database),
      lines: createEventLines(database),
      alerts: createAlertLines(database),
      grown: createGrownQueues(database),
    })),
    numberAlerts: () => numberAlerts(databases, isAtFault),
  };
}
