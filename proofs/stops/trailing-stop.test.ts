import { describe, expect, test } from "vitest";
import { TrailingStop } from "./trailing-stop.ts";

describe("the judge of shown levels", () => {
  const quote = (bid: number) => ({ bid, ask: bid + 2 });
  const byValue = { by: "trailing_value", amount: 400 } as const;

  test("the judge of shown levels rejects a LONG's level below a shown one, and one that no quote explains", () => {
    const stop = new TrailingStop("LONG", byValue, quote(1_000));
    expect(stop.show(600, null)).toBeNull();
    expect(stop.show(601, 600)).toBe("LONG stop at 601, beyond 600");
    stop.follow(quote(1_100));
    stop.follow(quote(1_050));
    expect(stop.show(700, 600)).toBeNull();
    expect(stop.show(650, 700)).toBe("LONG stop at 650 after 700 was shown");
    // A request that was sent before the higher level was shown may show the lower one.
    expect(stop.show(650, 600)).toBeNull();
  });

  test("the judge of shown levels rejects a SHORT's level above a shown one", () => {
    const stop = new TrailingStop("SHORT", { by: "trailing_percent", amount: 0.01 }, quote(998));
    expect(stop.show(1_010, null)).toBeNull();
    stop.follow(quote(898));
    expect(stop.show(909, 1_010)).toBeNull();
    expect(stop.show(910, 909)).toBe("SHORT stop at 910 after 909 was shown");
  });

  test("the judge of shown levels knows the quotes that reach a shown level, and the fills that are too early", () => {
    const stop = new TrailingStop("LONG", byValue, quote(1_000));
    stop.show(600, null);
    expect([601, 600, 500].map((bid) => stop.isReached(quote(bid)))).toEqual([false, true, true]);
    expect(stop.closedAt(600, [quote(600)])).toBeNull();
    expect(stop.closedAt(601, [quote(601)])).toBe("closed at 601 before its stop at 600");
    expect(stop.closedAt(599, [quote(600)])).toBe("closed at 599, no quote");
  });
});
