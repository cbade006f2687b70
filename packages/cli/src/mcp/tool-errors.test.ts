import type { AnySchema } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type AccountSandbox,
  startAccountSandbox,
  type TradingKey,
} from "../testing/account-sandbox.ts";
import { connectAgent, type McpAgent } from "../testing/mcp-agent.ts";

const TRADING = [
  ...["--allow-trading", "--pairs", "BTCUSD", "--max-notional", "5000"],
  ...["--settle-timeout", "1"],
];
const NOWHERE = { baseUrl: "http://127.0.0.1:1", keyId: "pk_x", secret: "sk_x" };
const ALL = { trade: { execution_type: "FLAT_ALL" } };
const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 10 };

/** Valid arguments for each tool. */
const RIGHT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  get_account: {},
  get_positions: {},
  get_orders: {},
  get_trades: {},
  get_payouts: {},
  get_instruments: {},
  get_quotes: {},
  get_candles: { tradePair: "BTCUSD", interval: "1d" },
  get_receipt: { nonce: "nonce-0123456789" },
  get_events: {},
  preview_order: { trade: MARKET },
  place_order: { trade: MARKET },
  edit_order: {
    trade: { ...MARKET, execution_type: "LIMIT_EDIT", order_uuid: "none", limit_price: 40_000 },
  },
  cancel_orders: { trade: { execution_type: "LIMIT_CANCEL", order_uuid: "none" } },
  close_positions: ALL,
  settle_order: { nonce: "nonce-0123456789" },
  cancel_all_after: { seconds: 60 },
};
const WRITES = ["place_order", "edit_order", "cancel_orders", "close_positions"];

let sandbox: AccountSandbox;

beforeAll(async () => {
  sandbox = await startAccountSandbox();
  return () => sandbox.stop();
});

/** The failures of every tool. Each is checked against the tool's published schema. */
async function failuresOf(
  key: TradingKey,
  given: (name: string) => Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const agent: McpAgent = await connectAgent(key, TRADING);
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(RIGHT).sort());
  const failures = new Map<string, Readonly<Record<string, unknown>>>();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { name, outputSchema } of tools) {
    const { isError, data } = await agent.call(name, given(name));
    const isValid = ajv.compile(outputSchema as AnySchema);
    expect([name, isValid(data), isValid.errors]).toEqual([name, true, null]);
    if (isError) failures.set(name, data);
  }
  return failures;
}

describe("a failure has the shape that its tool announces", () => {
  test("an argument that the tool does not have is refused by name", async () => {
    const failures = await failuresOf(NOWHERE, (name) => ({ ...RIGHT[name], misspelt: 1 }));
    expect([...failures.keys()].sort()).toEqual(Object.keys(RIGHT).sort());
    for (const { error, status } of failures.values()) {
      expect([status, error]).toEqual([null, expect.stringContaining("'misspelt'")]);
    }
    for (const name of WRITES) expect(failures.get(name)).toMatchObject({ fate: "rejected" });
    // The call of `settle_order` was rejected, so the fate of the order is still unknown.
    expect(failures.get("settle_order")).toMatchObject({ fate: "unknown" });
  });

  test("a service without an answer fails every call, and an order keeps its fate and its nonce", async () => {
    const failures = await failuresOf(NOWHERE, (name) => RIGHT[name] ?? {});
    expect([...failures.keys()].sort()).toEqual(Object.keys(RIGHT).sort());
    for (const name of ["cancel_orders", "close_positions", "settle_order"]) {
      expect(failures.get(name)).toMatchObject({ fate: "unknown", nonce: expect.any(String) });
    }
  });

  test("a key without the scope is told so by every tool that needs it", async () => {
    const [reads, places] = ["trade:read", "trade:place"];
    const writing = await failuresOf(await sandbox.open([reads]), (name) => RIGHT[name] ?? {});
    expect(writing.get("close_positions")).toMatchObject({ fate: "rejected", status: 403 });
    expect(writing.get("cancel_all_after")).toMatchObject({ status: 403 });
    const reading = await failuresOf(await sandbox.open([places]), (name) => RIGHT[name] ?? {});
    expect(reading.get("get_account")).toMatchObject({ status: 403, requiredScope: reads });
    expect(reading.get("preview_order")).toMatchObject({ requiredScope: reads });
  });
});
