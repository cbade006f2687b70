import { PENDING_ORDERS, type PendingOrder } from "@propgate/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AccountSandbox, startAccountSandbox } from "../testing/account-sandbox.ts";
import { connectAgent, type McpAgent } from "../testing/mcp-agent.ts";
import { createLostOrders } from "./lost-orders.ts";
import { createOpeningQueue } from "./opening-queue.ts";
import type { OrderFigures } from "./order-figures.ts";
import { exposureWith } from "./sum-caps.ts";

const TRADING = ["--allow-trading", "--pairs", "BTCUSD", "--max-notional", "5000"];
const at = (bid: number) => [{ pair: "BTCUSD", bid, ask: bid }];
const trade = (execution_type: string, fields: Readonly<Record<string, unknown>>) => ({
  trade: { execution_type, trade_pair: "BTCUSD", ...fields },
});
const market = (order_type: string, value: number) => trade("MARKET", { order_type, value });
const limit = (fields: Readonly<Record<string, unknown>>) =>
  trade("LIMIT", { order_type: "LONG", limit_price: 40_000, ...fields });

let sandbox: AccountSandbox;

beforeAll(async () => {
  sandbox = await startAccountSandbox();
  return () => sandbox.stop();
});
beforeEach(() => sandbox.control("/quotes", at(50_000)));

async function expectFate(agent: McpAgent, ...call: Call): Promise<void> {
  const [tool, given, words = ""] = call;
  const { data } = await agent.call(tool, { ...given });
  if (words === "") expect(data).toMatchObject({ fate: "accepted" });
  else {
    expect(data).toMatchObject({ fate: "rejected", status: null, code: "refusedHere" });
    expect(data.error).toContain(words);
  }
}

/** A call of a tool. This server rejects it with `words` in the error; without `words` it is accepted. */
type Call = readonly [tool: string, given: object, words?: string];

/** Fails unless every call that reduces risk is accepted. The calls are sent one after the other. */
async function expectReductionsAccepted(agent: McpAgent): Promise<void> {
  await expectFate(agent, "place_order", market("SHORT", 1000));
  const exit = trade("LIMIT", { order_type: "SHORT", limit_price: 90_000, reduce_only: true });
  await expectFate(agent, "place_order", { trade: { ...exit.trade, quantity: 0.01 } });
  const part = trade("MARKET", { order_type: "SHORT", quantity: 0.001, reduce_only: true });
  await expectFate(agent, "place_order", part);
  await expectFate(agent, "close_positions", { trade: { execution_type: "FLAT_ALL" } });
  const all = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };
  await sandbox.control("/quotes", at(50_000));
  const { data } = await agent.call("cancel_orders", { trade: all });
  expect(data.code).not.toBe("refusedHere");
}

describe("propgate mcp: caps on sums [security F22]", () => {
  test("two orders at once never pass --max-exposure together; pending entries and edits count", async () => {
    const agent = await connectAgent(await sandbox.open(), [...TRADING, "--max-exposure", "8000"]);
    const both = await Promise.all(
      [5000, 5000].map((value) => agent.call("place_order", market("LONG", value))),
    );
    const fates = both.map(({ data }) => String(data.fate));
    expect(fates.toSorted()).toEqual(["accepted", "rejected"]);
    const words = "and --max-exposure is 8000 USD";
    expect(JSON.stringify(both)).toContain(words);
    await expectFate(agent, "place_order", limit({ value: 4000 }), words);
    const rested = await agent.call("place_order", limit({ value: 2000 }));
    const { order_uuid } = rested.data.result as { readonly order_uuid: string };
    // At the limit of 40,000, 0.026 BTC are worth 1,040 USD.
    await expectFate(agent, "place_order", limit({ quantity: 0.026 }), words);
    await expectFate(agent, "place_order", limit({ quantity: 0.01 }));
    // The pending 0.01 BTC count as 500 USD, their value at the market.
    await expectFate(agent, "place_order", limit({ value: 600 }), words);
    const edit = (value: number) => ({
      trade: { ...limit({ value }).trade, execution_type: "LIMIT_EDIT", order_uuid },
    });
    await expectFate(agent, "edit_order", edit(2400));
    await expectFate(agent, "edit_order", edit(3000), words);
    await expectFate(agent, "place_order", market("SHORT", 4990), words);
    await expectReductionsAccepted(agent);
  });

  test("nothing is opened after --max-loss, by a restarted server neither, and everything closes", async () => {
    const key = await sandbox.open();
    const given = [...TRADING, "--max-loss", "300", "--max-orders-per-minute", "2"];
    const agent = await connectAgent(key, given);
    await expectFate(agent, "place_order", market("LONG", 5000));
    await sandbox.control("/quotes", at(46_000));
    const words =
      "have been lost since this server or the UTC day began, and --max-loss is 300 USD";
    await expectFate(agent, "place_order", market("LONG", 10), words);
    await expectFate(agent, "place_order", limit({ value: 10 }), words);
    const again = await connectAgent(key, given);
    await expectFate(again, "place_order", market("LONG", 10), words);
    await expectFate(agent, "place_order", market("SHORT", 10));
    await sandbox.control("/quotes", at(46_000));
    await expectReductionsAccepted(agent);
  });

  test("nothing is opened while the account cannot be read, and closing is still sent", async () => {
    const given = [...TRADING, "--max-exposure", "8000", "--max-loss", "300"];
    const agent = await connectAgent(await sandbox.open(), given);
    await sandbox.control("/faults", { network: "down" });
    try {
      await expectFate(agent, "place_order", market("LONG", 10), "cannot be checked");
      const flat = { trade: { execution_type: "FLAT_ALL" } };
      const { data } = await agent.call("close_positions", flat);
      expect([data.code, typeof data.nonce]).not.toEqual(["refusedHere", "object"]);
    } finally {
      await sandbox.control("/faults", { network: "up" });
    }
  });
});

test("an entry of a service that sends the fields of the specification alone counts, and a leg does not", async () => {
  const [entry] = PENDING_ORDERS;
  if (entry === undefined) throw new Error("the example has an entry");
  const { positionUuid: _, reduceOnly: __, ...specified } = { ...entry, value: 500 };
  for (const [executionType, exposure] of [
    ["LIMIT", 1100],
    ["STOP_LIMIT", 1100],
    ["BRACKET", 600],
  ] as const) {
    const pending = [{ ...specified, executionType } as PendingOrder];
    expect(await exposureWith({ worthUsd: 600, editedId: null }, figuresOf(pending))).toBe(
      exposure,
    );
  }
});

/** Figures of an account without a position, which has these pending orders. */
function figuresOf(pending: readonly PendingOrder[]): OrderFigures {
  const unread = () => Promise.reject(new Error("not read"));
  return {
    account: unread,
    positions: async () => [],
    pendingOrders: async () => pending,
    lotUsd: unread,
    marketLot: unread,
    signal: new AbortController().signal,
  };
}

test("an edited entry of a validator counts once, in capitals as in small letters [D12.idCase]", async () => {
  const uuid = "0F7E3A52-6C1B-4D3E-9A47-1B2C3D4E5F60";
  const [entry] = PENDING_ORDERS;
  if (entry === undefined) throw new Error("the example has an entry");
  const pending = {
    ...entry,
    orderUuid: uuid,
    executionType: "LIMIT" as const,
    positionUuid: null,
    reduceOnly: false,
    value: 500,
  };
  const figures = figuresOf([pending]);
  for (const editedId of [uuid, uuid.toLowerCase()]) {
    expect(await exposureWith({ worthUsd: 600, editedId }, figures)).toBe(600);
  }
  expect(await exposureWith({ worthUsd: 600, editedId: null }, figures)).toBe(1100);
});

describe("orders that open something", () => {
  test("run one after the other; one whose time is over is left out", async () => {
    const turns = createOpeningQueue();
    const log: string[] = [];
    let finish = (): void => {};
    const first = turns.run(new AbortController().signal, async () => {
      log.push("first begins");
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      log.push("first ends");
    });
    const late = new AbortController();
    const second = turns.run(late.signal, async () => void log.push("second"));
    const third = turns.run(new AbortController().signal, async () => void log.push("third"));
    late.abort();
    expect(await second).toBe(null);
    expect(log).toEqual(["first begins"]);
    finish();
    await Promise.all([first, third]);
    expect(log).toEqual(["first begins", "first ends", "third"]);
  });

  test("work that throws lets the next one run", async () => {
    const turns = createOpeningQueue();
    const { signal } = new AbortController();
    await expect(turns.run(signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await turns.run(signal, async () => 1)).toBe(1);
  });

  test("an unknown fate counts as open until it is settled; that of a closing order does not", () => {
    const lost = createLostOrders();
    lost.noteSent("close", false);
    expect(lost.hasUnknownOpening()).toBe(false);
    lost.noteSent("open", true);
    lost.noteFate("open", "unknown");
    expect([lost.hasUnknownOpening(), lost.lastNonce()]).toEqual([true, "open"]);
    lost.noteFate("open", "rejected");
    expect(lost.hasUnknownOpening()).toBe(false);
  });
});
