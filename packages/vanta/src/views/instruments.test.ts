import { describe, expect, test } from "vitest";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import { mergeDashboard, NO_CURSORS } from "../dashboard/merge-dashboard.ts";
import { MADE_INFO_SECTION, madeDashboardPart } from "../testing/made-dashboard.ts";
import { readRecordedPairs } from "../testing/recorded-subaccount.ts";
import { linkedInstrumentViews } from "./instruments.ts";

interface Made {
  readonly assetClass?: string;
  readonly size?: number;
  readonly status?: string;
  readonly bucket?: string;
}

function readings({
  assetClass = "all_markets",
  size = 100_000,
  status = "active",
  bucket = "SUBACCOUNT_FUNDED",
}: Made): LinkedReadings {
  const part = madeDashboardPart({
    subaccount_info: { ...MADE_INFO_SECTION, asset_class: assetClass, account_size: size, status },
    challenge_period: { bucket },
  });
  const merged = mergeDashboard(null, part, { requested: NO_CURSORS, readAtMs: 0 });
  const limits = {
    portfolioCap: 15,
    maxPortfolio: null,
    maxPerClass: {},
    pairCaps: { BRK_B: 0.5 },
  };
  return { ...merged.readings, limits };
}

const pairs = readRecordedPairs();
const viewsOf = (made: Made) => linkedInstrumentViews(readings(made), pairs);
const viewOf = (id: string, made: Made = {}) => viewsOf(made).find((one) => one.tradePair === id);
const tradable = (made: Made): readonly string[] =>
  viewsOf(made).flatMap(({ tradePair, isTradable }) => (isTradable ? [tradePair] : []));

describe("an instrument of a linked account [D9.instruments] [S2.2.lotUnit]", () => {
  test("an instrument of a linked account has what the network says of it; the rest is null", () => {
    expect(viewOf("BRK_B")).toEqual({
      tradePair: "BRK_B",
      tradePairDisplay: "BRK.B",
      aliases: [],
      assetClass: "equities",
      base: "BRK.B",
      quoteCurrency: "USD",
      quoteIsUsd: true,
      lotSize: 1,
      lotUnit: "1 BRK.B",
      gridStep: 0.00001,
      gridStepSmallAccount: null,
      tick: null,
      priceStep: null,
      leastQuantity: 0.01,
      leastValue: null,
      leverageCap: 0.5,
      feePercent: null,
      carryPercent: null,
      carryBasis: null,
      borrowPercent: null,
      funding: null,
      session: null,
      isOpen: null,
      changesAtMs: null,
      isTradable: true,
      staleAfterMs: null,
    });
  });

  test.each([
    ["EURUSD", { assetClass: "forex", base: "EUR", quoteCurrency: "USD" }],
    ["EURGBP", { assetClass: "forex", base: "EUR", quoteCurrency: "GBP" }],
    ["EURUSD", { lotSize: 100_000, lotUnit: "100,000 EUR", gridStep: 0.01 }],
    ["EURUSD", { leastQuantity: 0.01, leastValue: null }],
    // The network calls metals forex.
    ["XAUUSD", { assetClass: "commodities", lotSize: 100, lotUnit: "100 XAU" }],
    ["XAUUSD", { gridStep: 0.00001, leastQuantity: null, leastValue: 10 }],
    ["BTCUSDC", { assetClass: "crypto", base: "BTC", quoteCurrency: "USDC", lotUnit: "1 BTC" }],
    ["BTCUSDC", { gridStep: 0.00001, leastQuantity: null, leastValue: 10 }],
    ["kPEPEUSDC", { base: "kPEPE", lotUnit: "1 kPEPE" }],
    ["GOLDUSDC", { assetClass: "commodities", lotUnit: "1 GOLD", leastValue: 10 }],
    ["NVDAUSDC", { assetClass: "equities", base: "NVDA", leastQuantity: 0.01, leastValue: null }],
  ])("%s has %j", (id, terms) => {
    expect(viewOf(id)).toMatchObject(terms);
  });

  test.each([
    [10_000, 0.0001],
    [10_000.01, 0.01],
  ])("forex of an account of %d USD has a minimum of %d lots", (size, leastQuantity) => {
    expect(viewOf("EURUSD", { size })).toMatchObject({
      gridStepSmallAccount: 0.0001,
      leastQuantity,
    });
  });

  test("one yen is no dollar, and a USDC is one", () => {
    expect(viewOf("USDJPY")?.quoteIsUsd).toBe(false);
    expect(viewOf("BTCUSDC")?.quoteIsUsd).toBe(true);
  });

  test("markets of Hyperliquid never close; the hours of others are unknown", () => {
    expect([viewOf("NVDAUSDC")?.isOpen, viewOf("NVDA")?.isOpen]).toEqual([true, null]);
  });

  test.each<[string, readonly string[]]>([
    ["crypto", ["BTCUSDC", "ETHUSDC", "SOLUSDC", "XRPUSDC", "kPEPEUSDC", "TAOUSDC"]],
    ["forex", ["EURUSD", "EURGBP", "USDJPY"]],
    ["equities", ["BRK_B", "BF_B", "NVDA"]],
    ["commodities", ["GOLDUSDC"]],
    [
      "hl_all",
      [
        "BTCUSDC",
        "ETHUSDC",
        "SOLUSDC",
        "XRPUSDC",
        "kPEPEUSDC",
        "TAOUSDC",
        "GOLDUSDC",
        "XYZ100USDC",
        "NVDAUSDC",
      ],
    ],
  ])("an account of %s trades its own markets", (assetClass, ids) => {
    expect(tradable({ assetClass })).toEqual(ids);
  });

  test("all_markets is every pair that is allowed", () => {
    expect(tradable({})).toEqual(
      viewsOf({})
        .map(({ tradePair }) => tradePair)
        .filter((id) => !["BTCUSD", "XAUUSD", "SPX"].includes(id)),
    );
  });

  test("a pro account trades pro pairs only, and an eliminated one nothing", () => {
    const pro = tradable({ bucket: "PRO_FUNDED" });
    expect(pro).not.toContain("TAOUSDC");
    expect(pro).not.toContain("NVDAUSDC");
    expect(pro).toContain("BTCUSDC");
    expect(tradable({ bucket: "PRO_CHALLENGE_TRANSITION" })).toContain("TAOUSDC");
    expect(tradable({ status: "eliminated" })).toEqual([]);
    expect(tradable({ status: "pending" })).toEqual([]);
  });
});
