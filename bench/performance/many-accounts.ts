import { type DatabaseMeter, openDatabaseMeter } from "./database-meter.ts";

const TABLES = `select string_agg(c.relname, ' ' order by c.relname = 'accounts' desc, c.relname) from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
  where c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('keys', 'linked_accounts')
    and c.relnamespace = current_schema()::regnamespace`;

/**
 * Copies the accounts of a database until there are `total`; each is copied about equally often. A copy has the rows of
 * its original in all tables except `keys` and `linked_accounts`, under an id of its own. The journal of a copy cannot
 * be verified, because its hashes are those of the original.
 */
export async function copyAccounts(databaseUrl: string, total: number): Promise<void> {
  const meter = await openDatabaseMeter(databaseUrl);
  try {
    const there = await meter.count("select count(*) from accounts");
    if (total > there) await copyRows(meter, total - there);
    await meter.run("vacuum analyze");
  } finally {
    await meter.close();
  }
}

async function copyRows(meter: DatabaseMeter, copies: number): Promise<void> {
  await meter.run(`create temporary table copies as
    select one.account_id::text as former, gen_random_uuid()::text as copied
    from (select account_id, row_number() over () - 1 as place, count(*) over () as there from accounts) one
    join generate_series(0, ${copies - 1}) copy on copy % one.there = one.place`);
  for (const name of (await meter.text(TABLES)).split(" ")) {
    // `overriding user value` gives new numbers to columns that the database numbers.
    await meter.run(`insert into ${name} overriding user value select made.* from ${name} source
      join copies on copies.former = source.account_id::text,
      lateral jsonb_populate_record(null::${name}, replace(
        to_jsonb(source)::text, copies.former, copies.copied)::jsonb) made
      on conflict do nothing`);
  }
}
