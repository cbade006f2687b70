import type { Webhook } from "@propgate/contract";
import type { Clock } from "../../base/clock.ts";
import type { PerDatabase } from "../../storage/databases/per-database.ts";
import type {
  EndpointStore,
  StoredEndpoint,
} from "../../storage/stores/webhooks/endpoint-store.ts";
import type { LaneDatabase } from "./webhook-lanes.ts";

/** Why a call on webhooks changed nothing; the text is for people. */
export interface WebhookRefusal {
  readonly refused: "missing" | "invalid" | "conflict";
  readonly text: string;
  readonly code?: string;
}

export interface WebhookViewOptions {
  readonly endpoints: Pick<EndpointStore, "get" | "list">;
  readonly databases: PerDatabase<LaneDatabase>;
  readonly clock: Clock;
}

/** Webhooks as answers show them, without address and secret. */
export interface WebhookViews {
  readonly all: () => Promise<readonly Webhook[]>;
  readonly of: (endpoint: StoredEndpoint) => Promise<Webhook>;
  /** Carries out the work on an endpoint; refused when there is none. */
  readonly on: <Value>(
    id: string,
    work: (endpoint: StoredEndpoint) => Promise<Value | WebhookRefusal>,
  ) => Promise<Value | WebhookRefusal>;
}

export const NO_WEBHOOK: WebhookRefusal = { refused: "missing", text: "Webhook not found" };

export function createWebhookViews(options: WebhookViewOptions): WebhookViews {
  const { endpoints, databases, clock } = options;
  const parkedLanes = async (): Promise<ReadonlyMap<string, number>> => {
    const counts = new Map<string, number>();
    for (const { lanes } of databases) {
      for (const [id, lanesOfOne] of await lanes.parked()) {
        counts.set(id, (counts.get(id) ?? 0) + lanesOfOne);
      }
    }
    return counts;
  };
  const view = (endpoint: StoredEndpoint, parked: ReadonlyMap<string, number>): Webhook =>
    webhookView(endpoint, { parkedLanes: parked.get(endpoint.id) ?? 0, nowMs: clock.now() });
  return {
    async all() {
      const parked = await parkedLanes();
      return (await endpoints.list()).map((one) => view(one, parked));
    },
    of: async (endpoint) => view(endpoint, await parkedLanes()),
    async on(id, work) {
      const endpoint = await endpoints.get(id);
      return endpoint === null ? NO_WEBHOOK : work(endpoint);
    },
  };
}

function webhookView(
  { disabled, types, sealed: { older }, ...endpoint }: StoredEndpoint,
  { parkedLanes, nowMs }: { readonly parkedLanes: number; readonly nowMs: number },
): Webhook {
  return {
    id: endpoint.id,
    url: endpoint.shownAddress,
    label: endpoint.label,
    types: types === null ? null : [...types],
    accountId: endpoint.accountId,
    enabled: disabled === null,
    ...stateOf(disabled, parkedLanes),
    stateSinceMs: endpoint.sinceMs,
    parkedLanes,
    overlapUntilMs: older === null || older.untilMs <= nowMs ? null : older.untilMs,
    createdAtMs: endpoint.createdAtMs,
  };
}

function stateOf(
  disabled: StoredEndpoint["disabled"],
  parkedLanes: number,
): Pick<Webhook, "state" | "stateReason"> {
  if (disabled !== null) return { state: "disabled", stateReason: disabled };
  return parkedLanes > 0
    ? { state: "parked", stateReason: "ladder" }
    : { state: "active", stateReason: null };
}
