import { parsePlaceOrder } from "@propgate/contract";
import { microUsd, ratio } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { orderCommand } from "../../../wire/src/order-command.ts";
import {
  madeLinkedLeg,
  madeLinkedOrder,
  madeLinkedPosition,
  madeLinkedReadings,
} from "../testing/made-linked-orders.ts";
import { readRecordedPairs } from "../testing/recorded-subaccount.ts";
import { type ReadyCommand, readyCommand } from "./about-open.ts";

type Fields = Readonly<Record<string, unknown>>;
type Shown = Parameters<typeof madeLinkedReadings>[0];

const pairs = readRecordedPairs();
const pairOf = pairs.names;

/** A trade for an account whose readings are current, too old, or missing. */
function readyWith(trade: Fields, shown: Shown | null, isOfNow = true): ReadyCommand {
  const parsed = parsePlaceOrder({ trade });
  if (!parsed.ok) throw new Error(parsed.message);
  const command = orderCommand(parsed.order, { pairOf, newUuid: () => "new" });
  const readings = shown === null ? null : madeLinkedReadings(shown);
  return readyCommand(command, { readings, isOfNow, pairs, pairOf });
}

const outcome = (ready: ReadyCommand): string =>
  ready.kind === "refused" ? ready.refusal.code : ready.kind;

const ENTRY = madeLinkedOrder({ uuid: "e" });
const LEG = madeLinkedLeg({ uuid: "p-bracket-0", stopLoss: 90_000 });
const OPEN = madeLinkedPosition({ uuid: "p", legs: [LEG] });
const cancel = (order_uuid: string, more: Fields = {}): Fields => ({
  execution_type: "LIMIT_CANCEL",
  order_uuid,
  ...more,
});

describe("an account that could not be read now", () => {
  test.each<[string, Fields, string, string]>([
    ["FLAT_ALL", { execution_type: "FLAT_ALL" }, "ready", "ready"],
    [
      "FLAT_ALL of a pair",
      { execution_type: "FLAT_ALL", trade_pair: "BTCUSDC" },
      "unread",
      "unread",
    ],
    ["FLAT_ALL of ids", { execution_type: "FLAT_ALL", order_uuid: "p" }, "ready", "ready"],
    [
      "FLAT_ALL of ids with their pair",
      { execution_type: "FLAT_ALL", order_uuid: "p", trade_pair: "BTCUSDC" },
      "ready",
      "unread",
    ],
    ["LIMIT_CANCEL of all", cancel("ALL"), "ready", "ready"],
    ["LIMIT_CANCEL of an id", cancel("e"), "unread", "unread"],
    [
      "BRACKET",
      { execution_type: "BRACKET", trade_pair: "BTCUSDC", stop_loss: 1 },
      "ready",
      "ready",
    ],
    [
      "BRACKET with a direction",
      { execution_type: "BRACKET", trade_pair: "BTCUSDC", stop_loss: 1, order_type: "LONG" },
      "ready",
      "unread",
    ],
  ])(
    "%s is sent only when no new reading could change it [D13.linkedSight]",
    (_, trade, old, never) => {
      const shown = { positions: [OPEN], orders: [ENTRY] };
      expect(outcome(readyWith(trade, shown, false))).toBe(old);
      expect(outcome(readyWith(trade, null, false))).toBe(never);
    },
  );
});

describe("FLAT_ALL", () => {
  test("FLAT_ALL of a pair is sent with the ids of its open positions, and kept as it was [D10.flattenAll]", () => {
    const shown = { positions: [OPEN, madeLinkedPosition({ uuid: "q", pairDisplay: "ETH/USDC" })] };
    const ready = readyWith({ execution_type: "FLAT_ALL", trade_pair: "BTCUSDC" }, shown);
    expect(ready).toMatchObject({
      sent: { type: "flatten", target: ["p"], pair: null },
      kept: { type: "flatten", target: "all", pair: "BTCUSDC" },
    });
  });

  test("FLAT_ALL of ids leaves out those of another pair, and is refused without any left [D13.pairOfIds]", () => {
    const shown = { positions: [OPEN, madeLinkedPosition({ uuid: "q", pairDisplay: "ETH/USDC" })] };
    const both = { execution_type: "FLAT_ALL", order_uuid: "p,q", trade_pair: "BTCUSDC" };
    expect(readyWith(both, shown)).toMatchObject({ sent: { target: ["p"] } });
    expect(outcome(readyWith({ ...both, order_uuid: "q" }, shown))).toBe("unknownPosition");
  });

  test("FLAT_ALL of ids with another direction is refused [D13.ownDirection]", () => {
    const turned = { execution_type: "FLAT_ALL", order_uuid: "p", order_type: "SHORT" };
    expect(outcome(readyWith(turned, { positions: [OPEN] }))).toBe("directionMismatch");
  });
});

describe("LIMIT_CANCEL", () => {
  test("LIMIT_CANCEL of a filled entry is refused, because the network would cancel its legs [D13.oneOrder]", () => {
    expect(outcome(readyWith(cancel("p"), { positions: [OPEN] }))).toBe("unknownOrder");
    const bare = { positions: [madeLinkedPosition({ uuid: "p" })] };
    expect(outcome(readyWith(cancel("p"), bare))).toBe("unknownOrder");
  });

  test("LIMIT_CANCEL of a list is sent without the filled ones and with legs and unknown ids [D13.oneOrder]", () => {
    const shown = { positions: [OPEN], orders: [ENTRY] };
    const ready = readyWith(cancel("p,e,p-bracket-0,other"), shown);
    expect(ready).toMatchObject({
      sent: { target: ["e", "p-bracket-0", "other"] },
      kept: { target: ["p", "e", "p-bracket-0", "other"] },
    });
  });

  test("LIMIT_CANCEL of ids of another pair or direction is refused [D13.pairOfIds D13.ownDirection]", () => {
    const shown = { orders: [ENTRY] };
    expect(outcome(readyWith(cancel("e", { trade_pair: "ETHUSDC" }), shown))).toBe("unknownOrder");
    expect(outcome(readyWith(cancel("e", { order_type: "SHORT" }), shown))).toBe(
      "directionMismatch",
    );
    expect(outcome(readyWith(cancel("e", { order_type: "LONG" }), shown))).toBe("ready");
  });
});

describe("ids that the network has in capitals", () => {
  const ID = "5D0C3E0E-8F3B-4C6D-9A57-2F1C7A0B9E11";
  const [BIG, SMALL] = [`${ID}-bracket-0`, `${ID.toLowerCase()}-bracket-0`];
  const shown = {
    positions: [
      madeLinkedPosition({ uuid: ID, legs: [madeLinkedLeg({ uuid: BIG, stopLoss: 90_000 })] }),
    ],
    orders: [madeLinkedOrder({ uuid: ID.replace("5D", "6D") })],
  };

  test("ids that the network has in capitals are sent as it has them, however they come [D12.idCase]", () => {
    for (const id of [BIG, SMALL]) {
      expect(readyWith(cancel(id), shown)).toMatchObject({ sent: { target: [BIG] } });
      const edit = { execution_type: "LIMIT_EDIT", trade_pair: "BTCUSDC", stop_loss: 80_000 };
      expect(readyWith({ ...edit, order_uuid: id }, shown)).toMatchObject({
        sent: { replacement: { orderUuid: BIG } },
        kept: { replacement: { orderUuid: BIG } },
      });
    }
    for (const id of [ID, ID.toLowerCase()]) {
      const flat = { execution_type: "FLAT_ALL", order_uuid: id, trade_pair: "BTCUSDC" };
      expect(readyWith(flat, shown)).toMatchObject({ sent: { target: [ID] } });
      expect(outcome(readyWith(cancel(id), shown))).toBe("unknownOrder");
    }
  });

  test("ids that are no UUID are sent as they came, because they compare exactly [D12.idCase]", () => {
    const orders = [madeLinkedOrder({ uuid: "Entry" }), madeLinkedOrder({ uuid: "ENTRY" })];
    const ready = readyWith(cancel("Entry"), { positions: [], orders });
    expect(ready).toMatchObject({ sent: { target: ["Entry"] } });
  });
});

describe("LIMIT_EDIT of an entry", () => {
  const HALF = { stop_loss: 80_000, bracket_pct: 0.5 };
  const REST = { stop_loss: 70_000, bracket_pct: 0.25 };
  const held = madeLinkedOrder({
    uuid: "e",
    legs: [
      madeLinkedLeg({ uuid: "e-bracket-0", stopLoss: 80_000, bracketPct: ratio(0.5) }),
      madeLinkedLeg({ uuid: "e-bracket-1", stopLoss: 70_000, bracketPct: ratio(0.25) }),
    ],
  });
  const edit = (bracket_orders: readonly Fields[], more: Fields = {}): Fields => ({
    execution_type: "LIMIT_EDIT",
    order_uuid: "e",
    trade_pair: "BTCUSDC",
    order_type: "LONG",
    quantity: 1,
    limit_price: 90_000,
    bracket_orders,
    ...more,
  });

  test.each([
    ["unchanged", [HALF, REST], ["e-bracket-0", "e-bracket-1"]],
    ["in another order", [REST, HALF], ["e-bracket-1", "e-bracket-0"]],
    ["without the first", [REST], ["e-bracket-1"]],
    [
      "with a changed first",
      [{ ...HALF, stop_loss: 81_000 }, REST],
      ["e-bracket-0", "e-bracket-1"],
    ],
    ["with a further one", [HALF, REST, { take_profit: 99_000 }], [0, 1, 2].map(idOf)],
  ])(
    "LIMIT_EDIT of an entry with its legs %s gives each of them an id, so none can be added twice [D13.keptLegs]",
    (_, legs, legIds) => {
      expect(readyWith(edit(legs), { orders: [held] })).toMatchObject({ kind: "ready", legIds });
    },
  );

  function idOf(place: number): string {
    return `e-bracket-${place}`;
  }

  test("LIMIT_EDIT of an entry that has filled is refused, and so is another direction [D13.oneOrder D13.ownDirection]", () => {
    const filled = { positions: [madeLinkedPosition({ uuid: "e" })] };
    expect(outcome(readyWith(edit([HALF]), filled))).toBe("unknownOrder");
    const turned = edit([HALF], { order_type: "SHORT" });
    expect(outcome(readyWith(turned, { orders: [held] }))).toBe("directionMismatch");
  });
});

describe("levels of a BRACKET and of a leg's edit", () => {
  /** A position that was bought at 100,000 and has lost 500, so its mark is 99,500. */
  const marked = { ...OPEN, unrealizedPnl: microUsd(-500_000_000) };
  const bracket = (levels: Fields): Fields => ({
    execution_type: "BRACKET",
    trade_pair: "BTCUSDC",
    ...levels,
  });
  const edit = (levels: Fields): Fields => ({
    ...bracket(levels),
    execution_type: "LIMIT_EDIT",
    order_uuid: "p-bracket-0",
  });

  test.each([
    [{ stop_loss: 99_500 }, "wouldTrigger"],
    [{ stop_loss: 99_499 }, "ready"],
    [{ take_profit: 99_400 }, "wouldTrigger"],
    [{ take_profit: 99_600 }, "ready"],
    [{ trailing_stop: { trailing_value: 99_500 } }, "trailingDistance"],
  ])("%o beside a mark of 99,500 is %s [D10.firesAtOnce]", (levels, is) => {
    const shown = { positions: [marked] };
    expect(outcome(readyWith(bracket(levels), shown))).toBe(is);
    expect(outcome(readyWith(edit(levels), shown))).toBe(is);
  });

  test("levels are not judged by an old mark, nor without one", () => {
    const levels = { stop_loss: 99_500 };
    expect(outcome(readyWith(bracket(levels), { positions: [marked] }, false))).toBe("ready");
    expect(outcome(readyWith(bracket(levels), { positions: [OPEN] }))).toBe("ready");
    expect(outcome(readyWith(bracket(levels), {}))).toBe("ready");
  });

  test("levels are not judged by figures from which no price follows", () => {
    const fills = marked.fills?.map((fill) => ({ ...fill, quantity: 1e-310 })) ?? null;
    const shown = { positions: [{ ...marked, unrealizedPnl: microUsd(500_000_000), fills }] };
    expect(outcome(readyWith(bracket({ stop_loss: 99_500 }), shown))).toBe("ready");
  });

  test("levels of a leg without a size are sent for the whole position, which the network would not do by itself", () => {
    const ready = readyWith(edit({ stop_loss: 90_000 }), { positions: [OPEN] });
    expect(ready).toMatchObject({
      sent: { replacement: { leg: { size: { kind: "bracketPct", ratio: 1 } } } },
      kept: { replacement: { leg: { size: null } } },
    });
  });

  test("levels with another direction than the position's are refused [D13.ownDirection]", () => {
    const turned = { stop_loss: 90_000, order_type: "SHORT" };
    expect(outcome(readyWith(bracket(turned), { positions: [OPEN] }))).toBe("directionMismatch");
    expect(outcome(readyWith(edit(turned), { positions: [OPEN] }))).toBe("directionMismatch");
  });
});
