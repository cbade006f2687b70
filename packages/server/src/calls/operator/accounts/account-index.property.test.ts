/** Every figure of the operator's list equals the one that the account's own answers give at the same prices. */
import {
  ACCOUNTS_LIST,
  type Account,
  type OperatorAccount,
  type PendingOrder,
  type PositionItem,
} from "@propgate/contract";
import { leverage, ratio } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { SEED, scaledCount } from "../../../../../../test/environment/depth.ts";
import { createSeededChance } from "../../../../../base/src/random.ts";
import { inMemorySource } from "../../../storage/lists/in-memory-source.ts";
import { createListReader } from "../../../storage/lists/list-reader.ts";
import { type Harness, openHarness } from "../../../testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../../../testing/made-instrument.ts";
import { openTestDatabase } from "../../../testing/open-test-database.ts";
import { createOperatorClient } from "../../../testing/operator-client.ts";
import type { Signer } from "../../../testing/signed-request.ts";
import { parseListQuery } from "../lists/list-request.ts";

const FOREX = { assetClass: "forex", lotSize: 100_000 } as const;
const CAPS = {
  tier1: leverage(20),
  tier2: leverage(20),
  tier3: leverage(20),
  pro: leverage(20),
};
const INSTRUMENTS = madeCatalogue(
  madeInstrument("BTCUSD", { feeRatio: ratio(0.0003), leverageCaps: CAPS }),
  madeInstrument("EURUSD", { ...FOREX, leverageCaps: CAPS }),
  madeInstrument("USDJPY", { ...FOREX, leverageCaps: CAPS, staleAfterMs: 5_000_000 }),
  // A pair without USD, whose profit is converted at the rate of USDJPY.
  madeInstrument("EURJPY", { ...FOREX, leverageCaps: CAPS }),
);
const PRICES: Readonly<Record<string, number>> = {
  BTCUSD: 50_000,
  EURUSD: 1.1,
  USDJPY: 150,
  EURJPY: 165,
};
const PAIRS = Object.keys(PRICES);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Trader {
  readonly accountId: string;
  readonly signer: Signer;
}

interface Answers {
  readonly account: Account;
  readonly positions: readonly PositionItem[];
  readonly orders: readonly PendingOrder[];
  readonly payouts: {
    readonly accrualStatus: string;
    readonly accrual: {
      readonly estimatedAmount: number | null;
      readonly priorUnpaidAmount: number;
    } | null;
  };
}

const share = (limit: { anchorEquity: number; equityNow: number; floor: number }): number =>
  (Math.max(0, limit.anchorEquity - limit.equityNow) * 100) / (limit.anchorEquity - limit.floor);

/** The item of the list, computed from the account's own answers. */
function itemOf({ account, positions, orders, payouts }: Answers): Partial<OperatorAccount> {
  const { account: money, elimination } = account;
  const { accrual } = payouts;
  const values = positions.map(({ netValue }) => netValue);
  const micro = (sum: number): number => Math.round(sum * 1e6) / 1e6;
  return {
    accountId: account.accountId,
    status: elimination === null ? "active" : "eliminated",
    endReason: elimination === null ? null : elimination.reason,
    endedAtMs: elimination === null ? null : elimination.atMs,
    assetClass: account.assetClass,
    balance: money.currentBalance,
    equity: money.currentEquity,
    todayPnl: money.todayPnl,
    todayPnlPct: money.todayPnlPct,
    ...limitsOf(account),
    exposureGross: micro(values.reduce((sum, value) => sum + Math.abs(value), 0)),
    exposureNet: micro(values.reduce((sum, value) => sum + value, 0)),
    openPositions: positions.length,
    restingOrders: orders.filter(({ executionType }) => executionType !== "BRACKET").length,
    payoutDue: accrual?.priorUnpaidAmount ?? 0,
    payoutAccruing: payouts.accrualStatus === "ok" ? (accrual?.estimatedAmount ?? null) : null,
  };
}

function limitsOf({ elimination, drawdownRules: rules }: Account): Partial<OperatorAccount> {
  const limits = elimination === null ? (rules?.limits ?? []) : [];
  const nearest = limits.toSorted((one, other) => share(other) - share(one))[0];
  const daily = limits.find(({ rule }) => rule === "dailyLoss");
  const other = limits.find(({ rule }) => rule !== "dailyLoss");
  const moves = limits.map(({ breachMovePct }) => breachMovePct).filter((move) => move !== null);
  const orNull = <Value>(value: Value | undefined): Value | null => value ?? null;
  return {
    dayStartEquity: orNull(daily?.anchorEquity),
    nearestLimit: orNull(nearest?.rule),
    nearestRemaining: orNull(nearest?.remainingNow),
    breachMovePct: moves.length === 0 ? null : Math.min(...moves),
    dailyRemaining: orNull(daily?.remainingNow),
    dailyFloor: orNull(daily?.floor),
    dailyBreachPrice: orNull(daily?.breachPrice),
    lossRemaining: orNull(other?.remainingNow),
    lossFloor: orNull(other?.floor),
    lossBreachPrice: orNull(other?.breachPrice),
  };
}

function sharesOf({ account }: Answers): readonly (number | null)[] {
  const limits = account.elimination === null ? (account.drawdownRules?.limits ?? []) : [];
  const daily = limits.find(({ rule }) => rule === "dailyLoss");
  const other = limits.find(({ rule }) => rule !== "dailyLoss");
  const shares = [daily, other].map((limit) => (limit === undefined ? null : share(limit)));
  const known = shares.filter((one) => one !== null);
  return [known.length === 0 ? null : Math.max(...known), ...shares];
}

/** Runs random actions on a few accounts at random prices, and compares the list after every fifth step. */
async function playLife(service: Harness, seed: string): Promise<number> {
  const chance = createSeededChance(seed);
  const operator = createOperatorClient(service);
  const number = (): number => Number.parseInt(chance.uuid().slice(0, 8), 16) / 2 ** 32;
  const below = (count: number): number => Math.floor(number() * count);
  const oneOf = <Value>(values: readonly Value[]): Value => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error("a list with a value");
    return value;
  };
  const prices = { ...PRICES };
  const quote = async (pair: string): Promise<void> => {
    const price = prices[pair] ?? 1;
    await service.quote(pair, Number(price.toFixed(5)), Number((price * 1.0001).toFixed(5)));
  };
  const traders: Trader[] = [];
  const open = async (): Promise<void> => {
    const made = await operator.data("POST", "/accounts", {
      size: oneOf([50_000, 100_000]),
      ownerId: oneOf(["one", "two", "three"]),
      drawdownCriteria: oneOf(["static", "trailing"]),
    });
    const accountId = String(made.accountId);
    const request = { accountId: accountId as Harness["accountId"] };
    traders.push({ accountId, signer: await service.newKey(request) });
  };
  for (const pair of PAIRS) await quote(pair);
  for (let at = 0; at < 3; at += 1) await open();
  const order = (trade: object) => service.order(trade, { signer: oneOf(traders).signer });
  const acts: readonly (() => Promise<unknown>)[] = [
    open,
    () =>
      order({
        execution_type: "MARKET",
        trade_pair: oneOf(PAIRS),
        order_type: oneOf(["LONG", "SHORT"]),
        value: oneOf([5_000, 20_000, 60_000, 90_000]),
      }),
    () =>
      order({
        execution_type: "LIMIT",
        trade_pair: "BTCUSD",
        order_type: "LONG",
        quantity: 0.1,
        limit_price: Math.round((prices.BTCUSD ?? 0) * 0.97),
        stop_loss: 30_000,
      }),
    () => order({ execution_type: "FLAT_ALL" }),
    () =>
      operator.call("POST", `/accounts/${oneOf(traders).accountId}/promote`, {
        body: { phase: oneOf(["challenge", "proChallenge"]) },
      }),
    () =>
      operator.call("POST", `/accounts/${oneOf(traders).accountId}/offer-pro`, {
        body: { proAccountSize: 250_000 },
      }),
    () => service.pass(below(5) * MINUTE_MS),
    async () => {
      await service.pass(below(3) * DAY_MS);
      for (const pair of PAIRS) if (below(4) > 0) await quote(pair);
    },
  ];
  let compared = 0;
  for (let step = 0; step < scaledCount(150, 30); step += 1) {
    await oneOf(acts)();
    for (let at = below(3); at > 0; at -= 1) {
      const pair = oneOf(PAIRS);
      prices[pair] = (prices[pair] ?? 1) * (1 + (number() - 0.5) / 10);
      await quote(pair);
    }
    if (step % 5 === 4) compared += await compare(service, traders);
  }
  return compared;
}

/**
 * Sends random queries, page by page, and compares each answer with the answer that the SQL of lists gives for the same
 * items. Filters, sort orders and cursors must mean the same in both.
 */
async function compareQueries(service: Harness, seed: string): Promise<number> {
  const chance = createSeededChance(seed);
  const below = (count: number): number =>
    Math.floor((Number.parseInt(chance.uuid().slice(0, 8), 16) / 2 ** 32) * count);
  const operator = createOperatorClient(service);
  const { items } = (await operator.data("GET", "/accounts?limit=500")) as {
    readonly items: readonly OperatorAccount[];
  };
  const reader = createListReader([service.database]);
  const source = inMemorySource(ACCOUNTS_LIST, items);
  const { fields } = ACCOUNTS_LIST;
  const field = () => fields[below(fields.length)] ?? { name: "size", kind: "number" as const };
  const filter = (): readonly [string, string] => {
    const { name, kind } = field();
    const values = items.map((item) => (item as Readonly<Record<string, unknown>>)[name] ?? null);
    const drawn = values[below(values.length)] ?? null;
    const value = typeof drawn === "string" ? drawn : JSON.stringify(drawn);
    if (drawn === null) return below(2) > 0 ? [name, "null"] : [name, "set"];
    if (kind !== "number" && kind !== "time") return [name, value];
    return [`${name}${below(2) > 0 ? "Min" : "Max"}`, value];
  };
  const draw = (): Record<string, string> => {
    const query: Record<string, string> = { limit: String(1 + below(4)) };
    for (let more = below(3); more > 0; more -= 1) {
      const [name, value] = filter();
      query[name] = value;
    }
    if (below(3) > 0) query.sort = `${below(2) > 0 ? "-" : ""}${field().name}`;
    if (below(8) === 0) query.q = String(items[0]?.ownerId).slice(0, 2).toUpperCase();
    return query;
  };
  const walk = async (query: Record<string, string>): Promise<number> => {
    const wanted = parseListQuery({ list: ACCOUNTS_LIST, query, scope: "accounts.list " });
    // The query is refused when it has a filter for null on a field that is never null.
    if ("refused" in wanted) return 0;
    const page = await operator.data("GET", `/accounts?${new URLSearchParams(query).toString()}`);
    const same = await reader.page(ACCOUNTS_LIST, source, wanted.value);
    expect([page.items, page.total], JSON.stringify(query)).toEqual([same.items, same.total]);
    const rest = typeof page.next === "string" ? await walk({ ...query, after: page.next }) : 0;
    return same.items.length + rest;
  };
  let compared = 0;
  for (let at = 0; at < scaledCount(200, 40); at += 1) compared += await walk(draw());
  return compared;
}

async function compare(service: Harness, traders: readonly Trader[]): Promise<number> {
  const { items } = await createOperatorClient(service).data("GET", "/accounts?limit=500");
  const byId = new Map((items as readonly OperatorAccount[]).map((item) => [item.accountId, item]));
  let compared = 0;
  for (const { accountId, signer } of traders) {
    const item = byId.get(accountId);
    if (item === undefined) throw new Error(`${accountId} is not in the list`);
    const [account, positions, orders, payouts] = await Promise.all(
      ["account", "positions", "orders", "payouts"].map((name) => service.get(name, { signer })),
    );
    if (account?.status !== 200) {
      expect([account?.status, item.equity]).toEqual([503, null]);
      continue;
    }
    const data = (reply: typeof account | undefined) =>
      (reply?.json() as { readonly data: unknown } | undefined)?.data;
    const answers = {
      account: data(account),
      positions: data(positions),
      orders: data(orders),
      payouts: data(payouts),
    } as Answers;
    expect(item).toMatchObject(itemOf(answers));
    const shares = [item.nearestUsedOfLimitPct, item.dailyUsedOfLimitPct, item.lossUsedOfLimitPct];
    for (const [at, expected] of sharesOf(answers).entries()) {
      if (expected === null) expect(shares[at]).toBeNull();
      else expect(shares[at]).toBeCloseTo(expected, 6);
    }
    compared += item.openPositions === 0 ? 0 : 1;
  }
  return compared;
}

describe("the list of accounts in random lives", () => {
  test("every figure equals the account's own answers, on one database [D9.accountIndex] [D9.nearestLimit]", async () => {
    let compared = 0;
    for (let life = 0; life < scaledCount(10, 2); life += 1) {
      const service = await openHarness({
        accountsPerOwner: null,
        instruments: INSTRUMENTS,
        seed: `life ${life}`,
      });
      compared += await playLife(service, `${SEED} ${life}`);
      expect(await compareQueries(service, `${SEED} queries ${life}`)).toBeGreaterThan(40);
      await service.close();
    }
    expect(compared).toBeGreaterThan(5);
  });

  test("every figure equals the account's own answers, on two databases", async () => {
    const other = await openTestDatabase();
    const service = await openHarness({
      accountsPerOwner: null,
      instruments: INSTRUMENTS,
      otherDatabases: [other],
    });
    expect(await playLife(service, `${SEED} of two`)).toBeGreaterThan(2);
    await service.close();
  });
});
