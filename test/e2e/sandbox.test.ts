import type { RunningSandbox, SandboxSettings } from "@propgate/server";
import { afterEach, describe, expect, test } from "vitest";
import { startSandbox } from "../../packages/server/src/start/start-sandbox.ts";
import {
  createSandboxClient,
  type SandboxClient,
} from "../../packages/server/src/testing/sandbox-client.ts";
import { makeTemporaryFolder } from "../../packages/server/src/testing/temporary-folder.ts";
import { until } from "../eventually.ts";

const START = Date.UTC(2026, 0, 5, 12);
const LONG = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
} as const;
const UNREACHABLE =
  '{"error":"Account snapshot temporarily unavailable (Propgate validator unreachable); retry shortly"}';
const NOT_ACCEPTED = '{"error":"The trading network is unreachable; the order was not accepted"}';
const UNKNOWN_FATE = "may or may not have been accepted";
const WEEK_MS = 7 * 86_400_000;

const running = new Set<RunningSandbox>();
afterEach(async () => {
  for (const sandbox of running) await sandbox.stop();
  running.clear();
});

interface Sandbox extends SandboxClient {
  readonly sandbox: RunningSandbox;
  /** The time with which the client signs. */
  nowMs: number;
}

async function open(over: Partial<SandboxSettings> = {}): Promise<Sandbox> {
  const settings = {
    port: 0,
    startMs: START,
    seed: "7",
    clock: "frozen",
    dataDir: null,
    networkTimeoutMs: 15_000,
  } as const;
  const sandbox = await startSandbox({ ...settings, ...over });
  running.add(sandbox);
  const opened: Sandbox = {
    sandbox,
    nowMs: START,
    ...createSandboxClient(sandbox, () => opened.nowMs),
  };
  return opened;
}

async function stop({ sandbox }: Sandbox): Promise<void> {
  running.delete(sandbox);
  await sandbox.stop();
}

async function withPrice(over: Partial<SandboxSettings> = {}): Promise<Sandbox> {
  const opened = await open(over);
  const quotes = [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }];
  expect((await opened.control("POST", "/quotes", quotes)).status).toBe(200);
  return opened;
}

interface PayoutsPage {
  readonly items: readonly unknown[];
  readonly accrualStatus: string;
  readonly accrual: object;
}

function payoutsOf(reply: { readonly status: number; json(): unknown }): PayoutsPage {
  expect(reply.status).toBe(200);
  return (reply.json() as { readonly data: PayoutsPage }).data;
}

describe("a sandbox with a frozen clock", () => {
  test("a frozen clock allows the reads of one minute, until the clock is advanced or another key reads", async () => {
    const opened = await open();
    const { control, get, sandbox } = opened;
    for (let read = 1; read <= 120; read += 1) expect((await get("positions")).status).toBe(200);
    expect((await get("positions")).status).toBe(429);

    const { accountId } = sandbox.ready;
    const scopes = ["trade:read"];
    const made = (await control("POST", "/keys", { accountId, scopes })).body as Record<
      string,
      string
    >;
    const { keyId = "", secret = "" } = made;
    const ready = { ...sandbox.ready, keyId, secret };
    const other = createSandboxClient({ ...sandbox, ready }, () => opened.nowMs);
    expect((await other.get("positions", "of-the-other-key")).status).toBe(200);

    expect((await control("POST", "/clock", { advance: 60_000 })).status).toBe(200);
    opened.nowMs += 60_000;
    expect((await get("positions")).status).toBe(200);
  });
});

describe("a sandbox's faults produce the service's own answers, and end [S7.table]", () => {
  test("a fault of the network makes reads except trades and payouts get 503, and an order gets 500 and is not placed [S7.R1] [D5.networkDown]", async () => {
    const { control, get, order } = await withPrice();
    expect((await control("POST", "/faults", { network: "down" })).status).toBe(200);
    for (const read of ["account", "positions", "orders"]) {
      const reply = await get(read);
      expect([read, reply.status, reply.text]).toEqual([read, 503, UNREACHABLE]);
    }
    for (const read of ["trades", "payouts"]) expect((await get(read)).status).toBe(200);
    const placed = await order(LONG);
    expect([placed.status, placed.text]).toEqual([500, NOT_ACCEPTED]);
    await control("POST", "/faults", { network: "up" });
    expect((await get("positions")).json()).toEqual({ success: true, data: [] });
    expect((await order(LONG)).status).toBe(200);
  });

  test("a fault of the network leaves payouts their items, and the estimate is unavailable [S3.accrualStatus]", async () => {
    const opened = await withPrice();
    const { control, get, order, sandbox } = opened;
    const action = { action: "promote" };
    await control("POST", `/accounts/${sandbox.ready.accountId}/actions`, action);
    expect((await order(LONG)).status).toBe(200);
    await control("POST", "/quotes", [{ pair: "BTCUSD", bid: 52_000, ask: 52_010 }]);
    expect((await order({ ...LONG, order_type: "FLAT", quantity: undefined })).status).toBe(200);
    await control("POST", "/clock", { advance: WEEK_MS });
    opened.nowMs += WEEK_MS;
    const before = payoutsOf(await get("payouts"));
    expect(before.items).toHaveLength(1);
    expect(before.accrualStatus).toBe("ok");

    await control("POST", "/faults", { network: "down" });
    const down = payoutsOf(await get("payouts"));
    expect(down).toEqual({
      ...before,
      accrualStatus: "unavailable",
      accrual: { ...before.accrual, estimatedAmount: null },
    });
    await control("POST", "/faults", { network: "up" });
    expect(payoutsOf(await get("payouts"))).toEqual(before);
  });

  test("a fault of the trades makes trades only get 502 [S7.502]", async () => {
    const { control, get } = await open();
    await control("POST", "/faults", { trades: "error" });
    const reply = await get("trades");
    expect([reply.status, reply.text]).toEqual([502, '{"error":"trade history unavailable"}']);
    expect((await get("account")).status).toBe(200);
    await control("POST", "/faults", { trades: "up" });
    expect((await get("trades")).json()).toEqual({ success: true, data: [] });
  });

  test("a fault of the statistics makes the account say that its figures are stale [D4.stale]", async () => {
    const { control, get } = await open();
    await control("POST", "/faults", { stats: "down" });
    expect((await get("account")).json()).toMatchObject({ data: { meta: { stale: true } } });
    await control("POST", "/faults", { stats: "up" });
    expect((await get("account")).json()).toMatchObject({ data: { meta: { stale: false } } });
  });

  test("an order whose answer is lost is carried out; its replay gets 409 and places nothing [S7.R2]", async () => {
    const { control, get, order } = await withPrice();
    await control("POST", "/faults", { orders: "acceptThenDrop" });
    const lost = await order(LONG, "lost");
    expect([lost.status, lost.text]).toEqual([500, expect.stringContaining(UNKNOWN_FATE)]);
    await control("POST", "/faults", { orders: "ok" });
    expect((await order(LONG, "lost")).status).toBe(409);
    const { data } = (await get("positions")).json() as { data: { netQuantity: number }[] };
    expect(data.map(({ netQuantity }) => netQuantity)).toEqual([0.1]);
  });

  test("a hanging order is answered when the fault ends, and is not placed [S7.500]", async () => {
    const { control, get, order } = await withPrice();
    await control("POST", "/faults", { orders: "hang" });
    const hanging = order(LONG);
    expect((await get("positions")).status).toBe(200);
    await control("POST", "/faults", { orders: "ok" });
    expect((await hanging).status).toBe(500);
    expect((await get("positions")).json()).toEqual({ success: true, data: [] });
  });

  test("a hanging order is answered after a timeout, and its fate is reported as unknown [D5.unknownFate]", async () => {
    const { control, get, order } = await withPrice({ networkTimeoutMs: 500 });
    await control("POST", "/faults", { orders: "hang" });
    const reply = await order(LONG);
    expect([reply.status, reply.text]).toEqual([500, expect.stringContaining(UNKNOWN_FATE)]);
    await control("POST", "/faults", { orders: "ok" });
    expect((await get("positions")).json()).toEqual({ success: true, data: [] });
    // On a busy machine the next order may also take longer than this timeout.
    await until(async () => (await order(LONG)).status === 200);
  });

  test("a hanging order does not keep a sandbox from stopping", async () => {
    const opened = await withPrice();
    await opened.control("POST", "/faults", { orders: "hang" });
    const hanging = opened.order(LONG);
    expect((await opened.get("positions")).status).toBe(200);
    await stop(opened);
    expect((await hanging).status).toBe(500);
  });

  test("a key in use fails immediately when its secret does not open, uses no nonce, and works again later [D2.5]", async () => {
    const { control, get, order } = await withPrice();
    expect((await get("account")).status).toBe(200);
    await control("POST", "/faults", { secrets: "undecryptable" });
    for (const reply of [await get("account", "kept"), await order(LONG)]) {
      expect([reply.status, reply.text]).toEqual([500, '{"error":"Decrypt failed"}']);
    }
    await control("POST", "/faults", { secrets: "ok" });
    expect((await get("account", "kept")).status).toBe(200);
  });
});

describe("a sandbox is the same every time [D8.sandbox]", () => {
  test("the same seed, start and calls give the same bytes, headers included", async () => {
    const run = async (): Promise<string> => {
      const opened = await withPrice();
      const { control, get, order, sandbox } = opened;
      const { accountId, keyId, secret } = sandbox.ready;
      const said: unknown[] = [{ accountId, keyId, secret }];
      const say = async (reply: Promise<{ headers: object; status: number; text: string }>) => {
        const { status, headers, text } = await reply;
        said.push([status, headers, text]);
      };
      await say(order({ ...LONG, stop_loss: 49_000 }));
      await say(order({ ...LONG, execution_type: "LIMIT", limit_price: 48_000 }));
      await say(order({ ...LONG, quantity: -1 }));
      await say(get("account", "nonce-1"));
      said.push(await control("POST", "/quotes", [{ pair: "BTCUSD", bid: 48_900, ask: 48_910 }]));
      said.push(await control("POST", "/clock", { advance: 86_400_000 }));
      opened.nowMs += 86_400_000;
      for (const read of ["account", "positions", "orders", "trades", "payouts"])
        await say(get(read));
      said.push(await control("POST", "/accounts", { size: 50_000 }));
      said.push(await control("GET", `/journal?accountId=${accountId}`));
      await stop(opened);
      return JSON.stringify(said);
    };
    const first = await run();
    expect(await run()).toBe(first);
    expect(first).toContain('"price":48900');
  });

  test("a sandbox on a folder continues at its last time, with its positions, keys and nonces", async () => {
    const dataDir = await makeTemporaryFolder();
    const before = await withPrice({ dataDir });
    expect((await before.order(LONG, "used")).status).toBe(200);
    await before.control("POST", "/clock", { advance: 3_600_000 });
    before.nowMs += 3_600_000;
    await stop(before);

    const after = await open({ dataDir, startMs: START + 1 });
    after.nowMs = before.nowMs;
    expect(after.sandbox.ready.keyId).toBe(before.sandbox.ready.keyId);
    expect((await after.control("GET", "/state")).body).toMatchObject({ now: START + 3_600_000 });
    expect((await after.get("account", "used")).status).toBe(409);
    const { data } = (await after.get("positions")).json() as { data: { netQuantity: number }[] };
    expect(data.map(({ netQuantity }) => netQuantity)).toEqual([0.1]);
  });
});

describe("a sandbox refuses invalid calls [D8.sandbox]", () => {
  test.each([
    ["/quotes", [{ pair: "BTCUSD", bid: 5e-324, ask: 1 }], "[0].bid: "],
    ["/quotes", [{ pair: "BTCUSD", bid: 1, ask: 1e308 }], "[0].ask: "],
    ["/quotes", [{ pair: "BTC\u0000USD", bid: 1, ask: 1 }], "[0].pair: "],
    ["/quotes", [null], "[0]: "],
    ["/accounts", { size: 1e308 }, "size: "],
    ["/accounts", { size: 5e-324 }, "size: "],
    ["/accounts", { size: 50_000, dailyLossPct: 99.5 }, "dailyLossPct: "],
    ["/keys", { accountId: "\u0000", scopes: ["trade:read"] }, "accountId: "],
    ["/clock", { set: 1e308 }, "set: "],
    ["/faults", { secrets: "gone" }, "secrets: "],
    ["/faults", { network: null }, "network: "],
    ["/faults", [], ""],
    ["/faults", null, ""],
    ["/faults", "up", ""],
  ])(
    "the control plane's POST %s with %j names the field and changes nothing",
    async (path, body, field) => {
      const { control } = await shared();
      const before = await control("GET", "/state");
      const reply = await control("POST", path, body);
      expect([400, 404]).toContain(reply.status);
      expect((reply.body as { error: string }).error.slice(0, field.length)).toBe(field);
      expect(await control("GET", "/state")).toEqual(before);
    },
  );

  test("an elimination's reason must be a string that can be stored", async () => {
    const { control, sandbox } = await open();
    const act = `/accounts/${sandbox.ready.accountId}/actions`;
    for (const reason of ["\u0000", "a\nb", "\ud800", "x".repeat(201), 7, null]) {
      const reply = await control("POST", act, { action: "eliminate", reason });
      expect([reason, reply.status]).toEqual([reason, 400]);
    }
    expect((await control("POST", act, { action: "eliminate", reason: "💥 ünd" })).status).toBe(
      200,
    );
    const { body } = await control("GET", `/journal?accountId=${sandbox.ready.accountId}`);
    expect(JSON.stringify(body)).toContain("💥 ünd");
  });
});

let kept: Promise<Sandbox> | null = null;
async function shared(): Promise<Sandbox> {
  kept ??= open().then((opened) => {
    running.delete(opened.sandbox);
    return opened;
  });
  return kept;
}
