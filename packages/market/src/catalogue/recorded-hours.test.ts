import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { isOpen, pairId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { recordedPricesFolder, sayPricesAreMissing } from "../../../../test/recorded-prices.ts";
import { loadCatalogue } from "./catalogue.ts";

const FOLDER = recordedPricesFolder();
if (FOLDER === null) sayPricesAreMissing("the hours of recorded markets");

function rowTimes(file: string): readonly number[] {
  const rows = gunzipSync(readFileSync(join(FOLDER ?? "", file))).toString("utf8");
  const times = rows.split("\n").map((row) => Number(row.split(",")[0]));
  return times.filter((time) => time > 0);
}

describe.skipIf(FOLDER === null)(
  "recorded markets traded when the catalogue says [D6.sessions]",
  () => {
    test.each([
      // Columns: file, rows, rows within the session.
      ["EURUSD-2014-05.csv.gz", 15_366, 15_366],
      ["GBPUSD-2012-02.csv.gz", 30_117, 30_117],
      ["USDJPY-2013-02.csv.gz", 28_761, 28_761],
      ["XAUUSD-2014-05.csv.gz", 15_222, 15_222],
      // The rows outside the session were recorded before the opening and after the close.
      ["AAPL-2014-06.csv.gz", 2_512, 1_170],
      ["SPY-2013-10.csv.gz", 5_412, 2_340],
      // On New Year's Day banks quoted although the market was closed.
      ["EURUSD-2020-01-01-ticks.csv.gz", 9_500, 0],
    ])("the rows of %s are in the hours: of %i rows %i", async (file, rows, within) => {
      const { instruments } = await loadCatalogue(null);
      const session = instruments.get(pairId(file.split("-")[0] ?? ""))?.session;
      if (session === undefined) throw new Error(`the pair of ${file} is in the catalogue`);
      const times = rowTimes(file);
      expect(times).toHaveLength(rows);
      expect(times.filter((time) => isOpen(session, unixMs(time)))).toHaveLength(within);
    });
  },
);
