import { receiptPath } from "@propgate/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { createDashboardClient, TEST_PASSWORD } from "../testing/dashboard-client.ts";
import { type DatabaseOutage, databaseWithOutage } from "../testing/database-outage.ts";
import { type Harness, openHarness } from "../testing/harness.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createOperatorClient } from "../testing/operator-client.ts";

const UNREACHABLE =
  "Account snapshot temporarily unavailable (Propgate validator unreachable); retry shortly";
const AWAY = "The database does not answer. Nothing was changed; try again in a second";
const NOT_ACCEPTED = "The trading network is unreachable; the order was not accepted";
const NEVER = "The order was not decided in time; it was not carried out and never will be";
const MARKET = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 100,
} as const;
const CANDLES = "candles?tradePair=BTCUSD&interval=1m";
const READS = [
  "account",
  "positions",
  "orders",
  "trades",
  "payouts",
  "instruments",
  "quotes",
  CANDLES,
  "events",
];

describe("while the database is away", () => {
  const outage: DatabaseOutage = { text: "", when: "never" };
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness({ database: databaseWithOutage(await openTestDatabase(), outage) });
    await service.quote("BTCUSD", 50_000, 50_000);
    expect((await service.order(MARKET)).status).toBe(200);
    return () => service.close();
  });
  beforeEach(() => {
    outage.when = "never";
  });

  const isReady = async () => (await service.call("/ready", { signer: null })).status;
  const filled = async (nonce: string): Promise<number> =>
    (
      await service.database.query(
        `select 1 from journal where nonce = $1 and journal_text(event) like '%"type":"orderFilled"%'`,
        [nonce],
      )
    ).length;

  test("reads are 503 with Retry-After and no data while the database is away, and the service is not ready [S7.R1]", async () => {
    outage.when = "before";
    outage.text = "";
    const targets = [...READS.map((read) => `/api/v1/trading/${read}`), receiptPath("some nonce")];
    for (const target of targets) {
      const reply = await service.call(target);
      expect([target, reply.status, reply.headers["retry-after"]]).toEqual([target, 503, "1"]);
      expect(reply.json()).toEqual({ error: UNREACHABLE });
    }
    const body = JSON.stringify({ trade: MARKET });
    const preview = await service.call("/api/v1/trading/preview", { method: "POST", body });
    expect([preview.status, preview.json()]).toEqual([503, { error: UNREACHABLE }]);
    expect(await isReady()).toBe(503);
    expect((await service.call("/health", { signer: null })).status).toBe(200);

    outage.when = "never";
    expect((await service.get("account")).status).toBe(200);
    expect(await isReady()).toBe(200);
  });

  test("an order that was not admitted is not accepted, and can be sent again [D5.networkDown]", async () => {
    outage.when = "before";
    outage.text = "insert into nonces";
    const lost = await service.order(MARKET, { nonce: "not admitted" });
    expect([lost.status, lost.json()]).toEqual([500, { error: NOT_ACCEPTED }]);
    expect(lost.headers["retry-after"]).toBe("1");
    outage.when = "never";
    expect((await service.order(MARKET, { nonce: "not admitted" })).status).toBe(200);
    expect(await filled("not admitted")).toBe(1);
  });

  test("an order whose admission was stored without an answer was not accepted, and its receipt says so soon [S5.R2 D9.receipts]", async () => {
    outage.when = "answer";
    outage.text = "insert into nonces";
    const lost = await service.order(MARKET, { nonce: "admitted" });
    expect([lost.status, lost.json()]).toEqual([500, { error: NOT_ACCEPTED }]);
    outage.when = "never";
    expect((await service.order(MARKET, { nonce: "admitted" })).status).toBe(409);
    await eventually(async () => {
      expect((await service.call(receiptPath("admitted"))).json()).toMatchObject({
        data: { fate: "rejected", status: 500, error: NOT_ACCEPTED },
      });
    });
    expect(await filled("admitted")).toBe(0);
  });

  test("an order whose commit got no answer has a receipt with its fate as soon as the database answers [D9.receipts]", async () => {
    const closed = { fate: "rejected", status: 500, error: NEVER };
    for (const [when, fate] of [
      ["before", closed],
      ["answer", { fate: "accepted" }],
    ] as const) {
      outage.text = "update accounts a set";
      outage.when = when;
      const lost = await service.order(MARKET, { nonce: `commit ${when}` });
      expect([lost.status, lost.text]).toEqual([500, expect.stringContaining("may or may not")]);
      outage.when = "never";
      await eventually(async () => {
        const receipt = await service.call(receiptPath(`commit ${when}`));
        expect(receipt.json()).toMatchObject({ data: fate });
      });
      expect(await filled(`commit ${when}`)).toBe(when === "answer" ? 1 : 0);
    }
  });

  test("an order whose refusal cannot be stored was not accepted; a carried-out order has an unknown fate", async () => {
    outage.when = "before";
    outage.text = "update key_usage u set\n  rejections";
    const refused = await service.order({ ...MARKET, value: "5" }, { nonce: "refused" });
    expect([refused.status, refused.json()]).toEqual([500, { error: NOT_ACCEPTED }]);
    expect((await service.call(receiptPath("refused"))).json()).toMatchObject({
      data: { fate: "rejected" },
    });

    outage.when = "never";
    expect((await service.order({ ...MARKET, value: "5" })).status).toBe(400);
    outage.when = "before";
    outage.text = "update key_usage u set rejections";
    const done = await service.order(MARKET, { nonce: "done" });
    expect([done.status, done.text]).toEqual([500, expect.stringContaining("may or may not")]);
    expect(await filled("done")).toBe(1);
  });

  test("an error that is no outage is a 500 [S7.500]", async () => {
    await service.database.query("alter table nonces rename to hidden");
    const reply = await service.get("account");
    await service.database.query("alter table hidden rename to nonces");
    expect([reply.status, reply.json()]).toEqual([500, { error: "Internal error" }]);
  });
});

describe("calls in an outage", () => {
  const outage: DatabaseOutage = { text: "", when: "never" };
  let service: Harness;
  beforeEach(async () => {
    service = await openHarness({ database: databaseWithOutage(await openTestDatabase(), outage) });
    return async () => {
      outage.when = "never";
      await service.close();
    };
  });

  test("pages and the operator's calls are 503 with Retry-After, and a write says that its fate is not known", async () => {
    const operator = createOperatorClient(service);
    const page = createDashboardClient(service);
    const signedIn = await service.signIn("operator");
    const body = { name: "Ann", password: TEST_PASSWORD };
    outage.when = "before";
    outage.text = "";
    const read = await operator.call("GET", "/accounts");
    const admitted = await signedIn.call("POST", `/accounts/${service.accountId}/keys`, {
      body: {},
    });
    const signIn = await page.call("POST", "/sign-in", { body });
    for (const { status } of [read, admitted, signIn]) expect(status).toBe(503);
    expect(read.headers.get("retry-after")).toBe("1");
    for (const { headers } of [admitted, signIn]) expect(headers["retry-after"]).toBe("1");
    expect(read.body).toMatchObject({ code: "unavailable", error: AWAY });
    expect(admitted.json()).toMatchObject({ code: "unavailable", error: AWAY });
    expect(signIn.json()).toMatchObject({ code: "unknown_fate" });
  });

  test("an outage has one line in the log, however many requests meet it", async () => {
    const before = service.logged.length;
    outage.when = "before";
    outage.text = "";
    for (let sent = 0; sent < 10; sent += 1) {
      await service.order(MARKET);
      await service.get("account");
      await createOperatorClient(service).call("GET", "/accounts");
    }
    const lines = service.logged.slice(before).map((line) => JSON.parse(line) as { msg: string });
    expect(lines.filter(({ msg }) => msg === "the database fails")).toHaveLength(1);
    expect(lines.filter(({ msg }) => ["fault", "call failed"].includes(msg))).toEqual([]);
  });
});
