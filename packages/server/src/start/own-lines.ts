import { CannotStart } from "@propgate/base";
import {
  ADOPT_FOREIGN_LINES_SQL,
  type Database,
  hasForeignLines,
  type PerShard,
} from "@propgate/ledger";

/**
 * The events of all accounts are read in the order of their transaction ids. A database that `pg_dump` copied has the
 * ids of another server. While those ids are greater than this server's own, a new line would come before older ones,
 * and a reader that is already past them would miss it. Only a check at the start can detect this, because later this
 * server's ids reach the copied ones.
 * @throws CannotStart with the statement that repairs the copy
 * @rule D9.firehoseCopy decides
 */
export async function checkOwnLines(databases: PerShard<Database>): Promise<void> {
  for (const [number, database] of databases.entries()) {
    if (!(await hasForeignLines(database))) continue;
    const which = databases.length === 1 ? "the database" : `database ${number}`;
    throw new CannotStart(
      `The journal of ${which} was copied from another PostgreSQL server, whose transactions are ahead of this one's`,
      { fix: `As the owner of its tables run \`${ADOPT_FOREIGN_LINES_SQL}\`, then start again.` },
    );
  }
}
