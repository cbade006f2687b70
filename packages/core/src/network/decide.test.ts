import { describe, expect, test } from "vitest";
import { evolve } from "../evolve/evolve.ts";
import { accountId, orderUuid, ownerId, pairId, positionUuid } from "../ids.ts";
import type { Quotes } from "../market/quote.ts";
import { findNamedPositions, flattenPlan } from "../orders/flatten.ts";
import type { AccountState } from "../state/account.ts";
import type { Command } from "../state/command.ts";
import type { Moment } from "../state/moment.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../testing/catalogue.ts";
import { leverage, price, unixMs } from "../units.ts";
import { decide } from "./decide.ts";
import { earliestDueMs } from "./pass-time.ts";

const BTC = pairId("BTCUSD");
const NOW = unixMs(1_767_625_200_000);
const QUOTES: Quotes = new Map([[BTC, { pair: BTC, bid: price(100), ask: price(101), atMs: NOW }]]);
const MOMENT: Moment = { now: NOW, quotes: QUOTES, instruments: TEST_CATALOGUE };
const OPEN: Command = {
  type: "openAccount",
  accountId: accountId("a"),
  ownerId: ownerId("w"),
  terms: CLASSIC_TERMS,
  provisioned: true,
};
const BUY: Command = {
  type: "placeMarket",
  orderUuid: orderUuid("o1"),
  pair: BTC,
  direction: "long",
  size: { kind: "leverage", leverage: leverage(0.1) },
  legs: [],
  reduceOnly: false,
};

function after(state: AccountState | null, command: Command, moment = MOMENT): AccountState {
  const decision = decide(state, command, moment);
  if (!decision.ok) throw new Error(decision.refusal.code);
  const next = decision.value.reduce<AccountState | null>(evolve, state);
  if (next === null) throw new Error("an account");
  return next;
}

describe("the network", () => {
  test("an account opens once, and commands before that are refused [D8.states]", () => {
    expect(decide(null, BUY, MOMENT)).toEqual({ ok: false, refusal: { code: "accountNotReady" } });
    const opened = after(null, OPEN);
    expect(decide(opened, OPEN, MOMENT)).toEqual({ ok: false, refusal: { code: "accountExists" } });
  });

  test("the first command after midnight ends the day before it does anything else [D7.midnight]", () => {
    const opened = after(null, OPEN);
    const nextDay = unixMs(NOW + 86_400_000);
    const quotes: Quotes = new Map([
      [BTC, { pair: BTC, bid: price(100), ask: price(101), atMs: nextDay }],
    ]);
    const decision = decide(opened, BUY, { ...MOMENT, now: nextDay, quotes });
    const types = decision.ok ? decision.value.map((event) => event.type) : [];
    expect(types).toEqual(["dayEnded", "orderFilled"]);
  });

  test("a fill contains all fields that the ledger and the order's answer need [S2.6]", () => {
    const decision = decide(after(null, OPEN), BUY, MOMENT);
    expect(decision.ok && decision.value).toEqual([
      {
        type: "orderFilled",
        atMs: NOW,
        orderUuid: "o1",
        positionUuid: "o1",
        kind: "market",
        pair: "BTCUSD",
        direction: "long",
        effect: "open",
        price: 101,
        slippage: 0,
        quantity: 9_900_990,
        value: 9_999_999_900,
        leverage: 0.099999999,
        fee: 3_000_000,
        realizedPnl: 0,
        bindingCap: null,
        usdRate: 1,
      },
    ]);
  });

  test("a decision does not change the state that it reads", () => {
    const opened = Object.freeze(after(null, OPEN));
    const once = decide(opened, BUY, MOMENT);
    expect(decide(opened, BUY, MOMENT)).toEqual(once);
  });

  test("a position whose quote was lost is closed at its entry price [D7.breach]", () => {
    const holding = after(after(null, OPEN), BUY);
    const withoutQuotes: Moment = { ...MOMENT, quotes: new Map() };
    const ended = after(holding, { type: "eliminateAccount", reason: "INACTIVE" }, withoutQuotes);
    expect(ended.realized).toBe(0);
    expect(ended.positions).toEqual([]);
    expect(ended.elimination).toEqual({
      cause: { kind: "operator", reason: "INACTIVE" },
      atMs: NOW,
      drawdownPct: null,
    });
  });

  test("limits and midnights wait while an open position has no price [D7.midnight]", () => {
    const holding = after(after(null, OPEN), BUY);
    const withoutQuotes: Moment = { ...MOMENT, now: unixMs(NOW + 86_400_000), quotes: new Map() };
    expect(decide(holding, { type: "settlePrices" }, withoutQuotes)).toEqual({
      ok: true,
      value: [],
    });
    expect(decide(holding, { type: "passTime" }, withoutQuotes)).toEqual({ ok: true, value: [] });
  });

  test("an active account is due at its next 00:00 UTC, and an ended account never", () => {
    const opened = after(null, OPEN);
    expect(earliestDueMs(opened, TEST_CATALOGUE)).toBe(Date.parse("2026-01-06T00:00:00Z"));
    expect(earliestDueMs(after(opened, { type: "closeAccount" }), TEST_CATALOGUE)).toBeNull();
  });

  test("days before an account is provisioned do not count [D8.states]", () => {
    const waiting = after(null, { ...OPEN, provisioned: false });
    const later: Moment = { ...MOMENT, now: unixMs(NOW + 5 * 86_400_000) };
    const provisioned = after(waiting, { type: "provisionAccount" }, later);
    expect(decide(provisioned, { type: "passTime" }, later)).toEqual({ ok: true, value: [] });
  });

  test("an account that has ended is not provisioned any more, and its refusal says why [D8.states]", () => {
    const waiting = after(null, { ...OPEN, provisioned: false });
    const refusalOf = (state: AccountState) => decide(state, { type: "provisionAccount" }, MOMENT);
    const refused = (code: string) => ({ ok: false, refusal: { code } });
    const closed = after(waiting, { type: "closeAccount" });
    const eliminated = after(waiting, { type: "eliminateAccount", reason: "fraud" });
    expect(refusalOf(closed)).toEqual(refused("accountClosed"));
    expect(refusalOf(eliminated)).toEqual(refused("accountEliminated"));
    expect(refusalOf(after(null, OPEN))).toEqual(refused("alreadyProvisioned"));
  });

  test("a flatten plan lists the positions that stay, with the reason [D5.flattenAll]", () => {
    const holding = after(after(null, OPEN), BUY);
    const stale: Moment = { ...MOMENT, now: unixMs(NOW + 60_001) };
    const plan = flattenPlan(holding.positions, stale);
    expect(plan.closing).toEqual([]);
    expect(plan.staying).toEqual([
      { position: holding.positions[0], why: { code: "noFreshQuote", pair: "BTCUSD" } },
    ]);
  });

  test("a flatten of ids is refused when none of them is open [D10.lists] [D10.flattenIds]", () => {
    const holding = after(after(null, OPEN), BUY);
    const gone = { target: [positionUuid("x")], pair: null };
    expect(findNamedPositions(holding, gone)).toEqual({
      ok: false,
      refusal: { code: "unknownPosition", positionUuid: "x" },
    });
  });
});
