import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import { parseCatalogueDocument } from "../catalogue.ts";
import { importInstruments } from "./import-instruments.ts";
import type { CatalogueDifference } from "./proposal.ts";

/** Makes one market in the form in which Kraken's API lists it. */
const assetPair = (base: string, quote: string, over: object = {}) => ({
  altname: base + quote,
  wsname: `${base}/${quote}`,
  aclass_base: "currency",
  base,
  aclass_quote: "currency",
  quote: quote === "USD" ? "ZUSD" : quote,
  lot: "unit",
  cost_decimals: 5,
  pair_decimals: 2,
  lot_decimals: 8,
  lot_multiplier: 1,
  leverage_buy: [],
  leverage_sell: [],
  fees: [[0, 0.4]],
  fees_maker: [[0, 0.25]],
  fee_volume_currency: "ZUSD",
  margin_call: 80,
  margin_stop: 40,
  ordermin: "0.0001",
  costmin: "0.5",
  tick_size: "0.01",
  status: "online",
  ...over,
});

const KRAKEN = {
  XXBTZUSD: assetPair("XXBT", "USD", { wsname: "XBT/USD", pair_decimals: 1, tick_size: "0.1" }),
  XETHZUSD: assetPair("XETH", "USD", { wsname: "ETH/USD" }),
  SOLUSD: assetPair("SOL", "USD", { lot_decimals: 3 }),
  PEPEUSD: assetPair("PEPE", "USD", {
    pair_decimals: 9,
    tick_size: "0.000000001",
    lot_decimals: 5,
  }),
  USDCUSD: assetPair("USDC", "USD", { pair_decimals: 4, tick_size: "0.0001" }),
  TINYUSD: assetPair("TINY", "USD", { pair_decimals: 10, tick_size: "0.0000000001" }),
  XBTUSDT: assetPair("XXBT", "USDT", { wsname: "XBT/USDT", pair_decimals: 1, tick_size: "0.1" }),
  DEADUSD: assetPair("DEAD", "USD", { status: "cancel_only" }),
};

const HYPERLIQUID: Readonly<Record<string, unknown>> = {
  perpDexs: [null],
  spotMeta: { tokens: [], universe: [] },
  spotMetaAndAssetCtxs: [{ tokens: [], universe: [] }, []],
  meta: { universe: [] },
  metaAndAssetCtxs: [
    {
      universe: [
        { isDelisted: null, maxLeverage: 40, name: "BTC", onlyIsolated: null, szDecimals: 5 },
        { isDelisted: null, maxLeverage: 25, name: "ETH", onlyIsolated: null, szDecimals: 4 },
        { isDelisted: null, maxLeverage: 5, name: "ATOM", onlyIsolated: null, szDecimals: 2 },
        { isDelisted: true, maxLeverage: 5, name: "TRX", onlyIsolated: null, szDecimals: 0 },
      ],
    },
    [104_000, 3_500, 4.25, 0.28].map((markPx) => ({
      dayNtlVlm: "1",
      funding: "0.0000125",
      impactPxs: [String(markPx), String(markPx)],
      markPx: String(markPx),
      midPx: String(markPx),
      openInterest: "1",
      oraclePx: String(markPx),
      premium: "0",
      prevDayPx: String(markPx),
    })),
  ],
};

let server: Server;
let origin: string;
let kraken: object = KRAKEN;

beforeAll(async () => {
  server = createServer((request, response) => {
    void answerTo(request).then((answer) => {
      response.statusCode = answer === undefined ? 404 : 200;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer ?? {}));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a port");
  origin = `http://127.0.0.1:${address.port}`;
  return () => new Promise((done) => server.close(done));
});

async function answerTo(request: IncomingMessage): Promise<unknown> {
  if (request.url?.startsWith("/0/public/AssetPairs") === true)
    return { error: [], result: kraken };
  if (request.url !== "/info") return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body: { type?: string } = JSON.parse(Buffer.concat(chunks).toString());
  return HYPERLIQUID[body.type ?? ""];
}

const importFrom = (
  venue: string,
  pairs: readonly string[] | null,
  catalogue: string | null = null,
) =>
  importInstruments({
    from: `ccxt:${venue}`,
    pairs,
    catalogue,
    priceUrls: `kraken=${origin},hyperliquid=${origin}`,
  });

const of = (differences: readonly CatalogueDifference[], pair: string) =>
  differences.filter((one) => ("pair" in one ? one.pair : one.symbol) === pair);

describe("a proposal from a venue's markets [D6.import]", () => {
  test("a proposal from Kraken has ticks and grids that changed, new coins, and markets that are gone", async () => {
    const { document, differences } = await importFrom("kraken", null);
    expect(of(differences, "BTCUSD")).toEqual([
      { what: "tick", pair: "BTCUSD", symbol: "BTC/USD", from: 0.01, to: 0.1 },
    ]);
    expect(of(differences, "ETHUSD")).toEqual([]);
    expect(of(differences, "SOLUSD")).toEqual([
      { what: "grid", pair: "SOLUSD", symbol: "SOL/USD", from: 0.00001, to: 0.001 },
    ]);
    expect(of(differences, "PEPEUSD")).toEqual([
      { what: "added", symbol: "PEPE/USD", pair: "PEPEUSD", tick: 1e-9 },
    ]);
    expect(of(differences, "XRPUSD")).toEqual([
      { what: "gone", pair: "XRPUSD", symbol: "XRP/USD" },
    ]);
    expect(of(differences, "USDC/USD")).toEqual([]);
    expect(of(differences, "TINY/USD")).toMatchObject([{ what: "leftOut" }]);
    expect(differences.some(({ symbol }) => symbol === "DEAD/USD")).toBe(false);
    const checked = parseCatalogueDocument(document);
    if (!checked.ok) throw new Error(checked.refusal);
    const pepe = [...checked.value.instruments.values()].at(-1);
    expect(pepe).toMatchObject({
      id: "PEPEUSD",
      display: "PEPE/USD",
      assetClass: "crypto",
      tick: 1e-9,
      gridStep: 1,
      leverageCaps: { tier1: 0.5, tier2: 0.75, tier3: 1.5, pro: 2 },
    });
    expect(document.instruments[0]).toMatchObject({ id: "BTCUSD", tick: 0.1, display: "BTC/USD" });
  });

  test("a proposal with pairs compares only these, by symbol, id, alias or in another case", async () => {
    const { differences } = await importFrom("kraken", [
      "btcusd",
      "PEPE/USD",
      "MOON/USD",
      "BTC/USDT",
    ]);
    expect(differences).toEqual([
      { what: "tick", pair: "BTCUSD", symbol: "BTC/USD", from: 0.01, to: 0.1 },
      { what: "added", symbol: "PEPE/USD", pair: "PEPEUSD", tick: 1e-9 },
      { what: "leftOut", symbol: "BTC/USDT", why: "its quote currency USDT is no dollar" },
      { what: "leftOut", symbol: "MOON/USD", why: "kraken has no such market" },
    ]);
  });

  test("a proposal from Hyperliquid has perpetual contracts; a delisted one is gone with its symbol", async () => {
    const { document, differences } = await importFrom("hyperliquid", null, "perps");
    expect(of(differences, "ETHUSDC")).toEqual([
      { what: "grid", pair: "ETHUSDC", symbol: "ETH/USDC:USDC", from: 0.00001, to: 0.0001 },
    ]);
    expect(of(differences, "ATOMUSDC")).toMatchObject([
      { what: "added", symbol: "ATOM/USDC:USDC" },
    ]);
    expect(of(differences, "TRXUSDC")).toEqual([
      { what: "gone", pair: "TRXUSDC", symbol: "TRX/USDC:USDC" },
    ]);
    const atom = document.instruments.at(-1);
    expect(atom).toMatchObject({ id: "ATOMUSDC", symbols: { hyperliquid: "ATOM/USDC:USDC" } });
    expect(atom).not.toHaveProperty("quote");
    const trx = document.instruments.find(({ id }) => id === "TRXUSDC");
    expect(trx?.symbols).toEqual({});
    expect(parseCatalogueDocument(document)).toMatchObject({ ok: true });
  });

  test("a proposal that was taken over has no more differences but what is gone", async () => {
    const { document } = await importFrom("kraken", null);
    const path = join(await makeTemporaryFolder(), "firm.json");
    await writeFile(path, JSON.stringify(document));
    const { differences, document: again } = await importFrom("kraken", null, path);
    expect(new Set(differences.map(({ what }) => what))).toEqual(new Set(["gone", "leftOut"]));
    expect(again).toEqual(document);
  });

  test("a coin whose id is an alias of another pair is left out", async () => {
    const { differences } = await importFrom("kraken", ["BTC/USD"], "perps");
    expect(differences).toEqual([
      { what: "gone", pair: "BTCUSDC", symbol: "BTC/USDC" },
      { what: "leftOut", symbol: "BTC/USD", why: "its id is a name of BTCUSDC" },
    ]);
  });

  test.each([
    ["kraken", '"kraken" is not a source of instruments'],
    ["ccxt:moon", 'ccxt has no venue "moon"'],
    ["file:/etc/passwd", '"file:/etc/passwd" is not a source of instruments'],
  ])("%s is no source", async (from, message) => {
    const options = { from, pairs: null, catalogue: null, priceUrls: null };
    await expect(importInstruments(options)).rejects.toThrow(message);
  });

  test("a venue that answers with garbage or an error is named, and nothing is proposed", async () => {
    kraken = [1, 2];
    await expect(importFrom("kraken", ["BTC/USD"])).rejects.toThrow(
      /kraken lists no markets|the markets of kraken cannot be read/,
    );
    kraken = KRAKEN;
    const options = { from: "ccxt:kraken", pairs: null, catalogue: null };
    await expect(
      importInstruments({ ...options, priceUrls: "kraken=http://127.0.0.1:9" }),
    ).rejects.toThrow("the markets of kraken cannot be read");
    await expect(importInstruments({ ...options, priceUrls: "nonsense" })).rejects.toThrow(
      "PROPGATE_PRICE_URLS",
    );
  });
});
