import { pairId } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { CannotStart } from "../../../../base/src/cannot-start.ts";
import { readSettings, type Settings } from "../../../../base/src/config.ts";
import { openLog } from "../../../../base/src/log.ts";
import { createSeededChance } from "../../../../base/src/random.ts";
import { madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { createManualTime } from "../../../../server/src/testing/manual-time.ts";
import { type LiveSourceDependencies, openLiveSource } from "./registry.ts";

function around(urls = ""): LiveSourceDependencies {
  const named = madeInstrument("BTCUSD");
  const unnamed = madeInstrument("ETHUSD");
  const other = madeInstrument("EURUSD", { assetClass: "forex" });
  const { clock, timer } = createManualTime(1_700_000_000_000);
  return {
    settings: settings(urls),
    instruments: new Map([named, unnamed, other].map((one) => [one.id, one])),
    symbols: new Map([[pairId("BTCUSD"), { ccxt: "BTC/USD", okx: "BTC/USDT" }]]),
    clock,
    timer,
    chance: createSeededChance("registry"),
    log: openLog("silent"),
  };
}

function settings(urls: string): Settings {
  const reading = readSettings({ PROPGATE_PRICE_URLS: urls });
  if (!reading.ok) throw new Error(reading.problems.join());
  return reading.settings;
}

describe("live sources by name", () => {
  test.each(["kraken", "coinbase", "hyperliquid", "okx", "binance", "bybit", "bitstamp"])(
    "%s is a venue of ccxt",
    async (name) => {
      const source = await openLiveSource(name, around());
      expect(source.name).toBe(name);
      expect(source.health()).toMatchObject({ state: "connecting", reason: null });
    },
  );

  test("a crypto pair without symbols in the catalogue is named by its base and quote", async () => {
    const source = await openLiveSource("kraken", around());
    expect(source.pairs).toEqual(["BTCUSD", "ETHUSD"]);
  });

  test("an unknown name is an error that lists what exists", async () => {
    const error: unknown = await openLiveSource("krakn", around()).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(CannotStart);
    expect(error).toMatchObject({
      message: 'there is no price source "krakn"',
      fix: expect.stringMatching(/^Use one of: .*\bkraken\b/),
    });
  });

  test.each([
    ["kraken", "must be NAME=ORIGIN"],
    ["kraken=ftp://x", 'must be NAME=ORIGIN separated by commas; "kraken=ftp://x" is not'],
    ["kraken=http://a,kraken=http://b", "names kraken twice"],
  ])("the address %s is refused", (urls, problem) => {
    const reading = readSettings({ PROPGATE_PRICE_URLS: urls });
    expect(reading.ok ? [] : reading.problems).toEqual([
      expect.stringContaining(`PROPGATE_PRICE_URLS ${problem}`),
    ]);
  });
});
