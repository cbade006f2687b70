import { pairId, price, unixMs } from "@propgate/core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../../ledger/src/storage/databases/open-database.ts";
import { runSandbox, type SandboxedService, type SandboxOptions } from "../start/run-sandbox.ts";
import type { RunningSandbox } from "../start/running-service.ts";
import { createControlClient } from "../testing/control-client.ts";
import { madeCatalogue, madeInstrument } from "../testing/made-instrument.ts";
import { sandboxedServiceComposer } from "../testing/sandboxed-service.ts";
import { sendRequest } from "../testing/signed-request.ts";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { createSandboxMemory } from "./sandbox-memory.ts";

const START = 1_700_049_600_000; // a Wednesday at noon
const MIDNIGHT = 1_700_092_800_000;
const CATALOGUE = madeCatalogue(
  madeInstrument("BTCUSD", { tick: price(0.01) }),
  madeInstrument("ETHUSD"),
);
const NOBODY = "00000000-0000-4000-8000-000000000000";

const running = new Set<RunningSandbox>();
/** Holds the one sandbox that all tests of calls without effect share. */
const sharedOnes: Started[] = [];
beforeAll(async () => {
  const started = await start();
  running.delete(started.sandbox);
  sharedOnes.push(started);
  return async () => {
    for (const { sandbox } of sharedOnes) await sandbox.stop();
  };
});
afterEach(async () => {
  for (const sandbox of running) await sandbox.stop();
  running.clear();
});

interface Started {
  readonly sandbox: RunningSandbox;
  readonly service: SandboxedService;
  readonly call: ReturnType<typeof createControlClient>;
}

async function start(over: Partial<SandboxOptions> = {}): Promise<Started> {
  let service: SandboxedService | null = null;
  const sandbox = await runSandbox({
    port: 0,
    startMs: START,
    seed: "one",
    clock: "frozen",
    dataDir: null,
    networkTimeoutMs: 15_000,
    onFault: (cause) => {
      throw cause;
    },
    compose: async (parts) => {
      service = await sandboxedServiceComposer(CATALOGUE)(parts);
      return service;
    },
    ...over,
  });
  running.add(sandbox);
  if (service === null) throw new Error("nothing was composed");
  return { sandbox, service, call: createControlClient(sandbox) };
}

function shared(): Started {
  const [started] = sharedOnes;
  if (started === undefined) throw new Error("the shared sandbox was not started");
  return started;
}

async function stop({ sandbox }: Started): Promise<void> {
  running.delete(sandbox);
  await sandbox.stop();
}

function events(body: unknown): readonly { readonly type: string; readonly atMs: number }[] {
  if (typeof body !== "object" || body === null || !("events" in body)) return [];
  const lines = body.events;
  return Array.isArray(lines)
    ? lines.map(({ event }: { event: { type: string; atMs: number } }) => ({
        type: event.type,
        atMs: event.atMs,
      }))
    : [];
}

test("a start that fails says why, although what it had started cannot be stopped", async () => {
  const cause = new Error("no account can be opened");
  const stopped: string[] = [];
  const starting = start({
    compose: async (parts) => {
      const service = await sandboxedServiceComposer(CATALOGUE)(parts);
      return {
        ...service,
        accounts: { ...service.accounts, open: () => Promise.reject(cause) },
        async stop() {
          await service.stop();
          stopped.push("the service");
          throw new Error("the database is away");
        },
      };
    },
  });
  await expect(starting).rejects.toBe(cause);
  expect(stopped).toEqual(["the service"]);
});

describe("sandbox: its interface", () => {
  test("one journey goes through price, account, key, time, journal and state", async () => {
    const { call, sandbox } = await start();
    const { accountId } = sandbox.ready;
    expect(
      await call("POST", "/quotes", [{ pair: "BTC/USD", bid: 100, ask: 101, more: 1 }]),
    ).toEqual({ status: 200, body: { now: START, quotes: 1, ignored: [] } });
    const opened = await call("POST", "/accounts", { size: 50_000, drawdownCriteria: "trailing" });
    expect(opened).toEqual({
      status: 200,
      body: { accountId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    expect(await call("POST", "/keys", { accountId, scopes: ["trade:read"] })).toEqual({
      status: 200,
      body: {
        keyId: expect.stringMatching(/^pk_[0-9A-Za-z]{20}$/),
        secret: expect.stringMatching(/^propgate_sk_.{49}$/),
      },
    });
    expect(await call("POST", "/clock", { advance: 3_600_000 })).toEqual({
      status: 200,
      body: { now: START + 3_600_000 },
    });
    expect(await call("POST", "/clock", { set: START + 7_200_000 })).toEqual({
      status: 200,
      body: { now: START + 7_200_000 },
    });
    expect(await call("GET", "/state")).toEqual({
      status: 200,
      body: {
        now: START + 7_200_000,
        clock: "frozen",
        quotes: [{ pair: "BTCUSD", bid: 100, ask: 101, atMs: START }],
        faults: {
          network: "up",
          trades: "up",
          stats: "up",
          orders: "ok",
          secrets: "ok",
          webhooks: "ok",
          operator: "ok",
        },
      },
    });
    const journal = await call("GET", `/journal?accountId=${accountId}`);
    expect(events(journal.body)).toEqual([{ type: "accountOpened", atMs: START }]);
  });

  test("a key is revoked once", async () => {
    const { call, sandbox } = await start();
    const { keyId } = sandbox.ready;
    expect((await call("DELETE", `/keys/${keyId}`)).status).toBe(200);
    expect(await call("DELETE", `/keys/${keyId}`)).toEqual({
      status: 404,
      body: { error: "Key not found" },
    });
  });

  test("accounts are provisioned, eliminated and closed", async () => {
    const { call } = await start();
    const opened = await call("POST", "/accounts", { size: 10_000, provisioned: false });
    const id = accountIdOf(opened.body);
    const act = (action: unknown) => call("POST", `/accounts/${id}/actions`, action);
    expect((await act({ action: "provision" })).status).toBe(200);
    expect((await act({ action: "provision" })).status).toBe(400);
    expect((await act({ action: "eliminate", reason: "RULES" })).status).toBe(200);
    expect((await act({ action: "close" })).status).toBe(200);
    const journal = await call("GET", `/journal?accountId=${id}`);
    expect(events(journal.body).map(({ type }) => type)).toEqual([
      "accountOpened",
      "accountProvisioned",
      "accountEliminated",
      "accountClosed",
    ]);
  });

  test("every call without the token is refused", async () => {
    const { sandbox } = await start();
    for (const authorization of [
      undefined,
      "Bearer ",
      "Bearer wrong",
      sandbox.ready.controlToken,
    ]) {
      const headers = authorization === undefined ? {} : { authorization };
      for (const path of ["/state", "/nothing"]) {
        const response = await fetch(sandbox.ready.controlUrl + path, { headers });
        expect([response.status, await response.json()]).toEqual([401, { error: "Unauthorized" }]);
      }
    }
  });

  test.each([
    ["/clock", {}, "set or advance: one is needed"],
    ["/clock", { set: 1.5 }, "set: must be a whole number of milliseconds"],
    ["/clock", { advance: -1 }, "advance: must not be below 0"],
    ["/clock", { advance: 1, set: 2 }, "set and advance: only one may be sent"],
    [
      "/clock",
      { set: START - 1 },
      `set: ${START - 1} is before ${START}, and the clock does not go back`,
    ],
    ["/clock", { advance: 9e15 }, "advance: beyond the year 2099"],
    ["/quotes", {}, "body: must be a list of quotes"],
    ["/quotes", [{ pair: "BTCUSD", bid: 1 }], "[0].ask: is required"],
    ["/quotes", [{ pair: "BTCUSD", bid: 0, ask: 1 }], "[0].bid: must be a number above 0"],
    ["/quotes", [{ pair: "XXX", bid: 1, ask: 1 }], "[0].pair: XXX is not in the catalogue"],
    ["/quotes", [{ pair: "BTCUSD", bid: 2, ask: 1 }], "[0].bid: 2 is above the ask 1"],
    ["/accounts", {}, "size: is required"],
    ["/accounts", { size: -5 }, "size: must be a number above 0"],
    ["/accounts", { size: 1_000, sise: 1 }, "sise: no such field"],
    ["/accounts", { size: 1_000, tier: 9 }, "tier: must be 1, 2 or 3"],
    ["/accounts", { size: 1_000, provisioned: "yes" }, "provisioned: must be true or false"],
    ["/keys", { accountId: NOBODY, scopes: [] }, "scopes: must name a scope"],
    ["/keys", { scopes: ["trade:read"] }, "accountId: is required"],
  ])("POST %s with %j is refused: %s", async (path, body, error) => {
    const { call } = shared();
    expect(await call("POST", path, body)).toEqual({ status: 400, body: { error } });
  });

  test("a wrong word is refused with the field's name", async () => {
    const { call, sandbox } = shared();
    const actions = `/accounts/${sandbox.ready.accountId}/actions`;
    for (const [path, body, field] of [
      ["/accounts", { size: 1, drawdownCriteria: "none" }, "drawdownCriteria: "],
      ["/accounts", { size: 1, assetClass: "stamps" }, "assetClass: "],
      ["/faults", { network: "sideways" }, "network: "],
      ["/payouts/x", { status: "lost" }, "status: "],
      ["/payouts/x", { status: "paid", rail: "" }, "rail: "],
      [actions, { action: "offerPro" }, "proAccountSize: "],
      [actions, { action: "offerPro", proAccountSize: 9_999 }, "proAccountSize: must be whole"],
      [actions, { action: "dance" }, "action: "],
      [actions, {}, "action: "],
    ] as const) {
      expect(await call("POST", path, body)).toEqual({
        status: 400,
        body: { error: expect.stringMatching(new RegExp(`^${field}`)) },
      });
    }
  });

  test("what is not there is a 404", async () => {
    const { call } = shared();
    const missing = async (...request: Parameters<typeof call>) => (await call(...request)).status;
    expect(await missing("POST", `/accounts/${NOBODY}/actions`, { action: "close" })).toBe(404);
    expect(await missing("POST", "/accounts/x/actions", { action: "close" })).toBe(404);
    expect(await missing("POST", "/keys", { accountId: NOBODY, scopes: ["trade:read"] })).toBe(404);
    expect(await missing("GET", `/journal?accountId=${NOBODY}`)).toBe(404);
    expect(await missing("POST", "/payouts/po_1", { status: "paid" })).toBe(404);
    expect(await missing("GET", "/nothing")).toBe(404);
    expect(await missing("GET", "/journal")).toBe(400);
  });

  test("what leads nowhere, or is no HTTP, gets the same form of answer", async () => {
    const { sandbox } = shared();
    const { hostname: host, port } = new URL(sandbox.ready.controlUrl);
    const headers = { authorization: `Bearer ${sandbox.ready.controlToken}` };
    for (const path of ["/accounts/%ff/actions", "/%zz", "/nowhere"]) {
      const reply = await sendRequest({ host, port, method: "POST", path, headers });
      expect([reply.status, reply.json()]).toEqual([404, { error: "Not found" }]);
    }
    const unreadable = { ...headers, "transfer-encoding": "gzip, x" };
    const path = "/accounts";
    const reply = await sendRequest({ host, port, method: "POST", path, headers: unreadable });
    expect([reply.status, reply.json()]).toEqual([400, { error: "Malformed request" }]);
  });

  test("a body that is not valid JSON is rejected", async () => {
    const { sandbox } = shared();
    const response = await fetch(`${sandbox.ready.controlUrl}/clock`, {
      method: "POST",
      headers: { authorization: `Bearer ${sandbox.ready.controlToken}` },
      body: "{",
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "body: is not valid JSON" },
    ]);
  });
});

describe("sandbox: time", () => {
  test("an advance over midnights ends each day at its own moment", async () => {
    const { call, sandbox } = await start();
    await call("POST", "/clock", { advance: 3 * 86_400_000 });
    const { body } = await call("GET", `/journal?accountId=${sandbox.ready.accountId}`);
    expect(events(body).slice(1)).toEqual([
      { type: "dayEnded", atMs: MIDNIGHT },
      { type: "dayEnded", atMs: MIDNIGHT + 86_400_000 },
      { type: "dayEnded", atMs: MIDNIGHT + 2 * 86_400_000 },
    ]);
  });

  test("a real clock runs by itself and can be moved forward", async () => {
    const { call } = await start({ clock: "real" });
    const { body } = await call("POST", "/clock", { advance: 1_000_000 });
    const now = nowOf(body);
    expect(now).toBeGreaterThanOrEqual(START + 1_000_000);
    expect(now).toBeLessThan(START + 1_060_000);
  });

  test("the same seed and calls give the same answers, byte for byte", async () => {
    const run = async (seed: string) => {
      const started = await start({ seed });
      const { accountId, keyId, secret } = started.sandbox.ready;
      const { call } = started;
      await call("POST", "/quotes", [{ pair: "BTCUSD", bid: 100, ask: 101 }]);
      const answers = [
        { accountId, keyId, secret },
        await call("POST", "/accounts", { size: 50_000 }),
        await call("POST", "/keys", { accountId, scopes: ["trade:place"] }),
        await call("POST", "/clock", { advance: 86_400_000 }),
        await call("GET", `/journal?accountId=${accountId}`),
        await call("GET", "/state"),
      ];
      await stop(started);
      return JSON.stringify(answers);
    };
    const first = await run("one");
    expect(await run("one")).toBe(first);
    expect(await run("two")).not.toBe(first);
  });

  test("a sandbox started again on its folder goes on with its clock, quotes, first key, and new ids [D8.sandbox]", async () => {
    const dataDir = await makeTemporaryFolder();
    const before = await start({ dataDir });
    await before.call("POST", "/quotes", [{ pair: "BTCUSD", bid: 100, ask: 101 }]);
    await before.call("POST", "/clock", { advance: 5_000 });
    const openedBefore = await before.call("POST", "/accounts", { size: 1_000 });
    await stop(before);

    const after = await start({ dataDir, startMs: 1 });
    const { accountId, keyId, secret } = before.sandbox.ready;
    expect(after.sandbox.ready).toMatchObject({ accountId, keyId, secret });
    expect((await after.call("GET", "/state")).body).toMatchObject({
      now: START + 5_000,
      quotes: [{ pair: "BTCUSD", bid: 100, ask: 101, atMs: START }],
    });
    expect(after.service.board.quote(pairId("BTCUSD"))?.bid).toBe(100);
    const openedAfter = await after.call("POST", "/accounts", { size: 1_000 });
    expect(accountIdOf(openedAfter.body)).not.toBe(accountIdOf(openedBefore.body));
    await stop(after);
  });

  test("a sandbox with a real clock that was killed starts no earlier than its newest event [D8.sandbox]", async () => {
    const dataDir = await makeTemporaryFolder();
    const before = await start({ dataDir, clock: "real" });
    await before.call("POST", "/clock", { advance: 60_000 });
    await before.call("POST", "/accounts", { size: 1_000 });
    await stop(before);
    // A killed process has saved only the time of the last call that saves it.
    const database = await openDatabase({ databaseUrl: null, dataDir });
    await createSandboxMemory(database).saveClock(unixMs(START));
    await database.close();

    const after = await start({ dataDir });
    expect(nowOf((await after.call("GET", "/state")).body)).toBeGreaterThanOrEqual(START + 60_000);
    await stop(after);
  });
});

function accountIdOf(body: unknown): string {
  if (typeof body === "object" && body !== null && "accountId" in body)
    return String(body.accountId);
  throw new Error(`no account in ${JSON.stringify(body)}`);
}

function nowOf(body: unknown): number {
  if (typeof body === "object" && body !== null && "now" in body) return Number(body.now);
  throw new Error(`no time in ${JSON.stringify(body)}`);
}
