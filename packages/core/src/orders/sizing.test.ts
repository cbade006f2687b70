import { describe, expect, test } from "vitest";
import { assert } from "../assert.ts";
import { openDraft } from "../evolve/open-draft.ts";
import { pairId } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import type { AccountState } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import type { Size } from "../state/requested-size.ts";
import { CATALOGUE, proTerms, TERMS } from "../testing/catalogue.ts";
import { AT, madeAccount, madeMarket, madePosition } from "../testing/made-account.ts";
import { leverage, price, quantity, roundUsd } from "../units.ts";
import { tightestRoom } from "./caps.ts";
import { sizeOnGrid, sizeToReduce, sizeWithinCaps, tooSmallRefusal } from "./sizing.ts";

type Prices = Parameters<typeof madeMarket>[0];

function draftOf(changes: Partial<AccountState> = {}, prices: Prices = {}): Draft {
  const { quotes, instruments } = madeMarket(prices);
  return openDraft(madeAccount(changes), { now: AT, quotes, instruments });
}

function instrumentOf(id: string): Instrument {
  const instrument = CATALOGUE.get(pairId(id));
  assert(instrument !== undefined, id);
  return instrument;
}

const asked = (id: string, size: Size, at = 100) => ({
  size,
  instrument: instrumentOf(id),
  price: price(at),
  usdRate: 1,
});
const lotsOf = (amount: number): Size => ({ kind: "quantity", lots: amount });
const SMALL = { ...TERMS, size: roundUsd(10_000) };

describe("the least position [D5.leastPosition]", () => {
  test.each<[string, string, number, Partial<AccountState>, string | null]>([
    // pair, what is left in 0.00001 lots at 100 each
    ["nothing is left", "BTCUSD", 0, {}, null],
    ["ten dollars", "BTCUSD", 10_000, {}, null],
    ["a step below them", "BTCUSD", 9_999, {}, "$10"],
    ["a step of the lot grid", "EURUSD", 1_000, {}, null],
    ["less than one", "EURUSD", 999, {}, "0.01 lots"],
    ["a step of the small account's grid", "EURUSD", 10, { terms: SMALL }, null],
    ["less than one of those", "EURUSD", 9, { terms: SMALL }, "0.0001 lots"],
    ["a hundredth of a share", "AAPL", 1_000, {}, null],
    ["less than that", "AAPL", 999, {}, "0.01 lots"],
    // Not one step of its grid: an account's size makes it no smaller.
    ["less than that, however small the account", "AAPL", 999, { terms: SMALL }, "0.01 lots"],
  ])("%s of %s", (...[, id, left, changes, least]) => {
    const holding = { quantity: quantity(left), price: price(100), usdRate: 1 };
    expect(tooSmallRefusal(draftOf(changes), instrumentOf(id), holding)).toEqual(
      least === null ? null : { code: "positionTooSmall", pair: id, least },
    );
  });
});

describe("a size on the grid [D5.size]", () => {
  test.each([
    ["half a step goes up", 0.005, { ok: true, value: 1_000 }],
    [
      "less than that is none",
      0.00499,
      { ok: false, refusal: { code: "sizeBelowGrid", pair: "EURUSD", step: "0.01" } },
    ],
  ])("%s", (_, lots, sized) => {
    const given = asked("EURUSD", lotsOf(lots), 1);
    expect(sizeOnGrid(draftOf(), given)).toEqual(sized);
    expect(sizeToReduce(draftOf(), given, quantity(5_000))).toEqual(sized);
    expect(sizeWithinCaps(draftOf(), given, "long")).toEqual(
      sized.ok ? { ok: true, value: { quantity: 1_000, bindingCap: null } } : sized,
    );
  });

  test("what reduces is never more than what is open", () => {
    const given = asked("BTCUSD", lotsOf(2));
    expect(sizeToReduce(draftOf(), given, quantity(150_000))).toEqual({ ok: true, value: 150_000 });
    expect(sizeToReduce(draftOf(), given, quantity(250_000))).toEqual({ ok: true, value: 200_000 });
  });

  test("a multiple is of the balance, and below 0 it is nothing", () => {
    const once: Size = { kind: "leverage", leverage: leverage(1) };
    expect(sizeOnGrid(draftOf(), asked("BTCUSD", once))).toMatchObject({ value: 100_000_000 });
    const broke = draftOf({ realized: roundUsd(-100_001) });
    expect(sizeOnGrid(broke, asked("BTCUSD", once))).toMatchObject({
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

describe("the room that caps leave [D5.caps]", () => {
  const buying = (id: string) => ({ instrument: instrumentOf(id), direction: "long" }) as const;
  const held = (id: string) =>
    madePosition({ pair: id, direction: "long", lots: 100, entry: 100, entryUsd: 10_000 });

  test.each<[string, string, Prices, number]>([
    ["at the mark, where there is one", "BTCUSD", { BTCUSD: 200 }, 130_000],
    ["at its entry, while the pair has had no quote", "BTCUSD", {}, 140_000],
    ["not at all, when the catalogue knows the pair no more", "NOWHERE", {}, 150_000],
  ])("a position counts %s", (...[, id, prices, usd]) => {
    const room = tightestRoom(draftOf({ positions: [held(id)] }, prices), buying("BTCUSD"));
    expect(room).toEqual({ cap: { cap: 1.5, of: { kind: "pair" } }, usd });
  });

  test("a cross counts at its entry while its currency has no rate", () => {
    const cross = madePosition({
      ...{ pair: "EURJPY", direction: "long", lots: 1, entry: 165 },
      entryUsd: 110_000,
    });
    const draft = draftOf({ positions: [cross] }, { EURJPY: 165 });
    expect(tightestRoom(draft, buying("EURJPY"))).toEqual({
      cap: { cap: 10, of: { kind: "pair" } },
      usd: 890_000,
    });
  });

  test("groups bind only where the terms have a cap for their kind [D7.groups]", () => {
    const pro = proTerms(roundUsd(100_000), roundUsd(100_000));
    const euro = madePosition({
      ...{ pair: "EURJPY", direction: "long", lots: 1, entry: 165 },
      entryUsd: 2_900_000,
    });
    const room = (terms: AccountState["terms"]) =>
      tightestRoom(draftOf({ terms, positions: [euro] }), buying("EURUSD"));
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
    // held, wanted, what is left of 30x in the currency they share
    ["LONG EURUSD", "LONG GBPUSD", "both sell USD", 5],
    ["LONG EURUSD", "SHORT USDJPY", "both sell USD", 5],
    ["SHORT EURUSD", "LONG USDJPY", "both buy USD", 5],
    ["LONG EURUSD", "LONG EURJPY", "both buy EUR", 5],
    ["LONG EURUSD", "SHORT GBPUSD", "one sells, one buys USD", 30],
    ["LONG EURUSD", "LONG USDJPY", "one sells, one buys USD", 30],
    ["LONG EURUSD", "SHORT EURJPY", "one buys, one sells EUR", 30],
  ])("held %s, wanted %s: %s, %dx is left [D10.groupSides]", (...[held, wanted, , left]) => {
    const [direction, pair] = splitWords(held);
    const [side, other] = splitWords(wanted);
    const terms = {
      ...proTerms(roundUsd(100_000), roundUsd(50_000)),
      classCaps: { ...TERMS.classCaps, forex: leverage(90) },
      portfolioCap: leverage(90),
    };
    const position = madePosition({ pair, direction, lots: 25, entry: 1, entryUsd: 2_500_000 });
    const instrument = { ...instrumentOf(other), leverageCaps: LOOSE };
    const room = tightestRoom(draftOf({ terms, positions: [position] }), {
      instrument,
      direction: side,
    });
    expect(room.usd).toBe(left * 100_000);
  });
});
