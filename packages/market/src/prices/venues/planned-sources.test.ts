import { pairId } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { readSettings } from "../../../../base/src/config.ts";
import { openLog } from "../../../../base/src/log.ts";
import { createSeededChance } from "../../../../base/src/random.ts";
import { madeCatalogue, madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { createManualTime } from "../../../../server/src/testing/manual-time.ts";
import { LOCAL_VENUE_KEYS } from "../../../../server/src/testing/venues/keyed-venues.ts";
import type { LiveSource } from "./live-source.ts";
import { openLiveSource } from "./registry.ts";

const INSTRUMENTS = madeCatalogue(
  madeInstrument("BTCUSD", { aliases: ["XBTUSD"] }),
  madeInstrument("EURUSD", { assetClass: "forex" }),
  madeInstrument("GBPUSD", { assetClass: "forex", blocked: true }),
  madeInstrument("AAPL", { assetClass: "equities" }),
);
const SYMBOLS = new Map([
  [pairId("BTCUSD"), { massive: "X:BTC-USD", alpaca: "BTC/USD", ccxt: "BTC/USD" }],
  [pairId("EURUSD"), { massive: "C:EUR-USD", oanda: "EUR_USD", tiingo: "eurusd" }],
  [pairId("GBPUSD"), { massive: "C:GBP-USD", oanda: "GBP_USD", tiingo: "gbpusd" }],
  [pairId("AAPL"), { massive: "AAPL", alpaca: "AAPL", tiingo: "aapl" }],
]);

function open(name: string, plan: string): Promise<LiveSource> {
  const { clock, timer } = createManualTime(1_700_000_000_000);
  const reading = readSettings({ ...LOCAL_VENUE_KEYS, PROPGATE_PRICES: plan });
  if (!reading.ok) throw new Error(reading.problems.join());
  return openLiveSource(name, {
    settings: reading.settings,
    instruments: INSTRUMENTS,
    symbols: SYMBOLS,
    clock,
    timer,
    chance: createSeededChance(name),
    log: openLog("silent"),
  });
}

describe("a source prices", () => {
  test.each([
    ["massive", "massive", ["BTCUSD", "EURUSD", "GBPUSD", "AAPL"]],
    ["massive", "crypto=kraken,massive;AAPL=massive", ["BTCUSD", "AAPL"]],
    ["alpaca", "crypto=kraken;equities=alpaca", ["AAPL"]],
    ["tiingo", "tiingo", ["EURUSD", "GBPUSD", "AAPL"]],
    ["oanda", "oanda", ["EURUSD", "GBPUSD"]],
    ["push", "forex=push;crypto=kraken", ["EURUSD", "GBPUSD"]],
    ["kraken", "crypto=kraken", ["BTCUSD"]],
  ])(
    "%s with the plan %s prices only %j: pairs that it is planned for, blocked ones too [D13.blocked]",
    async (name, plan, pairs) => {
      expect((await open(name, plan)).pairs).toEqual(pairs);
    },
  );

  test.each([
    ["oanda", "crypto=oanda"],
    ["tiingo", "crypto=tiingo"],
    ["massive", "AAPL=kraken"],
  ])("%s with the plan %s prices nothing: the start says what to change", async (name, plan) => {
    await expect(open(name, plan)).rejects.toMatchObject({
      name: "CannotStart",
      message: `no instrument has a symbol at ${name}`,
    });
  });
});
