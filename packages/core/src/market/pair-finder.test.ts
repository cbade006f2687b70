import { describe, expect, test } from "vitest";
import { pairId } from "../ids.ts";
import { TEST_CATALOGUE } from "../testing/catalogue.ts";
import type { Instrument } from "./instrument.ts";
import { createPairFinder } from "./pair-finder.ts";

const [[, model] = []] = TEST_CATALOGUE;

function named(id: string, display: string, aliases: readonly string[] = []): Instrument {
  if (model === undefined) throw new Error("the catalogue has an instrument");
  return { ...model, id: pairId(id), display, aliases };
}

describe("names of pairs in requests [D1.pairs] [D6.aliases]", () => {
  const find = createPairFinder(
    new Map(
      [
        named("BTCUSDC", "BTC/USDC", ["BTCUSD", "XBTUSD"]),
        named("kPEPEUSDC", "kPEPE/USDC"),
        named("BRK_B", "BRK.B"),
      ].map((one) => [one.id, one]),
    ),
  );

  test.each([
    ["BTCUSDC", "BTCUSDC"],
    ["btc/usdc", "BTCUSDC"],
    ["BTC/USD", "BTCUSDC"],
    ["xbtusd", "BTCUSDC"],
    ["kPEPEUSDC", "kPEPEUSDC"],
    ["KPEPEUSDC", "kPEPEUSDC"],
    ["kpepe/usdc", "kPEPEUSDC"],
    ["BRK.B", "BRK_B"],
    ["brk_b", "BRK_B"],
    ["doge/usd", "DOGEUSD"],
  ])("%s means %s", (name, pair) => {
    expect(find(name)).toBe(pair);
  });
});
