import type { WebhookSignature, WebhookType } from "@propgate/contract";
import {
  type AccountId,
  accountId,
  type OwnerId,
  ownerId,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { alertsFrom, type Database } from "@propgate/ledger";

/** Why an endpoint is disabled: its receiver answered 410, or the operator or its owner disabled it. */
export type DisabledReason = "gone" | "operator" | "owner";

/** The body of a delivery: the event, or a sentence about it for a chat. */
export type WebhookPayload = "event" | "sentence";

/** The address and the secrets of an endpoint, sealed under the master key. */
export interface SealedEndpoint {
  readonly address: Uint8Array;
  readonly secret: Uint8Array;
  /** The secret before the last rotation, which also signs until `untilMs`; null when there is none. */
  readonly older: { readonly secret: Uint8Array; readonly untilMs: UnixMs } | null;
}

/** A webhook endpoint: an address to which events and alerts are sent. */
export interface StoredEndpoint {
  readonly id: string;
  /** The owner who made it; null for the operator's endpoints. */
  readonly ownerId: OwnerId | null;
  /** The account whose events it gets; null for every account. */
  readonly accountId: AccountId | null;
  /** The program whose accounts' events it gets; null for every program. */
  readonly programId: string | null;
  readonly label: string;
  /** The types of events and alerts that it gets, by their names in the API; null for every event and no alert. */
  readonly types: readonly WebhookType[] | null;
  readonly payload: WebhookPayload;
  /** The schemes of its signatures, in the order of the signature header. */
  readonly signatures: readonly WebhookSignature[];
  /** The address with its path and query masked, because they may be a secret. */
  readonly shownAddress: string;
  readonly sealed: SealedEndpoint;
  /** Why it is disabled; null while it is enabled. */
  readonly disabled: DisabledReason | null;
  /** When it was last enabled or disabled. */
  readonly sinceMs: UnixMs;
  readonly createdAtMs: UnixMs;
  /**
   * A number that grows with every change of the endpoint, and when people resume or replay its lanes; 0 before the
   * endpoint is stored.
   */
  readonly revision: number;
}

/** An owner, and the account to which the owner's webhooks belong. */
export interface EndpointOwner {
  readonly ownerId: OwnerId;
  readonly accountId: AccountId;
}

/** The webhook endpoints of the operator and of all owners. */
export interface EndpointStore {
  /** Adds an endpoint. False, without writing, when its owner, or the operator, has `max` endpoints already. */
  insert(endpoint: StoredEndpoint, max: number): Promise<boolean>;
  /** The endpoints of an owner for one account, or with null those of the operator; oldest first. */
  listOf(owner: EndpointOwner | null): Promise<readonly StoredEndpoint[]>;
  /** All enabled endpoints, the oldest first. */
  listEnabled(): Promise<readonly StoredEndpoint[]>;
  /** The endpoints with an id after `after`, by id, or from the first one on with null. */
  page(after: string | null, limit: number): Promise<readonly StoredEndpoint[]>;
  get(id: string): Promise<StoredEndpoint | null>;
  /**
   * Writes the whole endpoint, and adds an alert when the change disables it. False, without writing, when the endpoint
   * is gone or has changed since it was read.
   */
  update(endpoint: StoredEndpoint): Promise<boolean>;
  /**
   * Writes the newly sealed address and secrets. False, without writing, when the endpoint is gone, or when its address
   * or secret has changed since it was read.
   */
  reseal(from: StoredEndpoint, sealed: SealedEndpoint): Promise<boolean>;
  /**
   * Disables an endpoint and adds an alert. False, without writing, when the endpoint is gone, is already disabled, or
   * has changed since it was read.
   */
  disable(
    endpoint: Pick<StoredEndpoint, "id" | "revision">,
    reason: DisabledReason,
    atMs: UnixMs,
  ): Promise<boolean>;
  /**
   * Raises the endpoint's revision. Call it after lanes of the endpoint were resumed or replayed, so that the node that
   * delivers reads the lanes again.
   */
  raiseRevision(id: string): Promise<void>;
  /** Deletes an endpoint; false when it is gone already. */
  remove(id: string): Promise<boolean>;
}

interface EndpointRow {
  readonly endpoint_id: string;
  readonly owner_id: string | null;
  readonly account_id: string | null;
  readonly label: string;
  readonly types: readonly WebhookType[] | null;
  readonly payload: WebhookPayload;
  readonly program_id: string | null;
  readonly signatures: readonly WebhookSignature[];
  readonly shown_address: string;
  readonly sealed_address: Uint8Array;
  readonly sealed_secret: Uint8Array;
  readonly old_secret: Uint8Array | null;
  readonly old_until_ms: string | null;
  readonly state_reason: DisabledReason | null;
  readonly state_since_ms: string;
  readonly created_at_ms: string;
  readonly revision: string;
}

const COLUMNS = `endpoint_id, account_id, label, types, shown_address, sealed_address, sealed_secret, old_secret,
  old_until_ms, state_reason, state_since_ms, created_at_ms, owner_id, payload, program_id, signatures`;

/**
 * The key of the advisory lock of endpoints: an arbitrary number, the same on every node. No other lock with a single
 * key has it.
 */
const ENDPOINT_LOCK = 7_720_043;

/**
 * SQL that adds the alerts of endpoints that this statement has disabled; `endpoints` is a source of their rows. The
 * cause of an alert must be unique. An endpoint can be disabled several times, on a stopped clock even at the same
 * time, so the cause has the transaction's id too.
 */
function disabledAlerts(endpoints: string): string {
  return alertsFrom(
    "webhook.disabled",
    `select e.endpoint_id || ' ' || e.state_since_ms || ' ' || pg_current_xact_id()::text as cause,
      e.owner_id, e.account_id, e.state_since_ms as at_ms, json_build_object(
        'webhookId', e.endpoint_id, 'accountId', e.account_id, 'reason', e.state_reason) as data
    from ${endpoints} e`,
  );
}

const UPDATE = `
with before as materialized (
  select state_reason from webhook_endpoints where endpoint_id = $1
), changed as (
  update webhook_endpoints set account_id = $2::uuid, label = $3, types = $4::text[], shown_address = $5,
    sealed_address = $6::bytea, sealed_secret = $7::bytea, old_secret = $8::bytea, old_until_ms = $9::bigint,
    state_reason = $10, state_since_ms = $11::bigint, created_at_ms = $12::bigint, owner_id = $13,
    payload = $14, program_id = $15::text, signatures = $16::text[], revision = revision + 1
  where endpoint_id = $1 and revision = $17::bigint returning *
), alerted as (${disabledAlerts(`(
  select c.* from changed c, before b where b.state_reason is null and c.state_reason is not null)`)})
select endpoint_id from changed`;

const DISABLE = `
with disabled as (
  update webhook_endpoints set state_reason = $2, state_since_ms = $3, revision = revision + 1
  where endpoint_id = $1 and state_reason is null and revision = $4 returning *
), alerted as (${disabledAlerts("disabled")})
select endpoint_id from disabled`;

const OF_OPERATOR = "owner_id is null";
const OLDEST_FIRST = "order by created_at_ms, endpoint_id";

export function createEndpointStore(database: Database): EndpointStore {
  const read = async (
    which: string,
    parameters: readonly unknown[] = [],
  ): Promise<readonly StoredEndpoint[]> => {
    const text = `select ${COLUMNS}, revision from webhook_endpoints ${which}`;
    return (await database.query<EndpointRow>(text, parameters)).map(endpointOf);
  };
  return {
    insert: (endpoint, max) =>
      database.transaction(async (transaction) => {
        await transaction.query(`select pg_advisory_xact_lock(${ENDPOINT_LOCK})`, []);
        const rows = await transaction.query(
          `insert into webhook_endpoints (${COLUMNS})
           select $1, $2::uuid, $3, $4::text[], $5, $6::bytea, $7::bytea, $8::bytea, $9::bigint, $10::text, $11::bigint,
             $12::bigint, $13, $14, $15::text, $16::text[]
           where (select count(*) from webhook_endpoints where ${
             endpoint.ownerId === null ? OF_OPERATOR : "owner_id = $13"
           }) < $17
           returning endpoint_id`,
          [...valuesOf(endpoint), max],
        );
        return rows.length > 0;
      }),
    listOf: (owner) =>
      owner === null
        ? read(`where ${OF_OPERATOR} ${OLDEST_FIRST}`)
        : read(`where owner_id = $1 and account_id = $2 ${OLDEST_FIRST}`, [
            owner.ownerId,
            owner.accountId,
          ]),
    listEnabled: () => read(`where state_reason is null ${OLDEST_FIRST}`),
    page: (after, limit) =>
      read("where endpoint_id > $1 order by endpoint_id limit $2", [after ?? "", limit]),
    async get(id) {
      return (await read("where endpoint_id = $1", [id]))[0] ?? null;
    },
    async update(endpoint) {
      const values = [...valuesOf(endpoint), endpoint.revision];
      return (await database.query(UPDATE, values)).length > 0;
    },
    async reseal(from, { address, secret, older }) {
      const rows = await database.query(
        `update webhook_endpoints set sealed_address = $4, sealed_secret = $5, old_secret = $6, revision = revision + 1
         where endpoint_id = $1 and sealed_address = $2 and sealed_secret = $3 returning endpoint_id`,
        [from.id, from.sealed.address, from.sealed.secret, address, secret, older?.secret ?? null],
      );
      return rows.length > 0;
    },
    async disable({ id, revision }, reason, atMs) {
      return (await database.query(DISABLE, [id, reason, atMs, revision])).length > 0;
    },
    async raiseRevision(id) {
      await database.query(
        "update webhook_endpoints set revision = revision + 1 where endpoint_id = $1",
        [id],
      );
    },
    async remove(id) {
      const rows = await database.query(
        "delete from webhook_endpoints where endpoint_id = $1 returning endpoint_id",
        [id],
      );
      return rows.length > 0;
    },
  };
}

function valuesOf(endpoint: StoredEndpoint): readonly unknown[] {
  const { sealed } = endpoint;
  return [
    endpoint.id,
    endpoint.accountId,
    endpoint.label,
    endpoint.types,
    endpoint.shownAddress,
    sealed.address,
    sealed.secret,
    sealed.older?.secret ?? null,
    sealed.older?.untilMs ?? null,
    endpoint.disabled,
    endpoint.sinceMs,
    endpoint.createdAtMs,
    endpoint.ownerId,
    endpoint.payload,
    endpoint.programId,
    endpoint.signatures,
  ];
}

function endpointOf(row: EndpointRow): StoredEndpoint {
  const older =
    row.old_secret === null || row.old_until_ms === null
      ? null
      : { secret: row.old_secret, untilMs: unixMs(Number(row.old_until_ms)) };
  return {
    id: row.endpoint_id,
    ownerId: row.owner_id === null ? null : ownerId(row.owner_id),
    accountId: row.account_id === null ? null : accountId(row.account_id),
    programId: row.program_id,
    label: row.label,
    types: row.types,
    payload: row.payload,
    signatures: row.signatures,
    shownAddress: row.shown_address,
    sealed: { address: row.sealed_address, secret: row.sealed_secret, older },
    disabled: row.state_reason,
    sinceMs: unixMs(Number(row.state_since_ms)),
    createdAtMs: unixMs(Number(row.created_at_ms)),
    revision: Number(row.revision),
  };
}
