import type { RekeyResult, SecretBox } from "@propgate/access";
import type { Chance, Clock, RepeatableCall } from "@propgate/base";
import {
  namesAlerts,
  namesEvents,
  type Webhook,
  type WebhookSignature,
  type WebhookType,
} from "@propgate/contract";
import { type AccountId, unixMs } from "@propgate/core";
import { type PerShard, shardOf } from "@propgate/ledger";
import type { AddressRules } from "../delivery/address-rules.ts";
import { generateWebhookSecret } from "../delivery/sign-webhook.ts";
import {
  maskAddress,
  parseWebhookAddress,
  type WebhookAddress,
} from "../delivery/webhook-address.ts";
import type { EndpointStore, StoredEndpoint, WebhookPayload } from "../storage/endpoint-store.ts";
import type { QueueKind } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";
import { rekeyWebhooks } from "./rekey-webhooks.ts";
import { sealNames } from "./sealed-endpoint.ts";
import type { WebhookLanes } from "./webhook-lanes.ts";
import type { WebhookScope } from "./webhook-scope.ts";
import {
  fieldRefusal,
  NO_WEBHOOK,
  type WebhookRefusal,
  type WebhookViews,
} from "./webhook-view.ts";

/** A webhook as its creator describes it. */
export interface NewWebhook {
  readonly url: string;
  readonly label: string;
  /** The types of events and alerts, by their names in the API; null for every event and no alert. */
  readonly types: readonly WebhookType[] | null;
  /**
   * The account whose events it gets. Null means all accounts; for an owner's webhook it means the account of the
   * scope.
   */
  readonly accountId: AccountId | null;
  /** The program whose accounts' events it gets; null for every program. */
  readonly programId: string | null;
  /** `head`: its lanes begin after the newest event or alert. `start`: they begin with the first one. */
  readonly from: "head" | "start";
  readonly payload: WebhookPayload;
  readonly signatures: readonly WebhookSignature[];
  readonly enabled: boolean;
}

/** The fields to change. A field that is left out or undefined stays as it is. */
export type WebhookChange = {
  readonly [Field in "url" | "label" | "types" | "payload" | "signatures" | "enabled"]?:
    | NewWebhook[Field]
    | undefined;
};

/** A webhook with its secret, which only the answers of `createWebhook` and `rotate` have. */
export type WebhookWithSecret = Webhook & { readonly secret: string };

/** Manages the webhooks of one scope. A change is durable when its call resolves. */
export interface EndpointDesk {
  list(): Promise<readonly Webhook[]>;
  show(id: string): Promise<Webhook | WebhookRefusal>;
  createWebhook(
    webhook: NewWebhook,
    act?: RepeatableCall | null,
  ): Promise<WebhookWithSecret | WebhookRefusal>;
  change(id: string, change: WebhookChange): Promise<Webhook | WebhookRefusal>;
  remove(id: string): Promise<{ readonly id: string } | WebhookRefusal>;
  /** Makes a new secret; the previous one also signs for `overlapMs`. */
  rotate(
    id: string,
    overlapMs: number,
    act?: RepeatableCall | null,
  ): Promise<WebhookWithSecret | WebhookRefusal>;
  /** Seals every address and secret under the newest master key. */
  rekey(): Promise<RekeyResult>;
}

export interface EndpointDeskOptions {
  readonly endpoints: EndpointStore;
  readonly databases: PerShard<LaneDatabase>;
  readonly views: WebhookViews;
  readonly delivery: Pick<WebhookLanes, "refresh">;
  /**
   * Gives new alerts their numbers. Without this step, a lane that begins after the newest numbered alert would send
   * the new alerts too, although these are older than the lane.
   */
  readonly numberAlerts: () => Promise<unknown>;
  readonly scope: WebhookScope;
  readonly rules: AddressRules;
  readonly box: SecretBox;
  readonly chance: Chance;
  readonly clock: Clock;
  /** True when the account exists. A webhook for an account that does not exist is refused. */
  readonly hasAccount: (account: AccountId) => Promise<boolean>;
  /** True when any version of the program exists. A webhook for a program that does not exist is refused. */
  readonly hasProgram: (programId: string) => Promise<boolean>;
}

/** The maximum number of webhooks of the operator, and of each owner. */
const WEBHOOKS_MAX = { operator: 20, owner: 10 } as const;
const ID_BYTES = 16;

export function createEndpointDesk(options: EndpointDeskOptions): EndpointDesk {
  const { endpoints, views, box, chance, clock, delivery } = options;
  const store = async (changed: StoredEndpoint): Promise<Webhook | null> => {
    if (!(await endpoints.update(changed))) return null;
    await delivery.refresh();
    return views.viewOf(changed);
  };
  /**
   * Does work on an endpoint until its result is not null. Null means that the work made no change, because another
   * change of the endpoint was stored after it was read.
   */
  const changing = async <Answer>(
    id: string,
    work: (endpoint: StoredEndpoint) => Promise<Answer | WebhookRefusal | null>,
  ): Promise<Answer | WebhookRefusal> => {
    for (;;) {
      const answer = await views.withEndpoint(id, work);
      if (answer !== null) return answer;
    }
  };
  const forget = async (id: string): Promise<void> => {
    for (const { lanes, attempts } of options.databases) {
      await lanes.remove(id, null);
      await attempts.remove(id);
    }
  };
  return {
    list: views.listAll,
    show: (id) => views.withEndpoint(id, views.viewOf),
    async createWebhook(webhook, act = null) {
      const drawn = act?.chance("webhook") ?? chance;
      const secret = generateWebhookSecret(drawn);
      const made = await buildEndpoint(webhook, secret, { ...options, chance: drawn });
      if ("refused" in made) return made;
      if (act?.isRepeat === true) {
        const before = await views.withEndpoint(made.id, views.viewOf);
        if (!("refused" in before)) return { ...before, secret };
      }
      await beginLanes(made, webhook.from, options);
      const max = WEBHOOKS_MAX[options.scope.by];
      if (!(await endpoints.insert(made, max))) {
        await forget(made.id);
        return tooManyRefusal(max);
      }
      await delivery.refresh();
      return { ...(await views.viewOf(made)), secret };
    },
    change: (id, change) =>
      changing(id, async (endpoint) => {
        const changed = applyChange(endpoint, change, options);
        if ("refused" in changed) return changed;
        await beginNewKinds(endpoint, changed, options);
        const stored = await store(changed);
        if (stored === null) return null;
        await endDroppedKinds(endpoint, changed, options);
        if (change.url !== undefined || change.types !== undefined)
          await restartLadders(id, options);
        return stored;
      }),
    remove: (id) =>
      views.withEndpoint(id, async () => {
        if (!(await endpoints.remove(id))) return NO_WEBHOOK;
        await delivery.refresh();
        await forget(id);
        return { id };
      }),
    rotate: (id, overlapMs, act = null) =>
      changing(id, async (endpoint) => {
        const nowMs = clock.now();
        const { older, secret: last } = endpoint.sealed;
        const secret = generateWebhookSecret(act?.chance("secret") ?? chance);
        if (act?.isRepeat === true && box.open(sealNames(id).secret, last) === secret) {
          return { ...(await views.viewOf(endpoint)), secret };
        }
        if (overlapMs > 0 && older !== null && older.untilMs > nowMs) return OVERLAP_RUNS_REFUSAL;
        const sealed = {
          ...endpoint.sealed,
          secret: box.seal(sealNames(id).secret, secret),
          older: overlapMs === 0 ? null : { secret: last, untilMs: unixMs(nowMs + overlapMs) },
        };
        const rotated = await store({ ...endpoint, sealed });
        return rotated === null ? null : { ...rotated, secret };
      }),
    rekey: () => rekeyWebhooks(endpoints, box),
  };
}

function tooManyRefusal(max: number): WebhookRefusal {
  const text = `There are ${max} webhooks, which is the maximum; delete one`;
  return { refused: "conflict", text, code: "webhook_limit" };
}

const OVERLAP_RUNS_REFUSAL: WebhookRefusal = {
  refused: "conflict",
  text: "The overlap of the last rotation is still running; wait for its end, or rotate with overlapMs 0",
  code: "overlap_running",
};

function addressRefusal(wrong: Extract<WebhookAddress, { readonly ok: false }>): WebhookRefusal {
  return { ...fieldRefusal("url", wrong.message), code: wrong.code };
}

async function buildEndpoint(
  { url, accountId: given, programId, label, types, payload, signatures, enabled }: NewWebhook,
  secret: string,
  options: EndpointDeskOptions,
): Promise<StoredEndpoint | WebhookRefusal> {
  const { box, scope } = options;
  const accountId = scope.by === "owner" ? (given ?? scope.accountId) : given;
  if (scope.by === "owner" && accountId !== scope.accountId) return OTHER_ACCOUNT;
  if (programId !== null && accountId !== null) return ONE_OF_BOTH;
  const address = parseWebhookAddress(url, options.rules);
  if (!address.ok) return addressRefusal(address);
  if (accountId !== null && !(await options.hasAccount(accountId))) {
    return fieldRefusal("accountId", "there is no such account");
  }
  if (programId !== null && !(await options.hasProgram(programId))) {
    return fieldRefusal("programId", "there is no such program");
  }
  const id = `wh_${Buffer.from(options.chance.bytes(ID_BYTES)).toString("hex")}`;
  const names = sealNames(id);
  const nowMs = options.clock.now();
  return {
    id,
    ownerId: scope.by === "owner" ? scope.ownerId : null,
    accountId,
    programId,
    label,
    types,
    payload,
    signatures,
    shownAddress: maskAddress(address.url),
    sealed: {
      address: box.seal(names.address, address.url.href),
      secret: box.seal(names.secret, secret),
      older: null,
    },
    disabled: enabled ? null : scope.by,
    sinceMs: nowMs,
    createdAtMs: nowMs,
    revision: 0,
  };
}

const OTHER_ACCOUNT = fieldRefusal("accountId", "must be the account of the path, or left out");

const ONE_OF_BOTH = fieldRefusal(
  "programId",
  "a webhook has the accounts of a program, or one account",
);

/**
 * Makes the lanes of a new endpoint: for accounts when its types name events, for alerts when its types name alerts.
 * Call it before the endpoint is stored: then delivery makes the missing lane of an account that is opened in between,
 * from the account's first event on. @rule D9.webhookKinds decides
 */
async function beginLanes(
  endpoint: StoredEndpoint,
  from: NewWebhook["from"],
  options: LaneBeginning,
): Promise<void> {
  for (const kind of KINDS) {
    if (NAMES_KIND[kind](endpoint.types)) await beginLanesOf(kind, { endpoint, from }, options);
  }
}

type LaneBeginning = Pick<EndpointDeskOptions, "databases" | "numberAlerts">;

/**
 * For each kind of lane, whether the types of an endpoint name something that such a lane sends. @rule D9.webhookKinds
 */
const NAMES_KIND: { readonly [Kind in QueueKind]: typeof namesAlerts } = {
  events: namesEvents,
  alerts: namesAlerts,
};
const KINDS = ["events", "alerts"] as const satisfies readonly QueueKind[];

async function beginLanesOf(
  kind: QueueKind,
  { endpoint, from }: { readonly endpoint: StoredEndpoint; readonly from: NewWebhook["from"] },
  { databases, numberAlerts }: LaneBeginning,
): Promise<void> {
  const fromStart = from === "start";
  if (kind === "alerts") {
    await numberAlerts();
    for (const { lanes } of databases) await lanes.createAlertLanes(endpoint, fromStart);
    return;
  }
  const { id, accountId, programId } = endpoint;
  const parts = accountId === null ? databases : [shardOf(databases, accountId)];
  for (const { lanes } of parts) await lanes.createLanes(id, { accountId, programId, fromStart });
}

/**
 * Makes the lanes of events, or of alerts, when the types before the change name none and the changed types name one.
 * The lanes begin after the newest event or alert. @rule D9.webhookNamed decides
 */
async function beginNewKinds(
  before: StoredEndpoint,
  endpoint: StoredEndpoint,
  options: LaneBeginning,
): Promise<void> {
  for (const kind of KINDS) {
    if (NAMES_KIND[kind](before.types) || !NAMES_KIND[kind](endpoint.types)) continue;
    // An earlier change that failed before it was stored may have left lanes with an old beginning.
    for (const { lanes } of options.databases) await lanes.remove(endpoint.id, kind);
    await beginLanesOf(kind, { endpoint, from: "head" }, options);
  }
}

/**
 * Deletes the lanes of events, or of alerts, when the types before the change name one and the changed types name none.
 * Call it after the endpoint is stored: a delivery before that would make the lanes again, from the first event on.
 * @rule D9.webhookUnnamed decides
 */
async function endDroppedKinds(
  before: StoredEndpoint,
  { id, types }: StoredEndpoint,
  { databases }: LaneBeginning,
): Promise<void> {
  for (const kind of KINDS) {
    if (!NAMES_KIND[kind](before.types) || NAMES_KIND[kind](types)) continue;
    for (const { lanes } of databases) await lanes.remove(id, kind);
  }
}

/**
 * Restarts the retry schedules of the lanes after a change of address or types. The attempts that failed were made at
 * the former address, or were for an event that the webhook may not get any more.
 */
async function restartLadders(
  id: string,
  {
    databases,
    endpoints,
    delivery,
  }: Pick<EndpointDeskOptions, "databases" | "endpoints" | "delivery">,
): Promise<void> {
  for (const { lanes } of databases) await lanes.restart(id);
  await endpoints.raiseRevision(id);
  await delivery.refresh();
}

/** The endpoint with the change applied, or why its address is refused. */
function applyChange(
  endpoint: StoredEndpoint,
  change: WebhookChange,
  { rules, box, clock, scope }: Pick<EndpointDeskOptions, "rules" | "box" | "clock" | "scope">,
): StoredEndpoint | WebhookRefusal {
  const { url, label = endpoint.label, types = endpoint.types, enabled } = change;
  const { payload = endpoint.payload, signatures = endpoint.signatures } = change;
  const isSwitched = enabled !== undefined && enabled !== (endpoint.disabled === null);
  const state = isSwitched ? { disabled: enabled ? null : scope.by, sinceMs: clock.now() } : {};
  const changed = { ...endpoint, label, types, payload, signatures, ...state };
  if (url === undefined) return changed;
  const address = parseWebhookAddress(url, rules);
  if (!address.ok) return addressRefusal(address);
  const sealedAddress = box.seal(sealNames(endpoint.id).address, address.url.href);
  const sealed = { ...endpoint.sealed, address: sealedAddress };
  return { ...changed, shownAddress: maskAddress(address.url), sealed };
}
