import { pairId } from "@propgate/core";
import { createSeededChance } from "../../../../../base/src/random.ts";
import { CCXT_VENUES } from "../../../../../server/src/testing/venues/ccxt-venues.ts";
import { openLocalVenue } from "../../../../../server/src/testing/venues/local-venue.ts";
import { liveSourceSuite } from "../live-source.suite.ts";
import { loadCcxt } from "./ccxt-library.ts";
import { createCcxtSource } from "./ccxt-source.ts";
import { watchPlan } from "./venue-overrides.ts";

for (const { venue, protocol, symbols, hasTime } of CCXT_VENUES) {
  liveSourceSuite(venue, {
    hasTime,
    floodAbove: 20_000,
    async open({ time, log }) {
      const make = (await loadCcxt()).get(venue);
      if (make === undefined) throw new Error(`ccxt has no ${venue}`);
      const plan = watchPlan(venue, new make({}).has);
      if (plan === null) throw new Error(`${venue} has no watch method`);
      const standIn = await openLocalVenue({ protocol, markets: symbols, seed: venue });
      const [first, second] = symbols;
      const pairs = [pairId("BTCUSD"), pairId("ETHUSD")] as const;
      const around = { ...time, log, chance: createSeededChance(venue) };
      return {
        pairs,
        source: createCcxtSource({
          venue,
          make,
          plan,
          origin: standIn.origin,
          symbols: new Map([
            [pairs[0], first],
            [pairs[1], second],
          ]),
          around,
        }),
        venue: {
          faults: standIn.faults,
          quote: (market, bid, ask) => standIn.quote(symbols[market], bid, ask),
          flood: (count) => standIn.flood(first, count),
          subscribers: () => standIn.subscribers(),
          close: () => standIn.close(),
        },
      };
    },
  });
}
