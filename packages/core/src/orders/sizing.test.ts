import { describe, expect, test } from "vitest";
import { assert } from "../assert.ts";
import { openDraft } from "../evolve/open-draft.ts";
import { pairId } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import type { AccountState } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import type { Size } from "../state/requested-size.ts";
import { CLASSIC_TERMS, createTestProTerms, TEST_CATALOGUE } from "../testing/catalogue.ts";
import {
  createTestAccount,
  createTestMarket,
  createTestPosition,
  TEST_TIME_MS,
} from "../testing/test-account.ts";
import { leverage, price, quantity, roundUsd } from "../units.ts";
import { findTightestRoom } from "./caps.ts";
import { reductionOf, sizeOnGrid, sizeWithinCaps, tooSmallRefusal } from "./sizing.ts";

type Prices = Parameters<typeof createTestMarket>[0];

function draftOf(changes: Partial<AccountState> = {}, prices: Prices = {}): Draft {
  const { quotes, instruments } = createTestMarket(prices);
  return openDraft(createTestAccount(changes), { now: TEST_TIME_MS, quotes, instruments });
}

function instrumentOf(id: string): Instrument {
  const instrument = TEST_CATALOGUE.get(pairId(id));
  assert(instrument !== undefined, id);
  return instrument;
}

const requestFor = (id: string, size: Size, at = 100) => ({
  size,
  instrument: instrumentOf(id),
  price: price(at),
  usdRate: 1,
});
const lotsOf = (amount: number): Size => ({ kind: "quantity", lots: amount });
const SMALL = { ...CLASSIC_TERMS, size: roundUsd(10_000) };

describe("the minimum position [D5.leastPosition]", () => {
  test.each<[string, string, number, Partial<AccountState>, string | null]>([
    // Each row: a description, the pair, the remaining quantity in 0.00001 lots at a price of 100, changed fields of
    // the account, and the minimum that the refusal names (null without a refusal).
    ["an empty remainder", "BTCUSD", 0, {}, null],
    ["a remainder of ten dollars", "BTCUSD", 10_000, {}, null],
    ["a remainder one step below ten dollars", "BTCUSD", 9_999, {}, "$10"],
    ["one step of the lot grid", "EURUSD", 1_000, {}, null],
    ["less than one step", "EURUSD", 999, {}, "0.01 lots"],
    ["one step of a small account's grid", "EURUSD", 10, { terms: SMALL }, null],
    ["less than one step of a small account's grid", "EURUSD", 9, { terms: SMALL }, "0.0001 lots"],
    ["0.01 share", "AAPL", 1_000, {}, null],
    ["less than 0.01 share", "AAPL", 999, {}, "0.01 lots"],
    // The minimum of equities does not depend on the account's grid.
    ["less than 0.01 share of a small account", "AAPL", 999, { terms: SMALL }, "0.01 lots"],
  ])("%s of %s is checked against the minimum position", (...row) => {
    const [, id, left, changes, minimum] = row;
    const holding = { quantity: quantity(left), price: price(100), usdRate: 1 };
    expect(tooSmallRefusal(draftOf(changes), instrumentOf(id), holding)).toEqual(
      minimum === null ? null : { code: "positionTooSmall", pair: id, least: minimum },
    );
  });
});

describe("a size on the grid [D5.size]", () => {
  test.each([
    ["half a step rounds up to a step", 0.005, { ok: true, value: 1_000 }],
    [
      "less than half a step is refused",
      0.00499,
      { ok: false, refusal: { code: "sizeBelowGrid", pair: "EURUSD", step: "0.01" } },
    ],
  ])("%s", (_, lots, sized) => {
    const request = requestFor("EURUSD", lotsOf(lots), 1);
    expect(sizeOnGrid(draftOf(), request)).toEqual(sized);
    expect(sizeWithinCaps(draftOf(), request, "long")).toEqual(
      sized.ok ? { ok: true, value: { quantity: 1_000, bindingCap: null } } : sized,
    );
  });

  test("a size within the room whose nearest step is beyond it fills the step before, and the cap is named [D5.caps] [D12.shortfall]", () => {
    // The pair's room is 150,000.00075 USD, which at 100 is 1,500.0000075 lots.
    const draft = draftOf({ realized: roundUsd(0.000_5) });
    const sized = (lots: number) =>
      sizeWithinCaps(draft, requestFor("BTCUSD", lotsOf(lots)), "long");
    const bindingCap = { cap: 1.5, of: { kind: "pair" } };
    const max = 150_000_000;
    expect(sized(1_500.000_006)).toEqual({ ok: true, value: { quantity: max, bindingCap } });
    expect(sized(1_500.000_008)).toEqual({ ok: true, value: { quantity: max, bindingCap } });
    expect(sized(1_500.000_004)).toEqual({ ok: true, value: { quantity: max, bindingCap: null } });
  });

  test("an order that reduces is cut to the open quantity", () => {
    const { size: _, ...at } = requestFor("BTCUSD", lotsOf(2));
    const requested = quantity(200_000);
    const cut = (open: number) => reductionOf(draftOf(), at, { open: quantity(open), requested });
    expect(cut(150_000)).toEqual({ quantity: 150_000, tookRestAlong: false });
    expect(cut(250_000)).toEqual({ quantity: 200_000, tookRestAlong: false });
  });

  test("leverage is a multiple of the balance, and of a negative balance the size is zero", () => {
    const once: Size = { kind: "leverage", leverage: leverage(1) };
    expect(sizeOnGrid(draftOf(), requestFor("BTCUSD", once))).toMatchObject({ value: 100_000_000 });
    const broke = draftOf({ realized: roundUsd(-100_001) });
    expect(sizeOnGrid(broke, requestFor("BTCUSD", once))).toMatchObject({
      refusal: { code: "sizeBelowGrid" },
    });
  });
});

const LOOSE = {
  tier1: leverage(90),
  tier2: leverage(90),
  tier3: leverage(90),
  pro: leverage(90),
};

function splitWords(text: string): ["long" | "short", string] {
  const [word, pair = ""] = text.split(" ");
  return [word === "LONG" ? "long" : "short", pair];
}

describe("the room within the caps [D5.caps]", () => {
  const buying = (id: string) => ({ instrument: instrumentOf(id), direction: "long" }) as const;
  const held = (id: string) =>
    createTestPosition({ pair: id, direction: "long", lots: 100, entry: 100, entryUsd: 10_000 });

  test.each<[string, string, Prices, number]>([
    ["at its mark when the pair has a quote", "BTCUSD", { BTCUSD: 200 }, 130_000],
    ["at its entry value before the pair's first quote", "BTCUSD", {}, 140_000],
    ["as nothing of this pair when the catalogue does not contain its own", "NOWHERE", {}, 150_000],
  ])("a position counts %s", (_title, id, prices, usd) => {
    const room = findTightestRoom(draftOf({ positions: [held(id)] }, prices), buying("BTCUSD"));
    expect(room).toEqual({ cap: { cap: 1.5, of: { kind: "pair" } }, usd });
  });

  test("a position of a pair that no catalogue knows takes room of the portfolio [D13.judges]", () => {
    const unknown = createTestPosition({
      pair: "NOWHERE",
      direction: "long",
      lots: 1,
      entry: 1,
      entryUsd: 1_400_000,
    });
    expect(findTightestRoom(draftOf({ positions: [unknown] }), buying("BTCUSD"))).toEqual({
      cap: { cap: 15, of: { kind: "portfolio" } },
      usd: 100_000,
    });
  });

  test("a position in a cross counts at its entry value while its currency has no rate", () => {
    const cross = createTestPosition({
      pair: "EURJPY",
      direction: "long",
      lots: 1,
      entry: 165,
      entryUsd: 110_000,
    });
    const draft = draftOf({ positions: [cross] }, { EURJPY: 165 });
    expect(findTightestRoom(draft, buying("EURJPY"))).toEqual({
      cap: { cap: 10, of: { kind: "pair" } },
      usd: 890_000,
    });
  });

  test("a group binds only when the terms have a cap for its kind [D7.groups]", () => {
    const pro = createTestProTerms(roundUsd(100_000), roundUsd(100_000));
    const euro = createTestPosition({
      pair: "EURJPY",
      direction: "long",
      lots: 1,
      entry: 165,
      entryUsd: 2_900_000,
    });
    const room = (terms: AccountState["terms"]) =>
      findTightestRoom(draftOf({ terms, positions: [euro] }), buying("EURUSD"));
    expect(room(pro)).toEqual({
      cap: { cap: 30, of: { kind: "group", group: "currency:EUR" } },
      usd: 100_000,
    });
    expect(room({ ...pro, groupCaps: {} })).toEqual({
      cap: { cap: 40, of: { kind: "class", assetClass: "forex" } },
      usd: 1_100_000,
    });
  });

  test.each([
    // Each row: the held position, the entry, their relation, and what is left of the 30x cap of the shared currency.
    ["LONG EURUSD", "LONG GBPUSD", "both sell USD", 5],
    ["LONG EURUSD", "SHORT USDJPY", "both sell USD", 5],
    ["SHORT EURUSD", "LONG USDJPY", "both buy USD", 5],
    ["LONG EURUSD", "LONG EURJPY", "both buy EUR", 5],
    ["LONG EURUSD", "SHORT GBPUSD", "one sells, one buys USD", 30],
    ["LONG EURUSD", "LONG USDJPY", "one sells, one buys USD", 30],
    ["LONG EURUSD", "SHORT EURJPY", "one buys, one sells EUR", 30],
  ])(
    "the room depends on the sides while %s is held: an entry %s (%s) has %dx left [D10.groupSides]",
    (held, entry, _relation, left) => {
      const [direction, pair] = splitWords(held);
      const [side, other] = splitWords(entry);
      const terms = {
        ...createTestProTerms(roundUsd(100_000), roundUsd(50_000)),
        classCaps: { ...CLASSIC_TERMS.classCaps, forex: leverage(90) },
        portfolioCap: leverage(90),
      };
      const position = createTestPosition({
        pair,
        direction,
        lots: 25,
        entry: 1,
        entryUsd: 2_500_000,
      });
      const instrument = { ...instrumentOf(other), leverageCaps: LOOSE };
      const room = findTightestRoom(draftOf({ terms, positions: [position] }), {
        instrument,
        direction: side,
      });
      expect(room.usd).toBe(left * 100_000);
    },
  );
});
