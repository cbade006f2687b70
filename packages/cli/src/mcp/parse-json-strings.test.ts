import { text } from "node:stream/consumers";
import { ENTRY_REQUEST, SWITCH_REQUEST } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { parseJsonStrings, withoutNullArguments } from "./parse-json-strings.ts";
import { NONCE_ARGUMENTS, queryArguments } from "./read-arguments.ts";

const LIMIT = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.01,
  limit_price: 49_000,
  reduce_only: true,
  bracket_orders: [{ stop_loss: 48_000, bracket_pct: 0.5 }],
};

/** The values, with each one that is not a text written as a string of JSON. */
function asStrings(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(entries);
}

describe("the arguments of an agent's call [D12.agentValues]", () => {
  test.each([
    ["an object", { trade: JSON.stringify(LIMIT) }],
    ["numbers, a boolean and a list", { trade: asStrings(LIMIT) }],
    ["an object of strings", { trade: JSON.stringify(asStrings(LIMIT)) }],
    [
      "fields of a leg",
      { trade: { ...LIMIT, bracket_orders: LIMIT.bracket_orders.map(asStrings) } },
    ],
    ["themselves", { trade: LIMIT }],
  ])("an order is read from %s", (_name, given) => {
    expect(parseJsonStrings(ENTRY_REQUEST.json, given)).toEqual({ trade: LIMIT });
  });

  test("a number of a query and of the switch is read from a string", () => {
    const candles = queryArguments("getCandles", ["tradePair", "interval", "limit"]);
    const given = { tradePair: "BTCUSD", interval: "1m", limit: "5" };
    expect(parseJsonStrings(candles, given)).toEqual({ ...given, limit: 5 });
    const seconds = parseJsonStrings(SWITCH_REQUEST.json, { seconds: "60", action: "cancel" });
    expect(seconds).toEqual({ seconds: 60, action: "cancel" });
  });

  test("a text stays as it is, also one that looks like a number, an object or nothing", () => {
    for (const nonce of ["12", "{}", "null", "true"]) {
      expect(parseJsonStrings(NONCE_ARGUMENTS, { nonce })).toEqual({ nonce });
    }
    const trade = { ...LIMIT, order_uuid: "12", limit_price: "null", quantity: "many" };
    expect(parseJsonStrings(ENTRY_REQUEST.json, { trade })).toEqual({ trade });
    expect(parseJsonStrings(ENTRY_REQUEST.json, { misspelt: "1" })).toEqual({ misspelt: "1" });
  });

  test("no arguments are an empty object", () => {
    for (const given of [null, undefined])
      expect(parseJsonStrings(NONCE_ARGUMENTS, given)).toEqual({});
  });

  test("null for all arguments is left out of a call, and no other message changes", async () => {
    const call = (given: unknown) =>
      JSON.stringify({ id: 1, method: "tools/call", params: { name: "x", arguments: given } });
    const others = [
      call({ arguments: null }),
      '{"method":"other","params":{"arguments":null}}',
      "€",
    ];
    const stream = withoutNullArguments();
    const bytes = Buffer.from(`${[call(null), ...others].join("\n")}\n`);
    for (const byte of bytes) stream.write(Buffer.of(byte));
    stream.end();
    const [first, ...rest] = (await text(stream)).trimEnd().split("\n");
    expect(JSON.parse(first ?? "")).toEqual({ id: 1, method: "tools/call", params: { name: "x" } });
    expect(rest).toEqual(others);
  });
});
