/**
 * API keys, their use, and the fates of the requests that they signed.
 *
 * `nonces` has the nonces of the present UTC day. The nonces of writes, which are orders and calls of the dead man's
 * switch, stay there a day longer. Older ones are merged into `nonce_blocks`: 16 bytes of each nonce's SHA-256, sorted,
 * 64 at most in a row. A block contains the hashes of its key from its `first` up to the next block's `first`. `first`
 * is a lower bound that never changes, and the first block of each key begins at zero. So the block of a hash is the
 * last one whose `first` is not above the hash, and one index lookup finds it.
 *
 * `merge_nonces` moves nonces that were used before `before_ms`, `limit_rows` at most, and returns how many. Nonces of
 * writes are moved a day later, so that a backup that is being taken has the receipt or the nonce. The function deletes
 * the rows that it has merged in the same transaction, so a nonce is always in exactly one of the two tables. The nonce
 * of a write stays in `nonces` while the write has no receipt, and for ever if `was_paused` is true, because the fate
 * of the order is read from this row. `was_paused` is true for an order that its key sent during its cooldown. The
 * function locks the keys' usage rows and counts the merge there, so admission finds out that its own snapshot is older
 * than the merge. It reads the nonces of one key after the other: without the inner limit the planner would read the
 * nonces of all keys, which takes seconds with a million of them. Just-in-time compilation of the plan would take as
 * long, so it is off. The function runs with its owner's rights, so the service's role can merge nonces and cannot
 * delete any.
 *
 * A receipt never changes: the first row of a nonce is the order's fate. The answer to an accepted order is rendered
 * again from `rest` and the `lines` journal lines from `first_seq` on. Orders of linked accounts have `result` instead,
 * the JSON of `data` in the answer.
 */
export const KEYS = `
create table keys (
  key_id text collate "C" primary key,
  account_id uuid not null,
  scopes text[] not null,
  label text not null default '',
  addresses text[] not null default '{}',
  sealed_secret bytea not null,
  created_at_ms bigint not null,
  expires_at_ms bigint,
  revoked_at_ms bigint,
  paused_at_ms bigint
);
create index keys_account on keys (account_id);

-- The newest number signs, and alone has its private half.
create table evidence_keys (
  number integer primary key,
  key_id text collate "C" not null unique,
  public_key bytea not null,
  sealed_private bytea,
  from_ms bigint not null,
  until_ms bigint,
  check ((sealed_private is null) = (until_ms is not null))
);
create unique index evidence_keys_in_use on evidence_keys ((true)) where until_ms is null;

-- Above an hourly maximum of refused requests, only the newest timestamp of them is stored.
create table key_usage (
  key_id text collate "C" primary key,
  window_start_ms bigint not null default 0,
  reads integer not null default 0,
  rejections bigint[] not null default '{}',
  cooldown_until_ms bigint,
  last_used_at_ms bigint,
  last_used_from text,
  receipts integer not null default 0,
  refused_hour_ms bigint not null default 0,
  refused integer not null default 0,
  unstored_read_ms bigint,
  unstored_write_ms bigint,
  nonce_merges integer not null default 0
) with (fillfactor = 50);

create table nonces (
  key_id text collate "C" not null,
  nonce text collate "C" not null,
  used_at_ms bigint not null,
  is_write boolean not null default false,
  was_paused boolean not null default false,
  primary key (key_id, nonce)
) partition by hash (key_id);
${noncePartitions(16)}

create table nonce_blocks (
  key_id text collate "C" not null,
  first uuid not null,
  hashes uuid[] not null,
  primary key (key_id, first)
);
alter table nonce_blocks alter column hashes set storage plain;

create table receipts (
  key_id text collate "C" not null,
  nonce text collate "C" not null,
  decided_at_ms bigint not null,
  status smallint not null,
  result text,
  error text,
  refusal_code text,
  received_at_ms bigint,
  first_seq bigint,
  account_id uuid,
  lines integer,
  rest text check (rest like '[1,%' or rest = 'null'),
  primary key (key_id, nonce),
  constraint receipts_check check (
    (status = 200) = (error is null)
    and num_nulls(account_id, first_seq, lines, rest) in (0, 4)
    and num_nonnulls(result, rest) = case status when 200 then 1 else 0 end)
);

create function nonce_hash(nonce text) returns uuid
language sql immutable strict parallel safe
return encode(substr(sha256(convert_to(nonce, 'UTF8')), 1, 16), 'hex')::uuid;
create function merge_nonces(merged_keys text[], before_ms bigint, limit_rows integer) returns integer
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
`;

function noncePartitions(count: number): string {
  return Array.from(
    { length: count },
    (_, index) =>
      `create table nonces_${index} partition of nonces for values with (modulus ${count}, remainder ${index});`,
  ).join("\n");
}
