import { Ajv2020, type AnySchema } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { scaledCount } from "../../../../test/environment/depth.ts";
import type { TradingKey } from "../testing/account-sandbox.ts";
import { connectEventAgent } from "../testing/event-agent.ts";
import { HIDDEN_CHARACTER, HOSTILE_TEXT } from "../testing/hostile-text.ts";
import { type MadeService, openMadeService } from "../testing/made-service.ts";
import { connectAgent, type ToolAnswer } from "../testing/mcp-agent.ts";
import { DATA_NOTICE } from "./tool-answer.ts";

const TRADING = [
  ...["--allow-trading", "--allow-switch-off", "--pairs", "BTCUSD", "--max-notional", "5000"],
  ...["--max-exposure", "100000", "--max-loss", "100000"],
];
/** A short time limit for finding the fate of an order, because no answer of this service shows it. */
const SHORT = [...TRADING, "--settle-timeout", "0.2"];
const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 10 };

/** Arguments of the tools that need some. */
const GIVEN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  get_candles: { tradePair: "BTCUSD", interval: "1d" },
  get_receipt: { nonce: "nonce-0123456789" },
  preview_order: { trade: MARKET },
  place_order: { trade: MARKET },
  edit_order: {
    trade: { ...MARKET, execution_type: "LIMIT_EDIT", order_uuid: "none", limit_price: 40_000 },
  },
  cancel_orders: { trade: { execution_type: "LIMIT_CANCEL", order_uuid: "none" } },
  close_positions: { trade: { execution_type: "FLAT_ALL" } },
  settle_order: { nonce: "nonce-0123456789" },
  cancel_all_after: { seconds: 60 },
};

/** Texts of a format that the tool's schema requires. */
const FORMATS = { uuid: "01890a5d-ac96-774b-bcce-b302099a8057", date: "2026-01-06" };

let service: MadeService;

beforeAll(async () => {
  service = await openMadeService(`x${HOSTILE_TEXT}`, FORMATS);
  return () => service.close();
});

const key = (): TradingKey => ({
  baseUrl: service.baseUrl,
  keyId: "pk_00000000000000000000",
  secret: "secret",
});

interface Called extends ToolAnswer {
  readonly name: string;
  /** Null when the tool's published schema allows the answer. */
  readonly problem: unknown;
}

/** The answer of every tool, and the text that the command wrote on standard error. */
async function callAll(
  options: readonly string[],
): Promise<{ readonly called: readonly Called[]; readonly stderr: string }> {
  const agent = await connectAgent(key(), options);
  const { tools } = await agent.client.listTools();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const called: Called[] = [];
  for (const { name, outputSchema } of tools) {
    const isValid = ajv.compile(outputSchema as AnySchema);
    try {
      const answer = await agent.call(name, GIVEN[name]);
      const problem = isValid(answer.data) ? null : isValid.errors;
      called.push({ ...answer, name, problem });
    } catch (error) {
      called.push({ name, isError: true, texts: [], data: {}, problem: String(error) });
    }
  }
  return { called, stderr: agent.stderr() };
}

/** Answers that an agent cannot use: of another form than the tool's schema, or with a hidden character in a text. */
function unusable(called: readonly Called[]): readonly Called[] {
  return called.filter(({ texts: [notice, ...texts], problem }) => {
    const isClean = !texts.some((text) => HIDDEN_CHARACTER.test(text) || /\n {4}at /.test(text));
    return problem !== null || notice !== DATA_NOTICE || texts.length === 0 || !isClean;
  });
}

describe("every tool", () => {
  test("no text of a tool's answer has a hidden character of the service's texts", async () => {
    service.edit((answer) => answer);
    const { called, stderr } = await callAll(TRADING);
    expect([unusable(called), stderr]).toEqual([[], ""]);
    const failed = called
      .filter(({ isError }) => isError)
      .map(({ name, data }) => [name, data.fate]);
    // The account's figures are stale, and the receipt is of another nonce.
    expect(failed).toEqual([
      ["place_order", "rejected"],
      ["edit_order", "rejected"],
      ["settle_order", "unknown"],
    ]);
  });

  test("no text of a tool's failure has a hidden character of the service's refusal", async () => {
    service.edit(() => undefined);
    const { called, stderr } = await callAll(SHORT);
    expect([unusable(called), stderr]).toEqual([[], ""]);
    expect(called.filter(({ isError }) => !isError)).toEqual([]);
  });

  test.each([null, {}, [null], "x", 1, [[]]].map((data) => ({ data })).slice(0, scaledCount(6, 2)))(
    "an answer of another form is a failure in the form that the tool announces: %j",
    async ({ data }) => {
      service.edit(() => ({ success: true, data }));
      const { called, stderr } = await callAll(SHORT);
      expect([unusable(called), stderr]).toEqual([[], ""]);
      // Only the tools that place orders may succeed: an order that was carried out is not a failure, even when its
      // result cannot be read.
      const succeeded = called.filter(({ isError }) => !isError).map(({ name }) => name);
      expect(succeeded.filter((name) => GIVEN[name]?.trade === undefined)).toEqual([]);
    },
  );

  test("the text of a failed request for events has no hidden character", async () => {
    service.edit(() => undefined);
    const agent = await connectEventAgent(key());
    const poll = { name: "order.filled", cursor: null };
    const { message } = await agent.failure("events/poll", poll);
    expect(message).toMatch(/^UpstreamError: x\?/);
    expect(message).not.toMatch(HIDDEN_CHARACTER);
  });

  test("an order whose value is no number is above every cap, and is not sent", async () => {
    service.edit((answer, call) =>
      call.endsWith("/preview") ? { success: true, data: { quantity: 1, value: "x" } } : answer,
    );
    const agent = await connectAgent(key(), TRADING.slice(0, 6));
    service.takeCalls();
    const { value: _, ...order } = MARKET;
    const placed = await agent.call("place_order", { trade: { ...order, quantity: 1 } });
    expect(placed.data).toMatchObject({
      fate: "rejected",
      nonce: null,
      error: expect.stringContaining("the service's answer has no number for it"),
    });
    expect(service.takeCalls().filter((call) => call.endsWith("/trading/orders"))).toEqual([]);
  });
});
