import { describe, expect, test } from "vitest";
import { DatabaseAway } from "../../../../../ledger/src/storage/databases/database-error.ts";
import { expectDescribedAnswer } from "../../../testing/described-answer.ts";
import { openHarness } from "../../../testing/harness.ts";

describe("GET candles answers 503", () => {
  test("GET candles answers 503 while the database that holds them is away, without any candle [S7.R1] [D9.candles]", async () => {
    const away = new DatabaseAway("connect ECONNREFUSED");
    const service = await openHarness({ candles: () => ({ list: () => Promise.reject(away) }) });
    const reply = await service.get("candles?tradePair=BTCUSD&interval=1m");
    expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "1"]);
    expect(Object.keys(reply.json() as object)).toEqual(["error"]);
    expectDescribedAnswer("getCandles", reply);
    await service.close();
  });
});
