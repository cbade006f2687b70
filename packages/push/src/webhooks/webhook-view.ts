import type { Clock } from "@propgate/base";
import type { OperatorErrorCode, Webhook } from "@propgate/contract";
import { unixMs } from "@propgate/core";
import type { PerShard } from "@propgate/ledger";
import type { EndpointStore, StoredEndpoint } from "../storage/endpoint-store.ts";
import type { ParkedLanes } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";
import { isInScope, ownerOf, type WebhookScope } from "./webhook-scope.ts";

/** Why a call on webhooks was refused; the text is for people. */
export interface WebhookRefusal {
  readonly refused: "missing" | "invalid" | "conflict";
  readonly text: string;
  /** The wrong field; the text begins with its name. */
  readonly field?: string;
  readonly code?: OperatorErrorCode;
}

export interface WebhookViewOptions {
  readonly endpoints: Pick<EndpointStore, "get" | "listOf">;
  readonly databases: PerShard<LaneDatabase>;
  readonly clock: Clock;
  readonly scope: WebhookScope;
}

/** Reads the webhooks of one scope as answers show them: without secrets, and with a masked address. */
export interface WebhookViews {
  readonly listAll: () => Promise<readonly Webhook[]>;
  readonly viewOf: (endpoint: StoredEndpoint) => Promise<Webhook>;
  /** Does work on an endpoint; refused when the scope has no endpoint with this id. */
  readonly withEndpoint: <Value>(
    id: string,
    work: (endpoint: StoredEndpoint) => Promise<Value | WebhookRefusal>,
  ) => Promise<Value | WebhookRefusal>;
}

export const NO_WEBHOOK: WebhookRefusal = { refused: "missing", text: "Webhook not found" };

/** Refuses the value of a field; `why` follows the field's name in the text. */
export function fieldRefusal(field: string, why: string): WebhookRefusal {
  return { refused: "invalid", text: `${field}: ${why}`, field };
}

export function createWebhookViews(options: WebhookViewOptions): WebhookViews {
  const { endpoints, databases, clock, scope } = options;
  const parkedLanes = async (
    of: readonly StoredEndpoint[],
  ): Promise<ReadonlyMap<string, ParkedLanes>> => {
    const added = new Map<string, ParkedLanes>();
    const ids = of.map(({ id }) => id);
    for (const { lanes } of databases) {
      for (const [id, { count, sinceMs }] of await lanes.countParked(ids)) {
        const before = added.get(id) ?? { count: 0, sinceMs };
        const since = unixMs(Math.min(before.sinceMs, sinceMs));
        added.set(id, { count: before.count + count, sinceMs: since });
      }
    }
    return added;
  };
  const view = (endpoint: StoredEndpoint, parked: ReadonlyMap<string, ParkedLanes>): Webhook =>
    webhookView(endpoint, { parked: parked.get(endpoint.id) ?? null, nowMs: clock.now() });
  return {
    async listAll() {
      const own = await endpoints.listOf(ownerOf(scope));
      const parked = await parkedLanes(own);
      return own.map((one) => view(one, parked));
    },
    viewOf: async (endpoint) => view(endpoint, await parkedLanes([endpoint])),
    async withEndpoint(id, work) {
      const endpoint = await endpoints.get(id);
      return endpoint === null || !isInScope(scope, endpoint) ? NO_WEBHOOK : work(endpoint);
    },
  };
}

function webhookView(
  { disabled, types, sealed: { older }, ...endpoint }: StoredEndpoint,
  { parked, nowMs }: { readonly parked: ParkedLanes | null; readonly nowMs: number },
): Webhook {
  return {
    id: endpoint.id,
    url: endpoint.shownAddress,
    label: endpoint.label,
    types: types === null ? null : [...types],
    accountId: endpoint.accountId,
    programId: endpoint.programId,
    payload: endpoint.payload,
    signatures: [...endpoint.signatures],
    enabled: disabled === null,
    ...stateOf(disabled, parked),
    stateSinceMs: disabled === null && parked !== null ? parked.sinceMs : endpoint.sinceMs,
    parkedLanes: parked?.count ?? 0,
    overlapUntilMs: older === null || older.untilMs <= nowMs ? null : older.untilMs,
    createdAtMs: endpoint.createdAtMs,
  };
}

function stateOf(
  disabled: StoredEndpoint["disabled"],
  parked: ParkedLanes | null,
): Pick<Webhook, "state" | "stateReason"> {
  if (disabled !== null) return { state: "disabled", stateReason: disabled };
  return parked === null
    ? { state: "active", stateReason: null }
    : { state: "parked", stateReason: "ladder" };
}
