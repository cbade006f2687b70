import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

const FLAT = '"trade":{"execution_type":"FLAT_ALL"}';
const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };

describe("POST orders answers 400", () => {
  const { service, call } = openEndpointUnderTest("placeOrder");

  test.each([
    ["no JSON", "nonsense", "request body must be a JSON object"],
    ["an array", "[]", "request body must be a JSON object"],
    ["a key given twice", `{${FLAT},${FLAT}}`, "'trade' is given twice"],
    ["an infinite number", '{"trade":{"value":1e999}}', "'trade.value' must be a finite number"],
    ["no trade", "{}", "'trade' is required"],
    ["a wrong accountId", `{"accountId":"abc",${FLAT}}`, "'accountId' must be a uuid"],
    ["an accountId that is a number", `{"accountId":7,${FLAT}}`, "'accountId' must be a uuid"],
  ])("POST orders answers 400 to %s [D2.json] [D2.body] [S7.400]", async (_, body, error) => {
    const reply = await call({ body });
    expect([reply.status, reply.json()]).toEqual([400, { error }]);
  });

  test("POST orders answers 400 to another Content-Type [D2.12]", async () => {
    const reply = await call({ headers: { "Content-Type": "text/plain" } });
    expect([reply.status, reply.text]).toEqual([
      400,
      '{"error":"Content-Type must be application/json"}',
    ]);
  });

  test.each([
    [{ ...MARKET }, "'leverage', 'value', or 'quantity' must be provided"],
    [{ ...MARKET, leverage: 1, value: 2 }, "'leverage', 'value', or 'quantity' must be provided"],
    [
      { ...MARKET, execution_type: "TWAP", value: 1 },
      "'execution_type' must be one of MARKET, LIMIT, STOP_LIMIT, BRACKET, LIMIT_CANCEL, LIMIT_EDIT, FLAT_ALL",
    ],
    [{ ...MARKET, value: "5" }, "'value' must be a number"],
    [{ ...MARKET, trade_pair: "XYZABC", value: 5 }, "'trade_pair' XYZABC is not a known pair"],
    [
      { ...MARKET, value: 1000, stop_loss: 51_000 },
      "'stop_loss' 51000 must be below the entry price 50000",
    ],
    [
      { ...MARKET, trade_pair: "EURUSD", value: 1000 },
      "There is no fresh quote for EURUSD; try again shortly",
    ],
    [{ ...MARKET, order_type: "FLAT" }, "There is no open position in BTCUSD"],
    [
      { execution_type: "LIMIT_CANCEL", order_uuid: "unknown-id" },
      "'order_uuid' unknown-id is not a pending order",
    ],
  ])("%j says what is wrong [S7.400] [S4.2.executionType] [D5.refusal]", async (trade, error) => {
    const reply = await service().order(trade);
    expect([reply.status, reply.json()]).toEqual([400, { error }]);
  });

  test.each([[null], [[]]])(
    "a text about a top-level stop names no leg when bracket_orders is %j [D5.refusal]",
    async (bracket_orders) => {
      const trade = { ...MARKET, value: 1000, stop_loss: 51_000, bracket_orders };
      expect((await service().order(trade)).json()).toEqual({
        error: "'stop_loss' 51000 must be below the entry price 50000",
      });
    },
  );

  test.each([
    [{ ...MARKET, trade_pair: "XYZABC", value: 5 }, "unknownPair"],
    [{ ...MARKET, trade_pair: "EURUSD", value: 1000 }, "staleQuote"],
    [{ ...MARKET, value: 1000, stop_loss: 51_000 }, "wrongSide"],
    [{ ...MARKET, quantity: 1e-9 }, "sizeTooSmall"],
    [{ ...MARKET, order_type: "FLAT" }, "noPosition"],
    [{ execution_type: "LIMIT_CANCEL", order_uuid: "unknown-id" }, "unknownOrder"],
    [{ ...MARKET, value: "5" }, undefined],
  ])(
    "%j has its code in a header, and its body is error alone [D10.refusalCodes]",
    async (trade, code) => {
      const reply = await service().order(trade);
      expect(reply.status).toBe(400);
      expect(reply.headers["x-service-refusal-code"]).toBe(code);
      expect(Object.keys(reply.json() as object)).toEqual(["error"]);
    },
  );

  test("an account that is not yet set up is not ready [S7.notReady] [S7.400] [D8.states]", async () => {
    const accountId = await service().newAccount({ provisioned: false });
    const reply = await call({ signer: await service().newKey({ accountId }) });
    expect([reply.status, reply.json()]).toEqual([
      400,
      { error: "Account is not ready for trading (missing subaccount_id)" },
    ]);
  });

  test("an eliminated account cannot place orders [D7.elimination] [D7.breach]", async () => {
    const accountId = await service().newAccount();
    await service().accounts.eliminate(accountId, "INACTIVE");
    const signer = await service().newKey({ accountId });
    const reply = await service().order({ ...MARKET, value: 1000 }, { signer });
    expect([reply.status, reply.json()]).toEqual([
      400,
      { error: "The account is eliminated and takes no orders" },
    ]);
  });

  test.each([65_537, 1_000_000])(
    "POST orders answers 400 to a body of %d bytes, before anything else [D2.body]",
    async (bytes) => {
      const reply = await call({ body: "x".repeat(bytes), signer: null });
      expect([reply.status, reply.json()]).toEqual([
        400,
        { error: "request body is larger than 64 KiB" },
      ]);
      expect(reply.headers.connection).toBe("close");
    },
  );

  test("POST orders answers 400 to a body too large without an announced length [D2.body]", async () => {
    const headers = { "Transfer-Encoding": "chunked", "Content-Length": "" };
    const reply = await call({ body: "x".repeat(70_000), signer: null, headers });
    expect(reply.status).toBe(400);
  });

  test("65,536 bytes are read [D2.body]", async () => {
    const body = `{${FLAT}}`;
    const reply = await call({ body: body + " ".repeat(65_536 - body.length) });
    expect(reply.status).toBe(200);
  });
});
