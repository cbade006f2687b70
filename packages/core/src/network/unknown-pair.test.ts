import { describe, expect, test } from "vitest";
import { carryDueMs } from "../account/charge-carry.ts";
import { awaitedPrice } from "../account/judging-price.ts";
import { pairId } from "../ids.ts";
import type { Command } from "../state/command.ts";
import type { Moment } from "../state/moment.ts";
import { AT, madeAccount, madeMarket, madePosition } from "../testing/made-account.ts";
import { unixMs } from "../units.ts";
import { decide } from "./decide.ts";
import { hasDueWork } from "./pass-time.ts";

const HOLDER = madeAccount({
  positions: [madePosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 50_000 })],
});
const BTC = pairId("BTCUSD");

/** Three days later, by a catalogue that does not know the pair that the account holds. */
function later(): Moment {
  const { instruments, quotes } = madeMarket({ ETHUSD: 3_000 });
  const known = new Map([...instruments].filter(([pair]) => pair !== BTC));
  const now = unixMs(AT + 3 * 86_400_000);
  return { now, instruments: known, quotes };
}

describe("an account that holds a pair which no catalogue knows [D13.judges]", () => {
  test("waits for its price, and nothing that looks for its due work fails", () => {
    const moment = later();
    expect(carryDueMs(HOLDER, moment.instruments)).toBeNull();
    expect(hasDueWork(HOLDER, moment)).toBe(true);
    expect(awaitedPrice(HOLDER, moment, "clock")).toEqual({ pair: BTC, reason: "missing" });
    expect(decide(HOLDER, { type: "passTime" }, moment)).toMatchObject({ ok: true });
  });

  test("is neither closed nor eliminated by the operator, and the refusal names the pair", () => {
    const commands: readonly Command[] = [
      { type: "closeAccount", forfeit: true },
      { type: "eliminateAccount", reason: "by hand" },
    ];
    for (const command of commands) {
      expect(decide(HOLDER, command, later())).toMatchObject({
        ok: false,
        refusal: { code: "unknownPair", pair: BTC },
      });
    }
  });
});
