import type { FuzzGroup, FuzzSuite } from "./fuzz-suite.ts";
import { type FuzzedService, openFuzzedService } from "./fuzzed-service.ts";
import { bitFlipsSuite } from "./suites/bit-flips.ts";
import { operatorCallsSuites } from "./suites/operator-calls.ts";
import {
  brokenBodiesSuite,
  orderValuesSuite,
  switchBodiesSuite,
  wrongTypesSuite,
} from "./suites/order-bodies.ts";
import { orderPlaysSuite } from "./suites/order-plays.ts";
import { pageCallsSuite } from "./suites/page-calls.ts";
import { payoutCursorsSuite, payoutQueriesSuite } from "./suites/payout-pages.ts";
import { rawTargetsSuite } from "./suites/raw-targets.ts";
import { signedHeadersSuite } from "./suites/signed-headers.ts";

/**
 * The fuzz suites that send hostile requests to a running service. After each suite the service must still answer a
 * valid request.
 */
export const SERVICE_GROUP: FuzzGroup = {
  name: "the service",
  async open() {
    const world = await openFuzzedService();
    // Creating these two suites advances the clock by several weeks, so earlier quotes are stale. `quoteAll` below
    // sends fresh quotes.
    const payouts = [await payoutCursorsSuite(world), await payoutQueriesSuite(world)];
    const suites = [
      ...payouts,
      signedHeadersSuite(world),
      rawTargetsSuite(world),
      bitFlipsSuite(world),
      orderValuesSuite(world),
      wrongTypesSuite(world),
      brokenBodiesSuite(world),
      switchBodiesSuite(world),
      orderPlaysSuite(world),
      ...(await operatorCallsSuites(world)),
      await pageCallsSuite(world),
    ];
    await world.quoteAll();
    return {
      suites: suites.map((suite) => withLiveness(world, suite)),
      expectSound: () => world.expectSound(),
      close: () => world.close(),
    };
  },
};

function withLiveness(world: FuzzedService, suite: FuzzSuite): FuzzSuite {
  return {
    ...suite,
    async run(plan) {
      const result = await suite.run(plan);
      await world.expectAnswer();
      return result;
    },
  };
}
