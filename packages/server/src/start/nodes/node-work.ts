import type { Job } from "@propgate/base";
import type { EngineOptions } from "../engine.ts";
import type { NodePartitions } from "./node-partitions.ts";

/** How this process shares the work on its databases with other nodes: partitions, forwarded commands and webhooks. */
export interface NodeWork {
  /** Null when this process decides every account. */
  readonly partitions: NodePartitions | null;
  readonly openForwarding: EngineOptions["openForwarding"];
  readonly webhookTurn: WebhookDelivery;
}

/** Tells whether this node, of all nodes that share the databases, delivers the webhooks. */
export interface WebhookDelivery {
  readonly mayDeliver: () => boolean;
  readonly jobs: readonly Job[];
  /** Stops delivering webhooks here, so that another node can deliver them. */
  readonly stop: () => Promise<void>;
}

/** The delivery of a node that decides no accounts: it never delivers webhooks. */
export const NEVER_DELIVERS: WebhookDelivery = fixedTurn(false);
/** The delivery of a process that has its databases for itself: it always delivers webhooks. */
export const ALWAYS_DELIVERS: WebhookDelivery = fixedTurn(true);

/** The work of a process without NATS, which has its databases for itself. */
export const WORK_ALONE: NodeWork = {
  partitions: null,
  openForwarding: undefined,
  webhookTurn: ALWAYS_DELIVERS,
};

function fixedTurn(mayDeliver: boolean): WebhookDelivery {
  return { mayDeliver: () => mayDeliver, jobs: [], stop: async () => undefined };
}
