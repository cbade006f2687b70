import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import type { Signer } from "../../../testing/signed-request.ts";

const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
const LIMIT = { ...MARKET, execution_type: "LIMIT", limit_price: 40_000 };

describe("POST preview answers 400 [D9.preview]", () => {
  const { service, call } = openEndpointUnderTest("previewOrder");

  test.each([
    { ...MARKET },
    { ...MARKET, value: "5" },
    { ...MARKET, trade_pair: "XYZABC", value: 5 },
    { ...MARKET, value: 1000, stop_loss: 51_000 },
    { ...MARKET, trade_pair: "EURUSD", value: 1000 },
    { ...MARKET, order_type: "FLAT" },
    { ...LIMIT, value: 1000, stop_loss: 41_000 },
    { ...LIMIT, value: 1000, bracket_orders: [{ stop_loss: 41_000 }] },
    { execution_type: "BRACKET", trade_pair: "BTCUSD", stop_loss: 1 },
  ])(
    "%j is refused with the text and code of the order itself [D10.refusalCodes]",
    async (trade) => {
      const order = await service().order(trade);
      const looked = await call({ body: JSON.stringify({ trade }) });
      expect(order.status).toBe(400);
      expect([looked.status, looked.text]).toEqual([order.status, order.text]);
      const code = "x-service-refusal-code";
      expect(looked.headers[code]).toBe(order.headers[code]);
    },
  );

  test.each([
    ["LIMIT_CANCEL", {}],
    ["LIMIT_EDIT", { ...LIMIT, value: 1000 }],
    ["FLAT_ALL", {}],
  ])("a %s has nothing to show", async (type, fields) => {
    const trade = { ...fields, execution_type: type, order_uuid: "x" };
    const reply = await call({ body: JSON.stringify({ trade }) });
    expect([reply.status, reply.json()]).toEqual([
      400,
      { error: "'execution_type' must be one of MARKET, LIMIT, STOP_LIMIT, BRACKET here" },
    ]);
  });

  test("an account that is not set up, or has ended, cannot preview", async () => {
    const early = await service().newAccount({ provisioned: false });
    const ended = await service().newAccount();
    await service().accounts.eliminate(ended, "INACTIVE");
    const error = async (signer: Signer): Promise<unknown> => {
      const body = JSON.stringify({ trade: { ...MARKET, value: 1000 } });
      return (await call({ body, signer })).json();
    };
    expect(await error(await service().newKey({ accountId: early }))).toEqual({
      error: "Account is not ready for trading (missing subaccount_id)",
    });
    expect(await error(await service().newKey({ accountId: ended }))).toEqual({
      error: "The account is eliminated and takes no orders",
    });
  });

  test("a refused preview counts nowhere as a rejected order [D2.guard]", async () => {
    const signer = await service().newKey();
    await call({ signer, body: "{}" });
    const keys = await service().keys.list(service().accountId);
    expect(keys.find((key) => key.keyId === signer.keyId)?.rejections).toBe(0);
  });

  test("POST preview answers 400 to other content types and bodies too large, as of an order [D2.body]", async () => {
    const typed = await call({ headers: { "Content-Type": "text/plain" } });
    expect(typed.json()).toEqual({ error: "Content-Type must be application/json" });
    const large = await call({ body: "x".repeat(65_537), signer: null });
    expect([large.status, large.json()]).toEqual([
      400,
      { error: "request body is larger than 64 KiB" },
    ]);
  });
});
