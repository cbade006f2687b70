import type { AccountId } from "@propgate/core";
import type { Database, Queryable } from "../../../ledger/src/storage/databases/database.ts";
import { type Harness, type HarnessOptions, openHarness } from "./harness.ts";
import { lengthenHistory } from "./long-history.ts";
import { openNewTestDatabase } from "./open-test-database.ts";
import type { Signer } from "./signed-request.ts";

/** A LIMIT that rests far below the price. */
export const LIMIT_TRADE = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.01,
  limit_price: 40_000,
};
export const BUY_TRADE = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.01,
  stop_loss: 30_000,
};

/** The work of all requests so far, as counts of rows and statements. */
export interface DatabaseWork {
  /** Rows of tables and indexes that the database has read. */
  readonly read: number;
  /** Rows that the service has received from the database, to make its answers of them. */
  readonly received: number;
  readonly statements: number;
}

/** A database that counts its work. */
function countWork(real: Database): {
  readonly database: Database;
  readonly work: () => Promise<DatabaseWork>;
} {
  const count = { received: 0, statements: 0 };
  const on = (queryable: Queryable): Queryable => ({
    async query(text, parameters) {
      const rows = await queryable.query<never>(text, parameters);
      count.statements += 1;
      count.received += rows.length;
      return rows;
    },
  });
  return {
    database: {
      ...real,
      ...on(real),
      transaction: (work, limits) => real.transaction((one) => work(on(one)), limits),
    },
    work: async () => {
      await real.query("select pg_stat_force_next_flush()", []);
      const [row] = await real.query<{ readonly read: number }>(READ, []);
      return { ...count, read: row?.read ?? 0 };
    },
  };
}

const READ = `
select ((select sum(seq_tup_read) from pg_stat_user_tables)
  + (select sum(idx_tup_read) from pg_stat_user_indexes))::float8 as read`;

/** A service with an account that has a long history. */
export interface LongHistoryService<Service extends Harness = Harness> {
  readonly service: Service;
  readonly accountId: AccountId;
  readonly signer: Signer;
  readonly work: () => Promise<DatabaseWork>;
  readonly lines: number;
  /**
   * The ids of two orders. `edited` has a sixth of all journal lines; in a long history these are more than fit into
   * one answer. `cancelled` was cancelled without an edit.
   */
  readonly edited: string;
  readonly cancelled: string;
  /** The id of a trade from the middle of the history. */
  readonly trade: string;
}

/** A service with an account whose history was lengthened before the service started. */
export function openLongHistoryService(size: number): Promise<LongHistoryService> {
  return openLongHistoryServiceWith(size, openHarness);
}

/** Does the same as `openLongHistoryService`, with a service that `open` opens. */
export async function openLongHistoryServiceWith<Service extends Harness>(
  size: number,
  open: (options: HarnessOptions) => Promise<Service>,
): Promise<LongHistoryService<Service>> {
  const { database, work } = countWork(await openNewTestDatabase());
  const before = await openHarness({ database: { ...database, close: async () => undefined } });
  await before.quote("BTCUSD", 50_000, 50_000);
  const place = async (trade: object, nonce: string): Promise<string> => {
    const reply = await before.order(trade, { nonce });
    if (reply.status !== 200) throw new Error(reply.text);
    return (reply.json() as { data: { order_uuid: string } }).data.order_uuid;
  };
  const edited = await place(LIMIT_TRADE, "limit");
  for (const limit_price of [40_001, 40_002]) {
    const edit = { ...LIMIT_TRADE, execution_type: "LIMIT_EDIT", order_uuid: edited, limit_price };
    await place(edit, `edit to ${limit_price}`);
  }
  await place(BUY_TRADE, "buy");
  await place({ execution_type: "FLAT_ALL" }, "flat");
  const cancelled = await place(LIMIT_TRADE, "second limit");
  await place({ execution_type: "LIMIT_CANCEL", order_uuid: cancelled }, "cancel");
  const { accountId, signer } = before;
  await before.close();
  const lines = await lengthenHistory(database, accountId, size);
  const [middle] = await database.query<{ readonly trade_id: string }>(
    `select trade_id from trades where account_id = $1
     order by seq limit 1 offset (select count(*) / 2 from trades)`,
    [accountId],
  );
  // The ids of orders and keys come from the seed, so the second service has another seed.
  const service = await open({ database, seed: "of the second service" });
  await service.quote("BTCUSD", 50_000, 50_000);
  await service.quote("EURUSD", 1.1, 1.1);
  // The first GET fills of the account indexes its orders. It is made here, so that no measured request does this work.
  await service.get("fills", { signer, nonce: "the first" });
  await database.query("analyze");
  // A real service has many accounts, so its tables are never read whole.
  await database.query("set enable_seqscan = off");
  const trade = middle?.trade_id ?? "";
  return { service, accountId, signer, work, lines, edited, cancelled, trade };
}
