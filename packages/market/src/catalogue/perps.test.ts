import { readFileSync } from "node:fs";
import { createPairFinder, isOpen, pairId, price, unixMs, usdRateAt } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { sessionDates } from "../../../../tools/market-sessions.ts";
import { loadCatalogue } from "./catalogue.ts";
import { bundledDataPath } from "./data-file.ts";

const { instruments, simulated, symbols } = await loadCatalogue("perps");
const { sessions } = JSON.parse(readFileSync(bundledDataPath("perps.json"), "utf8"));

function instrument(id: string) {
  const found = instruments.get(pairId(id));
  if (found === undefined) throw new Error(`${id} is in the catalogue`);
  return found;
}

describe("the catalogue perps [D6.catalogue]", () => {
  test("the catalogue perps has a price to simulate from and a symbol for every pair that trades", () => {
    const tradable = [...instruments.values()].filter(({ blocked }) => !blocked);
    expect(simulated).toHaveLength(tradable.length);
    for (const { id } of tradable) {
      expect(Object.keys(symbols.get(id) ?? {}), id).not.toHaveLength(0);
    }
  });

  test.each([
    // Columns: pair, display, class, fee, caps of tiers 1 to 3 and pro, exposure groups.
    ["BTCUSDC", "BTC/USDC", "crypto", 0.0003, [1.5, 2, 7, 10], []],
    ["XRPUSDC", "XRP/USDC", "crypto", 0.0003, [1.5, 2, 4, 5], []],
    ["kPEPEUSDC", "kPEPE/USDC", "crypto", 0.0003, [0.5, 0.75, 1.5, 2], []],
    ["EURUSD", "EUR/USD", "forex", 0, [10, 15, 25, 30], ["currency:EUR", "currency:USD"]],
    ["EURNZD", "EUR/NZD", "forex", 0, [5, 7.5, 10, 10], ["currency:EUR", "currency:NZD"]],
    ["GOLDUSDC", "GOLD/USDC", "commodities", 0.00005, [1.5, 2, 6, 8], []],
    ["SILVERUSDC", "SILVER/USDC", "commodities", 0.00005, [1.5, 2, 4, 5], []],
    ["XYZ100USDC", "XYZ100/USDC", "indices", 0, [2.5, 4, 8, 10], ["index:us"]],
    ["EWYUSDC", "EWY/USDC", "indices", 0, [1, 1.5, 3, 5], []],
    ["BRK_B", "BRK.B", "equities", 0.0001, [0.5, 1, 2, 2.5], ["sector:Financials"]],
    ["SPY", "SPY", "equities", 0.0001, [0.5, 1, 2, 2.5], ["index:us"]],
  ])(
    "%s has its class, fee and caps [S2.2.lotUnit]",
    (id, display, assetClass, fee, caps, groups) => {
      const { leverageCaps, ...one } = instrument(id);
      expect(one).toMatchObject({ display, assetClass, feeRatio: fee, exposureGroups: groups });
      expect(Object.values(leverageCaps)).toEqual(caps);
      expect(one.blocked).toBe(false);
      expect(one.priceStep).toBeNull();
    },
  );

  test("blocked pairs are listed, metals with their own lots", () => {
    const blocked = [...instruments.values()].filter((one) => one.blocked).map(({ id }) => id);
    expect(blocked).toEqual(
      "TONUSDC PAXGUSDC USDMXN BRENTOILUSDC XAUUSD XAGUSD SPX DJI NDX VIX FTSE GDAXI NSA".split(
        " ",
      ),
    );
    expect(instrument("XAUUSD").lotSize).toBe(100);
    expect(instrument("XAGUSD").lotSize).toBe(5_000);
  });

  test.each([
    ["BTCUSD", "BTCUSDC"],
    ["btc/usd", "BTCUSDC"],
    ["kpepe/usdc", "kPEPEUSDC"],
    ["KPEPEUSD", "kPEPEUSDC"],
    ["brk.b", "BRK_B"],
    ["XAUUSD", "XAUUSD"],
    ["NVDA", "NVDA"],
    ["NVDA/USDC", "NVDAUSDC"],
  ])("%s means %s [D6.aliases]", (name, pair) => {
    expect(createPairFinder(instruments)(name)).toBe(pair);
  });

  test("pairs of Hyperliquid pay its funding and never receive it, others do not [D11.fundingSource]", () => {
    const funding = { kind: "everyHour", rate: null, isCostOnly: true };
    for (const { id, blocked } of instruments.values()) {
      if (blocked) continue;
      const isThere = symbols.get(id)?.hyperliquid !== undefined;
      const { carry } = instrument(id);
      if (isThere) expect(carry, id).toEqual(funding);
      else expect(carry.kind, id).not.toBe("everyHour");
    }
    expect(instrument("NVDA").carry).toEqual({ kind: "none" });
  });

  test("USDC counts as one US dollar, the yen does not [D6.quoteIsUsd]", () => {
    const market = { instruments, quotes: new Map() };
    expect(usdRateAt(instrument("BTCUSDC"), price(104_000), market)).toBe(1);
    expect(usdRateAt(instrument("NVDAUSDC"), price(178), market)).toBe(1);
    expect(usdRateAt(instrument("EURJPY"), price(172), market)).toBeNull();
  });
});

describe("hours of perps [D6.sessions]", () => {
  test.each<[string, string, boolean]>([
    ["BTCUSDC", "2026-12-25T12:00:00Z", true],
    ["GOLDUSDC", "2026-11-21T12:00:00Z", true],
    ["SP500USDC", "2026-11-22T03:00:00Z", true],
    ["NVDAUSDC", "2026-11-22T03:00:00Z", true],
    ["EURUSD", "2026-11-20T22:00:00Z", false],
    // The session is from 04:00 to 20:00 in New York. On a day with an early close it ends at 13:00.
    ["AAPL", "2026-11-20T08:59:59Z", false],
    ["AAPL", "2026-11-20T09:00:00Z", true],
    ["AAPL", "2026-11-21T00:59:59Z", true],
    ["AAPL", "2026-11-21T01:00:00Z", false],
    ["AAPL", "2026-11-27T17:59:59Z", true],
    ["AAPL", "2026-11-27T18:00:00Z", false],
    ["AAPL", "2026-11-26T15:00:00Z", false],
  ])("%s at %s is open: %s", (id, at, open) => {
    expect(isOpen(instrument(id).session, unixMs(Date.parse(at)))).toBe(open);
  });

  test.each(["forex", "newYorkExtended"])(
    "%s holds the dates that tools/market-sessions.ts computes",
    (id) => {
      const session = sessions.find((one: { id: string }) => one.id === id);
      const { holidays, earlyCloses } = session;
      expect({ holidays, earlyCloses }).toEqual(sessionDates(id));
    },
  );
});
