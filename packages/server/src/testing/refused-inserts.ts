import type { Database } from "@propgate/ledger";

/** A fault of the database from now on: it takes no new row of the table. */
export async function refuseInserts(database: Database, table: string): Promise<void> {
  await database.query(
    `create function refuse() returns trigger language plpgsql as $$
       begin raise exception 'no row today'; end $$`,
    [],
  );
  await database.query(
    `create trigger refuse before insert on ${table} for each row execute function refuse()`,
    [],
  );
}
