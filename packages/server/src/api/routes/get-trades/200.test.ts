import type { AccountId } from "@propgate/core";
import { beforeEach, describe, expect, test } from "vitest";
import { expectDescribedAnswer } from "../../../testing/described-answer.ts";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import type { Signer } from "../../../testing/signed-request.ts";

const LONG = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
} as const;
const FLAT_ALL = { execution_type: "FLAT_ALL" } as const;

describe("GET trades answers 200", () => {
  const { service, call } = openEndpointUnderTest("getTrades");
  /** The key of an account without trades. */
  let signer: Signer;
  let accountId: AccountId;
  beforeEach(async () => {
    service().faults.set({ network: "up" });
    accountId = await service().newAccount();
    signer = await service().newKey({ accountId });
    await service().quote("BTCUSD", 50_000, 50_000);
  });

  test("a closed position is a trade, its texts beside its numbers [S2.4] [D3.formats] [D4.returns]", async () => {
    const openTimeMs = service().time.clock.now();
    await service().order({ ...LONG, quantity: 1 }, { signer });
    await service().time.pass(60_000);
    await service().quote("BTCUSD", 51_000, 51_000);
    await service().order(FLAT_ALL, { signer });
    // Fees 0.03 % of 50,000 and of 51,000: 15 + 15.30.
    expect((await call({ signer })).json()).toMatchObject({
      success: true,
      data: [
        {
          tradePair: "BTCUSD",
          tradePairDisplay: "BTC/USD",
          positionType: "LONG",
          positionSize: "$50,000.00",
          positionSizeNumeric: 50_000,
          quantity: 1,
          entryPrice: "50000.00000",
          entryPriceNumeric: 50_000,
          closePrice: "51000.00000",
          closePriceNumeric: 51_000,
          unrealizedPnl: 0,
          realizedPnl: 1000,
          returnAtClose: 1.01,
          status: "CLOSED",
          openTimeMs,
          closeTimeMs: openTimeMs + 60_000,
          stopLoss: null,
          takeProfit: null,
          totalFees: 30.3,
        },
      ],
    });
  });

  test("pages of trades are the whole list in order, each with the place of the next one [D13.tradesPage]", async () => {
    for (let trades = 0; trades < 5; trades += 1) {
      await service().order(LONG, { signer });
      await service().order(FLAT_ALL, { signer });
    }
    const whole = (await call({ signer })).json() as {
      readonly data: readonly { readonly id: string }[];
    };
    expect(Object.keys(whole)).toEqual(["success", "data"]);
    const read: unknown[] = [];
    let target = "/api/v1/trading/trades?limit=2";
    for (let pages = 1; ; pages += 1) {
      const reply = await service().call(target, { signer });
      expectDescribedAnswer("getTrades", reply);
      const { data, next } = reply.json() as { data: readonly unknown[]; next: string | null };
      read.push(...data);
      expect([pages, next]).toEqual([pages, pages === 3 ? null : whole.data[2 * pages - 1]?.id]);
      if (next === null) break;
      target = `/api/v1/trading/trades?limit=2&after=${next}`;
    }
    expect(read).toEqual(whole.data);
    const oldest = whole.data.at(-1)?.id;
    const last = await service().call(`/api/v1/trading/trades?after=${oldest}`, { signer });
    expect(last.json()).toEqual({ success: true, data: [], next: null });
  });

  test("history stays readable while the network is down [S7.502]", async () => {
    service().faults.set({ network: "down" });
    expect((await call()).status).toBe(200);
  });

  test("a long history is sent in pieces, whole and in order, to one reader after the other [D13.tradesOnce] [D13.expensiveReads]", async () => {
    await service().order(LONG, { signer });
    await service().order(FLAT_ALL, { signer });
    await service().database.query(
      `insert into trades (account_id, seq, trade_id, closed_at_ms, trade)
       select account_id, 1000000 + n, trade_id || n, closed_at_ms, trade
       from trades, generate_series(1, 600) n where account_id = $1`,
      [accountId],
    );
    await service().order(LONG, { signer });
    for (let reads = 0; reads < 5; reads += 1) {
      const reply = await call({ signer });
      const { data } = reply.json() as { readonly data: readonly { readonly id: string }[] };
      expect([reply.status, data.length]).toEqual([200, 601]);
      expectDescribedAnswer("getTrades", reply);
    }
  });
});
