import { price } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../testing/made-instrument.ts";

const PERP = { quote: "USDC", quoteIsUsd: true };
const INSTRUMENTS = madeCatalogue(
  madeInstrument("BTCUSDC", {
    ...PERP,
    base: "BTC",
    display: "BTC/USDC",
    aliases: ["BTCUSD", "XBT"],
    tick: price(0.01),
    priceStep: price(0.01),
  }),
  madeInstrument("kPEPEUSDC", { ...PERP, base: "kPEPE", display: "kPEPE/USDC" }),
  madeInstrument("GONEUSDC", {
    ...PERP,
    display: "GONE/USDC",
    aliases: ["GONEUSD"],
    blocked: true,
  }),
);

describe("pairs by other names, and prices on the tick [D6.aliases] [D6.priceStep] [D6.quoteIsUsd]", () => {
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness({ instruments: INSTRUMENTS });
    await service.quote("BTCUSDC", 50_000, 50_000);
    await service.quote("kPEPEUSDC", 0.01, 0.01);
    return () => service.close();
  });

  const refused = async (trade: object) => {
    const reply = await service.order({ order_type: "LONG", quantity: 0.001, ...trade });
    const body: { error: string } = JSON.parse(reply.text);
    return { status: reply.status, error: body.error };
  };

  test("an alias, in any case and with a slash, fills on the pair's id", async () => {
    for (const trade_pair of ["btc/usd", "XBT", "BTCUSDC", "kpepe/usdc", "KPEPEUSDC"]) {
      const reply = await service.order({
        execution_type: "MARKET",
        order_type: "LONG",
        trade_pair,
        value: 100,
      });
      const tradePair = trade_pair.toLowerCase().startsWith("kpepe") ? "kPEPEUSDC" : "BTCUSDC";
      expect(reply.json()).toMatchObject({
        success: true,
        data: { order: { tradePair, value: 100 } },
      });
    }
    const positions = (await service.call("/api/v1/trading/positions")).json();
    expect(positions).toMatchObject({
      data: [
        { tradePair: "BTCUSDC", tradePairDisplay: "BTC/USDC" },
        { tradePair: "kPEPEUSDC", tradePairDisplay: "kPEPE/USDC" },
      ],
    });
  });

  test("quotes and cancellations take the same names", async () => {
    const quotes = await service.call("/api/v1/trading/quotes?pairs=xbt,btcusdc,kPEPEUSD");
    expect(quotes.status).toBe(400);
    expect(quotes.text).toContain("KPEPEUSD");
    const found = await service.call("/api/v1/trading/quotes?pairs=xbt,btcusdc,kpepeusdc");
    expect(found.json()).toMatchObject({
      data: [{ tradePair: "BTCUSDC" }, { tradePair: "kPEPEUSDC" }],
    });
    const cancelled = await service.order({
      execution_type: "LIMIT_CANCEL",
      order_uuid: "ALL",
      trade_pair: "xbt",
    });
    expect(cancelled.status).toBe(200);
  });

  test("an alias of a blocked pair is refused by its id", async () => {
    expect(await refused({ execution_type: "MARKET", trade_pair: "gone/usd" })).toMatchObject({
      status: 400,
      error: "'trade_pair' GONEUSDC is blocked from trading",
    });
  });

  test.each([
    [
      { execution_type: "LIMIT", limit_price: 45_000.005 },
      "'limit_price' 45000.005 is not a multiple of the tick 0.01 of BTCUSDC; the nearest are 45000 and 45000.01",
    ],
    [
      {
        execution_type: "LIMIT",
        limit_price: 45_000,
        bracket_orders: [{ stop_loss: 1 }, { stop_loss: 2.001 }],
      },
      "bracket_orders[1]: 'stop_loss' 2.001 is not a multiple of the tick 0.01 of BTCUSDC; the nearest are 2 and 2.01",
    ],
    [
      { execution_type: "LIMIT", limit_price: 45_000, trailing_stop: { trailing_value: 0.001 } },
      "'trailing_value' 0.001 is not a multiple of the tick 0.01 of BTCUSDC; the smallest is 0.01",
    ],
    [
      { execution_type: "MARKET", take_profit: 60_000.001 },
      "'take_profit' 60000.001 is not a multiple of the tick 0.01 of BTCUSDC; the nearest are 60000 and 60000.01",
    ],
  ])("%j is refused in words that can be sent back", async (trade, error) => {
    expect(await refused({ trade_pair: "BTCUSD", ...trade })).toEqual({ status: 400, error });
  });

  test("noise is no reason, and GET instruments tells the rule", async () => {
    const reply = await service.order({
      execution_type: "LIMIT",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      quantity: 0.001,
      limit_price: 0.1 + 0.2,
    });
    expect(reply.json()).toMatchObject({ data: { order: { tradePair: "BTCUSDC" } } });
    const listed = await service.call("/api/v1/trading/instruments");
    expect(JSON.parse(listed.text).data).toMatchObject([
      {
        tradePair: "BTCUSDC",
        aliases: ["BTCUSD", "XBT"],
        tick: 0.01,
        priceStep: 0.01,
        quoteIsUsd: true,
      },
      {
        tradePair: "kPEPEUSDC",
        aliases: [],
        priceStep: null,
        quoteCurrency: "USDC",
        quoteIsUsd: true,
      },
      { tradePair: "GONEUSDC", isTradable: false },
    ]);
  });
});
