import { evolve } from "@propgate/core";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../packages/ledger/src/storage/databases/database.ts";
import { rebuildJournal } from "../../packages/ledger/src/trading/journal/rebuild-journal.ts";
import { verifyJournal } from "../../packages/ledger/src/trading/journal/verify-journal.ts";
import { describeOnEachDatabase } from "../../packages/server/src/testing/each-database.ts";
import { CATALOGUE, type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";

const LONG = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 1,
} as const;

/** Opens a harness on a database that stays open for the next harness when this one closes. */
function openOn(database: Database, seed: string): Promise<Harness> {
  return openHarness({ database: { ...database, close: async () => undefined }, seed });
}

function countStatuses(replies: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

await describeOnEachDatabase("the essential flows over HTTP", (database) => {
  let service: Harness;
  beforeAll(async () => {
    service = await openOn(database(), "flows");
    await service.quote("BTCUSD", 50_000, 50_000);
    return () => service.close();
  });

  async function freshTrader(): Promise<Parameters<Harness["newKey"]>[0]> {
    return { accountId: await service.newAccount() };
  }

  test("an order fills, its stop closes it, and reads show every step to the cent [S3.orders] [S2.4]", async () => {
    const signer = await service.newKey(await freshTrader());
    const placed = await service.order({ ...LONG, stop_loss: 49_000 }, { signer });
    // The fee is 0.03 % of 1 × 50,000.
    expect(placed.json()).toMatchObject({
      data: { status: "filled", order: { filled: true, price: 50_000, quantity: 1, fee: 15 } },
    });
    const read = async (endpoint: string) => (await service.get(endpoint, { signer })).json();
    expect(await read("positions")).toMatchObject({ data: [{ netQuantity: 1, stopLoss: 49_000 }] });
    expect(await read("orders")).toMatchObject({ data: [{ executionType: "BRACKET" }] });

    await service.quote("BTCUSD", 48_900, 48_910);
    expect(await read("positions")).toEqual({ success: true, data: [] });
    expect(await read("orders")).toEqual({ success: true, data: [] });
    // The stop fills at the price after the gap, so 1,100 are lost from 50,000 to 48,900. The exit's fee is 0.03 % of
    // 48,900, which is 14.67.
    expect(await read("trades")).toMatchObject({
      data: [{ status: "CLOSED", realizedPnl: -1100, totalFees: 29.67 }],
    });
    expect(await read("account")).toMatchObject({
      data: { account: { currentBalance: 98_870.33, currentEquity: 98_870.33 } },
    });
    await service.quote("BTCUSD", 50_000, 50_000);
  });

  test("a limit rests, is edited, cancelled, and another one fills when its price comes [S3.orders]", async () => {
    const signer = await service.newKey(await freshTrader());
    const limit = { ...LONG, execution_type: "LIMIT", limit_price: 49_500 };
    const rested = await service.order(limit, { signer });
    const { data } = rested.json() as { data: { status: string; order_uuid: string } };
    expect(data.status).toBe("resting");
    const again = { ...limit, execution_type: "LIMIT_EDIT", order_uuid: data.order_uuid };
    const edited = await service.order({ ...again, limit_price: 49_400 }, { signer });
    expect(edited.json()).toMatchObject({
      data: { status: "edited", order: { limitPrice: 49_400 } },
    });
    const cancel = { execution_type: "LIMIT_CANCEL", order_uuid: data.order_uuid };
    expect((await service.order(cancel, { signer })).json()).toMatchObject({
      data: { status: "cancelled", order: null },
    });
    expect((await service.order(cancel, { signer })).status).toBe(400);
    await service.order(limit, { signer });
    await service.quote("BTCUSD", 49_480, 49_490);
    const positions = await service.get("positions", { signer });
    expect(positions.json()).toMatchObject({ data: [{ averageEntryPrice: 49_490 }] });
    const flat = await service.order({ execution_type: "FLAT_ALL" }, { signer });
    expect(flat.json()).toMatchObject({ data: { status: "flattened", order: null } });
    await service.quote("BTCUSD", 50_000, 50_000);
  });

  test("exactly one of 50 identical orders that race is placed [S5.R2 S7.R2]", async () => {
    const signer = await service.newKey(await freshTrader());
    const replies = await Promise.all(
      Array.from({ length: 50 }, () =>
        service.order({ ...LONG, quantity: 0.01 }, { signer, nonce: "one" }),
      ),
    );
    expect(countStatuses(replies)).toEqual({ 200: 1, 409: 49 });
    const positions = await service.get("positions", { signer });
    expect(positions.json()).toMatchObject({ data: [{ netQuantity: 0.01 }] });
  });

  test("30 rejected orders pause placement, reads go on; read 121 is refused [S8.guard] [S8.read]", async () => {
    const signer = await service.newKey(await freshTrader());
    const bad = { ...LONG, quantity: -1 };
    const replies = [];
    for (let count = 0; count < 31; count += 1) replies.push(await service.order(bad, { signer }));
    expect(countStatuses(replies)).toEqual({ 400: 30, 429: 1 });
    expect((await service.order(LONG, { signer })).headers["retry-after"]).toBe("900");
    const reads = await Promise.all(
      Array.from({ length: 121 }, () => service.get("positions", { signer })),
    );
    expect(countStatuses(reads)).toEqual({ 200: 120, 429: 1 });
  });

  test("a restart keeps positions, legs, keys, nonces, cooldown and budget", async () => {
    const trader = await service.newKey(await freshTrader());
    const paused = await service.newKey(await freshTrader());
    await service.order({ ...LONG, stop_loss: 49_000 }, { signer: trader, nonce: "before" });
    for (let count = 0; count < 30; count += 1) await service.order({}, { signer: paused });
    const before = await service.get("positions", { signer: trader, nonce: "read-before" });
    await service.close();

    service = await openOn(database(), "restarted");
    await service.quote("BTCUSD", 50_000, 50_000);
    const call = { signer: trader, nonce: "read-after" };
    expect((await service.get("positions", call)).text).toBe(before.text);
    expect((await service.order(LONG, { signer: trader, nonce: "before" })).status).toBe(409);
    expect((await service.order(LONG, { signer: paused, nonce: "after" })).status).toBe(429);
    // The stop that was placed before the restart is still watched.
    await service.quote("BTCUSD", 48_999, 49_000);
    const after = await service.get("positions", { signer: trader, nonce: "stopped" });
    expect(after.json()).toEqual({ success: true, data: [] });
    expect(await verifyJournal(database(), "all")).toMatchObject({ broken: [] });
    const rebuilt = await rebuildJournal({
      database: database(),
      evolve,
      instruments: CATALOGUE,
      which: "all",
      write: false,
    });
    expect(rebuilt.different).toEqual([]);
  });
});
