import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { readSettings, startService } from "@propgate/server";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { recordedPricesFolder, sayPricesAreMissing } from "../recorded-prices.ts";
import { createShellClient } from "./shell-client.ts";

/**
 * The folder of recorded prices. With them the test makes a new user's first trade on BTC/USD of January 2022, with
 * shell, openssl and curl only. The trade fills, its stop triggers later, and every figure is computed again from the
 * recording.
 */
const folder = recordedPricesFolder();
if (folder === null) sayPricesAreMissing("the replayed trade");

/** The quantity is so small that the stop triggers before any loss limit of the account does. */
const QUANTITY = 0.5;
/** The catalogue's spread of BTC/USD lies around each recorded price; half of it is at most this share of the price. */
const HALF_SPREAD_MAX = 0.0005;
/** The interval between two reads, so that polling stays within 120 reads a minute. */
const POLL_MS = 600;

interface Answer {
  readonly success: boolean;
  readonly data: Record<string, number> & {
    readonly order: Record<string, number>;
    readonly account: Record<string, number>;
  };
}

describe.skipIf(folder === null)(
  "a trade on replayed real prices [S3.orders] [D4.balance] [D5.gap]",
  () => {
    const file = join(folder ?? "", "BTCUSD-2022-01-bars.csv.gz");
    let dataDir = "";
    let service: Awaited<ReturnType<typeof startService>>;

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), "propgate-e2e-"));
      const reading = readSettings(
        {},
        { port: "0", dataDir, replay: file, replaySpeed: "60000", logLevel: "error" },
      );
      if (!reading.ok) throw new Error(reading.problems.join("; "));
      service = await startService(reading.settings);
      return async () => {
        await service.stop();
        await rm(dataDir, { recursive: true, force: true });
      };
    });

    test("a replayed trade fills, is stopped out later, and agrees to the cent with a calculation by hand", async () => {
      const { firstKey, baseUrl } = service;
      if (firstKey === null) throw new Error("a first start makes a first key");
      const client = createShellClient({ baseUrl, ...firstKey });

      const placed = (await client.order({
        execution_type: "MARKET",
        trade_pair: "BTC/USD",
        order_type: "LONG",
        quantity: QUANTITY,
        stop_loss: 42_000,
      })) as Answer;
      expect(placed).toMatchObject({
        success: true,
        data: { order: { filled: true, quantity: QUANTITY } },
      });
      const entry = placed.data.order.price ?? 0;

      // The recording falls through 42,000 in its second week.
      const trade = await untilClosed(client);
      const exit = Number(trade.closePriceNumeric);
      const stopBars = pricesAtOrBelow(file, 42_000);
      expect(exit).toBeLessThanOrEqual(42_000);
      expect(stopBars.some((price) => Math.abs(price - exit) / exit < HALF_SPREAD_MAX)).toBe(true);

      const realized = QUANTITY * (exit - entry);
      const fees = QUANTITY * (entry + exit) * 0.0003;
      expectCent(trade.realizedPnl, realized);
      expectCent(trade.totalFees, fees);
      const account = (await client.get("/api/v1/trading/account")) as Answer;
      expectCent(account.data.account.currentBalance, 100_000 + realized - fees);
      expect(account.data.account.currentEquity).toBe(account.data.account.currentBalance);
      expect(account.data.account.openPositions).toBe(0);
      expect(await client.get("/api/v1/trading/orders")).toMatchObject({ data: [] });
    });
  },
);

async function untilClosed(
  client: ReturnType<typeof createShellClient>,
): Promise<Record<string, number>> {
  return eventually(async () => {
    await setTimeout(POLL_MS);
    const { data } = (await client.get("/api/v1/trading/trades")) as {
      data: readonly Record<string, number>[];
    };
    const [trade] = data;
    if (trade === undefined) throw new Error("no trade is closed");
    return trade;
  });
}

/** All recorded prices at or below the stop, with a tolerance of 0.1 %, read from the file. */
function pricesAtOrBelow(path: string, stop: number): readonly number[] {
  const [, ...rows] = gunzipSync(readFileSync(path)).toString("utf8").trim().split("\n");
  const prices = rows.flatMap((row) => row.split(",").slice(1).map(Number));
  return prices.filter((price) => price <= stop * 1.001);
}

/**
 * Checks a difference below half a cent. It compares numbers and not rounded texts, because half a cent in a double may
 * round either way.
 */
function expectCent(actual: number | undefined, expected: number): void {
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThan(0.005);
}
