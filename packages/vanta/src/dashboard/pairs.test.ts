import { describe, expect, test } from "vitest";
import type { Literal } from "../python-literal.ts";
import { readRecordedPairs } from "../testing/recorded-subaccount.ts";
import { decodePairs } from "./pairs.ts";

describe("the network's pairs [D1.pairs]", () => {
  const pairs = readRecordedPairs();

  test.each([
    ["BTC/USDC", "BTCUSDC"],
    // The network writes the first letter of this pair in lower case.
    ["kPEPE/USDC", "kPEPEUSDC"],
    ["BRK.B", "BRK_B"],
    // The same share at two sources.
    ["NVDA", "NVDA"],
    ["NVDA/USDC", "NVDAUSDC"],
    ["BTC/USD", "BTCUSD"],
  ])("%s is %s, from the list and not from a rule", (display, id) => {
    expect(pairs.find(display)?.id).toBe(id);
    expect(pairs.find(id)?.display).toBe(display);
  });

  test("a display form that is not listed has no id", () => {
    expect(pairs.find("NEW/USDC")).toBeNull();
    expect(pairs.find("KPEPE/USDC")).toBeNull();
  });

  test.each([
    ["btcusdc", "BTCUSDC"],
    ["btc/usdc", "BTCUSDC"],
    ["KPEPEUSDC", "kPEPEUSDC"],
    ["kpepe/usdc", "kPEPEUSDC"],
    ["brk.b", "BRK_B"],
    ["brk_b", "BRK_B"],
    ["nothing/usd", "NOTHINGUSD"],
  ])("a client may write %s for %s", (name, id) => {
    expect(pairs.names(name)).toBe(id);
  });

  test.each([
    ["BTCUSDC", "open", "hyperliquid", "crypto", true],
    ["TAOUSDC", "open", "hyperliquid", "crypto", false],
    ["BTCUSD", "reduceOnly", "vanta", "crypto", false],
    ["SPX", "blocked", "vanta", "indices", false],
  ])("%s is %s at %s", (id, trading, source, category, isPro) => {
    expect(pairs.find(id)).toMatchObject({ trading, source, category, isPro });
  });

  test("both names of category and source are read, and neither is needed", () => {
    const decoded = decodePairs({
      allowed: [
        {
          trade_pair_id: "A",
          trade_pair: "A",
          trade_pair_category: "equities",
          trade_pair_source: "vanta",
        },
        { trade_pair_id: "B", trade_pair: "B" },
      ],
    });
    expect(decoded.ok ? decoded.pairs.pairs : decoded.why).toEqual([
      {
        id: "A",
        display: "A",
        category: "equities",
        source: "vanta",
        isPro: null,
        trading: "open",
      },
      { id: "B", display: "B", category: null, source: null, isPro: null, trading: "open" },
    ]);
  });

  test.each<[Literal, string]>([
    [null, "the answer is null"],
    [[], "the answer is not an object"],
    [{}, "allowed is not sent"],
    [{ allowed: {} }, "allowed is not a list"],
    [{ allowed: [1] }, "allowed.0 is not an object"],
    [{ allowed: [null] }, "allowed.0 is not a pair"],
    [{ allowed: [{ trade_pair_id: "A" }] }, "allowed.0.trade_pair is not sent"],
    [
      { allowed: [], disabled: [{ trade_pair_id: 5, trade_pair: "A" }] },
      "disabled.0.trade_pair_id is not a text",
    ],
  ])("a list such as %j is refused: %s", (body, why) => {
    expect(decodePairs(body)).toEqual({ ok: false, why });
  });
});
