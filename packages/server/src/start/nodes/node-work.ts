import type { Job } from "@propgate/base";
import type { EngineOptions } from "../engine.ts";
import type { NodePartitions } from "./node-partitions.ts";

/** The share of this process in the work on its databases. */
export interface NodeWork {
  /** Null when this process decides every account. */
  readonly partitions: NodePartitions | null;
  readonly openForwarding: EngineOptions["openForwarding"];
  readonly webhookTurn: WebhookTurn;
}

/** Whether this node delivers webhooks, among those that share the databases. */
export interface WebhookTurn {
  readonly mayDeliver: () => boolean;
  readonly jobs: readonly Job[];
  /** Gives up the turn, so that another node can deliver. */
  readonly stop: () => Promise<void>;
}

/** The turn of a node that decides no accounts: it never delivers. */
export const NEVER_DELIVERS: WebhookTurn = fixedTurn(false);
/** The turn of a process that has its databases for itself: it always delivers. */
export const ALWAYS_DELIVERS: WebhookTurn = fixedTurn(true);

/** The work of a process without NATS, which has its databases for itself. */
export const WORK_ALONE: NodeWork = {
  partitions: null,
  openForwarding: undefined,
  webhookTurn: ALWAYS_DELIVERS,
};

function fixedTurn(mayDeliver: boolean): WebhookTurn {
  return { mayDeliver: () => mayDeliver, jobs: [], stop: async () => undefined };
}
