import { LIMITS } from "@propgate/contract";
import type { AccountStatus } from "@propgate/core";
import { alertsFrom, type Database, type NetworkName } from "@propgate/ledger";
import type {
  AdmissionMoment,
  AdmissionRequest,
  AdmissionStore,
  KeyAdmission,
  KeyRejections,
} from "./admission-port.ts";
import { cooldownCondition } from "./guard-cooldown.ts";

const HOUR_MS = 3_600_000;

/**
 * True when the counts of the stored minute apply: it is the minute of the request, or the next one by the clock of
 * another node. A later minute comes from a clock that was wrong. If its counts applied, the key's reads would be
 * refused until that minute is over.
 * @rule D12.oneClock
 */
const COUNTS = `h.window_start_ms between $6 and $6 + ${LIMITS.readWindowMs}`;
/**
 * True when the stored count of refused requests applies: its hour is that of the request, or the next one. A later
 * hour comes from a clock that was wrong, as in `COUNTS`.
 */
const COUNTS_REFUSED = `h.refused_hour_ms between $11 and $11 + ${HOUR_MS}`;

/**
 * Admits a batch of requests in one round trip: stores the nonces that are new, counts the reads of the clock minute
 * and the reads of receipts, and stores each key's last use. Of identical requests only the one whose nonce is inserted
 * is admitted.
 *
 * The usage rows are locked first and in key order, so two nodes with overlapping batches queue up and cannot deadlock.
 * Nonces cannot deadlock either, because a nonce is inserted only under its key's lock. A node that waited sees the
 * other's nonces as conflicts, and its `update` continues from the committed row.
 *
 * A nonce is in `nonces` or, when it is older, as a hash in `nonce_blocks`. A merge moves it in one transaction that
 * locks the key's usage row and counts itself there. This statement's snapshot can be older than the lock. Then a merge
 * in between has deleted a nonce, so the insert does not conflict with it, and has written a block that the snapshot
 * does not show. The locked row then counts more merges than the row of the snapshot, `s`. No row of such a key is
 * stored, and its requests are admitted again by a statement with a newer snapshot. Without a merge in between, every
 * committed nonce is a row that the unique index finds at any snapshot, or in a block that this snapshot shows.
 *
 * A request of a revoked or paused key stores no row, because its check comes before the nonce's.
 *
 * Above the maximum of refused requests no nonce is stored. Such a request must not be accepted later, so the newest
 * timestamp of these requests is stored, and no request up to it is accepted.
 * @rule S8.read @rule S5.R2 D2.race D8.lastUse decides
 */
const ADMIT = `
with held as materialized (
  select u.*, k.account_id, k.revoked_at_ms is null and k.paused_at_ms is null as is_active
  from key_usage u join keys k using (key_id)
  where u.key_id = any ($1) order by u.key_id for no key update of u
), requests as materialized (
  select * from unnest($3::text[], $4::text[], $5::text[], $8::boolean[], $9::bigint[], $10::boolean[], $15::boolean[])
    as a (key_id, nonce, budget, is_write, at_ms, has_scope, is_placement)
), judged as materialized (
  select a.*,
    a.has_scope and a.is_placement and ${cooldownCondition("h", "$7")} as is_paused,
    (not a.has_scope
      or a.is_placement and ${cooldownCondition("h", "$7")}
      or ${COUNTS} and (a.budget = 'reads' and h.reads >= $12
        or a.budget = 'receipts' and h.receipts >= $13)) is true as is_refused,
    ${COUNTS_REFUSED} and h.refused >= $14 as is_full,
    (a.at_ms <= case when a.is_write then h.unstored_write_ms else h.unstored_read_ms end) is true
      as is_behind,
    h.nonce_merges <> s.nonce_merges as is_stale,
    (select nonce_hash(a.nonce) = any (b.hashes) from nonce_blocks b
      where b.key_id = a.key_id and b.first <= nonce_hash(a.nonce)
      order by b.first desc limit 1) is true as is_merged
  from requests a join held h using (key_id) join key_usage s using (key_id)
  where h.is_active
), unseen as materialized (
  select * from judged where not is_stale and not is_merged
), fresh as (
  insert into nonces (key_id, nonce, used_at_ms, is_write, was_paused)
  select j.key_id, j.nonce, $7, j.is_write, j.is_paused from unseen j
  where not j.is_behind and not (j.is_refused and j.is_full)
  on conflict do nothing
  returning key_id, nonce
), unstored as materialized (
  select j.* from unseen j
  where (j.is_behind or j.is_refused and j.is_full)
    and not exists (select from nonces n where n.key_id = j.key_id and n.nonce = j.nonce)
), counted as (
  select j.key_id, bool_or(j.is_stale) as is_stale, count(f.nonce) filter (where j.budget = 'reads')::int as reads,
    count(f.nonce) filter (where j.budget = 'receipts')::int as receipts,
    count(*) filter (where j.is_refused and (f.nonce is not null or u.nonce is not null))::int as refused,
    array_agg(f.nonce) filter (where f.nonce is not null) as nonces,
    array_agg(u.nonce) filter (where u.nonce is not null) as unstored,
    max(u.at_ms) filter (where not u.is_write) as unstored_read_ms,
    max(u.at_ms) filter (where u.is_write) as unstored_write_ms
  from judged j left join fresh f using (key_id, nonce) left join unstored u using (key_id, nonce)
  group by j.key_id
), used as (
  update key_usage u set
    window_start_ms = case when ${COUNTS} then h.window_start_ms else $6 end,
    reads = case when ${COUNTS} then h.reads else 0 end + c.reads,
    receipts = case when ${COUNTS} then h.receipts else 0 end + c.receipts,
    refused_hour_ms = case when ${COUNTS_REFUSED} then h.refused_hour_ms else $11 end,
    refused = case when ${COUNTS_REFUSED} then h.refused else 0 end + c.refused,
    unstored_read_ms = greatest(h.unstored_read_ms, c.unstored_read_ms),
    unstored_write_ms = greatest(h.unstored_write_ms, c.unstored_write_ms),
    last_used_at_ms = $7,
    last_used_from = a.address
  from held h join unnest($1::text[], $2::text[]) as a (key_id, address) using (key_id)
    join counted c using (key_id)
  where u.key_id = h.key_id
  returning u.key_id, h.account_id, u.window_start_ms, u.reads, u.receipts, u.unstored_read_ms, u.unstored_write_ms,
    case when ${cooldownCondition("u", "$7")} then u.cooldown_until_ms end as cooldown_until_ms,
    cardinality(u.rejections) as rejections, c.nonces, c.unstored, c.is_stale
)
select u.*, a.status, a.version, a.network, encode(substring(a.head_hash for 16), 'hex') as head_hash
from used u left join accounts a using (account_id)`;

/**
 * Adds rejected orders to the counts of their keys. The 30th of a key within ten minutes starts its cooldown, adds an
 * alert, and sets the key's count to zero. The time of each rejection is stored while it counts, so the window slides
 * exactly. @rule S8.guard decides
 */
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
), judged as (
  select c.*, cardinality(c.kept) >= $5 and not ${cooldownCondition("c", "$3")} as is_paused from counting c
), alerted as (${alertsFrom(
  "key.paused",
  `select k.key_id || ' ' || $6::bigint as cause, a.owner_id, k.account_id, $3::bigint as at_ms, json_build_object(
      'keyId', k.key_id, 'label', k.label, 'by', 'failure guard', 'untilMs', $6::bigint) as data
    from judged c join keys k using (key_id) join accounts a using (account_id) where c.is_paused`,
)})
update key_usage u set
  rejections = case when cardinality(c.kept) >= $5 then '{}' else c.kept end,
  cooldown_until_ms = case when c.is_paused then $6::bigint else c.cooldown_until_ms end
from judged c where u.key_id = c.key_id`;

/** Clears the counted rejections of keys after a success. A cooldown that has begun continues. @rule S7.R3 */
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
  readonly receipts: number;
  readonly cooldown_until_ms: string | null;
  readonly rejections: number;
  readonly nonces: readonly string[] | null;
  readonly unstored: readonly string[] | null;
  readonly unstored_read_ms: string | null;
  readonly unstored_write_ms: string | null;
  readonly is_stale: boolean;
  readonly status: AccountStatus | null;
  readonly version: string | null;
  readonly network: NetworkName | null;
  readonly head_hash: string | null;
}

/** Stores nonces, budgets and the failure guard's rejections. */
export function createAdmissionStore(database: Database): AdmissionStore {
  return {
    async admit(requests, moment) {
      const admitted = new Map<string, KeyAdmission>();
      for (let left = requests; left.length > 0; ) {
        const rows = await admitOnce(database, left, moment);
        for (const row of rows) {
          if (!row.is_stale) admitted.set(row.key_id, keyAdmission(row));
        }
        const stale = new Set(rows.filter((row) => row.is_stale).map((row) => row.key_id));
        left = stale.size === 0 ? [] : left.filter(({ keyId }) => stale.has(keyId));
      }
      return admitted;
    },
    async reject(rejections, moment) {
      const summed = sumByKey(rejections);
      await database.query(REJECT, [
        [...summed.keys()],
        [...summed.values()],
        moment.now,
        moment.sinceMs,
        moment.rejectionsMax,
        moment.cooldownUntilMs,
      ]);
    },
    async succeed(keyIds) {
      await database.query(SUCCEED, [[...new Set(keyIds)]]);
    },
  };
}

function admitOnce(
  database: Database,
  requests: readonly AdmissionRequest[],
  { now, windowStartMs, refused }: AdmissionMoment,
): Promise<readonly AdmitRow[]> {
  const last = lastAddresses(requests);
  return database.query<AdmitRow>(ADMIT, [
    [...last.keys()],
    [...last.values()],
    requests.map((request) => request.keyId),
    requests.map((request) => request.nonce),
    requests.map((request) => request.budget),
    windowStartMs,
    now,
    requests.map((request) => request.isWrite),
    requests.map((request) => request.signedAtMs),
    requests.map((request) => request.hasScope),
    refused.hourStartMs,
    LIMITS.readBudgetPerWindow,
    LIMITS.receiptBudgetPerWindow,
    refused.storedMax,
    requests.map((request) => request.isPlacement),
  ]);
}

function lastAddresses(requests: readonly AdmissionRequest[]): ReadonlyMap<string, string> {
  return new Map(requests.map(({ keyId, address }) => [keyId, address]));
}

function sumByKey(rejections: readonly KeyRejections[]): ReadonlyMap<string, number> {
  const summed = new Map<string, number>();
  for (const { keyId, count } of rejections) summed.set(keyId, (summed.get(keyId) ?? 0) + count);
  return summed;
}

function keyAdmission(row: AdmitRow): KeyAdmission {
  return {
    freshNonces: new Set(row.nonces ?? []),
    unstoredNonces: new Set(row.unstored ?? []),
    unstoredReadMs: row.unstored_read_ms === null ? null : Number(row.unstored_read_ms),
    unstoredWriteMs: row.unstored_write_ms === null ? null : Number(row.unstored_write_ms),
    reads: row.reads,
    receipts: row.receipts,
    windowStartMs: Number(row.window_start_ms),
    cooldownUntilMs: row.cooldown_until_ms === null ? null : Number(row.cooldown_until_ms),
    rejections: row.rejections,
    account: admittedAccountOf(row),
  };
}

function admittedAccountOf({
  status,
  version,
  network,
  head_hash: headHash,
}: AdmitRow): KeyAdmission["account"] {
  if (status === null || version === null || network === null) return null;
  return {
    status,
    version: Number(version),
    network,
    headHash,
  };
}
