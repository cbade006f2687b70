import { accountId } from "@propgate/core";
import { openDatabase } from "../../../ledger/src/storage/databases/open-database.ts";
import { createCountingNetwork } from "./counting-network.ts";

/**
 * A process that adds to an account's count as fast as possible, until it is killed. It prints the version of each
 * answer: `counting-worker.ts DATA_DIR ACCOUNT_ID`.
 */
const [dataDir, account] = process.argv.slice(2);
if (dataDir === undefined || account === undefined) throw new Error("DATA_DIR and ACCOUNT_ID");
const database = await openDatabase({ databaseUrl: null, dataDir });
const network = createCountingNetwork(database);
const id = accountId(account);
const count = async (): Promise<never> => {
  for (;;) {
    const execution = await network.count(id);
    if (execution.ok) process.stdout.write(`${execution.account.version}\n`);
  }
};
await Promise.all([count(), count(), count(), count()]);
