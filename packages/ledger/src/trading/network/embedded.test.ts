import {
  type AccountId,
  accountId,
  evolve,
  orderUuid,
  type PairId,
  price,
  type TraderCommand,
  unixMs,
} from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { createSeededChance } from "../../../../base/src/random.ts";
import { TEST_OWNER, TEST_TERMS } from "../../../../server/src/testing/counting-decider.ts";
import { TEST_NOON } from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import {
  createManualEngine,
  type ManualEngine,
} from "../../../../server/src/testing/manual-engine.ts";
import { BTCUSD, EURUSD, SMALL_CATALOGUE } from "../../../../server/src/testing/small-market.ts";
import { rebuildJournal } from "../journal/rebuild-journal.ts";
import { verifyJournal } from "../journal/verify-journal.ts";
import type { Origin, Placement, ReadAt } from "./port.ts";

/** A key's order with a nonce of its own. */
const newOrigin = (): Origin => ({
  by: "key",
  keyId: "pk_1",
  nonce: CHANCE.uuid(),
  admittedAtMs: SATURDAY,
});
/** 2026-01-10, a Saturday, 12:00 UTC. */
const SATURDAY = unixMs(1_768_046_400_000);
const NEXT_MONDAY = unixMs(TEST_NOON + 7 * 86_400_000);
const CHANCE = createSeededChance("embedded");
const NEWEST = { newerThan: 0, olderThan: null, limit: 10 } as const;

const market = (pair: PairId, lots: number): TraderCommand => ({
  type: "placeMarket",
  orderUuid: orderUuid(CHANCE.uuid()),
  pair,
  direction: "long",
  size: { kind: "quantity", lots },
  legs: [],
  reduceOnly: false,
});

await describeOnEachDatabase("the embedded network", (database) => {
  let trading: ManualEngine;
  let id: AccountId;

  beforeEach(async () => {
    trading = createManualEngine(database(), { chance: CHANCE });
    id = await trading.open();
    await trading.quote(BTCUSD, 50_000, 50_010);
    await trading.quote(EURUSD, 1.1, 1.1001);
  });

  const at = (): ReadAt => ({ accountId: id, version: trading.version(id) });

  const place = (command: TraderCommand): Promise<Placement> =>
    trading.network.carryOut(id, command, newOrigin());

  test("a market order fills at the ask, pays its fee, and opens a position immediately [S2.6]", async () => {
    const command = market(BTCUSD, 1);
    expect(await place(command)).toMatchObject({
      ok: true,
      receipt: {
        outcome: "filled",
        note: null,
        order: {
          filled: true,
          direction: "long",
          price: 50_010,
          quantity: 100_000,
          value: 50_010_000_000,
          // 0.03 % of 50,010.00 USD.
          fee: 15_003_000,
          legs: null,
        },
      },
    });
    const account = await trading.network.account(at());
    expect(account).toMatchObject({
      ok: true,
      // The balance is 100,000 less the fee of 15.003. The position was bought at 50,010 and is worth 50,000 at the
      // bid.
      value: { snapshot: { balance: 99_984_997_000, openPnl: -10_000_000 }, stale: false },
    });
    const positions = await trading.network.positions(at());
    expect(positions).toMatchObject({
      ok: true,
      value: [{ position: { pair: BTCUSD, averageEntryPrice: 50_010 }, mark: 50_000 }],
    });
  });

  test("an order with legs answers with the legs under their own ids [S2.6]", async () => {
    const leg = { stopLoss: price(49_000), takeProfit: null, trailing: null, size: null };
    const command = { ...market(BTCUSD, 1), legs: [leg] } as TraderCommand;
    const uuid = command.type === "placeMarket" ? command.orderUuid : "";
    expect(await place(command)).toMatchObject({
      receipt: { order: { legs: [{ orderUuid: `${uuid}-bracket-0`, stopLoss: 49_000 }] } },
    });
    expect(await trading.network.pendingOrders(at())).toMatchObject({
      value: [{ kind: "bracket", uuid: `${uuid}-bracket-0` }],
    });
  });

  test("a limit rests, is edited under its id, is cancelled, and is then gone [S3.orders]", async () => {
    const limit = {
      ...market(BTCUSD, 1),
      type: "placeLimit",
      limitPrice: price(45_000),
      reduceOnly: false,
    } as TraderCommand & { type: "placeLimit" };
    expect(await place(limit)).toMatchObject({
      receipt: {
        orderUuid: limit.orderUuid,
        outcome: "resting",
        order: { filled: false, size: { kind: "quantity", lots: 1 }, legs: null },
      },
    });
    const replacement = { ...limit, limitPrice: price(44_000) };
    expect(await place({ type: "editOrder", replacement })).toMatchObject({
      receipt: {
        orderUuid: limit.orderUuid,
        outcome: "edited",
        order: { order: { limitPrice: 44_000 } },
      },
    });
    const cancel = { type: "cancelOrders", target: "all", pair: null } as const;
    expect(await place(cancel)).toMatchObject({
      receipt: {
        orderUuid: limit.orderUuid,
        outcome: "cancelled",
        note: { count: 1 },
        order: null,
      },
    });
    expect(await place(cancel)).toMatchObject({ receipt: { note: { count: 0, notFound: [] } } });
  });

  test("flatten closes positions in open markets, lists the others, and a closed one becomes a trade [D5.flattenAll]", async () => {
    await place(market(BTCUSD, 1));
    await place(market(EURUSD, 1));
    trading.now = SATURDAY;
    await trading.quote(BTCUSD, 51_000, 51_010);
    const flattened = await place({ type: "flatten", target: "all", pair: null });
    expect(flattened).toMatchObject({
      receipt: {
        outcome: "partlyFlattened",
        note: {
          closed: [BTCUSD],
          stayed: [{ pair: EURUSD, why: { code: "marketClosed", pair: EURUSD } }],
        },
      },
    });
    // The position was bought at 50,010 and sold at 51,000.
    expect(await trading.network.trades(at(), NEWEST)).toMatchObject({
      ok: true,
      value: [{ trade: { pair: BTCUSD, realizedPnl: 990_000_000, status: "closed" } }],
    });
    trading.now = NEXT_MONDAY;
    await trading.quote(EURUSD, 1.1, 1.1001);
    await place({ type: "closePair", orderUuid: orderUuid(CHANCE.uuid()), pair: EURUSD });
    expect(await trading.network.trades(at(), NEWEST)).toMatchObject({
      value: [{ trade: { pair: EURUSD } }, { trade: { pair: BTCUSD } }],
    });
    expect(await place({ type: "flatten", target: "all", pair: null })).toMatchObject({
      receipt: { outcome: "flattened", note: { closed: [], stayed: [], notFound: [] } },
    });
  });

  test("flatten gives the reason at the moment of the decision for each position that it left open [D5.flattenAll]", async () => {
    await place(market(BTCUSD, 1));
    await place(market(EURUSD, 1));
    trading.now = SATURDAY;
    await trading.quote(BTCUSD, 51_000, 51_010);
    trading.executor.onCommit(() => {
      trading.now = TEST_NOON;
    });
    expect(await place({ type: "flatten", target: "all", pair: null })).toMatchObject({
      receipt: {
        note: { closed: [BTCUSD], stayed: [{ pair: EURUSD, why: { code: "marketClosed" } }] },
      },
    });
  });

  test("FLAT answers with the direction flat and what it realized [D5.flat]", async () => {
    await place(market(BTCUSD, 1));
    await trading.quote(BTCUSD, 50_020, 50_030);
    const flat = { type: "closePair", orderUuid: orderUuid(CHANCE.uuid()), pair: BTCUSD } as const;
    expect(await place(flat)).toMatchObject({
      receipt: { order: { direction: "flat", price: 50_020, realizedPnl: 10_000_000 } },
    });
  });

  test("a refusal is returned unchanged, and nothing is written [D5.refusal]", async () => {
    const before = at();
    expect(await place(market(BTCUSD, 0.000001))).toMatchObject({ ok: false, refusal: {} });
    expect(at()).toEqual(before);
  });

  test("a challenge earns no payouts yet: not applicable, without items [S3.accrualStatus]", async () => {
    const page = { limit: 10, after: null };
    expect(await trading.network.payouts(at(), page)).toEqual({
      ok: true,
      shown: expect.objectContaining({ version: 1 }),
      value: {
        items: [],
        next: null,
        accrualStatus: "not_applicable",
        accrual: {
          estimatedAmount: null,
          windowStartMs: null,
          asOfMs: TEST_NOON,
          priorUnpaidAmount: 0,
          earliestUnpaidPeriodStartMs: null,
          deferredBalance: null,
        },
      },
    });
  });

  test("every journal is complete after all tests and reproduces the stored state", async () => {
    await place(market(BTCUSD, 1));
    await place({ type: "flatten", target: "all", pair: null });
    expect(await verifyJournal(database(), "all")).toMatchObject({ broken: [] });
    const instruments = SMALL_CATALOGUE;
    const options = {
      database: database(),
      evolve,
      instruments,
      which: "all",
      write: false,
    } as const;
    expect(await rebuildJournal(options)).toMatchObject({ different: [] });
  });

  test("the operator provisions, eliminates and closes accounts; an unknown account is null [D8.states]", async () => {
    const owner = { ownerId: TEST_OWNER, terms: TEST_TERMS, provisioned: false };
    const waiting = await trading.accounts.open(owner);
    const order = await trading.network.carryOut(waiting, market(BTCUSD, 1), newOrigin());
    expect(order).toEqual({ ok: false, refusal: { code: "accountNotReady" } });
    expect(await trading.accounts.provision(waiting)).toMatchObject({ ok: true });
    expect(await trading.accounts.provision(waiting)).toMatchObject({
      refusal: { code: "alreadyProvisioned" },
    });
    expect(await trading.accounts.eliminate(waiting, "by hand")).toMatchObject({
      value: {
        state: {
          status: "eliminated",
          elimination: { cause: { kind: "operator", reason: "by hand" } },
        },
      },
    });
    expect(await trading.accounts.close(id)).toMatchObject({
      value: { payout: null, forfeited: 0 },
    });
    expect(await trading.accounts.find(id)).toMatchObject({ status: "closed" });
    expect(await trading.accounts.close(accountId(CHANCE.uuid()))).toBe(null);
  });

  test("a position whose pair has had no price at all is a 503, as its account is [D13.types] [D13.stalePosition] [D4.stale]", async () => {
    await place(market(BTCUSD, 1));
    const { network } = createManualEngine(database());
    expect(await network.positions(at())).toEqual({ ok: false, error: "unreachable" });
    expect(await network.account(at())).toEqual({ ok: false, error: "unreachable" });
    expect(await network.pendingOrders(at())).toMatchObject({ ok: true, value: [] });
  });

  test("a position whose price is old shows its last known figures, and says so [D13.types] [D13.stalePosition]", async () => {
    await place(market(BTCUSD, 1));
    const shown = { mark: 50_000, unrealizedPnl: -10_000_000 };
    expect(await trading.network.positions(at())).toMatchObject({
      value: [{ ...shown, isStale: false }],
    });
    trading.now = unixMs(trading.now + 3_600_000);
    expect(await trading.network.positions(at())).toMatchObject({
      value: [{ ...shown, isStale: true }],
    });
  });

  test("a database that cannot be read is unreachable, or an upstream error for trades, and carries out no order [S7.R1] [S7.502] [D5.networkDown]", async () => {
    const elsewhere = createManualEngine(database());
    await database().query(
      "alter table accounts rename to gone; alter table trades rename to lost",
    );
    const account = await elsewhere.network.account(at());
    const trades = await elsewhere.network.trades(at(), NEWEST);
    const order = await elsewhere.network.carryOut(id, market(BTCUSD, 1), newOrigin());
    await database().query(
      "alter table gone rename to accounts; alter table lost rename to trades",
    );
    expect(account).toEqual({ ok: false, error: "unreachable" });
    expect(trades).toMatchObject({ ok: false, error: "upstream" });
    expect(order).toEqual({ ok: false, error: "networkDown" });
    expect(elsewhere.faults).toHaveLength(3);
  });
});
