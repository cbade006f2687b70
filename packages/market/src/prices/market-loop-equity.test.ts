import { accountId, pairId } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { createLoopedMarket } from "../../../server/src/testing/looped-market.ts";

const A = accountId("00000000-0000-4000-8000-00000000000a");
const B = accountId("00000000-0000-4000-8000-00000000000b");
const C = accountId("00000000-0000-4000-8000-00000000000c");

const ETH = pairId("ETHUSD");

describe("market loop: limits on loss", () => {
  test("equity beyond the limit ends the account, exactly at it does not [D7.breach]", async () => {
    const { open, buy, give, status } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 50_000);
    await buy(A, "BTCUSD", 1);
    await give("BTCUSD", 45_000);
    expect(status(A)).toBe("active");
    await give("BTCUSD", 44_999.99);
    expect(status(A)).toBe("eliminated");
  });

  test("a breach is found without checking accounts that the price does not threaten", async () => {
    const { open, buy, give, settlements } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 50_000);
    await buy(A, "BTCUSD", 1);
    for (let step = 0; step < 100; step += 1) await give("BTCUSD", 50_000 - step * 40);
    expect(settlements()).toBe(0);
  });

  test("a short is threatened from above, several positions add up [D7.breach]", async () => {
    const { open, buy, give, status } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 50_000);
    await give("ETHUSD", 1_000);
    await buy(A, "BTCUSD", 1, { direction: "short" });
    await buy(A, "ETHUSD", 50);
    await give("BTCUSD", 52_500);
    await give("ETHUSD", 950.01);
    expect(status(A)).toBe("active");
    await give("ETHUSD", 949.99);
    expect(status(A)).toBe("eliminated");
  });

  test("a breach waits while another pair that is held has no fresh quote, and comes with it [D13.judges]", async () => {
    const { open, buy, give, status, time, board, settlements } = createLoopedMarket();
    await open(A);
    await give("BTCUSD", 50_000);
    await give("ETHUSD", 1_000);
    await buy(A, "BTCUSD", 1);
    await buy(A, "ETHUSD", 1);
    await time.pass(61_000);
    for (const bid of [44_000, 43_000, 42_000]) await give("BTCUSD", bid);
    // The account is below its floor at the new low, but the other pair has no fresh quote, so no command is sent.
    expect([status(A), settlements()]).toEqual(["active", 0]);
    board.halt(ETH, "operator");
    await give("ETHUSD", 1_000);
    expect(status(A)).toBe("active");
    board.lift(ETH, "operator");
    await give("BTCUSD", 41_000);
    expect(status(A)).toBe("eliminated");
  });

  test("a position whose profit another pair converts to dollars is threatened too [D4.pnlRate]", async () => {
    const { open, buy, give, status } = createLoopedMarket();
    await open(A);
    await give("GBPUSD", 1.25);
    await give("EURGBP", 0.8);
    await buy(A, "EURGBP", 5);
    // A fall of 0.0079 GBP on 500,000 EUR is a loss of 4,937.50 USD at a GBPUSD of 1.25, and of 5,016.50 USD at 1.27.
    await give("EURGBP", 0.7921);
    expect(status(A)).toBe("active");
    await give("GBPUSD", 1.27);
    expect(status(A)).toBe("eliminated");
  });
});

describe("market loop: effects of equity alone", () => {
  test("a price alone passes an account that an open loss held back [D7.pass]", async () => {
    const { open, buy, give, phase } = createLoopedMarket();
    await open(A);
    await give("ETHUSD", 1_000);
    await give("BTCUSD", 40_000);
    await buy(A, "ETHUSD", 20);
    await buy(A, "BTCUSD", 1);
    await give("ETHUSD", 900);
    await give("BTCUSD", 51_000);
    // The account has gained 11,000 and has an open loss of 2,000.
    await buy(A, "BTCUSD", 1, { direction: "short" });
    expect(phase(A)).toBe("challenge");
    await give("ETHUSD", 949.99);
    expect(phase(A)).toBe("challenge");
    await give("ETHUSD", 950);
    expect(phase(A)).toBe("funded");
  });

  test("each new low of a pro account is recorded, through a fall and a recovery [D7.maxDrawdown]", async () => {
    const { openPro, buy, give, lows, drawdown } = createLoopedMarket();
    await openPro(A);
    await give("BTCUSD", 50_000);
    await buy(A, "BTCUSD", 1);
    for (const bid of [50_500, 49_900, 49_950, 49_800, 49_900, 52_000, 49_801, 49_700]) {
      await give("BTCUSD", bid);
    }
    expect(lows()).toEqual([0.001, 0.002, 0.003]);
    expect(drawdown(A)).toBe(0.003);
  });

  test("a source that waits has every low recorded, also within one call [D7.maxDrawdown]", async () => {
    const { openPro, buy, give, loop, quote, lows } = createLoopedMarket();
    await openPro(A);
    await give("BTCUSD", 50_000);
    await buy(A, "BTCUSD", 1);
    await loop.publish([quote("BTCUSD", 49_900), quote("BTCUSD", 50_000)]);
    await loop.publish([quote("BTCUSD", 49_800)]);
    await loop.publish([quote("BTCUSD", 50_000)]);
    expect(lows()).toEqual([0.001, 0.002]);
  });

  test("quotes that do not wait for lows miss no final effect [D7.breach] [D5.triggers]", async () => {
    const { open, openPro, buy, limit, give, loop, quote, fills, lows, status } =
      createLoopedMarket();
    await open(A);
    await openPro(B);
    await openPro(C);
    await give("BTCUSD", 50_000);
    await buy(B, "BTCUSD", 1);
    await buy(C, "BTCUSD", 2);
    await limit(A, 49_750);
    const falling = Array.from({ length: 100 }, (_, step) => quote("BTCUSD", 50_000 - step * 10));
    // The last quote but one ends account C. At the last quote the price has recovered.
    const pushed = [...falling, quote("BTCUSD", 47_499), quote("BTCUSD", 49_000)];
    await Promise.all(pushed.map((next) => loop.publish([next])));
    await loop.whenSettled();
    expect(fills()).toContainEqual(["limit", 49_750]);
    expect(fills()).toContainEqual(["elimination", 47_499]);
    expect([status(B), status(C)]).toEqual(["active", "eliminated"]);
    expect(lows().length).toBeLessThan(100);
    expect(lows().length).toBeGreaterThan(1);
  });

  test("the last of several lows that were not waited for is recorded [D7.maxDrawdown]", async () => {
    const { openPro, buy, give, loop, quote, drawdown } = createLoopedMarket();
    await openPro(A);
    await give("BTCUSD", 50_000);
    await buy(A, "BTCUSD", 1);
    for (let bid = 49_990; bid >= 49_000; bid -= 10) {
      void loop.publish([quote("BTCUSD", bid)]);
      // This wait lets some quotes come during a settlement, and some at its end.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await loop.whenSettled();
    expect(drawdown(A)).toBe(0.01);
  });

  test("a low that could not be recorded is retried with the next quote", async () => {
    const { openPro, buy, give, executor, faults, lows } = createLoopedMarket();
    await openPro(A);
    await give("BTCUSD", 50_000);
    await buy(A, "BTCUSD", 1);
    executor.breakWith(new Error("no database"));
    await give("BTCUSD", 49_900);
    expect(faults).toHaveLength(1);
    executor.breakWith(null);
    await give("BTCUSD", 49_950);
    expect(lows()).toEqual([0.0005]);
  });

  test("many accounts with a low settle a few at a time, an ending account immediately [D7.breach]", async () => {
    const { openPro, open, buy, give, loop, quote, executor, status, drawdown } =
      createLoopedMarket();
    const crowd = Array.from({ length: 300 }, (_, index) => accountId(`pro-${index}`));
    await give("BTCUSD", 50_000);
    for (const id of crowd) {
      await openPro(id);
      await buy(id, "BTCUSD", 0.1);
    }
    await open(A);
    await buy(A, "BTCUSD", 1);
    const before = executor.submissions.length;
    const first = loop.publish([quote("BTCUSD", 49_000)]);
    await loop.publish([quote("BTCUSD", 44_000)]);
    await first;
    const settled = executor.submissions.slice(before).map(({ accountId: id }) => id);
    expect(settled.indexOf(A)).toBeLessThan(100);
    expect(status(A)).toBe("eliminated");
    expect(crowd.map((id) => drawdown(id))).toEqual(crowd.map(() => 0.006));
  });
});
