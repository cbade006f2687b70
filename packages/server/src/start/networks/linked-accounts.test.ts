import type {
  Account,
  EquityHistory,
  Payouts,
  PendingOrder,
  PositionItem,
  TradeFills,
  TradeItem,
} from "@propgate/contract";
import type { FaultRule } from "@propgate/stand-in";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { START_MS } from "../../testing/harness.ts";
import {
  type LinkedService,
  type LinkedTestAccount,
  openLinkedService,
} from "../../testing/linked-service.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const WEEK_MS = 604_800_000;
const BUY = { execution_type: "MARKET", trade_pair: "BTCUSDC", order_type: "LONG", quantity: 0.1 };
const LIMIT = { ...BUY, execution_type: "LIMIT", limit_price: 40_000 };
const READS = ["account", "positions", "orders", "trades", "payouts", "instruments"] as const;

describe("a linked account", () => {
  let service: LinkedService;
  let subject: LinkedTestAccount;
  /** Every body and header that a client got. */
  const seen: string[] = [];
  /** The number of orders that the validator never got. They stay without an outcome. */
  let lost = 0;
  beforeAll(async () => {
    service = await openLinkedService();
    await service.standIn.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
    subject = await service.newLinked({ assetClass: "all_markets" });
    return () => service.close();
  });
  afterEach(async () => {
    await service.standIn.control.clearFaults();
    // Waits in real time until the circuit breaker accepts calls again. An order that was being sent then gets its
    // fate, and earlier readings are no longer shown.
    await eventually(async () => {
      expect([await isRead(subject), await ordersSending()]).toEqual([true, lost]);
    });
  });

  const reply = async (path: string, { signer } = subject) => {
    const { status, text, headers } = await service.harness.get(path, { signer });
    seen.push(text, JSON.stringify(headers));
    return { status, body: JSON.parse(text) as { data?: unknown; error?: string } };
  };
  const read = async <Data>(path: string, of = subject): Promise<Data> => {
    const { status, body } = await reply(path, of);
    expect([path, status, body.error]).toEqual([path, 200, undefined]);
    return body.data as Data;
  };
  const order = async (trade: unknown, { signer } = subject) => {
    const { status, text } = await service.harness.order(trade, { signer });
    seen.push(text);
    return { status, body: JSON.parse(text) as { data: { order_uuid: string }; error: string } };
  };
  const isRead = async (of: LinkedTestAccount): Promise<boolean> => {
    await pass(11 * SECOND_MS);
    const { status, body } = await reply("account", of);
    return status === 200 && !(body.data as Account).meta.stale;
  };
  const ordersSending = async (): Promise<unknown> => {
    const { network } = await service.operator.data("GET", "/health");
    return (network as { readonly ordersSending: number }).ordersSending;
  };
  const pass = (ms: number) => service.harness.time.pass(ms);
  /** Returns a second reading, because the first one may come from a poll that began earlier. */
  const readAnew = async (): Promise<Account> => {
    await pass(11 * SECOND_MS);
    await read("account");
    return read("account");
  };
  const dashboards = async () => (await service.standIn.control.callCounts()).dashboard ?? 0;
  const fault = (rule: FaultRule) => service.standIn.control.addFault(rule);

  test("a linked account answers every read of the API, and one poll serves them for ten seconds", async () => {
    await pass(11 * SECOND_MS);
    const before = await dashboards();
    for (const path of READS) await read(path);
    await Promise.all(Array.from({ length: 20 }, () => read("account")));
    expect(await dashboards()).toBe(before + 1);
    await pass(9 * SECOND_MS);
    await read("account");
    expect(await dashboards()).toBe(before + 1);
    await pass(SECOND_MS);
    await Promise.all(Array.from({ length: 20 }, () => read("positions")));
    expect(await dashboards()).toBe(before + 2);
  });

  test("a linked account shows each order in the read that follows it", async () => {
    for (let count = 1; count <= 5; count += 1) {
      const placed = await order(BUY);
      expect([placed.status, placed.body.error]).toEqual([200, undefined]);
      const [position] = await read<readonly PositionItem[]>("positions");
      expect(position?.netQuantity).toBeCloseTo(count / 10, 9);
    }
    const { order_uuid: id } = (await order(LIMIT)).body.data;
    const ids = async () =>
      (await read<readonly PendingOrder[]>("orders")).map((one) => one.orderUuid);
    expect(await ids()).toContain(id);
    await order({ execution_type: "LIMIT_CANCEL", order_uuid: id });
    expect(await ids()).not.toContain(id);
    await order({ execution_type: "FLAT_ALL" });
    expect(await read("positions")).toEqual([]);
    const [trade] = await read<readonly TradeItem[]>("trades");
    expect(trade).toMatchObject({ tradePair: "BTCUSDC", positionType: "LONG", quantity: 0.5 });
  });

  test("a linked account is answered as stale for a minute while the validator is away, and then not at all", async () => {
    await readAnew();
    await fault({ call: "any", fault: { kind: "cut", when: "before" } });
    await pass(5 * SECOND_MS);
    expect((await read<Account>("account")).meta.stale).toBe(false);
    await pass(10 * SECOND_MS);
    expect((await read<Account>("account")).meta.stale).toBe(true);
    expect(await read("positions")).toEqual([]);
    await pass(5 * MINUTE_MS);
    const unavailable = {
      status: 503,
      body: {
        error:
          "Account snapshot temporarily unavailable (Vanta validator unreachable); retry shortly",
      },
    };
    for (const path of ["account", "positions", "orders", "instruments"]) {
      expect(await reply(path)).toEqual(unavailable);
    }
    expect(await reply("trades")).toEqual({
      status: 502,
      body: { error: "the trade history cannot be read from the network" },
    });
    const refused = await order(BUY);
    lost += 1;
    expect([refused.status, refused.body.error]).toEqual([
      500,
      expect.stringMatching(/^The trading network did not answer in time/),
    ]);
    const { network } = await service.operator.data("GET", "/health");
    expect(network).toMatchObject({
      validator: { reachable: false, unreachableSinceMs: expect.any(Number), isPaused: true },
      failingAccounts: 1,
      ordersSending: 1,
    });
    const ready = await fetch(`http://127.0.0.1:${service.harness.port}/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ready" }]);
    const health = await fetch(`http://127.0.0.1:${service.harness.port}/health`);
    expect(health.status).toBe(200);
  });

  test.each([
    ["NaN", { kind: "number", key: "balance", text: "NaN" }],
    ["a number of 400 digits", { kind: "number", key: "equity", text: "9".repeat(400) }],
    ["a key twice", { kind: "duplicateKey", key: "balance" }],
    ["half of its bytes", { kind: "halfBody" }],
    ["no JSON", { kind: "invalidJson" }],
    ["the ids of another subaccount", { kind: "otherSubaccount", hotkey: "another_7" }],
    ["a redirect", { kind: "redirect", location: "http://127.0.0.1:1/elsewhere" }],
    ["compressed bytes", { kind: "compressed" }],
  ] as const)("a dashboard with %s is not used", async (_, bad) => {
    const before = await readAnew();
    await fault({ call: "dashboard", fault: bad });
    await pass(15 * SECOND_MS);
    const after = await read<Account>("account");
    expect(after.meta.stale).toBe(true);
    expect(after.account).toEqual(before.account);
    await pass(MINUTE_MS);
    expect((await reply("account")).status).toBe(503);
  });

  test("a linked account does not keep an order that another reader of the network took out of its list", async () => {
    const { order_uuid: id } = (await order(LIMIT)).body.data;
    const ids = async () =>
      (await read<readonly PendingOrder[]>("orders")).map((one) => one.orderUuid);
    expect(await ids()).toContain(id);
    // The validator cancels the order, but the answer that shows it is lost on its way.
    await service.standIn.control.closeMarket("BTCUSDC", false);
    await fault({ call: "dashboard", fault: { kind: "halfBody" }, nth: [2] });
    const cancel = await order({ execution_type: "LIMIT_CANCEL", order_uuid: id });
    expect([cancel.status, cancel.body.error]).toEqual([
      500,
      expect.stringContaining("may or may not have been accepted"),
    ]);
    await pass(11 * SECOND_MS);
    await reply("orders");
    await pass(11 * SECOND_MS);
    expect(await ids()).not.toContain(id);
  });

  test.each([
    ["drained twice", { kind: "drainAgain" }],
    ["with cursors that go back", { kind: "cursorsBack", byMs: 3_600_000 }],
  ] as const)("a linked account keeps its orders through an answer %s", async (_, odd) => {
    const kept = (await order(LIMIT)).body.data.order_uuid;
    const gone = (await order(LIMIT)).body.data.order_uuid;
    await order({ execution_type: "LIMIT_CANCEL", order_uuid: gone });
    await read("orders");
    await fault({ call: "dashboard", fault: odd, times: 2 });
    for (let poll = 0; poll < 3; poll += 1) {
      await pass(11 * SECOND_MS);
      const orders = await read<readonly PendingOrder[]>("orders");
      expect(orders.map((one) => one.orderUuid)).toEqual([kept]);
    }
    await order({ execution_type: "LIMIT_CANCEL", order_uuid: kept });
  });

  test("a linked account is eliminated here when the network eliminates it before an order", async () => {
    const doomed = await service.newLinked({ assetClass: "all_markets" });
    await read("account", doomed);
    await service.standIn.control.eliminate(doomed.hotkey, { reason: "LIQUIDATED", dd: 6 });
    const refused = await order(BUY, doomed);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatch(/eliminated/i);
    const account = await read<Account>("account", doomed);
    expect(account.evaluation).toMatchObject({ isEliminated: true, status: "eliminated" });
    expect(account.elimination).toMatchObject({ reason: "LIQUIDATED", drawdownPct: 6 });
    expect(await service.operator.data("GET", `/accounts?q=${doomed.accountId}`)).toMatchObject({
      items: [{ status: "eliminated", network: "vanta" }],
    });
  });

  test("a linked account has payouts after the split, asks for them once a minute, and lists them without the validator", async () => {
    const paid = await service.newLinked({ bucket: "SUBACCOUNT_FUNDED" });
    expect(await read<Payouts>("payouts", paid)).toMatchObject({
      items: [],
      accrualStatus: "ok",
      accrual: { estimatedAmount: null },
    });
    const monday = START_MS - (START_MS % 86_400_000);
    const week = (before: number, payout: number) => ({
      start_ms: monday - before * WEEK_MS,
      end_ms: monday - (before - 1) * WEEK_MS,
      payout,
    });
    const weekly_settlements = [week(3, 100), week(2, 0), week(1, 250.5), week(0, 40)];
    await service.standIn.control.changeSubaccount(paid.hotkey, {
      payout: { weekly_settlements, payout: 390.5, deferred_balance: 0 },
    });
    await pass(MINUTE_MS);
    const counted = async () => (await service.standIn.control.callCounts()).payout ?? 0;
    const before = await counted();
    const first = await read<Payouts>("payouts?limit=1", paid);
    expect(first.items).toMatchObject([
      { amount: 200.4, profitSplit: "80%", periodStartMs: monday - WEEK_MS, status: null },
    ]);
    expect(first).toMatchObject({ accrualStatus: "ok", accrual: { estimatedAmount: 32 } });
    const second = await read<Payouts>(`payouts?limit=1&cursor=${first.nextCursor}`, paid);
    expect(second).toMatchObject({
      items: [{ amount: 80 }],
      nextCursor: null,
      accrualStatus: "omitted",
      accrual: null,
    });
    await Promise.all(Array.from({ length: 10 }, () => read("payouts", paid)));
    expect(await counted()).toBe(before + 1);
    await fault({ call: "any", fault: { kind: "cut", when: "before" } });
    await pass(5 * MINUTE_MS);
    const away = await read<Payouts>("payouts", paid);
    expect(away.items.map(({ amount }) => amount)).toEqual([200.4, 80]);
    expect(away).toMatchObject({
      accrualStatus: "unavailable",
      accrual: { estimatedAmount: null },
    });
  });

  test("a linked account is on the owner's pages, which say what the network does not have", async () => {
    const browser = await service.harness.signIn("owner");
    const path = `/accounts/${subject.accountId}`;
    const page = async (call: string) => {
      const { status, text } = await browser.call("GET", `${path}/${call}`);
      seen.push(text);
      return { status, ...(JSON.parse(text) as { data?: unknown; code?: string }) };
    };
    expect(await page("state")).toMatchObject({
      status: 200,
      data: { network: "vanta", account: { accountId: subject.accountId }, markets: [] },
    });
    expect(await page("equity?window=1D")).toMatchObject({ status: 200 });
    expect(await page("journal")).toMatchObject({
      status: 200,
      data: { entries: expect.arrayContaining([expect.objectContaining({ sequence: 1 })]) },
    });
    for (const call of ["cycles", "objectives"]) {
      expect(await page(call)).toMatchObject({ status: 404, code: "not_offered" });
    }
  });

  test("the equity of a linked account that was closed ends with its last reading, whenever it is read", async () => {
    const trader = await service.newLinked();
    await read("account", trader);
    await service.operator.data("POST", `/accounts/${trader.accountId}/close`, {});
    const browser = await service.harness.signIn("owner");
    const equity = async () => {
      const path = `/accounts/${trader.accountId}/equity?window=all`;
      return (JSON.parse((await browser.call("GET", path)).text) as { data: EquityHistory }).data;
    };
    const first = await equity();
    const last = { atMs: first.endedAtMs, equity: 100_000, balance: 100_000, floors: {} };
    expect([typeof first.endedAtMs, first.points.at(-1)]).toEqual(["number", last]);
    await service.harness.time.pass(3_600_000);
    expect(await equity()).toEqual(first);
  });

  test("a linked account has the fills of a position on the owner's pages, while it is open and after it was closed", async () => {
    const trader = await service.newLinked({ assetClass: "all_markets" });
    const browser = await service.harness.signIn("owner");
    const fillsOf = async (id: string) => {
      const path = `/accounts/${trader.accountId}/trades/${id}/fills`;
      const { status, text } = await browser.call("GET", path);
      seen.push(text);
      return { status, ...(JSON.parse(text) as { data: TradeFills; error?: string }) };
    };
    const effects = ({ data }: { readonly data: TradeFills }) =>
      data.fills.map(({ kind, effect, direction, quantity }) =>
        [kind, effect, direction, quantity].join(" "),
      );
    const bought = await order(BUY, trader);
    expect([bought.status, bought.body.error]).toEqual([200, undefined]);
    const [position] = await read<readonly PositionItem[]>("positions", trader);
    const id = position?.positionUuid ?? "";
    expect(effects(await fillsOf(id))).toEqual(["market open LONG 0.1"]);
    await pass(6 * SECOND_MS);
    await order({ ...BUY, quantity: 0.2 }, trader);
    await pass(6 * SECOND_MS);
    await order({ ...BUY, order_type: "SHORT" }, trader);
    expect(effects(await fillsOf(id))).toEqual([
      "market open LONG 0.1",
      "market add LONG 0.2",
      "market reduce SHORT 0.1",
    ]);
    await order({ execution_type: "FLAT_ALL" }, trader);
    const [trade] = await read<readonly TradeItem[]>("trades", trader);
    expect(trade?.id).toBe(id);
    const closed = await fillsOf(id);
    expect(effects(closed).slice(3)).toEqual(["flatten close SHORT 0.2"]);
    expect(closed.data.fills.at(-1)).toMatchObject({ fee: null, realizedPnl: null });
    const fees = closed.data.carry?.map(({ fee }) => Math.round(fee * 1_000_000)) ?? [];
    expect(fees.reduce((sum, fee) => sum + fee, 0) / 1_000_000).toBe(trade?.totalFees);
    for (const unknown of ["x", "__proto__", "0d5c2a34-59b8-4a3e-9d4f-000000000001"]) {
      expect(await fillsOf(unknown)).toMatchObject({ status: 404, error: "Trade not found" });
    }
    await fault({ call: "any", fault: { kind: "cut", when: "before" } });
    await pass(5 * MINUTE_MS);
    expect((await fillsOf(id)).status).toBe(503);
  });

  test("a linked account shows no key and no host of the network in any answer or line of the log", () => {
    const { standIn, harness } = service;
    const secrets = [
      standIn.keys.validator,
      standIn.keys.gateway,
      new URL(standIn.validatorUrl).host,
      new URL(standIn.gatewayUrl).host,
    ];
    const texts = [...seen, ...harness.logged].join("\n");
    expect(seen.length).toBeGreaterThan(100);
    expect(harness.logged.length).toBeGreaterThan(5);
    for (const secret of secrets) expect(texts.includes(secret)).toBe(false);
  });
});
