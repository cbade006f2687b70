import { isOpen, pairId, unixMs } from "@propgate/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../test/environment/depth.ts";
import { loadCatalogue } from "../catalogue/catalogue.ts";
import { createMarketHours } from "./market-hours.ts";

const { instruments } = await loadCatalogue(null);

describe("cached market hours [D10.closedMarkets]", () => {
  test("cached market hours agree with the calendar at every moment, in any order of lookups", () => {
    const pairs = ["BTCUSD", "EURUSD", "AAPL", "N225", "FTSE", "XAUUSD"].map(pairId);
    const moment = fc.record({
      pair: fc.constantFrom(...pairs),
      // Each moment is at most a millisecond away from a full minute, within two weeks that have a holiday and a half
      // day.
      atMs: fc
        .integer({ min: 0, max: 14 * 24 * 60 })
        .chain((minute) =>
          fc
            .integer({ min: -1, max: 1 })
            .map((ms) => unixMs(Date.UTC(2026, 10, 16) + minute * 60_000 + ms)),
        ),
    });
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 200 }), (moments) => {
        const hours = createMarketHours(instruments);
        for (const { pair, atMs } of moments) {
          const session = instruments.get(pair)?.session;
          expect(session).toBeDefined();
          if (session === undefined) return;
          expect(hours.isOpenAt(pair, atMs), `${pair} ${atMs}`).toBe(isOpen(session, atMs));
        }
      }),
      propertySettings(500),
    );
  });

  test("a pair without hours counts as open", () => {
    const hours = createMarketHours(instruments);
    expect(hours.isOpenAt(pairId("NOWHERE"), unixMs(0))).toBe(true);
  });
});
