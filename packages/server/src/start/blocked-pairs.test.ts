import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OperatorPrice, ServiceHealth } from "@propgate/contract";
import { createClient } from "@propgate/sdk";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import type { FirstKey } from "../../../access/src/storage/first-key.ts";
import { readSettings } from "../../../base/src/config.ts";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { krakenProtocol } from "../testing/venues/kraken.ts";
import { type LocalVenue, openLocalVenue } from "../testing/venues/local-venue.ts";
import { startService } from "./start-service.ts";

const OPERATOR_TOKEN = "op_blocked_pairs_0123456789abcdef01";
const CATALOGUE = new URL("../../../market/data/catalogue.json", import.meta.url);
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Writes a copy of the standard catalogue in which one pair is changed, as an operator does, and returns its path. */
async function catalogueWith(folder: string, id: string, change: object): Promise<string> {
  const file = JSON.parse(await readFile(CATALOGUE, "utf8")) as { instruments: { id: string }[] };
  const instruments = file.instruments.map((one) => (one.id === id ? { ...one, ...change } : one));
  const path = join(folder, "firm.json");
  await writeFile(path, JSON.stringify({ ...file, instruments }));
  return path;
}

async function start(kraken: LocalVenue, dataDir: string, catalogue: string) {
  const reading = readSettings(
    {},
    {
      port: "0",
      dataDir,
      cataloguePath: catalogue,
      logLevel: "silent",
      operatorToken: OPERATOR_TOKEN,
      prices: "crypto=kraken",
      priceUrls: `kraken=${kraken.origin}`,
    },
  );
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  const service = await startService(reading.settings);
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await service.stop();
    isStopped = true;
  };
  cleanUps.push(stop);
  const operator = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${service.operatorUrl}/operator/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return ((await response.json()) as { readonly data: unknown }).data;
  };
  const prices = async (pair: string) => {
    return (await operator(`/prices/${pair}`)) as OperatorPrice;
  };
  /** Sends a quote until the service shows its bid, as a venue repeats its quotes until they arrive. */
  const quoted = (market: string, pair: string, bid: number) =>
    eventually(async () => {
      kraken.quote(market, bid, bid);
      expect(await prices(pair)).toMatchObject({ state: "live", quote: { bid } });
    });
  return { service, stop, operator, prices, quoted };
}

const BTC = { trade_pair: "BTCUSD", quantity: 0.2 } as const;
const market = (direction: "LONG" | "SHORT") =>
  ({ ...BTC, execution_type: "MARKET", order_type: direction }) as const;

/** Starts a service, opens a position with a stop, places a resting entry, and stops the service. */
async function stoppedWithPosition(kraken: LocalVenue, dataDir: string): Promise<FirstKey> {
  const before = await start(kraken, dataDir, "standard");
  const { firstKey, baseUrl } = before.service;
  if (firstKey === null) throw new Error("a first start makes a first key");
  await before.quoted("BTC/USD", "BTCUSD", 50_000);
  const client = createClient({ ...firstKey, baseUrl });
  const placed = [
    await client.placeOrder({ trade: { ...market("LONG"), quantity: 0.6, stop_loss: 49_500 } }),
    await client.placeOrder({
      trade: { ...BTC, execution_type: "LIMIT", order_type: "LONG", limit_price: 49_000 },
    }),
  ];
  expect(placed.map(({ fate }) => fate)).toEqual(["accepted", "accepted"]);
  await before.stop();
  return firstKey;
}

describe("a pair that is blocked between two starts", () => {
  test("a pair that is blocked between two starts keeps its prices, ends its entries, takes exits and is counted [D13.blocked]", async () => {
    const kraken = await openLocalVenue({ protocol: krakenProtocol, markets: ["BTC/USD"] });
    cleanUps.push(() => kraken.close());
    const dataDir = await makeTemporaryFolder();
    const key = await stoppedWithPosition(kraken, dataDir);
    const firm = await catalogueWith(await makeTemporaryFolder(), "BTCUSD", { blocked: true });
    const { service, operator, prices, quoted } = await start(kraken, dataDir, firm);
    const client = createClient({ ...key, baseUrl: service.baseUrl });

    const { items } = await client.orderHistory();
    expect(items).toContainEqual(
      expect.objectContaining({
        status: "cancelled",
        reason: "pairBlocked",
        order: expect.objectContaining({ limitPrice: 49_000 }),
      }),
    );
    await quoted("BTC/USD", "BTCUSD", 50_100);
    expect(await prices("BTCUSD")).toMatchObject({
      isBlocked: true,
      isRetired: false,
      holders: 1,
      source: "kraken",
    });
    const { prices: health } = (await operator("/health")) as ServiceHealth;
    expect(health.blocked).toEqual([
      { pair: "BTCUSD", isRetired: false, state: "live", holders: 1 },
    ]);
    const opening = await client.placeOrder({ trade: market("LONG") });
    expect(JSON.stringify(opening)).toContain("blockedPair");
    expect(await client.placeOrder({ trade: market("SHORT") })).toMatchObject({ fate: "accepted" });
    const halt = await operator("/prices/BTCUSD/halt", { reason: "wrong price" });
    expect(halt).toMatchObject({ pair: "BTCUSD", kind: "halt" });
    expect(await operator("/prices/BTCUSD/auto", {})).toMatchObject({ kind: "auto" });
    await quoted("BTC/USD", "BTCUSD", 49_400);
    await eventually(async () => expect((await prices("BTCUSD"))?.holders).toBe(0));
  });
});
