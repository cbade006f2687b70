/** The types that an editor shows for a program with the client, and programs that must not compile. */
import { describe, expect, test } from "vitest";
import { openEditor } from "./program-editor.ts";

const CLIENT = `
import { createClient, type OrderRequest } from "@propgate/sdk";
const client = createClient({ baseUrl: "http://127.0.0.1:8787", keyId: "pk_1", secret: "s" });
`;

const open = openEditor("a-program", CLIENT);
const order = (trade: string): string =>
  `const order: OrderRequest = { trade: ${trade} }; await client.placeOrder(order);`;
const opened = ([title = "", trade = ""]: readonly string[]) =>
  [title, open(order(trade))] as const;
const LIMIT = `execution_type: "LIMIT", trade_pair: "BTCUSD", order_type: "LONG"`;
const MARKET = `execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG"`;
const STOP = `stop_price: 9, stop_condition: "GTE"`;
const BRACKET = `execution_type: "BRACKET", trade_pair: "BTCUSD"`;
const EDIT = `execution_type: "LIMIT_EDIT", order_uuid: "o", trade_pair: "BTCUSD"`;

describe("an order that the service would reject for its fields does not compile", () => {
  test.each(
    [
      ["LIMIT without limit_price", `{ ${LIMIT}, value: 5 }`],
      ["MARKET without a size", `{ ${MARKET} }`],
      ["MARKET with two sizes", `{ ${MARKET}, value: 5, quantity: 1 }`],
      ["MARKET without a pair", `{ execution_type: "MARKET", order_type: "LONG", value: 5 }`],
      ["MARKET with an unknown field", `{ ${MARKET}, value: 5, stop_los: 1 }`],
      [
        "STOP_LIMIT without a stop",
        `{ execution_type: "STOP_LIMIT", trade_pair: "BTCUSD", order_type: "LONG", value: 5, limit_price: 9 }`,
      ],
      [
        "LIMIT with FLAT",
        `{ execution_type: "LIMIT", trade_pair: "BTCUSD", order_type: "FLAT", value: 5, limit_price: 9 }`,
      ],
      ["LIMIT_CANCEL without an id", `{ execution_type: "LIMIT_CANCEL" }`],
      ["LIMIT_EDIT without an id", `{ execution_type: "LIMIT_EDIT", trade_pair: "BTCUSD" }`],
      ...["stop_loss: 1", "take_profit: 9", "trailing_stop: { trailing_value: 1 }"].flatMap((own) =>
        [`${MARKET}, value: 5`, `${LIMIT}, value: 5, limit_price: 9`, BRACKET, EDIT].map(
          (kind): [string, string] => [
            `${kind} with ${own} beside a list of legs`,
            `{ ${kind}, ${own}, bracket_orders: [{ stop_loss: 1 }] }`,
          ],
        ),
      ),
      [
        "BRACKET with a size beside a list of legs",
        `{ ${BRACKET}, bracket_pct: 0.5, bracket_orders: [{ stop_loss: 1 }] }`,
      ],
      ["a kind that does not exist", `{ execution_type: "TWAP", trade_pair: "BTCUSD", value: 5 }`],
    ].map(opened),
  )("an order does not compile: %s", (_title, program) => {
    expect(program.errors()).not.toEqual([]);
  });

  test.each(
    [
      ["MARKET", `{ ${MARKET}, value: 5, stop_loss: 1, take_profit: 9 }`],
      [
        "MARKET with legs",
        `{ ${MARKET}, quantity: 1, bracket_orders: [{ stop_loss: 1, value: 5 }] }`,
      ],
      ["FLAT", `{ execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "FLAT" }`],
      [
        "LIMIT",
        `{ ${LIMIT}, leverage: 1, limit_price: 9, trailing_stop: { trailing_percent: 0.1 } }`,
      ],
      [
        "STOP_LIMIT",
        `{ execution_type: "STOP_LIMIT", trade_pair: "BTCUSD", order_type: "LONG", value: 5, limit_price: 9, ${STOP} }`,
      ],
      ["BRACKET", `{ execution_type: "BRACKET", trade_pair: "BTCUSD", stop_loss: 1 }`],
      [
        "BRACKET with a list of legs",
        `{ ${BRACKET}, bracket_orders: [{ stop_loss: 1, bracket_pct: 1 }] }`,
      ],
      ["BRACKET with a size and no list", `{ ${BRACKET}, stop_loss: 1, quantity: 1 }`],
      ["LIMIT_EDIT of a limit order", `{ ${EDIT}, order_type: "LONG", value: 5, limit_price: 9 }`],
      ["LIMIT_EDIT of a leg", `{ ${EDIT}, bracket_orders: [{ stop_loss: 1 }] }`],
      ["LIMIT_CANCEL", `{ execution_type: "LIMIT_CANCEL", order_uuid: "ALL" }`],
      ["FLAT_ALL", `{ execution_type: "FLAT_ALL" }`],
    ].map(opened),
  )("%s compiles", (_title, program) => {
    expect(program.errors()).toEqual([]);
  });
});

describe("the types of the API", () => {
  test("the types of the API are exported by the client's package and equal the contract's", () => {
    const names = [
      "Account, PositionItem, PendingOrder, TradeItem, Payouts, PayoutItem, AccrualItem",
      "InstrumentItem, QuoteItem, Receipt, Preview, ServiceTime, OrderResult, OrderRecordItem",
      "AttachedLegItem, DrawdownRules, ProTrack, Objective, OrderTrade, OrderLeg",
      "RefusalCode",
    ]
      .join(", ")
      .split(", ");
    const both = names.map(
      (name) =>
        `export const to${name} = (one: sdk.${name}): contract.${name} => one;` +
        `export const from${name} = (one: contract.${name}): sdk.${name} => one;`,
    );
    const imports = [
      `import type * as sdk from "@propgate/sdk";`,
      `import type * as contract from "@propgate/contract";`,
    ];
    expect(open([...imports, ...both, "void client;"].join("\n")).errors()).toEqual([]);
  });

  test("a program can switch over the codes of a refusal [D10.refusalCodes]", () => {
    const program = (code: string) =>
      `const outcome = await client.placeOrder({ trade: { execution_type: "FLAT_ALL" } });
       if (outcome.fate === "rejected" && outcome.refusalCode === "${code}") console.log(code);`.replace(
        "console.log(code)",
        "outcome.reason.trim()",
      );
    expect(open(program("marketClosed")).errors()).toEqual([]);
    expect(open(program("marketClosd")).errors()).not.toEqual([]);
  });
});

describe("an editor shows the description of a field", () => {
  const read = (field: string) =>
    `const [position] = await client.positions(); const account = await client.account(); void ${field};`;

  test.each(
    [
      ["netQuantity", read("position?.netQuantity"), "Position size in the pair's lot unit"],
      ["drawdownRules", read("account.drawdownRules"), "The loss limits"],
      ["usedPct", read("account.drawdownRules?.dailyLoss.usedPct"), "that is lost now"],
      ["stop_loss", order(`{ ${MARKET}, value: 5, stop_loss: 1 }`), "LONG: below the entry"],
      [
        "limit_price",
        order(`{ ${LIMIT}, value: 5, limit_price: 9 }`),
        "The worst price at which the order may fill.",
      ],
      ["value", order(`{ ${MARKET}, value: 5 }`), "Size in USD."],
      [
        "take_profit",
        order(`{ ${MARKET}, value: 5, bracket_orders: [{ take_profit: 9 }] }`),
        "LONG: above the entry",
      ],
      ["positions", "void client.positions();", "Open positions."],
      ["account", "void client.account();", "Equity, evaluation"],
      ["signal", "void client.account({ signal: AbortSignal.abort() });", "Aborts the call"],
    ].map(([word = "", program = "", text = ""]) => [word, open(program), text] as const),
  )("an editor shows the description of the field %s", (word, program, text) => {
    expect(program.hover(word)).toContain(text);
  });
});

test("a figure is a number, and only a client of a linked account has it as null [D13.types]", () => {
  const settings = `{ baseUrl: "http://127.0.0.1:8787", keyId: "pk_1", secret: "s" }`;
  const equity = (from: string) =>
    `const equity: number = (await ${from}.account()).account.currentEquity;`;
  expect(open(equity("client")).errors()).toEqual([]);
  const linked = `createClient<import("@propgate/sdk").Linked>(${settings})`;
  expect(open(equity(linked)).errors()).toEqual([
    "Type 'number | null' is not assignable to type 'number'.\n  Type 'null' is not assignable to type 'number'.",
  ]);
  expect(
    open(`const gone: null = (await client.account()).account.currentEquity;`).errors(),
  ).toHaveLength(1);
});
