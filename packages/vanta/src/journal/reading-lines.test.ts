import { type ObservedEvent, unixMs } from "@propgate/core";
import type { KnownHistory, LinkedRecord, NewLine, OwnOrder } from "@propgate/ledger";
import { describe, expect, test } from "vitest";
import type { LinkedPosition, LinkedReadings } from "../dashboard/linked-readings.ts";
import {
  madeLinkedLeg,
  madeLinkedOrder,
  madeLinkedPosition,
  madeLinkedReadings,
} from "../testing/made-linked-orders.ts";
import { readRecordedPairs } from "../testing/recorded-subaccount.ts";
import { linkedPayoutsView, payoutRecords } from "../views/payouts.ts";
import { accountEvents } from "./account-lines.ts";
import { payoutLines } from "./payout-lines.ts";
import { readingLines } from "./reading-lines.ts";

const LINKED_AT = unixMs(1_000);
const ACCOUNT = { status: "active", linkedAtMs: LINKED_AT } as const;
const NOTHING_KNOWN: KnownHistory = {
  isHeld: true,
  isNew: () => true,
  filled: new Set(),
  own: [],
};

const recordOf = (position: LinkedPosition): LinkedRecord => ({
  kind: "closedPosition",
  id: position.uuid,
  atMs: position.closeMs ?? 0,
  body: JSON.stringify(position),
});

function linesOf(
  before: LinkedReadings | null,
  after: LinkedReadings,
  given: Partial<KnownHistory> & { readonly records?: readonly LinkedRecord[] } = {},
): readonly NewLine[] {
  const { records = [], ...known } = given;
  const lines = readingLines(ACCOUNT, before, { readings: after, records }, readRecordedPairs());
  return lines?.makeLines({ ...NOTHING_KNOWN, ...known }) ?? [];
}

const eventOf = ({ event }: NewLine): ObservedEvent => JSON.parse(event) as ObservedEvent;
const typesOf = (lines: readonly NewLine[]) => lines.map((line) => eventOf(line).type);
const dataOf = (lines: readonly NewLine[]) => lines.map((line) => eventOf(line).data);
const causesOf = (lines: readonly NewLine[]) =>
  lines.map(({ origin, nonce, command }) => [origin, nonce, command]);

const own = (
  orderUuid: string,
  command: object,
  given: Partial<OwnOrder> = {},
): readonly OwnOrder[] => [
  {
    orderUuid,
    request: { keyId: "pk_1", nonce: `of ${orderUuid}` },
    command: JSON.stringify({ command, legs: "topLevel", before: null }),
    isSending: true,
    ...given,
  },
];

const EMPTY = madeLinkedReadings({});
const OPEN = madeLinkedReadings({ positions: [madeLinkedPosition()] });
const RESTING = madeLinkedReadings({ orders: [madeLinkedOrder()] });
const CLOSED = madeLinkedPosition({
  closeMs: 5_000,
  fills: [
    madeLinkedOrder({ uuid: "position-1", executionType: "MARKET", price: 100_000 }),
    madeLinkedOrder({
      uuid: "out",
      type: "FLAT",
      executionType: "MARKET",
      price: 101_000,
      processedMs: 5_000,
    }),
  ],
});

describe("the lines of a reading [D13.observed]", () => {
  test("a reading that shows nothing new has no lines", () => {
    const full = madeLinkedReadings({
      positions: [madeLinkedPosition()],
      orders: [madeLinkedOrder()],
    });
    expect(readingLines(ACCOUNT, full, { readings: full, records: [] }, null)).toBeNull();
    const moved = madeLinkedPosition({ unrealizedPnl: null, netValue: null, currentReturn: null });
    expect(linesOf(OPEN, madeLinkedReadings({ positions: [moved] }))).toEqual([]);
  });

  test("a fill of a position is a line, with null for what the validator does not send", () => {
    const lines = linesOf(EMPTY, OPEN);
    expect(dataOf(lines)).toMatchObject([
      {
        orderUuid: "position-1",
        positionUuid: "position-1",
        kind: "market",
        tradePair: "BTCUSDC",
        direction: "LONG",
        effect: "open",
        price: 100_000,
        quantity: 1,
        slippage: null,
        fee: null,
        usdRate: null,
        legsDropped: null,
      },
    ]);
    expect(lines).toMatchObject([{ origin: "validator", keyId: null, command: "reading" }]);
    expect(eventOf(lines[0] as NewLine)).toMatchObject({ observed: true, dueMs: 1 });
  });

  test("a fill that has a line gets no second one, also when the readings before lack it", () => {
    expect(linesOf(EMPTY, OPEN, { filled: new Set(["position-1"]) })).toEqual([]);
    expect(linesOf(null, OPEN, { filled: new Set(["position-1"]) })).toEqual([]);
  });

  test("a closed position is a line once, with its record, after the fills that had no line", () => {
    const records = [recordOf(CLOSED)];
    const filled = new Set(["position-1"]);
    const lines = linesOf(OPEN, EMPTY, { records, filled });
    expect(typesOf(lines)).toEqual(["orderFilled", "positionClosed"]);
    expect(dataOf(lines)).toMatchObject([
      { orderUuid: "out", effect: "close", direction: "SHORT", kind: "closePair" },
      { positionUuid: "position-1", averageExitPrice: 101_000, closeTimeMs: 5_000 },
    ]);
    expect(linesOf(OPEN, EMPTY, { records, filled, isNew: () => false })).toEqual([]);
    // A process that lost its lease stores new records, whose lines would otherwise be missing.
    expect(typesOf(linesOf(OPEN, EMPTY, { records, filled, isHeld: false }))).toHaveLength(2);
  });

  test("a process that lost its lease tells nothing of what is open", () => {
    expect(linesOf(EMPTY, OPEN, { isHeld: false })).toEqual([]);
    expect(linesOf(RESTING, EMPTY, { isHeld: false })).toEqual([]);
  });

  test("the first reading tells what is open, and what has closed since the link", () => {
    const before = { ...CLOSED, uuid: "old", closeMs: LINKED_AT - 1 };
    const records = [recordOf(before), recordOf(CLOSED)];
    const lines = linesOf(null, RESTING, { records });
    expect(typesOf(lines)).toEqual(["orderPlaced", "orderFilled", "orderFilled", "positionClosed"]);
    expect(JSON.stringify(lines)).not.toContain('"old"');
  });

  test("an entry has a line when it rests, when it changes, and when it is gone without a fill", () => {
    expect(dataOf(linesOf(EMPTY, RESTING))).toMatchObject([
      { order: { orderUuid: "order-1", executionType: "LIMIT", limitPrice: 90_000, placedMs: 1 } },
    ]);
    const moved = madeLinkedReadings({ orders: [madeLinkedOrder({ limitPrice: 91_000 })] });
    const edited = linesOf(RESTING, moved);
    expect(typesOf(edited)).toEqual(["orderEdited"]);
    expect(dataOf(edited)).toMatchObject([{ order: { limitPrice: 91_000 } }]);
    expect(dataOf(linesOf(RESTING, EMPTY))).toEqual([
      { orderUuid: "order-1", reason: null, refusalCode: null },
    ]);
    expect(linesOf(RESTING, EMPTY, { filled: new Set(["order-1"]) })).toEqual([]);
  });

  test("an entry that has filled is not cancelled", () => {
    const fill = madeLinkedOrder({ price: 90_000 });
    const filled = madeLinkedReadings({
      positions: [madeLinkedPosition({ uuid: "p", fills: [fill] })],
    });
    expect(typesOf(linesOf(RESTING, filled))).toEqual(["orderFilled"]);
  });

  test("a stop-limit that triggers continues as the limit order of its id", () => {
    const stop = madeLinkedOrder({ executionType: "STOP_LIMIT", stopPrice: 91_000 });
    const limit = madeLinkedOrder({ uuid: "order-1-limit", processedMs: 3 });
    const lines = linesOf(
      madeLinkedReadings({ orders: [stop] }),
      madeLinkedReadings({ orders: [limit] }),
      {
        own: own("order-1", { type: "placeStopLimit" }),
      },
    );
    expect(typesOf(lines)).toEqual(["orderPlaced", "stopTriggered"]);
    expect(causesOf(lines)).toEqual([
      ["validator", null, "reading"],
      ["validator", null, "reading"],
    ]);
  });

  test("legs are attached together, and end with their position or alone", () => {
    const legs = [
      madeLinkedLeg({ uuid: "position-1-bracket-0", stopLoss: 90_000 }),
      madeLinkedLeg({ uuid: "position-1-bracket-1", takeProfit: 120_000 }),
    ];
    const protectedOne = madeLinkedReadings({ positions: [madeLinkedPosition({ legs })] });
    const lines = linesOf(EMPTY, protectedOne);
    expect(typesOf(lines)).toEqual(["orderFilled", "legsAttached"]);
    expect(dataOf(lines)[1]).toMatchObject({
      legs: [{ stopLoss: 90_000 }, { takeProfit: 120_000 }],
    });
    const reasons = (after: LinkedReadings) =>
      dataOf(linesOf(protectedOne, after)).map(({ reason }) => reason);
    expect(reasons(OPEN)).toEqual([null, null]);
    expect(reasons(EMPTY)).toEqual(["positionClosed", "positionClosed"]);
  });

  test("the lines are in the order of the validator's times, and a fill comes before its close", () => {
    const late = { ...CLOSED, closeMs: 4_000 };
    const resting = madeLinkedReadings({
      orders: [madeLinkedOrder({ uuid: "order-2", processedMs: 4_500 })],
    });
    const lines = linesOf(RESTING, resting, { records: [recordOf(late)] });
    expect(typesOf(lines)).toEqual([
      "orderFilled",
      "orderPlaced",
      "orderFilled",
      "positionClosed",
      "orderCancelled",
    ]);
  });
});

describe("the cause of a line [D13.observed]", () => {
  test("an order of a key is its key's, and its later fill is the market's", () => {
    const placed = own("order-1", { type: "placeLimit" }, { isSending: false });
    expect(causesOf(linesOf(EMPTY, RESTING, { own: placed }))).toEqual([
      ["key", "of order-1", "placeLimit"],
    ]);
    const fill = madeLinkedOrder({ price: 90_000 });
    const filled = madeLinkedReadings({
      positions: [madeLinkedPosition({ uuid: "p", fills: [fill] })],
    });
    expect(causesOf(linesOf(RESTING, filled, { own: placed }))).toEqual([
      ["validator", null, "reading"],
    ]);
    // The order was pending in no reading, so its own request counts as the cause of its fill.
    expect(causesOf(linesOf(EMPTY, filled, { own: placed }))).toEqual([
      ["key", "of order-1", "placeLimit"],
    ]);
  });

  test("the legs of a market order are its key's with its fill", () => {
    const legs = [madeLinkedLeg({ uuid: "position-1-bracket-0", stopLoss: 90_000 })];
    const after = madeLinkedReadings({ positions: [madeLinkedPosition({ legs })] });
    const orders = own("position-1", { type: "placeMarket" }, { isSending: false });
    expect(causesOf(linesOf(EMPTY, after, { own: orders }))).toEqual([
      ["key", "of position-1", "placeMarket"],
      ["key", "of position-1", "placeMarket"],
    ]);
    // Legs that are attached later come from another request.
    expect(causesOf(linesOf(OPEN, after, { own: orders }))).toEqual([
      ["validator", null, "reading"],
    ]);
  });

  test.each([
    ["its id", { target: ["order-1"], pair: null }, "key"],
    ["all", { target: "all", pair: null }, "key"],
    ["all of its pair", { target: "all", pair: "BTCUSDC" }, "key"],
    ["all of another pair", { target: "all", pair: "ETHUSDC" }, "validator"],
    ["another id", { target: ["order-2"], pair: null }, "validator"],
  ])(
    "a cancel of %s on its way is the cause of an order that is gone, or not",
    (_of, command, by) => {
      const cancel = own("cancel", { type: "cancelOrders", ...command });
      const [line] = linesOf(RESTING, EMPTY, { own: cancel });
      expect(line?.origin).toBe(by);
      expect(eventOf(line as NewLine).data.reason).toBe(by === "key" ? "owner" : null);
      // A request that is over is not the cause of a later line.
      const ended = linesOf(RESTING, EMPTY, {
        own: cancel.map((one) => ({ ...one, isSending: false })),
      });
      expect(ended[0]?.origin).toBe("validator");
    },
  );

  test("an edit on its way is the cause of the change, and a FLAT_ALL of the owner of its fills", () => {
    const edit = own("edit", { type: "editOrder", replacement: { orderUuid: "order-1" } });
    const moved = madeLinkedReadings({ orders: [madeLinkedOrder({ limitPrice: 91_000 })] });
    expect(causesOf(linesOf(RESTING, moved, { own: edit }))).toEqual([
      ["key", "of edit", "editOrder"],
    ]);
    const out = madeLinkedOrder({
      uuid: "position-1-flat-all",
      type: "FLAT",
      executionType: "MARKET",
    });
    const closed = { ...CLOSED, fills: [...(CLOSED.fills ?? []).slice(0, 1), out] };
    const flat = own("flat", { type: "flatten", target: "all", pair: null }, { request: null });
    const lines = linesOf(OPEN, EMPTY, {
      records: [recordOf(closed)],
      filled: new Set(["position-1"]),
      own: flat,
    });
    expect(causesOf(lines)).toEqual([
      ["owner", null, "flatten"],
      ["validator", null, "reading"],
    ]);
  });
});

describe("the events of the account [D13.observed]", () => {
  const inBucket = (bucket: string, changes: Partial<LinkedReadings> = {}): LinkedReadings => ({
    ...EMPTY,
    challenge: { bucket, startMs: 1, bucketStartMs: 7 } as LinkedReadings["challenge"],
    ...changes,
  });
  const between = (from: string, to: string) =>
    accountEvents({ status: "active", readings: inBucket(from) }, inBucket(to)).map(
      ({ type, dueMs }) => [type, dueMs],
    );

  test.each([
    ["SUBACCOUNT_CHALLENGE", "SUBACCOUNT_FUNDED", [["challengePassed", 7]]],
    ["SUBACCOUNT_FUNDED", "SUBACCOUNT_ALPHA", []],
    ["SUBACCOUNT_FUNDED", "PRO_CHALLENGE_TRANSITION", [["proOffered", 7]]],
    ["PRO_CHALLENGE_TRANSITION", "PRO_CHALLENGE_FROM_STANDARD", [["proStarted", 7]]],
    ["PRO_CHALLENGE_DIRECT", "PRO_FUNDED", [["proPromoted", 7]]],
    ["SUBACCOUNT_FUNDED", "SUBACCOUNT_CHALLENGE", []],
    ["SUBACCOUNT_FUNDED", "unknown", []],
  ])("an account that goes from %s to %s has the events %j", (from, to, events) => {
    expect(between(from, to)).toEqual(events);
  });

  test("an account that is eliminated has one line of it, with the reason and the time of the validator", () => {
    const elimination = { atMs: 9, reason: "FAILED_FUNDED_PERIOD_DRAWDOWN", drawdownPct: null };
    const after = inBucket("ELIMINATED", { elimination });
    const events = accountEvents(
      { status: "active", readings: inBucket("SUBACCOUNT_CHALLENGE") },
      after,
    );
    expect(events).toMatchObject([
      {
        type: "accountEliminated",
        dueMs: 9,
        data: { reason: elimination.reason, drawdownPct: null },
      },
    ]);
    expect(accountEvents({ status: "eliminated", readings: after }, after)).toEqual([]);
  });

  test("an account that may trade from now on, and a week that is held, have a line", () => {
    const pro = { softBreach: false } as LinkedReadings["pro"];
    const before = inBucket("PRO_FUNDED", { pro });
    const after = inBucket("PRO_FUNDED", { pro: { ...pro, softBreach: true } as never });
    const types = accountEvents({ status: "provisioning", readings: before }, after).map(
      ({ type }) => type,
    );
    expect(types).toEqual(["accountProvisioned", "softBreached"]);
  });

  test("a week that has closed since the link has a line with its payout, and one before it has none", () => {
    const week = (endMs: number, payout: number): LinkedRecord => ({
      kind: "payout",
      id: String(endMs),
      atMs: 0,
      body: JSON.stringify({ startMs: 0, endMs, payout }),
    });
    const account = { accountId: "a" as never, linkedAtMs: LINKED_AT, profitSplit: 0.8 };
    const lines = payoutLines(account, [week(999, 1), week(2_000, 100_000_000), week(3_000, 0)]);
    expect(dataOf(lines?.makeLines(NOTHING_KNOWN) ?? [])).toMatchObject([
      { periodEndMs: 2_000, payout: { amount: 80, profitSplit: 0.8, status: null }, profit: null },
      { periodEndMs: 3_000, payout: null },
    ]);
    expect(payoutLines(account, [week(999, 1)])).toBeNull();
  });

  test("the payout of a week's line is that of GET payouts, also of a week in two parts", () => {
    const weeks = [
      { startMs: 1_000, endMs: 5_000, payout: 40_000_000 },
      { startMs: 3_000, endMs: 5_000, payout: 100_000_000 },
    ] as const;
    const asOfMs = unixMs(30 * 86_400_000);
    const account = { accountId: "a" as never, linkedAtMs: LINKED_AT, profitSplit: 0.8 };
    const settlements = { weeks } as never;
    const records = payoutRecords(settlements, asOfMs);
    const { items } = linkedPayoutsView({
      ...account,
      settlements,
      records: [],
      readings: EMPTY,
      page: { after: null, limit: 10 },
      asOfMs,
    });
    const shown = items.map(({ id, amount, periodStartMs, periodEndMs, createdAtMs }) => ({
      payout: { id, amount, periodStartMs, periodEndMs, createdAtMs },
    }));
    expect(shown).toHaveLength(2);
    const lines = payoutLines(account, records)?.makeLines(NOTHING_KNOWN) ?? [];
    expect(dataOf(lines).toReversed()).toMatchObject(shown);
  });
});
