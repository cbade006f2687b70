import { beforeAll, describe, expect, test } from "vitest";
import { openEarningTrader } from "../../../testing/earning-trader.ts";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../../testing/harness.ts";
import { createOperatorClient, type OperatorClient } from "../../../testing/operator-client.ts";
import type { Signer } from "../../../testing/signed-request.ts";

const BTC = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
const LIMIT = { execution_type: "LIMIT", trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.1 };

let service: Harness;
let operator: OperatorClient;
let account: string;
let signer: Signer;

beforeAll(async () => {
  service = await openHarness();
  operator = createOperatorClient(service);
  const trader = await openEarningTrader(service, 2);
  account = trader.accountId;
  signer = trader.signer;
  await service.quote("BTCUSD", 50_000, 50_000);
  await service.order({ ...BTC, quantity: 0.5 }, { signer });
  await service.order(
    { ...LIMIT, limit_price: 40_000, bracket_orders: [{ stop_loss: 30_000 }] },
    { signer },
  );
  return () => service.close();
});

type Data = Readonly<Record<string, unknown>>;
const READS = ["positions", "orders", "trades", "payouts", "events", "order-history", "fills"];

const below = (path: string) => `/accounts/${account}/${path}`;

async function file(path: string): Promise<{ readonly headers: Headers; readonly text: string }> {
  const url = `http://127.0.0.1:${service.port}/operator/v1${below(path)}`;
  const reply = await fetch(url, { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } });
  expect([path, reply.status]).toEqual([path, 200]);
  return { headers: reply.headers, text: Buffer.from(await reply.arrayBuffer()).toString() };
}

async function lines(path: string): Promise<readonly Data[]> {
  const { text } = await file(path);
  return text.trim() === ""
    ? []
    : text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
}

async function signed(path: string): Promise<unknown> {
  const target = `/api/v1/trading/${path}`;
  const reply = await service.call(target, { signer });
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.json();
}

describe("reads below an account [D12.accountReads]", () => {
  test.each([
    ...READS,
    "trades?limit=1",
    "payouts?limit=1",
    "events?types=order.filled&limit=2",
    "order-history?after=0&limit=1&tradePair=BTCUSD",
  ])("GET %s answers what the signed API does", async (path) => {
    const { body } = await operator.call("GET", below(path));
    expect(body).toEqual(await signed(path));
  });

  test("an order of the account is answered with its life, and another one is 404", async () => {
    const [order] = (await operator.data("GET", below("orders"))) as unknown as readonly Data[];
    const path = `orders/${String(order?.orderUuid)}`;
    expect((await operator.call("GET", below(path))).body).toEqual(await signed(path));
    const [whole, ...more] = await lines(`${path}?format=ndjson`);
    expect(more).toEqual([]);
    expect(whole).toEqual(await operator.data("GET", below(path)));
    for (const other of ["none", "%00", "a/b", "..", "%2e%2e"]) {
      expect((await operator.call("GET", below(`orders/${other}`))).status).toBe(404);
    }
  });

  test.each(READS)("the file of %s has the whole history", async (path) => {
    const found = await lines(`${path}?format=ndjson`);
    const data = (await operator.call("GET", below(`${path}?after=0&limit=500`))).body.data;
    const whole =
      path === "payouts" || path === "trades" || path === "positions" || path === "orders"
        ? (await operator.call("GET", below(path))).body.data
        : data;
    const items = Array.isArray(whole) ? whole : (whole as { readonly items: unknown }).items;
    expect(found).toEqual(items);
    expect(found.length).toBeGreaterThan(0);
    const { text, headers } = await file(`${path}?format=csv`);
    const rows = text.split("\r\n");
    expect(rows.length).toBe(found.length + 2);
    expect(headers.get("x-as-of-ms")).toBe(String(service.time.clock.now()));
    const [header = ""] = rows;
    expect(header).not.toContain("undefined");
  });

  test("a file follows its filter, and nested fields stand with a dot", async () => {
    const found = await lines("events?format=ndjson&types=order.filled");
    expect(new Set(found.map(({ type }) => type))).toEqual(new Set(["order.filled"]));
    const { text } = await file("fills?format=csv");
    expect(text.split("\r\n")[0]).toContain("cause.by");
    expect(await lines("fills?format=ndjson&tradePair=EURUSD")).toEqual([]);
    expect((await file("fills?format=csv&tradePair=EURUSD")).text.split("\r\n")).toHaveLength(2);
  });

  test("a file has several pages of events", async () => {
    for (let step = 0; step < 40; step += 1) {
      await service.order({ ...LIMIT, limit_price: 10_000 + step }, { signer });
      await service.order(
        { execution_type: "LIMIT_CANCEL", order_uuid: "ALL", trade_pair: "BTCUSD" },
        { signer },
      );
    }
    const found = await lines("events?format=ndjson");
    expect(found.map(({ sequence }) => sequence)).toEqual(found.map((_, index) => index + 1));
  });

  test("equity is a list, oldest first, and a file", async () => {
    const page = await operator.data("GET", below("equity?limit=2"));
    expect(page).toMatchObject({ total: null, next: expect.any(String) });
    const all = await lines("equity?format=ndjson");
    expect(page.items).toEqual(all.slice(0, 2));
    const times = all.map(({ atMs }) => Number(atMs));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(-1)).toBe(service.time.clock.now());
    const late = await operator.data("GET", below(`equity?atMsMin=${times[1]}&sort=-atMs&limit=1`));
    expect(late.items).toEqual(all.slice(-1));
  });

  test.each([
    ["positions?format=xml", "format"],
    ["trades?limit=0", "limit"],
    ["trades?after=%00", "after"],
    ["payouts?cursor=x", "cursor"],
    ["payouts?limit=0", "limit"],
    ["events?after=x", "after"],
    ["events?types=nope&format=csv", "types"],
    ["fills?since=yesterday&format=csv", "since"],
    ["fills?tradePair=NOPE", "tradePair"],
    ["equity?atMsMin=1", "atMsMin"],
    ["equity?q=x", "q"],
    ["positions?limit=1", "limit"],
  ])("GET %s is 400 and names the parameter", async (path, field) => {
    const { status, body } = await operator.call("GET", below(path));
    expect([status, body.field]).toEqual([400, field]);
  });

  test("an account that has ended, and one that is closed, can be read", async () => {
    await operator.data("POST", below("eliminate"), { reason: "by hand" });
    for (const path of [...READS, "equity"]) {
      expect((await operator.call("GET", below(path))).status).toBe(200);
    }
    const points = await lines("equity?format=ndjson");
    expect(points.at(-1)?.equity).toBe(points.at(-1)?.balance);
    await operator.data("POST", below("close"), {});
    for (const path of [...READS, "equity"]) {
      const { status, body } = await operator.call("GET", below(path));
      expect([path, status, body.error]).toEqual([path, 200, undefined]);
    }
    expect(await operator.refusal("GET", "/accounts/none/fills")).toEqual([
      404,
      "Account not found",
    ]);
  });
});

describe("an account with all that belongs to it", () => {
  test("an account has its item, its owner's answer, its program, people, keys and the place of its newest event", async () => {
    const other = await service.newAccount();
    const key = await service.newKey({ accountId: other });
    const detail = await operator.data("GET", `/accounts/${other}`);
    const { items } = await operator.data("GET", "/accounts?limit=500");
    const item = (items as readonly Data[]).find(({ accountId }) => accountId === other);
    const reply = await service.call("/api/v1/trading/account", { signer: key });
    const { data: snapshot } = reply.json() as { readonly data: unknown };
    const { head } = (await operator.data("GET", `/accounts/${other}/events`)) as unknown as {
      readonly head: { readonly sequence: number; readonly hash: string };
    };
    expect(detail).toMatchObject({
      account: item,
      snapshot,
      program: { id: item?.programId, version: item?.programVersion },
      keys: [{ keyId: key.keyId, accountId: other }],
      end: null,
      cursor: `${head.sequence}-${head.hash.slice(0, 32)}`,
    });
  });

  test("an account that ended has its end as the evidence has it", async () => {
    const other = await service.newAccount();
    await operator.data("POST", `/accounts/${other}/eliminate`, { reason: "two accounts" });
    const { end, account: item } = (await operator.data("GET", `/accounts/${other}`)) as {
      readonly end: Data;
      readonly account: Data;
    };
    const nothing = { limit: null, equity: null, floor: null, quotes: [] };
    expect(end).toMatchObject({ ...nothing, reason: item.endReason, atMs: item.endedAtMs });
  });

  test("a closed account has no owner's answer, and an unknown account is not found", async () => {
    const other = await service.newAccount();
    await operator.data("POST", `/accounts/${other}/close`, {});
    const detail = await operator.data("GET", `/accounts/${other}`);
    expect(detail).toMatchObject({ account: { status: "closed" }, snapshot: null, end: null });
    const unknown = await operator.call("GET", "/accounts/8f6f0f0a-3f9a-4a9c-9d1c-1d2f3a4b5c6d");
    expect(unknown.status).toBe(404);
  });
});
