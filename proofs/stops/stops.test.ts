import { describe, expect, test } from "vitest";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { deepened } from "../../test/environment/depth.ts";
import { runStops, type StopsRun } from "./run-stops.ts";
import { TrailingStop } from "./trailing-stop.ts";

/** The short version; `npm run prove -- stops --full` is the long one. */
const LOSSES = deepened(210, 3);
const NODE_LOSSES = deepened(90, 2);
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];

describe("a stop level that an answer has shown never falls [D13.stopNeverFalls]", () => {
  test("when the service, with its tape and without, or the sandbox is killed or stopped", async () => {
    const run = await runStops({ losses: LOSSES, serverUrl: null });
    expectKept(run, LOSSES);
    expect(run.places.toSorted()).toEqual(["sandbox", "service", "service without a tape"]);
  });

  test.skipIf(postgres === null || nats === null)(
    "when one of two nodes is killed or stopped and the other takes over",
    async () => {
      expectKept(await runStops({ losses: NODE_LOSSES, serverUrl: postgres }), NODE_LOSSES);
    },
  );
});

function expectKept(run: StopsRun, losses: number): void {
  expect(run.kills + run.orderlyStops).toBe(losses);
  expect(Object.keys(run.readings).toSorted()).toEqual([
    "GET order-history",
    "GET orders",
    "GET orders/{id}",
    "GET positions",
    "pages, state",
    "pages, stream",
  ]);
  expect(run.moves).toBeGreaterThan(0);
  expect(run.wrongLevels).toEqual([]);
  expect(run.wrongFills).toEqual([]);
}

describe("the judge of shown levels", () => {
  const quote = (bid: number) => ({ bid, ask: bid + 2 });
  const byValue = { by: "trailing_value", amount: 400 } as const;

  test("rejects a LONG's level below a shown one, and one that no quote explains", () => {
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

  test("rejects a SHORT's level above a shown one", () => {
    const stop = new TrailingStop("SHORT", { by: "trailing_percent", amount: 0.01 }, quote(998));
    expect(stop.show(1_010, null)).toBeNull();
    stop.follow(quote(898));
    expect(stop.show(909, 1_010)).toBeNull();
    expect(stop.show(910, 909)).toBe("SHORT stop at 910 after 909 was shown");
  });

  test("knows the quotes that reach a shown level, and the fills that are too early", () => {
    const stop = new TrailingStop("LONG", byValue, quote(1_000));
    stop.show(600, null);
    expect([601, 600, 500].map((bid) => stop.isReached(quote(bid)))).toEqual([false, true, true]);
    expect(stop.closedAt(600, [quote(600)])).toBeNull();
    expect(stop.closedAt(601, [quote(601)])).toBe("closed at 601 before its stop at 600");
    expect(stop.closedAt(599, [quote(600)])).toBe("closed at 599, no quote");
  });
});
