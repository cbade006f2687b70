import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pairId } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../../../test/eventually.ts";
import { openLog } from "../../../../../base/src/log.ts";
import { createSeededChance } from "../../../../../base/src/random.ts";
import { createManualTime } from "../../../../../server/src/testing/manual-time.ts";
import { CCXT_VENUES } from "../../../../../server/src/testing/venues/ccxt-venues.ts";
import { openLocalVenue } from "../../../../../server/src/testing/venues/local-venue.ts";
import type { OfferedQuote } from "../../quotes/numbered-quote.ts";
import { loadCcxt } from "./ccxt-library.ts";
import { createCcxtSource } from "./ccxt-source.ts";
import { watchPlan } from "./venue-overrides.ts";

/**
 * The folder of recorded prices beside the checkout, which has sample frames of venues. They are not part of the
 * project.
 */
const MARKET = process.env.PROPGATE_MARKET_DIR ?? join(process.cwd(), "../shared/market");
const FRAMES = join(MARKET, "frames");
const isThere = existsSync(FRAMES);
if (!isThere) console.warn(`no recorded frames at ${FRAMES}: their tests are left out`);

const asIs = (frame: string): string => frame;
const asBook = (frame: string): string => `{"channel":"l2Book","data":${frame}}`;

/** The frames of each venue in order, each with the bid, ask and time that it contains. */
const SAMPLES = [
  {
    venue: "kraken",
    frames: [["kraken-ws_ticker_snapshot", asIs, 105_944.2, 105_944.3, 1_671_960_659_123]],
  },
  {
    venue: "hyperliquid",
    frames: [["hyperliquid-ws_book_data", asBook, 98_450.5, 98_451, 1_703_875_200_000]],
  },
  { venue: "okx", frames: [["okx-ws_bbo_tbt", asIs, 8_476.97, 8_476.98, 1_597_026_383_085]] },
  {
    venue: "bybit",
    frames: [
      ["bybit-ws_orderbook_snapshot", asIs, 27_450, 27_451, 1_709_891_679_000],
      ["bybit-ws_orderbook_delta", asIs, 27_450, 27_451.5, 1_709_891_679_500],
    ],
  },
] as const;

describe.skipIf(!isThere)("sample frames of venues", () => {
  test.each(SAMPLES)("$venue: the best bid, ask and time are read", async ({ venue, frames }) => {
    const known = CCXT_VENUES.find((one) => one.venue === venue);
    const make = (await loadCcxt()).get(venue);
    if (known === undefined || make === undefined) throw new Error(`no ${venue}`);
    const plan = watchPlan(venue, new make({}).has);
    if (plan === null) throw new Error(`${venue} has no watch method`);
    const { protocol, symbols } = known;
    const standIn = await openLocalVenue({ protocol, markets: symbols });
    const offered: OfferedQuote[] = [];
    const source = createCcxtSource({
      venue,
      make,
      plan,
      origin: standIn.origin,
      symbols: new Map([[pairId("BTCUSD"), symbols[0]]]),
      around: {
        ...createManualTime(Date.UTC(2026, 0, 7, 12)),
        chance: createSeededChance(venue),
        log: openLog("silent"),
      },
    });
    try {
      await source.start({ offer: (quote) => void offered.push(quote) });
      await eventually(() => expect(standIn.subscribers()).toBe(1));
      for (const [file, wrap, bid, ask, madeAtMs] of frames) {
        standIn.say(wrap(readFileSync(join(FRAMES, `${file}.json`), "utf8")));
        await eventually(() => expect(offered.at(-1)).toMatchObject({ bid, ask, madeAtMs }));
      }
      expect(offered).toHaveLength(frames.length);
    } finally {
      await source.stop();
      await standIn.close();
    }
  });
});
