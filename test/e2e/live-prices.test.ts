import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient, type OrderRequest } from "@propgate/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BackgroundCli, startCli } from "../../packages/cli/src/testing/background-cli.ts";
import { krakenProtocol } from "../../packages/server/src/testing/venues/kraken.ts";
import {
  type LocalVenue,
  openLocalVenue,
} from "../../packages/server/src/testing/venues/local-venue.ts";
import { eventually, until } from "../eventually.ts";
import { ROOT } from "../source-tree.ts";

/** The staleness limit in this test. It replaces the catalogue's one minute, so that quotes expire during the test. */
const STALE_AFTER_MS = 2_000;

const BUY: OrderRequest = {
  trade: { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.1 },
};
const SELL: OrderRequest = {
  trade: { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "SHORT", quantity: 0.1 },
};

/** Writes the shipped catalogue with crypto quotes that expire soon. Resolves with the path of the file. */
async function writeQuickCatalogue(folder: string): Promise<string> {
  const text = await readFile(join(ROOT, "packages/market/data/catalogue.json"), "utf8");
  const catalogue = JSON.parse(text);
  catalogue.classes.crypto.staleAfterMs = STALE_AFTER_MS;
  const file = join(folder, "catalogue.json");
  await writeFile(file, JSON.stringify(catalogue));
  return file;
}

describe("a service on a live venue", () => {
  let folder = "";
  let kraken: LocalVenue;
  let service: BackgroundCli;
  let client: Client;
  let bid = 90_000;
  let sending: NodeJS.Timeout;

  beforeAll(async () => {
    kraken = await openLocalVenue({ protocol: krakenProtocol, markets: ["BTC/USD", "ETH/USD"] });
    // The best ask of this book is always a dollar above its best bid.
    sending = setInterval(() => kraken.quote("BTC/USD", bid, bid + 1), 100);
    folder = await mkdtemp(join(tmpdir(), "propgate-live-"));
    service = await startCli(["serve", "--prices", "kraken", "--json", "--show-secrets"], {
      env: {
        PROPGATE_PORT: "0",
        PROPGATE_LOG_LEVEL: "info",
        PROPGATE_DATA_DIR: join(folder, "data"),
        PROPGATE_CATALOGUE: await writeQuickCatalogue(folder),
        PROPGATE_PRICE_URLS: `kraken=${kraken.origin}`,
      },
    });
    const { baseUrl, firstKey } = JSON.parse(service.firstLine);
    client = createClient({ ...firstKey, baseUrl });
  });
  afterAll(async () => {
    clearInterval(sending);
    await service?.stop();
    await kraken.close();
    await rm(folder, { recursive: true });
  });

  const quote = async () => (await client.quotes(["BTCUSD"]))[0];

  /**
   * Sends the order at a fresh quote and resolves with its result. Without a fresh quote the order would be rejected,
   * and many rejections block the key.
   */
  function fill(order: OrderRequest): Promise<unknown> {
    return eventually(async () => {
      expect(await quote()).toMatchObject({ bid, isStale: false });
      const outcome = await client.placeOrder(order);
      if (outcome.fate !== "accepted") throw new Error(JSON.stringify(outcome));
      return outcome.result;
    });
  }

  const changes = (): number =>
    service
      .said()
      .stderr.split("\n")
      .filter((line) => line.includes('"msg":"price source')).length;

  test("a service on a live venue fills at the venue's book, and at the new one after a cut, of which it logs each change", async () => {
    bid = 90_000;
    expect(await fill(BUY)).toMatchObject({ order: { price: 90_001, slippage: 0 } });
    const before = changes();
    kraken.faults.cutAll();
    bid = 90_500;
    expect(await fill(SELL)).toMatchObject({ order: { price: 90_500, realizedPnl: 49.9 } });
    await until(() => changes() >= before + 2);
    expect(changes()).toBeLessThanOrEqual(before + 4);
  });

  test("a service on a live venue rejects orders without a fresh quote, and fills at the first one after the silence", async () => {
    kraken.faults.plan.isSilent = true;
    await until(async () => (await quote())?.isStale === true);
    expect(await client.placeOrder(BUY)).toMatchObject({
      fate: "rejected",
      refusalCode: "staleQuote",
      rejection: { status: 400, error: "There is no fresh quote for BTCUSD; try again shortly" },
    });
    bid = 88_000;
    kraken.faults.clear();
    kraken.faults.cutAll();
    expect(await fill(BUY)).toMatchObject({ order: { price: 88_001 } });
    await fill({ trade: { execution_type: "FLAT_ALL" } });
  });
});
