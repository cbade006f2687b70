import { accountId } from "@propgate/core";
import { openDatabase } from "../../../ledger/src/storage/databases/open-database.ts";
import { createCountingNetwork, keyedCountSubmission, storeNonce } from "./counting-network.ts";

/**
 * A process that accepts an order and kills itself: when the order is `decided`, before the commit, or when
 * it is `committed`, before the answer.
 * `receipt-worker.ts DATA_DIR ACCOUNT_ID NONCE decided|committed`
 */
const [dataDir, account, nonce, when] = process.argv.slice(2);
if (dataDir === undefined || account === undefined || nonce === undefined)
  throw new Error("DATA_DIR, ACCOUNT_ID and NONCE");
const database = await openDatabase({ databaseUrl: null, dataDir });
const killed = (): void => {
  process.kill(process.pid, "SIGKILL");
};
const network = createCountingNetwork(database, when === "decided" ? { onOrder: killed } : {});
await storeNonce(database, nonce);
if (when === "committed") network.executor.onCommit(killed);
await network.executor.submit(keyedCountSubmission(accountId(account), nonce));
