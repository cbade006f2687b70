import type { Account, CycleView, ObjectiveDay, Payouts, TradeFills } from "@propgate/contract";
import { type AccountId, leverage } from "@propgate/core";
import { beforeEach, describe, expect, test } from "vitest";
import { openEarningTrader } from "../../../testing/earning-trader.ts";
import { START_MS } from "../../../testing/harness.ts";
import { openPagedService, type PagedService } from "../../../testing/page-client.ts";
import { PRO_TERMS } from "../../../testing/scripted-account.ts";
import type { Signer } from "../../../testing/signed-request.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** 2026-01-05, 00:00 UTC. */
const MONDAY_MS = START_MS - DAY_MS / 2;
const BTC = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
const EUR = { execution_type: "MARKET", trade_pair: "EURUSD", order_type: "LONG" };
const FLAT_ALL = { execution_type: "FLAT_ALL" };

let service: PagedService;
beforeEach(async () => {
  service = await openPagedService();
  return () => service.close();
});

describe("cycles of a funded account", () => {
  test("cycles of a funded account say what each week won beyond the mark, and pay nothing for a loss won back", async () => {
    const { accountId, signer } = await openEarningTrader(service, 2);
    const startMs = service.time.clock.now() - 2 * WEEK_MS;
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.order({ ...BTC, quantity: 1 }, { signer });
    await service.quote("BTCUSD", 49_000, 49_000);
    await service.order(FLAT_ALL, { signer });
    await service.pass(WEEK_MS);
    const cycles = await service.data<readonly CycleView[]>(`/accounts/${accountId}/cycles`);
    // Bought at 50,000 and sold at 51,000, twice; the fees of 0.03 % are 15 and 15.30 each time. Then bought at 50,000
    // and sold at 49,000: −1,000 less fees of 15 and 14.70.
    const won = { scale: 1, splitPercent: 100, released: 0, isHeld: false, heldBecause: null };
    expect(cycles).toEqual([
      {
        ...won,
        periodStartMs: startMs + 2 * WEEK_MS,
        periodEndMs: startMs + 3 * WEEK_MS,
        profit: 909.7,
        weekProfit: -1029.7,
        mark: 1939.4,
        gross: 0,
        share: 0,
        payoutId: null,
      },
      {
        ...won,
        periodStartMs: startMs + WEEK_MS,
        periodEndMs: startMs + 2 * WEEK_MS,
        profit: 1939.4,
        weekProfit: 969.7,
        mark: 969.7,
        gross: 969.7,
        share: 969.7,
        payoutId: `po_${accountId}_${startMs + 2 * WEEK_MS}`,
      },
      {
        ...won,
        // The first period begins at the moment of the promotion.
        periodStartMs: START_MS,
        periodEndMs: startMs + WEEK_MS,
        profit: 969.7,
        weekProfit: 969.7,
        mark: 0,
        gross: 969.7,
        share: 969.7,
        payoutId: `po_${accountId}_${startMs + WEEK_MS}`,
      },
    ]);
    const { payouts } = await service.data<{ readonly payouts: Payouts }>(
      `/accounts/${accountId}/payouts?limit=1`,
    );
    expect(payouts.items).toMatchObject([{ id: cycles[1]?.payoutId, amount: 969.7 }]);
    const second = await service.data<{ readonly payouts: Payouts }>(
      `/accounts/${accountId}/payouts?limit=1&cursor=${payouts.nextCursor}`,
    );
    expect(second.payouts.items).toMatchObject([{ id: cycles[2]?.payoutId }]);
    for (const [query, error] of [
      ["limit=0", "limit: must be a whole number of 1 or more"],
      ["cursor=x", "cursor: must be a nextCursor of this account's payouts"],
    ] as const) {
      const refused = await service.page("GET", `/accounts/${accountId}/payouts?${query}`);
      expect(refused).toMatchObject({ status: 400, error });
    }
  });
});

test("the cycles of an account that earned for more than 200 weeks are all of them, so that their sum is what it earned [S2.5.items]", async () => {
  const weeks = 201;
  const { accountId } = await openEarningTrader(service, weeks);
  const cycles = await service.data<readonly CycleView[]>(`/accounts/${accountId}/cycles`);
  expect(cycles).toHaveLength(weeks);
  const earned = cycles.reduce((sum, { share }) => sum + Math.round(share * 1e6), 0) / 1e6;
  const { payouts } = await service.data<{ readonly payouts: Payouts }>(
    `/accounts/${accountId}/payouts`,
  );
  expect(payouts.accrual?.priorUnpaidAmount).toBe(earned);
});

describe("the days of a pro account", () => {
  let accountId: AccountId;
  let signer: Signer;
  beforeEach(async () => {
    accountId = await service.newAccount();
    signer = await service.newKey({ accountId });
    await service.accounts.offerPro(accountId, PRO_TERMS);
  });

  const objectives = () =>
    service.data<readonly ObjectiveDay[]>(`/accounts/${accountId}/objectives`);
  const proTrack = async (): Promise<NonNullable<Account["proTrack"]>> => {
    const { data } = (await service.get("account", { signer })).json() as { data: Account };
    if (data.proTrack === null) throw new Error("an account on the pro track");
    return data.proTrack;
  };
  /** Buys two lots at 1.10, sells them at this price, and passes to the next midnight. */
  const tradedDay = async (price: number): Promise<void> => {
    await service.quote("EURUSD", 1.1, 1.1);
    await service.order({ ...EUR, quantity: 2 }, { signer });
    await service.quote("EURUSD", price, price);
    await service.order(FLAT_ALL, { signer });
    await service.pass(DAY_MS - (service.time.clock.now() % DAY_MS));
  };

  test("the days of a pro account are its full ones, and the last reads as the API does at its end", async () => {
    expect(await objectives()).toEqual([]);
    await service.pass(3_600_000);
    await tradedDay(1.105);
    // The day of the first trade does not count as a full day.
    expect(await objectives()).toEqual([]);
    for (const price of [1.11, 1.095, 1.115]) {
      await tradedDay(price);
      const days = await objectives();
      const { objectives: now } = await proTrack();
      const value = (key: string) => now.find((one) => one.key === key)?.value;
      expect(days.at(-1)).toEqual({
        dayStartMs: service.time.clock.now() - DAY_MS,
        returnRatio: value("return"),
        calmar: value("calmar"),
        consistency: value("consistency"),
        tradingDays: value("days"),
      });
    }
    // The four days win 1,000, 2,000, −1,000 and 3,000, so the returns are 3,000, 2,000 and 5,000 of 200,000.
    const days = await objectives();
    expect(days.map(({ returnRatio, tradingDays }) => [returnRatio, tradingDays])).toEqual([
      [0.015, 1],
      [0.01, 2],
      [0.025, 3],
    ]);
  });

  test("the days of a pro account hold the week in which they are beyond a target, and say which", async () => {
    await service.pass(3_600_000);
    for (const price of [1.105, 1.11, 1.095, 1.115]) await tradedDay(price);
    await service.accounts.promote(accountId);
    await tradedDay(1.1);
    const into = (service.time.clock.now() - MONDAY_MS) % WEEK_MS;
    await service.pass(WEEK_MS - into);
    const [held] = await service.data<readonly CycleView[]>(`/accounts/${accountId}/cycles`);
    expect(held).toMatchObject({ isHeld: true, payoutId: null, released: 0 });
    expect(held?.heldBecause).toMatch(
      /^\d{4}-\d\d-\d\d: .*consistency \d+(\.\d)? %, at most 20 %(; \d{4}|$)/,
    );
  });
});

describe("the fills of a trade", () => {
  test("the fills of a trade are those of its position alone, with what each came to", async () => {
    const accountId = await service.newAccount({
      terms: { ...PRO_TERMS, portfolioCap: leverage(50) },
    });
    const signer = await service.newKey({ accountId });
    const now = () => service.time.clock.now();
    const openedAtMs = now();
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.quote("EURUSD", 1.1, 1.1);
    await service.order({ ...BTC, quantity: 1 }, { signer });
    await service.order({ ...EUR, quantity: 1 }, { signer });
    await service.pass(1000);
    await service.quote("BTCUSD", 51_000, 51_000);
    await service.order({ ...BTC, quantity: 1, stop_loss: 50_900 }, { signer });
    await service.order({ ...BTC, order_type: "SHORT", quantity: 0.5 }, { signer });
    await service.quote("BTCUSD", 50_800, 50_800);
    const trades = (await service.get("trades", { signer })).json() as {
      readonly data: readonly { readonly id: string }[];
    };
    const [trade] = trades.data;
    const path = `/accounts/${accountId}/trades/${trade?.id}/fills`;
    const { fills, carry } = await service.data<TradeFills>(path);
    expect(carry).toEqual([]);
    const buy = { direction: "LONG", slippage: 0, realizedPnl: 0, bindingCap: null };
    const sell = { direction: "SHORT", slippage: 0, bindingCap: null };
    // Bought at 50,000 and at 51,000, so at 50,500 on average. The fee of each fill is 0.03 %.
    expect(fills).toMatchObject([
      { ...buy, effect: "open", kind: "market", quantity: 1, price: 50_000, fee: 15 },
      { ...buy, effect: "add", kind: "market", quantity: 1, price: 51_000, fee: 15.3 },
      {
        ...sell,
        effect: "reduce",
        kind: "market",
        quantity: 0.5,
        price: 51_000,
        value: 25_500,
        fee: 7.65,
        realizedPnl: 250,
      },
      {
        ...sell,
        effect: "close",
        kind: "stopLoss",
        quantity: 1.5,
        price: 50_800,
        value: 76_200,
        fee: 22.86,
        realizedPnl: 450,
      },
    ]);
    expect(fills[0]?.atMs).toBe(openedAtMs);
    expect(fills.map(({ sequence }) => sequence)).toEqual(
      fills.map(({ sequence }) => sequence).toSorted((one, other) => one - other),
    );
    const { positions } = await service.data<{ positions: readonly { positionUuid: string }[] }>(
      `/accounts/${accountId}/state`,
    );
    const open = `/accounts/${accountId}/trades/${positions[0]?.positionUuid}/fills`;
    expect((await service.data<TradeFills>(open)).fills).toMatchObject([{ effect: "open" }]);
    for (const id of ["x", "%00", "0d5c2a34-59b8-4a3e-9d4f-000000000001"]) {
      const none = await service.page("GET", `/accounts/${accountId}/trades/${id}/fills`);
      expect(none).toMatchObject({ status: 404, error: "Trade not found" });
    }
    const stranger = `/accounts/${service.accountId}/trades/${trade?.id}/fills`;
    expect((await service.page("GET", stranger)).status).toBe(404);
  });
});
