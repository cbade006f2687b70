import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Harness, openHarness } from "../../testing/harness.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";
import { SMALL_CATALOGUE } from "../../testing/small-market.ts";

let service: Harness;
let operator: OperatorClient;
let annsId: string;

beforeAll(async () => {
  service = await openHarness({ instruments: SMALL_CATALOGUE });
  operator = createOperatorClient(service);
  annsId = String(
    (await operator.data("POST", "/accounts", { size: 50_000, ownerId: "Ann-Lee" })).accountId,
  );
  await operator.data("POST", "/accounts", { size: 50_000, ownerId: "bob" });
  return () => service.close();
});

async function ids(path: string): Promise<readonly string[]> {
  const { items } = await operator.data("GET", path);
  return (items as { accountId: string }[]).map(({ accountId }) => accountId);
}

describe("accounts by what is known of them", () => {
  test("accounts are found by their owner, exactly", async () => {
    expect(await ids("/accounts?ownerId=Ann-Lee")).toEqual([annsId]);
    expect(await ids("/accounts?ownerId=Ann")).toEqual([]);
  });

  test("accounts are found by a part of the owner's id or the beginning of their own, case-insensitively", async () => {
    expect(await ids("/accounts?q=ann")).toEqual([annsId]);
    expect(await ids(`/accounts?q=${annsId.slice(0, 13).toUpperCase()}`)).toEqual([annsId]);
    expect(await ids(`/accounts?q=${annsId.slice(1)}`)).toEqual([]);
    expect(await ids("/accounts?q=%25")).toEqual([]);
  });

  test.each(["accounts?q=", "accounts?ownerId=%00", "search", "search?q=", "search?q=%00"])(
    "GET /%s is refused by name",
    async (path) => {
      const { status, body } = await operator.call("GET", `/${path}`);
      expect(status).toBe(400);
      expect(body.error).toMatch(/^(q|ownerId): /);
    },
  );
});

describe("the search", () => {
  test("the search finds an account by its id or owner", async () => {
    const account = { accountId: annsId, ownerId: "Ann-Lee", status: "active" };
    for (const text of ["lee", annsId, annsId.slice(0, 13)]) {
      expect(await operator.data("GET", `/search?q=${text}`)).toMatchObject({
        accounts: [account],
        keys: [],
        payouts: [],
        people: [],
      });
    }
  });

  test("the search finds a key by its id or label, and never tells its secret", async () => {
    const made = await operator.data("POST", "/keys", {
      accountId: annsId,
      scopes: ["trade:read"],
      label: "Night desk",
    });
    const key = { keyId: made.keyId, accountId: annsId, label: "Night desk" };
    for (const text of ["night", String(made.keyId).slice(0, 12)]) {
      const found = await operator.data("GET", `/search?q=${text}`);
      expect(found).toMatchObject({ accounts: [], keys: [key] });
      expect(JSON.stringify(found)).not.toContain(String(made.secret));
    }
  });

  test("the search finds nothing where there is nothing", async () => {
    expect(await operator.data("GET", "/search?q=po_nobody")).toMatchObject({
      accounts: [],
      keys: [],
      payouts: [],
    });
  });
});

describe("instruments", () => {
  const line = async (
    pair: string,
    at = operator,
  ): Promise<Record<string, unknown> | undefined> => {
    const { items } = await at.data("GET", "/instruments");
    return (items as Record<string, unknown>[]).find((one) => one.pair === pair);
  };

  test("instruments show their terms, and that there is no price yet", async () => {
    const quiet = await openHarness({ instruments: SMALL_CATALOGUE });
    onTestFinished(() => quiet.close());
    expect(await line("BTCUSD", createOperatorClient(quiet))).toMatchObject({
      display: "BTC/USD",
      assetClass: "crypto",
      quoteCurrency: "USD",
      lotSize: 1,
      gridStep: 0.00001,
      gridStepSmallAccount: null,
      leastPositionUsd: 10,
      leastPositionLots: null,
      tick: 0.01,
      feePercent: 0.03,
      carryKind: "none",
      carryPercent: 0,
      leverageCapTier1: 1.5,
      leverageCapPro: 10,
      isBlocked: false,
      isOpen: true,
      changesAtMs: null,
      bid: null,
      quoteAtMs: null,
      isStale: true,
    });
  });

  test("a quote is fresh until it is too old [D5.freshQuote]", async () => {
    await service.quote("BTCUSD", 50_000, 50_001);
    expect(await line("BTCUSD")).toMatchObject({
      bid: 50_000,
      ask: 50_001,
      isStale: false,
    });
    await service.pass(60_000);
    expect(await line("BTCUSD")).toMatchObject({ isStale: false });
    await service.pass(1);
    expect(await line("BTCUSD")).toMatchObject({ isStale: true });
  });

  test("a market that closes says when it changes", async () => {
    const before = await line("EURUSD");
    expect(before?.isOpen).toBe(true);
    const closesAtMs = Number(before?.changesAtMs);
    await service.pass(closesAtMs - service.time.clock.now());
    const after = await line("EURUSD");
    expect(after?.isOpen).toBe(false);
    expect(after?.changesAtMs).toBe(closesAtMs + 2 * 86_400_000);
  });
});
