import type { Migration } from "../migrate.ts";

/**
 * Why: a nonce took 222 to 239 bytes for ever, and each insert touched a random page of an index that only
 * grew. Can older code still run: yes, but it accepts a nonce that a newer node has merged; upgrade all nodes.
 * Locks: `key_usage`, for a moment: the column has a constant default, so no row is rewritten.
 *
 * `nonces` keeps the nonces of the last two days. Older ones are merged into `nonce_blocks`: 16 bytes of each
 * nonce's SHA-256, sorted, 64 at most in a row. A block contains the hashes of its key from its `first` up to
 * the next block's `first`. `first` is a lower bound that never changes, and the first block of each key
 * begins at zero, so the block of a hash is the newest one at or before it: one look into one index.
 *
 * `merge_nonces` moves nonces that were used before `before_ms`, `limit_rows` at most, and returns how many. It
 * deletes the rows that it has merged, in the same transaction: at each moment, a nonce is in exactly one of
 * the two tables. It locks the keys' usage rows and counts the merge there, so admission finds out that its own
 * snapshot is older than the merge. It may not scan the tables of all keys. It runs with the owner's rights, so the service's role can merge nonces and
 * cannot delete any.
 */
export const NONCE_BLOCKS: Migration = {
  number: 24,
  name: "nonce-blocks",
  sql: `
create table nonce_blocks (
  key_id text collate "C" not null,
  first uuid not null,
  hashes uuid[] not null,
  primary key (key_id, first)
);
alter table nonce_blocks alter column hashes set storage plain;

alter table key_usage add column nonce_merges integer not null default 0;

create function nonce_hash(nonce text) returns uuid
language sql immutable strict parallel safe
return encode(substr(sha256(convert_to(nonce, 'UTF8')), 1, 16), 'hex')::uuid;

create function merge_nonces(merged_keys text[], before_ms bigint, limit_rows integer) returns integer
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  moved integer;
begin
  perform from key_usage u where u.key_id = any (merged_keys) order by u.key_id for no key update;
  with old as (
    select n.key_id, n.nonce from unnest(merged_keys) as k (key_id) join nonces n using (key_id)
    where n.used_at_ms < before_ms and not n.is_write
    limit limit_rows
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
revoke execute on function merge_nonces from public;
`,
};
