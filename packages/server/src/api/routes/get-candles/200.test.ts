import { beforeAll, describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import { openHarness, START_MS } from "../../../testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../../../testing/made-instrument.ts";

const MINUTE = 60_000;

describe("GET candles answers 200 [D9.candles]", () => {
  const { service } = openEndpointUnderTest("getCandles");
  const candles = (query: string) => service().call(`/api/v1/trading/candles?${query}`);

  beforeAll(async () => {
    await service().quote("BTCUSD", 49_990, 50_010.5);
    await service().quote("BTCUSD", 50_020, 50_020);
    await service().time.pass(2 * MINUTE);
    await service().quote("BTCUSD", 50_030.1, 50_030.2);
  });

  test("each minute with quotes, oldest first, and whether it is over", async () => {
    const first = { open: 50_000, high: 50_020, close: 50_020 };
    const reply = await candles("tradePair=btc/usd&interval=1m");
    expect(reply.json()).toEqual({
      success: true,
      data: [
        {
          startMs: START_MS,
          bid: { ...first, low: 49_990 },
          ask: { ...first, low: 50_000 },
          mid: { ...first, low: 50_000 },
          quoteCount: 3,
          isComplete: true,
        },
        {
          startMs: START_MS + 2 * MINUTE,
          bid: flat(50_030.1),
          ask: flat(50_030.2),
          mid: flat(50_030.15),
          quoteCount: 1,
          isComplete: false,
        },
      ],
      next: null,
    });
  });

  test("pages after a time are all candles, each with the place of the next one [D13.answerBytes]", async () => {
    const query = "tradePair=BTCUSD&interval=1m&limit=1";
    const page = async (after: number) => {
      const { data, next } = (await candles(`${query}&after=${after}`)).json() as {
        readonly data: readonly { readonly startMs: number }[];
        readonly next: number | null;
      };
      return [data.map(({ startMs }) => startMs), next];
    };
    expect(await page(0)).toEqual([[START_MS], START_MS]);
    expect(await page(START_MS)).toEqual([[START_MS + 2 * MINUTE], null]);
    expect(await page(START_MS + 2 * MINUTE)).toEqual([[], null]);
  });

  test("the day contains all of them", async () => {
    const { data } = (await candles("tradePair=BTCUSD&interval=1d")).json() as { data: unknown };
    expect(data).toMatchObject([
      {
        startMs: START_MS - 12 * 60 * MINUTE,
        bid: { open: 50_000, high: 50_030.1, low: 49_990, close: 50_030.1 },
        quoteCount: 4,
        isComplete: false,
      },
    ]);
  });

  test.each([
    ["a pair that was never quoted", "tradePair=EURUSD&interval=1h"],
    ["a time after now", `tradePair=BTCUSD&interval=1m&after=${START_MS + 400 * 86_400_000}`],
    ["the last moment that a time may be", "tradePair=BTCUSD&interval=1d&after=4102444800000"],
  ])("%s has no candles", async (_, query) => {
    const reply = await candles(query);
    expect([reply.status, reply.json()]).toEqual([200, { success: true, data: [], next: null }]);
  });
});

test("a pair that is blocked for orders has candles, and an alias names its pair [D9.candles] [D6.aliases]", async () => {
  const gold = madeInstrument("XAUUSD", { blocked: true, aliases: ["GOLDUSD"] });
  const service = await openHarness({ instruments: madeCatalogue(gold) });
  await service.quote("XAUUSD", 2_600, 2_601);
  for (const name of ["XAUUSD", "goldusd", "GOLD/USD"]) {
    const reply = await service.get(`candles?tradePair=${name}&interval=15m`);
    expect(reply.json()).toMatchObject({ data: [{ startMs: START_MS, mid: flat(2_600.5) }] });
  }
  await service.close();
});

function flat(price: number) {
  return { open: price, high: price, low: price, close: price };
}
