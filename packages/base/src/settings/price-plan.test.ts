import { describe, expect, test } from "vitest";
import { parsePercentByPair, parsePricePlan, valueForPair } from "./price-plan.ts";

const sourcesOf = (text: string, names: readonly string[], assetClass: "crypto" | "equities") => {
  const plan = parsePricePlan(text);
  if ("problem" in plan) throw new Error(plan.problem);
  return valueForPair(plan.value, { names, assetClass });
};

describe("the setting of price sources", () => {
  test.each([
    ["kraken, coinbase", ["BTCUSD"], "crypto", ["kraken", "coinbase"]],
    ["crypto=kraken;AAPL=alpaca", ["AAPL"], "equities", ["alpaca"]],
    ["crypto=kraken;AAPL=alpaca", ["MSFT"], "equities", null],
    ["tiingo;equities=massive;AAPL=alpaca,tiingo;", ["AAPL"], "equities", ["alpaca", "tiingo"]],
    ["tiingo;equities=massive;AAPL=alpaca", ["MSFT"], "equities", ["massive"]],
    ["tiingo;equities=massive", ["BTCUSD"], "crypto", ["tiingo"]],
    ["BTCUSD=kraken", ["BTCUSDC", "BTCUSD"], "crypto", ["kraken"]],
  ] as const)(
    "%s gives %s of %s the most specific sources: %s",
    (text, names, assetClass, found) => {
      expect(sourcesOf(text, names, assetClass)).toEqual(found);
    },
  );

  test.each([
    [";", "has an empty group"],
    ["crypto=", 'has no source where one is expected in "crypto="'],
    ["kraken,,okx", "has no source where one is expected"],
    ["kraken,kraken", "names the source kraken twice"],
    ["Kraken", 'has no valid source name: "Kraken"'],
    [
      "cypto=kraken",
      'must name a class (crypto, forex, indices, equities, commodities) or a pair in capitals before "=", not "cypto"',
    ],
    ["crypto=kraken;crypto=okx", "names crypto twice"],
    ["AAPL=tiingo;AAPL=alpaca", "names AAPL twice"],
    ["kraken;okx", "has two groups for every pair"],
    ["crypto=kraken;;forex=oanda", "has an empty group between two semicolons"],
  ])("%s is rejected, and the error names what is wrong", (text, problem) => {
    const plan = parsePricePlan(text);
    expect("problem" in plan ? plan.problem : "accepted").toContain(problem);
  });

  test.each([
    ["1", 1],
    ["2; crypto=0.5", 0.5],
    ["crypto=0.5;BTCUSD=3", 3],
  ])("%s allows a Bitcoin pair a deviation of %d percent", (text, percent) => {
    const limits = parsePercentByPair(text);
    if ("problem" in limits) throw new Error(limits.problem);
    expect(valueForPair(limits.value, { names: ["BTCUSD"], assetClass: "crypto" })).toBe(percent);
  });

  test.each([["0"], ["-1"], ["51"], ["1e1"], ["crypto=x"]])("%s is no percentage", (text) => {
    const limits = parsePercentByPair(text);
    expect("problem" in limits ? limits.problem : "accepted").toContain("percentage");
  });
});
