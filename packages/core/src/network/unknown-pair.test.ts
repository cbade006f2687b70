import { describe, expect, test } from "vitest";
import { carryDueMs } from "../account/charge-carry.ts";
import { awaitedPrice } from "../account/judging-price.ts";
import { type PairId, pairId } from "../ids.ts";
import { actionId } from "../market/corporate-action.ts";
import type { Command } from "../state/command.ts";
import type { Moment } from "../state/moment.ts";
import { createTestProTerms } from "../testing/catalogue.ts";
import {
  createTestAccount,
  createTestLeg,
  createTestMarket,
  createTestPosition,
  TEST_TIME_MS,
} from "../testing/test-account.ts";
import { price, roundUsd, unixMs } from "../units.ts";
import { decide } from "./decide.ts";
import { hasDueWork } from "./pass-time.ts";

const BITCOIN = createTestPosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 50_000 });
const HOLDER = createTestAccount({ positions: [BITCOIN] });
const BTC = pairId("BTCUSD");
const ETH = pairId("ETHUSD");
const DAY_MS = 86_400_000;

/** A moment three days later, with a catalogue that does not contain a pair that the account holds. */
function later(): Moment {
  return laterAt(3_000);
}

/** The moment of `later`, with a quote of ETHUSD, the pair that the catalogue still contains, at the price `ether`. */
function laterAt(ether: number): Moment {
  const { instruments } = createTestMarket({});
  const known = new Map([...instruments].filter(([pair]) => pair !== BTC));
  const now = unixMs(TEST_TIME_MS + 3 * DAY_MS);
  const quote = { pair: ETH, bid: price(ether), ask: price(ether), atMs: now };
  return { now, instruments: known, quotes: new Map([[ETH, quote]]) };
}

describe("an account that holds a pair which no catalogue knows [D13.judges]", () => {
  test("an account with an unknown pair waits for its price, and nothing that looks for its due work fails", () => {
    const moment = later();
    expect(carryDueMs(HOLDER, moment.instruments)).toBeNull();
    expect(hasDueWork(HOLDER, moment)).toBe(true);
    expect(awaitedPrice(HOLDER, moment, "clock")).toEqual({ pair: BTC, reason: "missing" });
    expect(decide(HOLDER, { type: "passTime" }, moment)).toMatchObject({ ok: true });
  });

  test("an account that holds a pair which no catalogue knows is neither closed, eliminated, promoted nor offered a pro account, and the refusal names the pair", () => {
    const terms = createTestProTerms(roundUsd(200_000), roundUsd(100_000));
    const commands: readonly Command[] = [
      { type: "closeAccount", forfeit: true },
      { type: "eliminateAccount", reason: "by hand" },
      { type: "promote" },
      { type: "offerPro", terms },
    ];
    for (const command of commands) {
      expect(decide(HOLDER, command, later())).toMatchObject({
        ok: false,
        refusal: { code: "unknownPair", pair: BTC },
      });
    }
  });

  test("an account with an unknown pair keeps the exits of its other positions, and the stop of that pair waits", () => {
    const ether = createTestPosition({ pair: "ETHUSD", direction: "long", lots: 1, entry: 3_100 });
    const stops = [
      createTestLeg(BITCOIN, { stopLoss: price(49_000) }),
      createTestLeg(ether, { stopLoss: price(3_050) }),
    ];
    const moment = laterAt(3_000);
    const both = { ...HOLDER, positions: [BITCOIN, ether], orders: stops };
    const settled = decide(both, { type: "settlePrices" }, moment);
    expect(settled.ok && settled.value.filter(({ type }) => type === "orderFilled")).toMatchObject([
      { pair: ETH, kind: "stopLoss", effect: "close" },
    ]);
    const flat = decide(both, { type: "flatten", target: "all", pair: null }, moment);
    expect(flat.ok && flat.value.filter(({ type }) => type === "orderFilled")).toMatchObject([
      { pair: ETH, kind: "flatten", effect: "close" },
    ]);
  });

  test("an account with an unknown pair has the splits of its other pairs in time", () => {
    const ether = createTestPosition({ pair: "ETHUSD", direction: "long", lots: 1, entry: 3_100 });
    const splitOf = (pair: PairId, day: number) => ({
      id: actionId(`split of ${pair}`),
      pair,
      atMs: unixMs(TEST_TIME_MS + day * DAY_MS),
      announcedAtMs: TEST_TIME_MS,
      kind: "split" as const,
      newShares: 2,
      oldShares: 1,
    });
    const actions = new Map([
      [BTC, [splitOf(BTC, 1)]],
      [ETH, [splitOf(ETH, 2)]],
    ]);
    const held = { ...HOLDER, positions: [BITCOIN, ether] };
    const done = decide(held, { type: "passTime" }, { ...laterAt(1_500), actions });
    expect(done.ok && done.value).toMatchObject([{ type: "sharesSplit", pair: ETH }]);
  });
});
