import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openPostgres } from "../../packages/server/src/storage/databases/postgres-database.ts";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import {
  openScratchPostgres,
  type ScratchDatabase,
  testPostgresUrl,
} from "../../packages/server/src/testing/open-test-database.ts";
import { type CuttingProxy, openCuttingProxy } from "./cutting-proxy.ts";
import {
  inspect,
  NOTHING_WRONG,
  place,
  publicHealth,
  startLoad,
  type Told,
  UNKNOWN_FATE,
} from "./order-load.ts";

const postgres = await testPostgresUrl();

describe.skipIf(postgres === null)("a line to PostgreSQL that is cut", () => {
  let scratch: ScratchDatabase;
  let proxy: CuttingProxy;
  let service: Harness;
  const told: Told[] = [];

  beforeAll(async () => {
    scratch = await openScratchPostgres(postgres ?? "");
    proxy = await openCuttingProxy(scratch.url);
    const url = new URL(proxy.url);
    url.searchParams.set("query_timeout", "1500");
    url.searchParams.set("idle_in_transaction_session_timeout", "1000");
    service = await openHarness({ database: await openPostgres(url.href) });
    await service.quote("BTCUSD", 50_000, 50_000);
    told.push(await place(service, "before"));
    expect(told[0]?.status).toBe(200);
  });
  afterAll(async () => {
    await service.close();
    await proxy.close();
    await scratch.close();
  });

  /** How many orders the nonce has made. */
  const made = async (nonce: string): Promise<number> => {
    const rows = await scratch.query(
      `select 1 from journal where nonce = $1 and event like '%"type":"orderFilled"%'`,
      [nonce],
    );
    return rows.length;
  };

  test.each([
    ["before the commit has arrived", "beforeIt", 0],
    ["before the commit was answered", "behindIt", 1],
  ] as const)(
    "%s leaves the order's fate unknown, and its nonce used [S5.R2] [D5.unknownFate]",
    async (_when, cut, orders) => {
      proxy.cutAt("commit\0", cut);
      const lost = await place(service, cut);
      expect(proxy.wasCut).toBe(true);
      expect(lost).toMatchObject({ status: 500, text: expect.stringContaining(UNKNOWN_FATE) });
      expect(await made(cut)).toBe(orders);
      expect((await place(service, cut)).status).toBe(409);
      expect((await service.get("positions")).status).toBe(200);
      told.push(lost, await place(service, `${cut}-next`));
      expect(told.at(-1)?.status).toBe(200);
    },
  );

  test("before a request was admitted is a 5xx, and nothing happened", async () => {
    // The first of the service's messages that holds the nonce is the admission.
    proxy.cutAt("not admitted", "beforeIt");
    const lost = await place(service, "not admitted");
    expect([proxy.wasCut, lost.status]).toEqual([true, 500]);
    expect(await made("not admitted")).toBe(0);
    told.push(await place(service, "not admitted"));
    expect(told.at(-1)?.status).toBe(200);
  });

  test("that falls silent is given up, reported, and not used again", async () => {
    proxy.cutAt("commit\0", "silence");
    const lost = await place(service, "silent");
    expect(lost).toMatchObject({ status: 500, text: expect.stringContaining(UNKNOWN_FATE) });
    expect(await publicHealth(service)).toMatchObject({ status: 503 });

    // Meanwhile another node waits for that node's locks until the server takes them away.
    const other = await openHarness({ database: await openPostgres(scratch.url), seed: "other" });
    await other.quote("BTCUSD", 50_000, 50_000);
    const trade = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "FLAT" };
    const flat = await other.order(trade, { signer: service.signer, nonce: "by the other node" });
    expect(flat.status).toBe(200);
    await other.close();

    proxy.breakAll();
    await vi.waitFor(async () => expect((await service.get("account")).status).toBe(200), 15_000);
    expect(await publicHealth(service)).toMatchObject({ status: 200 });
    expect((await place(service, "silent")).status).toBe(409);
    told.push(lost, await place(service, "heard again"));
    expect(told.at(-1)?.status).toBe(200);
  });

  test("again and again under load loses nothing and does nothing twice [S5.R2]", async () => {
    const load = startLoad(service, "load");
    for (let time = 0; time < 6; time += 1) {
      await load.placed(4);
      if (time % 2 === 0) await scratch.query(TERMINATE, []);
      else proxy.breakAll();
    }
    await load.placed(4);
    told.push(...(await load.stop()));
    expect(told.filter(({ status }) => status !== 200 && status < 500)).toEqual([]);
    expect(told.some(({ status }) => status >= 500)).toBe(true);
    expect(await inspect(scratch, told)).toEqual(NOTHING_WRONG);
  });
});

/** Every connection to this database but the one that asks. */
const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;
