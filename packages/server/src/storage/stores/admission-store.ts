import type { AccountStatus } from "@propgate/core";
import { assert } from "@propgate/core";
import type {
  AdmissionRequest,
  AdmissionStore,
  KeyAdmission,
  Rejections,
} from "../../keys/admission-port.ts";
import type { Database } from "../database.ts";

/**
 * One round trip for a whole batch. The usage rows are locked first and in key order, so two nodes
 * with overlapping batches queue up and cannot deadlock, also not on their nonces: a nonce is
 * inserted only under its key's lock. A node that waited sees the other's nonces as conflicts, and
 * its `update` counts on from the committed row.
 */
const ADMIT = `
with held as materialized (
  select u.key_id, u.window_start_ms, u.reads from key_usage u
  where u.key_id = any ($1) order by u.key_id for no key update
), asked as materialized (
  select * from unnest($3::text[], $4::text[], $5::boolean[], $8::boolean[])
    as a (key_id, nonce, counted, is_write)
), fresh as (
  insert into nonces (key_id, nonce, used_at_ms, is_write)
  select a.key_id, a.nonce, $7, a.is_write from asked a join held using (key_id)
  on conflict do nothing
  returning key_id, nonce
), counted as (
  select a.key_id, count(f.nonce) filter (where a.counted)::int as reads,
    array_agg(f.nonce) filter (where f.nonce is not null) as nonces
  from asked a left join fresh f using (key_id, nonce) group by a.key_id
), used as (
  update key_usage u set
    window_start_ms = greatest(h.window_start_ms, $6),
    reads = case when h.window_start_ms >= $6 then h.reads else 0 end + c.reads,
    last_used_at_ms = $7,
    last_used_from = a.address
  from held h join unnest($1::text[], $2::text[]) as a (key_id, address) using (key_id)
    join counted c using (key_id)
  where u.key_id = h.key_id
  returning u.key_id, u.window_start_ms, u.reads, u.cooldown_until_ms,
    cardinality(u.rejections) as rejections, c.nonces
)
select u.key_id, u.window_start_ms, u.reads, u.cooldown_until_ms, u.rejections, u.nonces,
  k.revoked_at_ms is null as active, a.status, a.version
from used u join keys k using (key_id) left join accounts a using (account_id)`;

/** Rejections are remembered one by one for as long as they count, so the window slides exactly. */
const REJECT = `
with held as materialized (
  select u.key_id, u.rejections, u.cooldown_until_ms from key_usage u
  where u.key_id = any ($1) order by u.key_id for no key update
), counting as (
  select h.key_id, h.cooldown_until_ms, array(
    select at_ms from unnest(h.rejections) as old (at_ms) where at_ms >= $4
    union all select $3::bigint from generate_series(1, a.added)
  ) as kept
  from held h join unnest($1::text[], $2::int[]) as a (key_id, added) using (key_id)
)
update key_usage u set
  rejections = case when cardinality(c.kept) >= $5 then '{}' else c.kept end,
  cooldown_until_ms = case
    when cardinality(c.kept) >= $5 and coalesce(c.cooldown_until_ms, 0) <= $3 then $6
    else c.cooldown_until_ms end
from counting c where u.key_id = c.key_id`;

const SUCCEED = `
with held as materialized (
  select u.key_id from key_usage u where u.key_id = any ($1) order by u.key_id for no key update
)
update key_usage u set rejections = '{}' from held h
where u.key_id = h.key_id and u.rejections <> '{}'`;

interface AdmitRow {
  readonly key_id: string;
  readonly window_start_ms: string;
  readonly reads: number;
  readonly cooldown_until_ms: string | null;
  readonly rejections: number;
  readonly nonces: readonly string[] | null;
  readonly active: boolean;
  readonly status: string | null;
  readonly version: string | null;
}

const STATUSES: readonly AccountStatus[] = ["provisioning", "active", "eliminated", "closed"];

/** Admission, and what the failure guard remembers, in the database. @rule S5.R2 S8.read S8.guard D2.race */
export function admissionStore(database: Database): AdmissionStore {
  return {
    async admit(requests, { now, windowStartMs }) {
      const last = lastAddresses(requests);
      const rows = await database.query<AdmitRow>(ADMIT, [
        [...last.keys()],
        [...last.values()],
        requests.map((request) => request.keyId),
        requests.map((request) => request.nonce),
        requests.map((request) => request.counted),
        windowStartMs,
        now,
        requests.map((request) => request.isWrite),
      ]);
      return new Map(rows.map((row) => [row.key_id, keyAdmission(row)]));
    },
    async reject(rejections, moment) {
      const summed = sums(rejections);
      await database.query(REJECT, [
        [...summed.keys()],
        [...summed.values()],
        moment.now,
        moment.sinceMs,
        moment.most,
        moment.cooldownUntilMs,
      ]);
    },
    async succeed(keyIds) {
      await database.query(SUCCEED, [[...new Set(keyIds)]]);
    },
  };
}

function lastAddresses(requests: readonly AdmissionRequest[]): ReadonlyMap<string, string> {
  return new Map(requests.map(({ keyId, address }) => [keyId, address]));
}

function sums(rejections: readonly Rejections[]): ReadonlyMap<string, number> {
  const summed = new Map<string, number>();
  for (const { keyId, count } of rejections) summed.set(keyId, (summed.get(keyId) ?? 0) + count);
  return summed;
}

function keyAdmission(row: AdmitRow): KeyAdmission {
  return {
    active: row.active,
    freshNonces: new Set(row.nonces ?? []),
    reads: row.reads,
    windowStartMs: Number(row.window_start_ms),
    cooldownUntilMs: row.cooldown_until_ms === null ? null : Number(row.cooldown_until_ms),
    rejections: row.rejections,
    account: account(row),
  };
}

function account({ status, version }: AdmitRow): KeyAdmission["account"] {
  if (status === null || version === null) return null;
  const known = STATUSES.find((one) => one === status);
  assert(known !== undefined, `an account status, not ${status}`);
  return { status: known, version: Number(version) };
}
