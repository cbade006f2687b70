import type { TradeFills } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { decodeDashboard } from "../dashboard/decode-dashboard.ts";
import type { Literal } from "../python-literal.ts";
import { madeDashboardPart, madePosition } from "../testing/made-dashboard.ts";
import {
  hotkeyOf,
  readRecordedPairs,
  readRecordedSubaccount,
} from "../testing/recorded-subaccount.ts";
import { linkedFillsView } from "./trade-fills.ts";

const MS = 1_794_900_000_000;
const pairs = readRecordedPairs();

/** A position of a recorded subaccount by the first digits of its uuid. */
function recordedFills(name: string, uuid: string): TradeFills | null | undefined {
  const { dashboard, number } = readRecordedSubaccount(name);
  const decoded = decodeDashboard(dashboard, { hotkey: hotkeyOf(number), subaccountId: number });
  if (!decoded.ok) throw new Error(decoded.why);
  const items = decoded.part.positions?.items ?? [];
  const position = items.find((item) => item.uuid.startsWith(uuid));
  return position && linkedFillsView(position, pairs);
}

function madeFills(changes: Readonly<Record<string, Literal>>): TradeFills | null {
  const part = madeDashboardPart({ positions: { positions: { p1: madePosition(MS, changes) } } });
  const [position] = part.positions?.items ?? [];
  if (position === undefined) throw new Error("no position was made");
  return linkedFillsView(position, pairs);
}

const fill = (type: string, after: number, changes = {}): Literal => ({
  t: type,
  e: "MARKET",
  p: MS + after,
  ...changes,
});

const UNSENT = {
  slippage: null,
  fee: null,
  realizedPnl: null,
  bindingCap: null,
  shortfall: null,
  excess: null,
  rateAgeMs: null,
};

describe("the fills of a linked account", () => {
  test("fills of a linked account are those of an open position in the order of their times, with its fees", () => {
    expect(recordedFills("challenge-with-positions", "00000001")).toEqual({
      fills: [
        {
          ...UNSENT,
          sequence: 1,
          atMs: 1_794_823_200_000,
          orderUuid: "00000001-0000-4000-8000-000000000000",
          kind: "market",
          effect: "open",
          direction: "LONG",
          price: 90_000,
          quantity: 0.5,
          value: 45_000,
        },
        {
          ...UNSENT,
          sequence: 2,
          atMs: 1_794_830_400_000,
          orderUuid: "00000001-0000-4000-8000-000000000002",
          kind: "limit",
          effect: "add",
          direction: "LONG",
          price: 92_000,
          quantity: 0.25,
          value: 23_000,
        },
        {
          ...UNSENT,
          sequence: 3,
          atMs: 1_794_915_000_000,
          orderUuid: "00000001-0000-4000-8000-000000000001",
          kind: "market",
          effect: "reduce",
          direction: "SHORT",
          price: 93_000,
          quantity: 0.15,
          value: 13_950,
        },
      ],
      carry: [
        { sequence: 1, atMs: 1_794_823_200_000, kind: "transaction", fee: 13.5 },
        { sequence: 2, atMs: 1_794_830_400_000, kind: "transaction", fee: 6.9 },
        { sequence: 3, atMs: 1_794_915_000_000, kind: "transaction", fee: 4.185 },
      ],
    });
  });

  // 10,000 sold at 2.5; 4,000 bought back at 2.55, and the other 6,000 at 2.6.
  test.each([
    [
      "a SHORT that was bought back in two parts",
      ["challenge-with-positions", "00000005"],
      [
        ["market", "open", "SHORT", 10_000, 25_000],
        ["market", "reduce", "LONG", 4_000, 10_200],
        ["closePair", "close", "LONG", 6_000, 15_600],
      ],
    ],
    [
      "a LONG that an opposite order closed",
      ["equities-with-dots", "00000004"],
      [
        ["market", "open", "LONG", 100, 3_050],
        ["market", "close", "SHORT", 100, 3_000],
      ],
    ],
    [
      "a LONG that its take profit closed, which the network records as LONG",
      ["funded-trailing", "00000004"],
      [
        ["market", "open", "LONG", 0.2, 17_700],
        ["takeProfit", "close", "SHORT", 0.2, 18_400],
      ],
    ],
    [
      "a LONG that an elimination closed",
      ["eliminated-inactive", "00000004"],
      [
        ["market", "open", "LONG", 0.1, 6_000],
        ["elimination", "close", "SHORT", 0.1, 5_950],
      ],
    ],
    [
      "a LONG whose quantities and kinds were not sent",
      ["little-sent", "00000004"],
      [
        [null, "open", "LONG", null, 1_000],
        [null, "close", "SHORT", null, null],
      ],
    ],
  ] as const)("fills of a linked account say what each did to %s", (_, [name, uuid], rows) => {
    expect(
      recordedFills(name, uuid)?.fills.map((one) => [
        one.kind,
        one.effect,
        one.direction,
        one.quantity,
        one.value,
      ]),
    ).toEqual(rows);
  });

  test("fills of a linked account have no effect and direction while one could be an entry or the exit of a leg", () => {
    const unknown = fill("LONG", 2, { e: null });
    const fo = { a: fill("LONG", 0), b: fill("LONG", 1), c: unknown, d: fill("SHORT", 3) };
    expect(madeFills({ fo })?.fills.map(({ effect, direction }) => [effect, direction])).toEqual([
      ["open", "LONG"],
      ["add", "LONG"],
      [null, null],
      ["reduce", "SHORT"],
    ]);
  });

  test.each([
    ["at its stop loss", { pr: 88_000, sl: 88_000, tk: 99_000 }, "stopLoss"],
    ["at its take profit", { pr: 99_000, sl: 88_000, tk: 99_000 }, "takeProfit"],
    ["at another price, as by a trailing stop", { pr: 95_000, tsl: { pct: 0.02 } }, "bracket"],
    ["at a price that was not sent", { sl: 88_000 }, "bracket"],
  ])("fills of a leg %s are of the kind that its price tells", (_, leg, kind) => {
    const fo = { a: fill("LONG", 0), b: fill("LONG", 1, { e: "BRACKET", ...leg }) };
    expect(madeFills({ fo })?.fills[1]).toMatchObject({ kind, effect: "reduce" });
  });

  test("fills by the network's FLAT_ALL are of the kind flatten", () => {
    const fo = { a: fill("LONG", 0), "p1-flat-all": fill("FLAT", 1) };
    expect(madeFills({ t: "FLAT", c: MS + 1, fo })?.fills[1]).toMatchObject({
      kind: "flatten",
      effect: "close",
    });
  });

  test.each([{ fo: null }, { fo: {} }])(
    "fills are unknown when the network sends %j",
    (changes) => {
      expect(madeFills(changes)).toBeNull();
    },
  );
});

describe("the fees of a position of a linked account", () => {
  test("fees of a position are in the order of their times, with the kinds that are known", () => {
    const fh = {
      [MS + 3]: { t: "another", a: 4 },
      [MS + 2]: { t: "hl_funding", a: 0.25 },
      [MS]: { t: "transaction", a: 13.5 },
      [MS + 1]: { a: 1 },
    };
    expect(madeFills({ fh })?.carry).toEqual([
      { sequence: 1, atMs: MS, kind: "transaction", fee: 13.5 },
      { sequence: 2, atMs: MS + 1, kind: null, fee: 1 },
      { sequence: 3, atMs: MS + 2, kind: "funding", fee: 0.25 },
      { sequence: 4, atMs: MS + 3, kind: null, fee: 4 },
    ]);
  });

  test.each([
    ["not sent, where each fill has a fee", "BTC/USDC", null, null],
    ["not sent, where fills are free", "EUR/USD", null, []],
    ["sent without a time in milliseconds", "BTC/USDC", { 17: { t: "carry", a: 1 } }, null],
    ["empty", "BTC/USDC", {}, []],
  ])("fees of a position that were %s are %s", (_, tp, fh, carry) => {
    expect(madeFills({ tp, fh })?.carry).toEqual(carry);
  });
});
