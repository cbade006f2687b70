import type { Database } from "@propgate/ledger";

/** Makes the database reject every new row of the table from this call on. */
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
