import { accountId } from "@propgate/core";
import { expect, test } from "vitest";
import { ADOPT_FOREIGN_LINES_SQL } from "../../../ledger/src/storage/journal/foreign-lines.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { addBareAccount, addBareLines } from "../testing/raw-journal.ts";
import { checkOwnLines } from "./own-lines.ts";

const ACCOUNT = accountId("5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11");
const ENDED = '{"type":"dayEnded"}';

await describeOnEachDatabase("the lines of a copy", (database) => {
  test("a journal that pg_dump copied from a server with more transactions is refused with the statement that repairs it [D9.firehoseCopy]", async () => {
    await checkOwnLines([database()]);
    await addBareAccount(database(), ACCOUNT, "owner");
    await addBareLines(database(), ACCOUNT, { version: 0, events: [ENDED, ENDED, ENDED] });
    // In the copy, one line has a transaction id from this server's past, and two have ids that this server has not
    // reached.
    await database().query(
      "update journal set transaction_id = (9000000000000000000 + seq)::text::xid8 where account_id = $1 and seq > 1",
      [ACCOUNT],
    );
    await expect(checkOwnLines([database()])).rejects.toMatchObject({
      name: "CannotStart",
      message:
        "The journal of the database was copied from another PostgreSQL server, whose transactions are ahead of this one's",
      fix: `As the owner of its tables run \`${ADOPT_FOREIGN_LINES_SQL}\`, then start again.`,
    });
    await database().query(ADOPT_FOREIGN_LINES_SQL, []);
    await checkOwnLines([database()]);
    await addBareLines(database(), ACCOUNT, { version: 3, events: [ENDED] });
    const rows = await database().query<{ readonly seq: number }>(
      "select seq::int from journal where account_id = $1 order by transaction_id, seq",
      [ACCOUNT],
    );
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });
});
