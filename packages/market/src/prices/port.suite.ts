import { type Quote, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { createManualTime, type ManualTime } from "../../../server/src/testing/manual-time.ts";
import type { PriceSource } from "./port.ts";

/** Tests the guarantees of every price source. `make` returns a source with quotes for at least a minute. */
export function priceSourceSuite(
  name: string,
  make: (time: ManualTime) => Promise<PriceSource>,
): void {
  // A Wednesday at noon UTC.
  const startMs = 1_700_049_600_000;

  async function run(publish: (quotes: readonly Quote[]) => Promise<void>): Promise<{
    readonly source: PriceSource;
    readonly time: ManualTime;
  }> {
    const time = createManualTime(startMs);
    const source = await make(time);
    await source.start(publish);
    for (let tick = 0; tick < 120; tick += 1) await time.pass(500);
    return { source, time };
  }

  describe(`price source: ${name}`, () => {
    test("a price source publishes uncrossed quotes above zero, in order of time", async () => {
      const quotes: Quote[] = [];
      const { source } = await run(async (batch) => void quotes.push(...batch));
      await source.stop();
      expect(quotes.length).toBeGreaterThan(3);
      expect(quotes.every(({ bid, ask }) => bid > 0 && bid <= ask)).toBe(true);
      const lastMs = new Map<string, number>();
      const unordered = quotes.filter((quote) => {
        const before = lastMs.get(quote.pair) ?? 0;
        lastMs.set(quote.pair, quote.atMs);
        return quote.atMs < before;
      });
      expect(unordered).toEqual([]);
    });

    test("a price source publishes nothing after it was stopped", async () => {
      let batches = 0;
      const { source, time } = await run(async () => {
        batches += 1;
      });
      await source.stop();
      const before = batches;
      for (let tick = 0; tick < 20; tick += 1) await time.pass(500);
      expect(batches).toBe(before);
    });

    test("a price source waits for one batch to be settled before it publishes the next", async () => {
      let inside = 0;
      let insideMax = 0;
      const { source } = await run(async () => {
        inside += 1;
        insideMax = Math.max(insideMax, inside);
        await Promise.resolve();
        await Promise.resolve();
        inside -= 1;
      });
      await source.stop();
      expect(insideMax).toBe(1);
    });

    test("a price source gives the same quotes again for the same start", async () => {
      const runs = [];
      for (let index = 0; index < 2; index += 1) {
        const quotes: Quote[] = [];
        const { source } = await run(async (batch) => void quotes.push(...batch));
        await source.stop();
        runs.push(quotes);
      }
      expect(runs[0]).toEqual(runs[1]);
      expect(runs[0]?.[0]?.atMs).toBeGreaterThanOrEqual(unixMs(0));
    });
  });
}
