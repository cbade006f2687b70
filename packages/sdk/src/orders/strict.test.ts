import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../client.ts";
import { InvalidOrderError } from "../errors.ts";
import { startVerifyingServer } from "../testing/verifying-server.ts";
import { MissingLegError } from "./order-outcome.ts";
import type { OrderRequest } from "./order-request.ts";

const SECRET = "sk_test_0123456789abcdef0123456789abcdef";
const TRADE = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 100,
  stop_loss: 30_000,
} as const;

async function placed(
  order: OrderRequest,
  bracketOrders: readonly unknown[] | null,
  strict = true,
) {
  const data = { success: true, status: "filled", order_uuid: "o1", order: { bracketOrders } };
  const replies = [{ status: 200, body: { success: true, data } }];
  const server = await startVerifyingServer({ secret: SECRET, replies });
  onTestFinished(() => server.close());
  const client = createClient({ baseUrl: server.baseUrl, keyId: "pk_1", secret: SECRET, strict });
  const outcome = await client.placeOrder(order).catch((error: unknown) => error);
  return { outcome, sent: server.received.length };
}

const TWO_SIZES = { trade: { ...TRADE, leverage: 1 } };
const misspelt = { trade: { ...TRADE, stop_los: 30_000 } };

describe("strict", () => {
  test("a misspelt field is named, and nothing is sent [S4.2.ignored]", async () => {
    const { outcome, sent } = await placed(misspelt, null);
    expect(outcome).toBeInstanceOf(InvalidOrderError);
    expect(outcome).toMatchObject({
      code: "invalidOrder",
      unreadFields: ["trade.stop_los"],
      message: "unknown field: trade.stop_los",
    });
    expect(sent).toBe(0);
  });

  test("an order that is invalid in every market is not sent", async () => {
    // A program without types may send this order.
    const { outcome, sent } = await placed(JSON.parse(JSON.stringify(TWO_SIZES)), null);
    expect(String(outcome)).toBe(
      "InvalidOrderError: 'leverage', 'value', or 'quantity' must be provided",
    );
    expect(sent).toBe(0);
  });

  test("a requested leg that was not attached throws, with the accepted order", async () => {
    const { outcome } = await placed({ trade: TRADE }, []);
    expect(outcome).toBeInstanceOf(MissingLegError);
    expect(outcome).toMatchObject({
      code: "missingLeg",
      message: "accepted, but not attached: stop_loss 30000",
      outcome: { fate: "accepted", result: { order_uuid: "o1" } },
    });
  });

  test("attached legs are accepted, and two equal legs must be attached twice", async () => {
    const legs = { bracket_orders: [{ stop_loss: 30_000 }, { stop_loss: 30_000 }] } as const;
    const { stop_loss: _, ...entry } = TRADE;
    const order = { trade: { ...entry, ...legs } };
    const attached = { stopLoss: 30_000, takeProfit: null };
    expect((await placed(order, [attached, attached])).outcome).toMatchObject({ fate: "accepted" });
    expect((await placed(order, [attached])).outcome).toBeInstanceOf(MissingLegError);
  });

  test("a client is not strict by default", async () => {
    expect((await placed(misspelt, null, false)).outcome).toMatchObject({ fate: "accepted" });
  });
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])(
  "an order with a stop at %d is not sent, because JSON would leave its stop out",
  async (stop_loss) => {
    for (const strict of [true, false]) {
      const { outcome, sent } = await placed({ trade: { ...TRADE, stop_loss } }, null, strict);
      expect(String(outcome)).toBe(
        `InvalidOrderError: 'stop_loss' must be a finite number, not ${stop_loss}`,
      );
      expect(sent).toBe(0);
    }
    const settings = { baseUrl: "http://127.0.0.1:1", keyId: "pk_1", secret: SECRET };
    const preview = createClient(settings).preview({ trade: { ...TRADE, stop_loss } });
    await expect(preview).rejects.toBeInstanceOf(InvalidOrderError);
  },
);
