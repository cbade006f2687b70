import { fullTextSql } from "../../journal/line-text.ts";
import type { Migration } from "../migrate.ts";

/**
 * Why: a nonce of an order kept its row of 164 to 239 bytes for ever, because the order's receipt read the time of
 * its admission there. The receipt now has that time. A line of the journal repeated the names of its fields; new
 * lines have them as short codes. Can older code still run: no. It cannot read the lines that this release writes,
 * and it shows a receipt whose nonce is merged as unseen; upgrade all nodes. Locks: none, because only functions
 * change.
 *
 * `journal_text` returns the JSON of the journal's columns `event` and `inputs`, for people and for checks. The
 * service does the same itself.
 *
 * `merge_nonces` looks at the nonces of one key after the other: the limit inside keeps the planner from reading the
 * nonces of all keys, which took seconds with a million of them. So did the compilation of its plan.
 *
 * `merge_nonces` also merges nonces of orders, a day later than those of reads, so that a backup that is being
 * taken has the receipt or the nonce. An order without a receipt keeps its row, from which its receipt is answered:
 * it was sent while its key was paused, or it was never decided. Receipts of earlier releases get the time of
 * admission when their nonce is merged.
 */
export const SHORTER_ROWS: Migration = {
  number: 26,
  name: "shorter-rows",
  sql: `
create function journal_text(stored text) returns text
language sql immutable strict parallel safe
return ${fullTextSql("stored")};

create or replace function merge_nonces(merged_keys text[], before_ms bigint, limit_rows integer) returns integer
language plpgsql security definer
set search_path = public, pg_temp set jit = off
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  moved integer;
begin
  perform from key_usage u where u.key_id = any (merged_keys) order by u.key_id for no key update;
  with old as (
    select n.*
    from unnest(merged_keys) as k (key_id) cross join lateral (
      select n.key_id, n.nonce, n.used_at_ms, n.is_write from nonces n
      where n.key_id = k.key_id
        and case when n.is_write then n.used_at_ms < before_ms - 86400000 and not n.was_paused
            and (select true from receipts r where r.key_id = n.key_id and r.nonce = n.nonce)
          else n.used_at_ms < before_ms end
      limit limit_rows
    ) n
    limit limit_rows
  ), dated as (
    update receipts r set received_at_ms = o.used_at_ms from old o
    where o.is_write and r.key_id = o.key_id and r.nonce = o.nonce and r.received_at_ms is null
  ), deleted as (
    delete from nonces n using old o where n.key_id = o.key_id and n.nonce = o.nonce
    returning n.key_id, nonce_hash(n.nonce) as hash
  ), placed as materialized (
    select d.key_id, d.hash, coalesce(
      (select b.first from nonce_blocks b where b.key_id = d.key_id and b.first <= d.hash
        order by b.first desc limit 1),
      '00000000-0000-0000-0000-000000000000') as first
    from deleted d
  ), joined as (
    select key_id, first, hash from placed
    union
    select b.key_id, b.first, h.hash
    from (select distinct key_id, first from placed) p
      join nonce_blocks b using (key_id, first) cross join unnest(b.hashes) as h (hash)
  ), numbered as (
    select j.*, row_number() over (partition by key_id, first order by hash) - 1 as place,
      count(*) over (partition by key_id, first) as total
    from joined j
  ), pieces as (
    select n.*, case when total <= 64 then 0 else place * ((total + 47) / 48) / total end as piece
    from numbered n
  ), written as (
    insert into nonce_blocks as b (key_id, first, hashes)
    select key_id, case when piece = 0 then first else hashes[1] end, hashes
    from (select key_id, first, piece, array_agg(hash order by hash) as hashes
      from pieces group by key_id, first, piece) as p
    on conflict (key_id, first) do update set hashes = excluded.hashes
  ), counted as (
    update key_usage u set nonce_merges = u.nonce_merges + 1
    where u.key_id in (select key_id from deleted)
  )
  select count(*)::integer into moved from deleted;
  return moved;
end
$$;
`,
};
