import { openDatabase } from "../../../ledger/src/storage/databases/open-database.ts";
import { createDueWork } from "../../../ledger/src/trading/due-work.ts";
import { createCountingNetwork, NO_MARKET, TEST_MIDNIGHT } from "./counting-network.ts";

/**
 * A process that ends the first day of all accounts, and prints the number of accounts whose day is committed. It kills
 * itself once there are 300: `due-worker.ts DATA_DIR`.
 */
const MANY = 300;
const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error("DATA_DIR");
const database = await openDatabase({ databaseUrl: null, dataDir });
const network = createCountingNetwork(database);
network.now = TEST_MIDNIGHT;
let ended = 0;
network.executor.onCommit((accounts) => {
  ended += accounts.length;
  process.stdout.write(`${ended}\n`);
  if (ended >= MANY) process.kill(process.pid, "SIGKILL");
});
const due = createDueWork({
  database,
  executor: network.executor,
  clock: { now: () => network.now },
  market: NO_MARKET,
  onFault: (cause) => {
    throw cause;
  },
});
await due.runDue();
