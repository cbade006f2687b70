import { accountId, orderUuid, unixMs } from "@propgate/core";
import { openDatabase } from "../../../ledger/src/storage/databases/open-database.ts";
import { createUpstreamOrderStore } from "../../../ledger/src/storage/stores/network/upstream-order-store.ts";
import { storeNonce, TEST_KEY, TEST_NOON } from "./counting-network.ts";

/**
 * A process that begins an order to a validator and kills itself before the order's end.
 * `upstream-worker.ts DATA_DIR ACCOUNT_ID NONCE ORDER_UUID`
 */
const [dataDir, account, nonce, order] = process.argv.slice(2);
if (dataDir === undefined || account === undefined || nonce === undefined || order === undefined)
  throw new Error("DATA_DIR, ACCOUNT_ID, NONCE and ORDER_UUID");
const database = await openDatabase({ databaseUrl: null, dataDir });
await storeNonce(database, nonce);
await createUpstreamOrderStore(database).begin(
  {
    orderUuid: orderUuid(order),
    accountId: accountId(account),
    request: { keyId: TEST_KEY, nonce },
    executionType: "LIMIT_CANCEL",
    tradePair: null,
    command: "{}",
    createdAtMs: TEST_NOON,
  },
  { holder: "killed", forMs: 0, sentUntilMs: unixMs(TEST_NOON + 60_000) },
);
process.kill(process.pid, "SIGKILL");
