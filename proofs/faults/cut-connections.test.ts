import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../packages/ledger/src/storage/databases/postgres-database.ts";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import {
  openScratchPostgres,
  type ScratchDatabase,
  testPostgresUrl,
} from "../../packages/server/src/testing/open-test-database.ts";
import { eventually } from "../../test/eventually.ts";
import {
  inspectAnswers,
  NO_FINDINGS,
  type OrderAnswer,
  placeSmallBuy,
  readPublicHealth,
  startOrderLoad,
  UNKNOWN_FATE_TEXT,
} from "./order-load.ts";
import { openTextCuttingProxy, type TextCuttingProxy } from "./text-cutting-proxy.ts";

const postgres = await testPostgresUrl();

/** This text is in the message that writes an order, and in no message before it. */
const ORDER_WRITE = "placeMarket";

describe.skipIf(postgres === null)("cut connections to PostgreSQL", () => {
  let scratch: ScratchDatabase;
  let proxy: TextCuttingProxy;
  let service: Harness;
  /** Answers to the orders of all tests, which share one journal. */
  const answers: OrderAnswer[] = [];

  beforeAll(async () => {
    scratch = await openScratchPostgres(postgres ?? "");
    proxy = await openTextCuttingProxy(scratch.url);
    const url = new URL(proxy.url);
    // Only the silent connection reaches these limits; even a busy machine stays below them.
    url.searchParams.set("query_timeout", "6000");
    url.searchParams.set("idle_in_transaction_session_timeout", "4000");
    service = await openHarness({ database: await openPostgres(url.href) });
    await service.quote("BTCUSD", 50_000, 50_000);
    answers.push(await placeSmallBuy(service, "before"));
    expect(answers[0]?.status).toBe(200);
    return async () => {
      await service.close();
      await proxy.close();
      await scratch.close();
    };
  });
  afterEach(async () => {
    expect(await inspectAnswers(scratch, answers)).toEqual(NO_FINDINGS);
  });

  /** The number of filled orders in the journal under the nonce. */
  const made = async (nonce: string): Promise<number> => {
    const rows = await scratch.query(
      `select 1 from journal where nonce = $1 and journal_text(event) like '%"type":"orderFilled"%'`,
      [nonce],
    );
    return rows.length;
  };

  test.each([
    ["before the statement of the order arrives", "beforeIt", 0],
    ["before the statement of the order is answered", "behindIt", 1],
  ] as const)(
    "a connection cut %s leaves the order's fate unknown and its nonce used [S5.R2] [D5.unknownFate]",
    async (_when, cut, orders) => {
      proxy.cutAt(ORDER_WRITE, cut);
      const lost = await placeSmallBuy(service, cut);
      expect(proxy.wasCut).toBe(true);
      expect(lost).toMatchObject({ status: 500, text: expect.stringContaining(UNKNOWN_FATE_TEXT) });
      expect(await made(cut)).toBe(orders);
      expect((await placeSmallBuy(service, cut)).status).toBe(409);
      expect((await service.get("positions")).status).toBe(200);
      answers.push(lost, await placeSmallBuy(service, `${cut}-next`));
      expect(answers.at(-1)?.status).toBe(200);
    },
  );

  test("a connection cut before the admission gives a 5xx, and no order exists", async () => {
    // The first message of the service that contains the nonce is the admission.
    proxy.cutAt("not admitted", "beforeIt");
    const lost = await placeSmallBuy(service, "not admitted");
    expect([proxy.wasCut, lost.status]).toEqual([true, 500]);
    expect(await made("not admitted")).toBe(0);
    answers.push(await placeSmallBuy(service, "not admitted"));
    expect(answers.at(-1)?.status).toBe(200);
  });

  test("a silent connection is given up, reported, and not used again", async () => {
    proxy.cutAt(ORDER_WRITE, "silence");
    const lost = await placeSmallBuy(service, "silent");
    expect(lost).toMatchObject({ status: 500, text: expect.stringContaining(UNKNOWN_FATE_TEXT) });
    expect(await readPublicHealth(service)).toMatchObject({ status: 503 });

    // The silent node holds no lock, so another node continues.
    const other = await openHarness({ database: await openPostgres(scratch.url), seed: "other" });
    await other.quote("BTCUSD", 50_000, 50_000);
    const trade = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "FLAT" };
    const flat = await other.order(trade, { signer: service.signer, nonce: "by the other node" });
    expect(flat.status).toBe(200);
    await other.close();

    proxy.breakAll();
    await eventually(async () => expect((await service.get("account")).status).toBe(200));
    expect(await readPublicHealth(service)).toMatchObject({ status: 200 });
    expect((await placeSmallBuy(service, "silent")).status).toBe(409);
    answers.push(lost, await placeSmallBuy(service, "heard again"));
    expect(answers.at(-1)?.status).toBe(200);
  });

  test("repeated cuts under load lose no order and run none twice [S5.R2]", async () => {
    const load = startOrderLoad(service, "load");
    for (let time = 0; time < 6; time += 1) {
      await load.placed(4);
      if (time % 2 === 0) await scratch.query(TERMINATE, []);
      else proxy.breakAll();
    }
    await load.placed(4);
    const loaded = await load.stop();
    expect(loaded.filter(({ status }) => status !== 200 && status < 500)).toEqual([]);
    expect(loaded.some(({ status }) => status >= 500)).toBe(true);
    answers.push(...loaded);
  });
});

/** Ends all connections to this database except the one that runs the statement. */
const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;
