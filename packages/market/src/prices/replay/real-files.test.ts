import { existsSync } from "node:fs";
import { join } from "node:path";
import { price, type Quote, ratio } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { madeCatalogue, madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { createManualTime } from "../../../../server/src/testing/manual-time.ts";
import { openReplay } from "./replay.ts";

/** The folder of recorded prices beside the checkout. They are not part of the project. */
const FOLDER = process.env.PROPGATE_MARKET_DIR ?? join(process.cwd(), "../shared/market");
const isThere = existsSync(FOLDER);
if (!isThere) console.warn(`no recorded prices at ${FOLDER}: their tests are left out`);

const CATALOGUE = madeCatalogue(
  ...["AAPL", "SPY", "BTCUSD", "ETHUSD", "EURUSD", "GBPUSD", "NZDUSD", "USDJPY", "XAUUSD"].map(
    (id) => madeInstrument(id, { tick: price(0.01), spreadRatio: ratio(0.0002) }),
  ),
);

/** The recorded files. Their rows and crossed rows were counted with another program. */
const FILES: readonly (readonly [string, number, number, number])[] = [
  // Columns: file, rows, crossed rows, quotes for each row.
  ["AAPL-2014-06.csv.gz", 2_512, 4, 4],
  ["BTCUSD-2018-04.csv.gz", 2_873, 0, 4],
  ["BTCUSD-2022-01-bars.csv.gz", 45_031, 0, 4],
  ["ETHUSD-2018-04.csv.gz", 2_876, 0, 4],
  ["EURUSD-2014-05.csv.gz", 15_366, 0, 4],
  ["EURUSD-2020-01-01-ticks.csv.gz", 9_500, 0, 1],
  ["GBPUSD-2012-02.csv.gz", 30_117, 1_203, 4],
  ["NZDUSD-2014-05.csv.gz", 15_543, 0, 4],
  ["SPY-2013-10.csv.gz", 5_412, 24, 4],
  ["USDJPY-2013-02.csv.gz", 28_761, 2_144, 4],
  ["XAUUSD-2014-05.csv.gz", 15_222, 0, 4],
];

describe.runIf(isThere)("recorded prices", () => {
  test.each(FILES)(
    "%s has %d rows, %d of them crossed",
    async (name, rows, crossed, quotesARow) => {
      const time = createManualTime(1_700_049_600_000);
      const replay = await openReplay({
        files: [join(FOLDER, name)],
        instruments: CATALOGUE,
        speed: 1_000_000,
        rebase: "own",
        loop: false,
        maxUnusablePct: 8,
        clock: time.clock,
        ticker: time.ticker,
      });
      let count = 0;
      let last: Quote | null = null;
      let wrong = 0;
      await replay.source.start(async (quotes) => {
        for (const quote of quotes) {
          count += 1;
          if (quote.bid > quote.ask || (last !== null && quote.atMs <= last.atMs)) wrong += 1;
          last = quote;
        }
      });
      await time.pass(60 * 86_400);
      await replay.ended;
      await replay.source.stop();
      expect([count, wrong]).toEqual([(rows - crossed) * quotesARow, 0]);
      const warnings = replay.source
        .warnings()
        .map(({ reason, count: skipped }) => [reason, skipped]);
      expect(warnings).toEqual(
        crossed === 0 ? [] : [["rows with a bid above the ask skipped", crossed]],
      );
    },
  );
});
