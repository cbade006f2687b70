import { orderUuid, pairId, positionUuid, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import {
  madeLinkedLeg,
  madeLinkedOrder,
  madeLinkedPosition,
  madeLinkedReadings,
} from "../../testing/made-linked-orders.ts";
import { readRecordedPairs } from "../../testing/recorded-subaccount.ts";
import { cancelFate, flattenFate } from "./act-fate.ts";
import type { ObservedAccount } from "./found-order.ts";

const NOW = unixMs(1_767_625_200_000);
const ALL = { type: "cancelOrders", target: "all", pair: null } as const;
const BTC = pairId("BTCUSDC");
const pairOf = readRecordedPairs().names;

function observedAccount(
  shown: Parameters<typeof madeLinkedReadings>[0],
  ended: Readonly<Partial<Pick<ObservedAccount, "closed" | "endedOrders">>> = {},
): ObservedAccount {
  return {
    readings: madeLinkedReadings(shown),
    closed: [],
    endedOrders: new Map(),
    pairOf,
    ...ended,
  };
}

const pendingBefore = (...ids: readonly string[]) => ({
  orders: ids.map((id) => ({
    uuid: orderUuid(id),
    pair: BTC,
    legs: [orderUuid(`${id}-bracket-0`)],
  })),
  positions: [],
  positionsMs: null,
});

describe("a cancel that the network accepted", () => {
  test.each([
    ["names the orders that were pending and are gone", 2, ["a", "b"], 2],
    ["names none when fewer were cancelled than are gone", 1, [], 1],
    ["names none when nothing was cancelled", 0, [], 0],
    ["names those that were known when more were cancelled", 3, ["a", "b"], 3],
    ["counts those that are gone when the network does not count", null, ["a", "b"], 2],
  ] as const)("a cancel that the network accepted %s", (_, counted, ids, count) => {
    const around = { before: pendingBefore("a", "b"), account: observedAccount({}), sentAtMs: NOW };
    expect(cancelFate(ALL, around, counted)).toMatchObject({ kind: "cancelled", ids, count });
  });

  test.each([
    ["and that the network lists as ended", ["a-bracket-0"]],
    ["also when another reader took the list of ended ones", []],
  ])(
    "a cancel that the network accepted names no entry that has filled, but its leg that went, %s [D13.oneOrder D13.linkedSight]",
    (_, listed) => {
      const account = observedAccount(
        { positions: [madeLinkedPosition({ uuid: "a" })] },
        { endedOrders: new Map(listed.map((id) => [id, NOW])) },
      );
      const command = { ...ALL, target: [orderUuid("a"), orderUuid("b")] };
      const around = { before: pendingBefore("a", "b"), account, sentAtMs: NOW };
      expect(cancelFate(command, around, 2)).toEqual({
        kind: "cancelled",
        ids: ["b", "a-bracket-0"],
        count: 2,
        notFound: ["a"],
        withoutStop: [{ uuid: "a", pair: BTC, display: "BTC/USDC" }],
      });
    },
  );

  test("a cancel that the network accepted names no leg of an entry whose position is closed: the network cancelled it with the position", () => {
    const closed = [madeLinkedPosition({ uuid: "a", closeMs: NOW })];
    const around = {
      before: pendingBefore("a"),
      account: observedAccount({}, { closed }),
      sentAtMs: NOW,
    };
    const command = { ...ALL, target: [orderUuid("a")] };
    expect(cancelFate(command, around, null)).toMatchObject({
      rejection: { refusalCode: "unknownOrder" },
    });
  });

  test("a cancel that the network accepted was not carried out while its orders are pending", () => {
    const account = observedAccount({ orders: [madeLinkedOrder({ uuid: "a" })] });
    const around = { before: pendingBefore("a"), account, sentAtMs: NOW };
    expect(cancelFate(ALL, around, 1)).toEqual({ kind: "unseen" });
  });

  test("a cancel of all names every open position that has no stop, and none that has one [D13.nakedNamed]", () => {
    const naked = madeLinkedPosition({ uuid: "n", pairDisplay: "ETH/USDC" });
    const stopped = madeLinkedPosition({ uuid: "s", legs: [madeLinkedLeg({ trailingValue: 5 })] });
    const account = observedAccount({ positions: [naked, stopped] });
    const around = { before: pendingBefore("a"), account, sentAtMs: NOW };
    expect(cancelFate(ALL, around, 1)).toMatchObject({ withoutStop: [{ uuid: "n" }] });
  });
});

describe("a FLAT_ALL that the network accepted", () => {
  const OPEN = { uuid: "p", pair: BTC, display: "BTC/USDC" };
  const before = { orders: [], positions: [OPEN], positionsMs: NOW };
  const all = { type: "flatten", target: "all", pair: null } as const;
  /** A position that a FLAT_ALL closed at that time. */
  const flat = (uuid: string, atMs: number) =>
    madeLinkedPosition({
      uuid,
      closeMs: atMs,
      fills: [madeLinkedOrder({ uuid: `${uuid}-flat-all`, processedMs: atMs })],
    });

  test("a FLAT_ALL that the network accepted names the positions that it closed, also one that opened after the reading before it [D13.linkedSight]", () => {
    const account = observedAccount({}, { closed: [flat("p", NOW + 5), flat("q", NOW + 6)] });
    expect(flattenFate(all, { before, account, sentAtMs: NOW }, true)).toMatchObject({
      closed: [{ uuid: "p" }, { uuid: "q" }],
      stayed: [],
    });
  });

  test("a FLAT_ALL that the network accepted names no position that an earlier FLAT_ALL closed, and none that a stop closed", () => {
    const stopped = madeLinkedPosition({ uuid: "p", closeMs: NOW + 5 });
    const account = observedAccount({}, { closed: [stopped, flat("q", NOW - 1)] });
    expect(flattenFate(all, { before, account, sentAtMs: NOW }, true)).toMatchObject({
      closed: [],
      stayed: [],
    });
  });

  test("a FLAT_ALL that the network accepted names every position of its pair that is open afterwards [D13.linkedSight]", () => {
    const account = observedAccount({ positions: [madeLinkedPosition({ uuid: "new" })] });
    const pair = { ...all, pair: BTC };
    expect(
      flattenFate(pair, { before: { ...before, positions: [] }, account, sentAtMs: NOW }, true),
    ).toMatchObject({
      kind: "refused",
      rejection: { refusalCode: "nothingClosed" },
    });
    const other = { ...all, pair: pairId("ETHUSDC") };
    expect(
      flattenFate(other, { before: { ...before, positions: [] }, account, sentAtMs: NOW }, true),
    ).toMatchObject({ kind: "flattened", closed: [], stayed: [] });
  });

  test("a FLAT_ALL of ids that are not open is refused with the first of them", () => {
    const command = { ...all, target: [positionUuid("gone")] };
    expect(
      flattenFate(command, { before, account: observedAccount({}), sentAtMs: NOW }, true),
    ).toMatchObject({
      rejection: { refusalCode: "unknownPosition" },
    });
  });
});

describe("an act without an answer [D13.lastWord]", () => {
  const position = { uuid: "p", pair: BTC, display: "BTC/USDC" };
  const before = { ...pendingBefore(), positions: [position] };
  const flattenAll = { type: "flatten", target: "all", pair: null } as const;
  const closedBy = (uuid: string, atMs: number) =>
    madeLinkedPosition({
      uuid: "p",
      closeMs: atMs,
      fills: [madeLinkedOrder({ uuid, processedMs: atMs })],
    });

  test.each([
    ["a FLAT_ALL of everything that found nothing open", { ...before, positions: [] }, flattenAll],
    ["a FLAT_ALL of everything after a stop closed its position", before, flattenAll],
    ["a FLAT_ALL of an account that was never read", null, flattenAll],
  ] as const)("%s is not seen: it closes what is open when it arrives", (_, known, command) => {
    const account = observedAccount({}, { closed: [closedBy("p-bracket-0", NOW + 5)] });
    expect(flattenFate(command, { before: known, account, sentAtMs: NOW }, false)).toEqual({
      kind: "unseen",
    });
  });

  test("a FLAT_ALL of a pair or of ids ends without it once its positions are closed: they stay closed", () => {
    const account = observedAccount({}, { closed: [closedBy("p-bracket-0", NOW + 5)] });
    const around = { before, account, sentAtMs: NOW };
    expect(flattenFate({ ...flattenAll, pair: BTC }, around, false)).toMatchObject({ closed: [] });
    expect(
      flattenFate({ ...flattenAll, target: [positionUuid("p")] }, around, false),
    ).toMatchObject({ rejection: { refusalCode: "unknownPosition" } });
  });

  test("a FLAT_ALL of a pair is not seen while a position that it was sent for is open", () => {
    const account = observedAccount({ positions: [madeLinkedPosition({ uuid: "p" })] });
    const around = { before, account, sentAtMs: NOW };
    expect(flattenFate({ ...flattenAll, pair: BTC }, around, false)).toEqual({ kind: "unseen" });
  });

  test.each([
    ["before it", NOW - 1, "unseen"],
    ["since", NOW, "flattened"],
  ] as const)(
    "an account that was never read and shows a FLAT_ALL from %s: %s",
    (_, atMs, kind) => {
      const account = observedAccount({}, { closed: [closedBy("p-flat-all", atMs)] });
      expect(
        flattenFate(flattenAll, { before: null, account, sentAtMs: NOW }, false),
      ).toMatchObject({
        kind,
      });
    },
  );

  test("a cancel of all that found nothing resting is not seen: it cancels what rests when it arrives", () => {
    const around = { before: pendingBefore(), account: observedAccount({}), sentAtMs: NOW };
    expect(cancelFate(ALL, around, null)).toEqual({ kind: "unseen" });
    expect(cancelFate(ALL, around, 0)).toMatchObject({ kind: "cancelled", count: 0 });
  });

  test.each([
    ["nothing ended since", [], null, "unseen"],
    ["an order ended since", [["a", NOW]], null, "cancelled"],
    ["an order ended earlier", [["a", NOW - 1]], null, "unseen"],
    ["an order of any pair ended since", [["a", NOW]], BTC, "unseen"],
  ] as const)(
    "a cancel of all of an account that was never read, where %s",
    (_, ended, pair, kind) => {
      const account = observedAccount({}, { endedOrders: new Map(ended) });
      const around = { before: null, account, sentAtMs: NOW };
      expect(cancelFate({ ...ALL, pair }, around, null)).toMatchObject({ kind });
    },
  );
});
