import { describe, expect, test } from "vitest";
import type { Literal } from "../python-literal.ts";
import { decodeLimits } from "./limits.ts";
import { decodeSettlements } from "./settlements.ts";

describe("the answer of the limits call", () => {
  test("the answer of the limits call has the portfolio's cap and those of classes and pairs", () => {
    const decoded = decodeLimits({
      portfolio_multiplier: 15,
      max_portfolio_usd: 1_500_000.5,
      max_asset_class_usd: { crypto: 150_000 },
      positional_leverage: { BTCUSDC: 1.5, kPEPEUSDC: 0.5, BRK_B: null },
      entity_collateral: { headroom_usd: "secret" },
    });
    expect(decoded).toEqual({
      ok: true,
      limits: {
        portfolioCap: 15,
        maxPortfolio: 1_500_000_500_000,
        maxPerClass: { crypto: 150_000_000_000 },
        pairCaps: { BTCUSDC: 1.5, kPEPEUSDC: 0.5 },
      },
    });
  });

  test.each<[Literal, string]>([
    [null, "the answer is null"],
    ["no", "the answer is not an object"],
    [{ portfolio_multiplier: "15x" }, "limits.portfolio_multiplier is not a number"],
    [{ positional_leverage: [] }, "positional_leverage is not an object"],
    [{ positional_leverage: { BTCUSDC: "1" } }, "positional_leverage.BTCUSDC is not a number"],
  ])("an answer of the limits call such as %j is refused: %s", (body, why) => {
    expect(decodeLimits(body)).toEqual({ ok: false, why });
  });
});

describe("the answer of the payout call", () => {
  const week = { start_ms: 1_793_577_600_000, end_ms: 1_794_182_400_000, payout: 12.5 };
  const decode = (data: Literal): unknown => decodeSettlements({ data }, { hotkey: "5Made_0" });

  test("the answer of the payout call has the weeks, oldest first, and what is withheld", () => {
    const later = { ...week, start_ms: 1_794_182_400_000, end_ms: 1_794_787_200_000, payout: 0 };
    expect(
      decode({ hotkey: "5Made_0", weekly_settlements: [later, week], deferred_balance: 140 }),
    ).toEqual({
      ok: true,
      settlements: {
        weeks: [
          { startMs: 1_793_577_600_000, endMs: 1_794_182_400_000, payout: 12_500_000 },
          { startMs: 1_794_182_400_000, endMs: 1_794_787_200_000, payout: 0 },
        ],
        deferredBalance: 140_000_000,
      },
    });
  });

  test("the answer of the payout call for a phase that does not earn is empty", () => {
    expect(decode({})).toEqual({ ok: true, settlements: { weeks: [], deferredBalance: null } });
  });

  test.each<[Literal, string]>([
    [null, "the answer is null"],
    [{ hotkey: "5Other_0" }, "payout.hotkey is not the subaccount that was asked for"],
    [{ weekly_settlements: {} }, "payout.weekly_settlements is not a list"],
    [{ weekly_settlements: [null] }, "payout.weekly_settlements.0 is not a week"],
    [
      { weekly_settlements: [{ ...week, payout: null }] },
      "payout.weekly_settlements.0.payout is not sent",
    ],
    [
      { weekly_settlements: [{ ...week, end_ms: week.start_ms }] },
      "payout.weekly_settlements.0 is not a week that ends after its start",
    ],
  ])("an answer of the payout call such as %j is refused: %s", (data, why) => {
    expect(decode(data)).toEqual({ ok: false, why });
  });
});
