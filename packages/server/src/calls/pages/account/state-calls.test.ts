import type { AccountChoice, AccountStateView, TradesView } from "@propgate/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openPagedService, type PagedService } from "../../../testing/page-client.ts";

const LONG = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 };
const LIMIT = { ...LONG, execution_type: "LIMIT", limit_price: 40_000 };

describe("what a page reads is what the API answers", () => {
  let service: PagedService;
  let path: string;
  const api = async (endpoint: string): Promise<unknown> =>
    ((await service.get(endpoint)).json() as { readonly data: unknown }).data;
  const state = () => service.data<AccountStateView>(`${path}/state`);

  beforeEach(async () => {
    service = await openPagedService();
    path = `/accounts/${service.accountId}`;
    await service.quote("BTCUSD", 50_000, 50_010);
    await service.quote("EURUSD", 1.1, 1.1001);
    return () => service.close();
  });

  const allTheSame = async (): Promise<void> => {
    const view = await state();
    const { generatedAtMs, account, positions, orders } = view;
    expect({ account, positions, orders }).toEqual({
      account: await api("account"),
      positions: await api("positions"),
      orders: await api("orders"),
    });
    expect(generatedAtMs).toBe(service.time.clock.now());
    const trades = await service.data<TradesView>(`${path}/trades`);
    expect(trades.trades).toEqual(await api("trades"));
    expect(trades.version).toBe(view.version);
    expect(trades.trades).toHaveLength(view.trades);
    expect(await service.data(`${path}/payouts`)).toEqual({
      version: view.version,
      payouts: await api("payouts"),
    });
  };

  test("a page reads what the API answers of an account that has done nothing yet", allTheSame);

  test("a page reads what the API answers with a position, a leg, a pending order and another price", async () => {
    await service.order({ ...LONG, stop_loss: 45_000 });
    await service.order(LIMIT);
    await service.quote("BTCUSD", 50_400, 50_410);
    await allTheSame();
    expect(await state()).toMatchObject({
      // The position was bought at 50,010 and is worth 50,400.
      positions: [{ unrealizedPnl: 390, stopLoss: 45_000 }],
      orders: [{ executionType: "BRACKET" }, { executionType: "LIMIT", limitPrice: 40_000 }],
      markets: [
        {
          pair: "BTCUSD",
          quote: { bid: 50_400, ask: 50_410, atMs: service.time.clock.now() },
          isStale: false,
          isOpen: true,
        },
      ],
      trades: 0,
    });
  });

  test("a page reads what the API answers after trades, days, and with a quote that is too old", async () => {
    await service.order(LONG);
    await service.order({ ...LONG, trade_pair: "EURUSD" });
    await service.order({ execution_type: "MARKET", trade_pair: "EURUSD", order_type: "FLAT" });
    await service.pass(3 * 86_400_000);
    await allTheSame();
    const view = await state();
    expect(view.markets).toMatchObject([{ pair: "BTCUSD", isStale: true, isOpen: true }]);
    expect(view.account?.performance.dailyReturns).toHaveLength(3);
    expect(view.trades).toBe(1);
  });

  test("an account that cannot be valued has no figures, but what is known of it", async () => {
    const accountId = await service.newAccount();
    const signer = await service.newKey({ accountId });
    await service.quote("EURUSD", 1.1, 1.1001);
    await service.order({ ...LONG, trade_pair: "EURUSD" }, { signer });
    const other = await openPagedService({
      harness: {
        seed: "another process",
        database: { ...service.database, close: async () => {} },
      },
    });
    try {
      const view = await other.data<AccountStateView>(`/accounts/${accountId}/state`);
      expect(view).toMatchObject({
        account: null,
        positions: [{ tradePair: "EURUSD", unrealizedPnl: null }],
        markets: [{ pair: "EURUSD", quote: null, isStale: true, isOpen: true }],
      });
    } finally {
      await other.close();
    }
  });
});

describe("whose accounts a page shows", () => {
  let service: PagedService;
  beforeAll(async () => {
    service = await openPagedService();
    return () => service.close();
  });

  const CALLS = [
    ["GET", "/state"],
    ["GET", "/live"],
    ["GET", "/trades"],
    ["GET", "/trades/0d5c2a34-59b8-4a3e-9d4f-000000000001/fills"],
    ["GET", "/payouts"],
    ["GET", "/keys"],
    ["POST", "/keys"],
    ["DELETE", "/keys/pk_00000000000000000000"],
    ["POST", "/flatten"],
  ] as const;

  test.each(CALLS)("%s %s of another owner's account is no account", async (method, path) => {
    const call = (id: string, as: "owner" | "stranger") =>
      service.page(method, `/accounts/${id}${path}`, { as });
    const expected = { status: 404, error: "Account not found", data: undefined };
    expect(await call(service.accountId, "stranger")).toEqual(expected);
    expect(await call("0d5c2a34-59b8-4a3e-9d4f-000000000001", "owner")).toEqual(expected);
    expect(await call("nothing", "owner")).toEqual(expected);
    expect(await call("%00", "owner")).toEqual(expected);
  });

  test("a list has the owner's own; an operator's the newest of all", async () => {
    const choice: AccountChoice = {
      network: "embedded",
      accountId: service.accountId,
      title: "Classic $100K Evaluation",
      status: "evaluation",
      isEliminated: false,
      isClosed: false,
      openedAtMs: service.time.clock.now(),
    };
    expect(await service.data("/accounts")).toEqual([choice]);
    expect(await service.data("/accounts", "operator")).toEqual([choice]);
    expect(await service.data("/accounts", "stranger")).toEqual([]);
    await service.time.pass(1000);
    const newer = await service.newAccount();
    await service.accounts.eliminate(newer, "of the firm's own");
    expect(await service.data("/accounts")).toMatchObject([
      { accountId: newer, status: "eliminated", isEliminated: true },
      { accountId: service.accountId },
    ]);
  });

  test("a closed account is listed and read as closed", async () => {
    const accountId = await service.newAccount();
    const read = () => service.data(`/accounts/${accountId}/state`);
    expect(await read()).toMatchObject({ isClosed: false });
    await service.accounts.close(accountId);
    expect(await read()).toMatchObject({ isClosed: true });
    expect(await service.data("/accounts")).toContainEqual(
      expect.objectContaining({ accountId, isClosed: true }),
    );
  });

  test("an operator reads every account and changes none", async () => {
    const path = `/accounts/${service.accountId}`;
    for (const read of ["state", "trades", "payouts", "keys"]) {
      expect((await service.page("GET", `${path}/${read}`, { as: "operator" })).status).toBe(200);
    }
    for (const [method, call] of [
      ["POST", "keys"],
      ["DELETE", "keys/pk_00000000000000000000"],
      ["POST", "flatten"],
    ] as const) {
      expect(await service.page(method, `${path}/${call}`, { as: "operator" })).toMatchObject({
        status: 403,
        error: "Only the account's owner can do this here; an operator has the console for it",
      });
    }
    expect(service.audited.at(-1)).toEqual({
      name: "account.flatten",
      status: 403,
      about: { accountId: service.accountId },
    });
  });
});
