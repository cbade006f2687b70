import {
  orderPath,
  receiptPath,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
} from "@propgate/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deepened } from "../../../../test/environment/depth.ts";
import type { Database, Queryable } from "../storage/databases/database.ts";
import { type Harness, openHarness } from "../testing/harness.ts";
import { lengthenHistory } from "../testing/long-history.ts";
import { openNewTestDatabase } from "../testing/open-test-database.ts";
import type { Reply, Signer } from "../testing/signed-request.ts";

/** Lines of the journal; 100,000 at depth 1. */
const SIZES = [10, 1_000, deepened(100_000, 4_000)];

/** The most that an answer costs: so many rows, and one more for each of these bytes of the answer. */
const ROWS = 90;
const BYTES_PER_ROW = { got: 500, read: 250 };
const STATEMENTS = 6;
/** A request for few types looks at 5,000 lines, 500 a statement; the client continues at `next`. */
const SCANNED: Partial<Work> = { read: 5_000, got: 5_000, statements: 10 };

const LIMIT = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.01,
  limit_price: 40_000,
};
const BUY = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.01,
  stop_loss: 30_000,
};

interface Work {
  /** Rows of tables and indexes that the database has read. */
  readonly read: number;
  /** Rows that the service has got, and renders. */
  readonly got: number;
  readonly statements: number;
}

/** A database that counts what it does. */
function counting(real: Database): {
  readonly database: Database;
  readonly work: () => Promise<Work>;
} {
  const count = { got: 0, statements: 0 };
  const on = (queryable: Queryable): Queryable => ({
    async query(text, parameters) {
      const rows = await queryable.query<never>(text, parameters);
      count.statements += 1;
      count.got += rows.length;
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

interface LongLife {
  readonly service: Harness;
  readonly signer: Signer;
  readonly work: () => Promise<Work>;
  readonly lines: number;
  /** An order with a tenth of the lines, and one that was only placed and cancelled. */
  readonly edited: string;
  readonly cancelled: string;
  /** A trade from the middle of the history. */
  readonly trade: string;
}

/** A service with an account whose life was lengthened before the service has started. */
async function openLongLife(size: number): Promise<LongLife> {
  const { database, work } = counting(await openNewTestDatabase());
  const before = await openHarness({ database: { ...database, close: async () => undefined } });
  await before.quote("BTCUSD", 50_000, 50_000);
  const place = async (trade: object, nonce: string): Promise<string> => {
    const reply = await before.order(trade, { nonce });
    expect(reply.status, reply.text).toBe(200);
    return (reply.json() as { data: { order_uuid: string } }).data.order_uuid;
  };
  const edited = await place(LIMIT, "limit");
  const edit = { ...LIMIT, execution_type: "LIMIT_EDIT", order_uuid: edited, limit_price: 40_001 };
  await place(edit, "edit");
  await place(BUY, "buy");
  await place({ execution_type: "FLAT_ALL" }, "flat");
  const cancelled = await place(LIMIT, "second limit");
  await place({ execution_type: "LIMIT_CANCEL", order_uuid: cancelled }, "cancel");
  const { accountId, signer } = before;
  await before.close();
  const lines = await lengthenHistory(database, accountId, size);
  const [middle] = await database.query<{ readonly trade_id: string }>(
    `select trade_id from trades where account_id = $1
     order by seq limit 1 offset (select count(*) / 2 from trades)`,
    [accountId],
  );
  // Ids of orders and keys come from the seed.
  const service = await openHarness({ database, seed: "of the second service" });
  await service.quote("BTCUSD", 50_000, 50_000);
  await service.quote("EURUSD", 1.1, 1.1);
  // The first of these reads indexes the orders.
  await service.get("fills", { signer, nonce: "the first" });
  await database.query("analyze");
  // Accounts are many, so a service's tables are never read whole.
  await database.query("set enable_seqscan = off");
  return { service, signer, work, lines, edited, cancelled, trade: middle?.trade_id ?? "" };
}

interface Request {
  /** The endpoint's own unless given. */
  readonly path?: string;
  readonly query?: string;
  readonly body?: object;
  /** How much it may look at besides. */
  readonly scanned?: Partial<Work>;
}

/** Requests of every endpoint, with the parameters that may make it look far back. */
const REQUESTS: Readonly<Record<SignedEndpointName, (life: LongLife) => readonly Request[]>> = {
  getAccount: () => [{}],
  getPositions: () => [{}],
  getOrders: () => [{}],
  getTrades: ({ trade }) => [{}, { query: "?limit=5" }, { query: `?limit=5&after=${trade}` }],
  getPayouts: () => [{}, { query: "?limit=1" }],
  placeOrder: ({ edited }) => [
    { body: { trade: LIMIT } },
    { body: { trade: { ...LIMIT, execution_type: "LIMIT_EDIT", order_uuid: edited } } },
    { body: { trade: BUY } },
    { body: { trade: { execution_type: "FLAT_ALL" } } },
  ],
  getInstruments: () => [{}],
  getQuotes: () => [{}],
  getCandles: () => [{ query: "?tradePair=BTCUSD&interval=1m" }],
  getReceipt: () => [{ path: receiptPath("buy") }, { path: receiptPath("never used") }],
  getEvents: ({ lines }) => [
    { query: "?after=0&limit=5" },
    { query: `?after=${lines - 2}&limit=5&proof=1` },
    { query: "?after=0&limit=5&types=account.eliminated", scanned: SCANNED },
  ],
  getOrder: ({ edited, cancelled, lines }) => [
    { path: orderPath(edited) },
    { path: orderPath(edited), query: `?after=${lines - 5}` },
    { path: orderPath(cancelled) },
  ],
  getOrderHistory: pagesOfHistory,
  getFills: pagesOfHistory,
  previewOrder: () => [{ body: { trade: LIMIT } }],
  cancelAllAfter: () => [{ body: { seconds: 60 } }, { body: { seconds: 0 } }],
};

/** The newest, the first, those of a pair that was never traded, and those since a time near the end and after it. */
function pagesOfHistory({ service }: LongLife): readonly Request[] {
  const now = service.time.clock.now();
  const since = [now - 1_000, now + 1_000].map((ms) => `&since=${ms}`);
  return ["", "&after=0", "&tradePair=EURUSD", ...since].map((more) => ({
    query: `?limit=5${more}`,
  }));
}

/** Work is counted in rows and statements, not in time. */
describe.each(SIZES)("the work of a request with %i lines in the journal", (size) => {
  let life: LongLife;
  let nonces = 0;

  beforeAll(async () => {
    life = await openLongLife(size);
  });
  afterAll(() => life.service.close());

  const ask = (name: SignedEndpointName, { path, query = "", body }: Request): Promise<Reply> => {
    nonces += 1;
    const { method, path: own } = SIGNED_ENDPOINTS[name];
    return life.service.call((path ?? own) + query, {
      signer: life.signer,
      nonce: `asked-${nonces}`,
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };

  test.each(SIGNED_ENDPOINT_NAMES)(
    "of %s does not grow with the history, except by what it answers [D12.boundedWork]",
    async (name) => {
      for (const request of REQUESTS[name](life)) {
        // The first one may read what is kept from then on.
        await ask(name, request);
        const before = await life.work();
        const reply = await ask(name, request);
        const after = await life.work();
        const { read = 0, got = 0, statements = 0 } = request.scanned ?? {};
        const bytes = reply.text.length;
        const what = JSON.stringify(request);
        expect([reply.status, what]).toEqual([200, what]);
        expect(after.read - before.read, `rows read, ${what}`).toBeLessThan(
          ROWS + bytes / BYTES_PER_ROW.read + read,
        );
        expect(after.got - before.got, `rows got, ${what}`).toBeLessThan(
          ROWS + bytes / BYTES_PER_ROW.got + got,
        );
        expect(after.statements - before.statements, `statements, ${what}`).toBeLessThan(
          STATEMENTS + statements,
        );
      }
    },
  );
});
