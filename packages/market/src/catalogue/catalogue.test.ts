import { readFileSync } from "node:fs";
import { type Instrument, isOpen, pairId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { CCXT_SYMBOL, symbolsAt } from "../prices/venues/symbols.ts";
import { type Catalogue, loadCatalogue, parseCatalogue } from "./catalogue.ts";
import { bundledDataPath } from "./data-file.ts";

const text = readFileSync(bundledDataPath("catalogue.json"), "utf8");
const catalogue: Catalogue = parseCatalogue(text, "catalogue.json");

function instrument(id: string): Instrument {
  const found = catalogue.instruments.get(pairId(id));
  if (found === undefined) throw new Error(`${id} is in the catalogue`);
  return found;
}

describe("the catalogue that comes with the service [D6.catalogue]", () => {
  test("the catalogue that comes with the service has every class's instruments, each with a price to simulate from", async () => {
    const all = [...(await loadCatalogue(null)).instruments.values()];
    const count = (assetClass: string) => all.filter((one) => one.assetClass === assetClass).length;
    expect(count("crypto")).toBe(20);
    expect(count("forex")).toBe(28);
    expect(count("commodities")).toBe(6);
    expect(count("indices")).toBe(7);
    expect(count("equities")).toBe(40);
    expect(catalogue.simulated).toHaveLength(101);
  });

  test.each([
    // Columns: pair, display, lot size, grid step in 0.00001 lot, fee, caps of tiers 1 to 3 and pro.
    ["BTCUSD", "BTC/USD", 1, 1, 0.0003, [1.5, 2, 7, 10]],
    ["SOLUSD", "SOL/USD", 1, 1, 0.0003, [1.5, 2, 4, 5]],
    ["LTCUSD", "LTC/USD", 1, 1, 0.0003, [0.5, 0.75, 1.5, 2]],
    ["EURUSD", "EUR/USD", 100_000, 1_000, 0, [10, 15, 25, 30]],
    ["GBPJPY", "GBP/JPY", 100_000, 1_000, 0, [10, 15, 20, 20]],
    ["XAUUSD", "XAU/USD", 100, 1, 0.00005, [1.5, 2, 6, 8]],
    ["XAGUSD", "XAG/USD", 5_000, 1, 0.00005, [1.5, 2, 4, 5]],
    ["WTI", "WTI", 1, 1, 0.00005, [1.5, 2, 6, 8]],
    ["SPX", "SPX", 1, 1, 0, [2.5, 4, 8, 10]],
    ["AAPL", "AAPL", 1, 1, 0.0001, [0.5, 1, 2, 2.5]],
  ])("%s has its lot, grid, fee and caps [S2.2.lotUnit]", (id, ...expected) => {
    const [display, lotSize, step, fee, caps] = expected;
    const { leverageCaps, ...one } = instrument(id);
    expect(one).toMatchObject({ display, lotSize, gridStep: step, feeRatio: fee, blocked: false });
    expect(Object.values(leverageCaps)).toEqual(caps);
    expect(one.slippage).toEqual({ kind: "none" });
    expect(one.staleAfterMs).toBe(60_000);
  });

  test("every pair of currencies is in its two exposure groups", () => {
    expect(instrument("EURUSD").exposureGroups).toEqual(["currency:EUR", "currency:USD"]);
    expect(instrument("AAPL").exposureGroups).toEqual(["sector:Information Technology"]);
    expect(instrument("SPY").exposureGroups).toEqual(["index:us"]);
  });
});

describe("names at the venues [D6.symbols]", () => {
  const at = (
    venue: string,
    fallback: typeof CCXT_SYMBOL | null = null,
  ): ReadonlyMap<string, string> => symbolsAt(catalogue.symbols, venue, fallback);

  test.each([
    ["BTCUSD", "hyperliquid", "BTC/USDC:USDC"],
    ["BTCUSD", "binance", "BTC/USDT"],
    ["BTCUSD", "massive", "X:BTC-USD"],
    ["EURUSD", "oanda", "EUR_USD"],
    ["EURUSD", "massive", "C:EUR-USD"],
    ["EURUSD", "tiingo", "eurusd"],
    ["XAUUSD", "oanda", "XAU_USD"],
    ["WTI", "oanda", "WTICO_USD"],
    ["N225", "oanda", "JP225Y_JPY"],
    ["AAPL", "alpaca", "AAPL"],
    ["AAPL", "tiingo", "aapl"],
  ])("%s is at %s: %s", (pair, venue, symbol) => {
    expect(at(venue).get(pair)).toBe(symbol);
  });

  test("a venue of ccxt without a name of its own gets the name for all venues of ccxt", () => {
    expect(at("kraken", CCXT_SYMBOL).get("BTCUSD")).toBe("BTC/USD");
    expect(at("hyperliquid", CCXT_SYMBOL).get("BTCUSD")).toBe("BTC/USDC:USDC");
    expect(at("kraken").has("BTCUSD")).toBe(false);
    expect(at("kraken", CCXT_SYMBOL).has("AAPL")).toBe(false);
  });

  test("every instrument that comes with the service has a venue, and no venue has one name twice", () => {
    const venues = new Set([...catalogue.symbols.values()].flatMap((names) => Object.keys(names)));
    expect([...catalogue.symbols].filter(([, names]) => Object.keys(names).length === 0)).toEqual(
      [],
    );
    for (const venue of venues) {
      const names = [...at(venue).values()];
      expect(new Set(names).size, venue).toBe(names.length);
    }
  });
});

describe("hours, holidays and half days [D6.sessions]", () => {
  test.each<[string, string, boolean]>([
    ["BTCUSD", "2026-12-25T12:00:00Z", true],
    ["EURUSD", "2026-11-20T21:59:59Z", true],
    ["EURUSD", "2026-11-20T22:00:00Z", false],
    ["EURUSD", "2026-04-03T15:00:00Z", false],
    ["XAUUSD", "2026-11-22T22:00:00Z", true],
    ["WTI", "2026-11-21T12:00:00Z", false],
    ["AAPL", "2013-10-07T13:30:00Z", true],
    ["AAPL", "2013-10-07T13:29:59Z", false],
    ["AAPL", "2014-06-06T19:59:59Z", true],
    ["AAPL", "2014-06-06T20:00:00Z", false],
    ["AAPL", "2026-11-27T18:00:00Z", false],
    ["SPY", "2025-01-09T16:00:00Z", false],
    ["SPY", "2022-06-20T16:00:00Z", false],
    ["SPY", "2021-12-31T16:00:00Z", true],
    ["FTSE", "2026-11-20T16:29:59Z", true],
    ["FTSE", "2022-09-19T12:00:00Z", false],
    ["FTSE", "2026-12-24T12:30:00Z", false],
    ["FTSE", "2026-12-28T12:00:00Z", false],
    ["GDAXI", "2026-11-20T16:29:59Z", true],
    ["GDAXI", "2026-12-30T13:00:00Z", false],
    ["GDAXI", "2021-05-24T10:00:00Z", false],
    ["GDAXI", "2026-05-25T10:00:00Z", true],
    ["N225", "2026-11-20T02:29:59Z", true],
    ["N225", "2026-11-20T03:00:00Z", false],
    ["N225", "2026-09-22T02:00:00Z", false],
    ["N225", "2019-05-02T02:00:00Z", false],
    ["N225", "2026-12-31T02:00:00Z", false],
  ])("%s at %s is open: %s", (id, at, open) => {
    expect(isOpen(instrument(id).session, unixMs(Date.parse(at)))).toBe(open);
  });
});

type Edit = (document: {
  sessions: Record<string, unknown>[];
  classes: Record<string, Record<string, unknown>>;
  instruments: Record<string, unknown>[];
  [more: string]: unknown;
}) => void;

function problemAfter(edit: Edit): string {
  const document = JSON.parse(text);
  edit(document);
  try {
    parseCatalogue(JSON.stringify(document), "firm.json");
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
  return "fine";
}

describe("an invalid catalogue is rejected in one sentence with the value's path [D6.catalogue]", () => {
  test.each<[string, Edit]>([
    [
      "firm.json: instruments[3].tick must be a number above 0, not -1",
      ({ instruments }) => Object.assign(instruments[3] ?? {}, { tick: -1 }),
    ],
    [
      "firm.json: instruments[3].tick must be at least 1e-9, not 5e-324",
      ({ instruments }) => Object.assign(instruments[3] ?? {}, { tick: 5e-324 }),
    ],
    [
      "firm.json: instruments[3].lotSize must be at most 1000000000, not 1e+308",
      ({ instruments }) => Object.assign(instruments[3] ?? {}, { lotSize: 1e308 }),
    ],
    [
      "firm.json: instruments[3].gridStep must be at most 1000000000, not 1e+300",
      ({ instruments }) => Object.assign(instruments[3] ?? {}, { gridStep: 1e300 }),
    ],
    [
      "firm.json: instruments[3].leverageCaps.pro must be at most 100, not 101",
      ({ instruments }) =>
        Object.assign(instruments[3] ?? {}, {
          leverageCaps: { tier1: 1, tier2: 1, tier3: 1, pro: 101 },
        }),
    ],
    [
      "firm.json: instruments[3].tick is missing: it must be a number above 0",
      ({ instruments }) => Object.assign(instruments[3] ?? {}, { tick: undefined }),
    ],
    [
      'firm.json: instruments[3] has "tik", which is not a field here',
      ({ instruments }) => Object.assign(instruments[3] ?? {}, { tik: 1 }),
    ],
    [
      "firm.json: classes.crypto.feeRatio must be a share from 0 to below 1, not -0.1",
      ({ classes }) => Object.assign(classes.crypto ?? {}, { feeRatio: -0.1 }),
    ],
    [
      "firm.json: instruments[3].id appears twice: BTCUSD",
      ({ instruments }) => Object.assign(instruments[3] ?? {}, { id: "BTCUSD" }),
    ],
    [
      "firm.json: instruments[0].session is not the id of a session: moon",
      ({ instruments }) => Object.assign(instruments[0] ?? {}, { session: "moon" }),
    ],
    [
      "firm.json: sessions[6].id appears twice: always",
      ({ sessions }) => sessions.push(sessions[0] ?? {}),
    ],
    [
      "firm.json: sessions[1].holidays.2026 has no date 2026-02-30",
      ({ sessions }) => Object.assign(sessions[1] ?? {}, { holidays: { 2026: "02-30" } }),
    ],
    [
      'firm.json: sessions[1].weekly[0] must read like "Mon 09:30 - Mon 16:00", not "always"',
      ({ sessions }) => Object.assign(sessions[1] ?? {}, { weekly: ["always"] }),
    ],
    [
      'firm.json: sessions[1].weekly[0] must end with a date of the calendar, not "Mon 09:00 - Mon 15:00 until 2027-02-29"',
      ({ sessions }) =>
        Object.assign(sessions[1] ?? {}, { weekly: ["Mon 09:00 - Mon 15:00 until 2027-02-29"] }),
    ],
    [
      'firm.json: sessions[1].weekly[0] must read like "Mon 09:30 - Mon 16:00", not "Mon 09:00 - Mon 15:00 since 2027-02-01"',
      ({ sessions }) =>
        Object.assign(sessions[1] ?? {}, { weekly: ["Mon 09:00 - Mon 15:00 since 2027-02-01"] }),
    ],
    [
      "firm.json: sessions[1].source is missing: it must name the rule or calendar followed and the date it was looked up",
      ({ sessions }) => Object.assign(sessions[1] ?? {}, { source: undefined }),
    ],
    [
      'firm.json: sessions[1].source must name the rule or calendar followed and the date it was looked up, not "NYSE Rule 7.2"',
      ({ sessions }) => Object.assign(sessions[1] ?? {}, { source: "NYSE Rule 7.2" }),
    ],
    [
      "firm.json: instruments[0].gridStep must be a multiple of 0.00001 lot, not 0.000001",
      ({ instruments }) => Object.assign(instruments[0] ?? {}, { gridStep: 0.000001 }),
    ],
    [
      "firm.json: instruments[0].quote is SEK, which no pair of the catalogue converts to USD",
      ({ instruments }) => Object.assign(instruments[0] ?? {}, { quote: "SEK" }),
    ],
    [
      "firm.json: instruments[3].aliases[1] is a name of BTCUSD already: btcusd",
      ({ instruments }) => Object.assign(instruments[3] ?? {}, { aliases: ["XRP", "btcusd"] }),
    ],
    [
      "firm.json: instruments[3].aliases[0] is a name of ETHUSD already: XETH",
      ({ instruments }) => {
        Object.assign(instruments[1] ?? {}, { aliases: ["XETH"] });
        Object.assign(instruments[3] ?? {}, { aliases: ["XETH"] });
      },
    ],
    [
      "firm.json: instruments[3].display is a name of BTCUSD already: btc/usd",
      ({ instruments }) => Object.assign(instruments[3] ?? {}, { display: "btc/usd" }),
    ],
    [
      "firm.json: instruments[1].id is a name of BTCUSD already: ETHUSD",
      ({ instruments }) => Object.assign(instruments[0] ?? {}, { aliases: ["ETHUSD"] }),
    ],
    [
      "firm.json: instruments[3].id is a name of BTCUSD already: btcusd",
      ({ instruments }) => Object.assign(instruments[3] ?? {}, { id: "btcusd" }),
    ],
    [
      'firm.json: instruments[0].aliases[0] must be 1 to 20 letters, digits and _, not "BTC/USD"',
      ({ instruments }) => Object.assign(instruments[0] ?? {}, { aliases: ["BTC/USD"] }),
    ],
    [
      'firm.json: instruments[0].offTickPrices must be one of accept, refuse, not "round"',
      ({ instruments }) => Object.assign(instruments[0] ?? {}, { offTickPrices: "round" }),
    ],
    [
      "firm.json: instruments[0].staleAfterMs must be at least 1000, not 999",
      ({ instruments }) => Object.assign(instruments[0] ?? {}, { staleAfterMs: 999 }),
    ],
    [
      'firm.json: instruments[0].symbols.kraken must be 1 to 64 printable characters, no spaces, not "BTC / USD"',
      ({ instruments }) =>
        Object.assign(instruments[0] ?? {}, { symbols: { kraken: "BTC / USD" } }),
    ],
    [
      'firm.json: instruments[0].symbols.Kraken must be names by venue, a venue in lower-case letters and digits, not "Kraken"',
      ({ instruments }) => Object.assign(instruments[0] ?? {}, { symbols: { Kraken: "BTC/USD" } }),
    ],
    [
      'firm.json: the document has "pairs", which is not a field here',
      (document) => Object.assign(document, { pairs: [] }),
    ],
  ])("an invalid catalogue is rejected: %s", (sentence, edit) => {
    expect(problemAfter(edit)).toBe(sentence);
  });

  test("invalid JSON and a missing file are rejected", async () => {
    expect(() => parseCatalogue("{", "firm.json")).toThrow(/^firm\.json is not valid JSON: /);
    await expect(loadCatalogue("/no/such/file.json")).rejects.toThrow(
      "/no/such/file.json cannot be read",
    );
  });
});
