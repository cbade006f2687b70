import type { Account } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import type { AccountReading } from "../../../ledger/src/trading/network/port.ts";
import { accountView } from "../../../wire/src/views/account.ts";
import {
  type ScriptedAccount,
  scriptedFundedAccount,
  scriptedProChallenge,
} from "../testing/scripted-account.ts";
import { unreachableNetwork } from "../testing/unreachable-network.ts";
import { createFaultBoard } from "./faults.ts";
import { withFaults } from "./faulty-network.ts";

/** Reads the account while the statistics are down. */
async function readStale(account: ScriptedAccount): Promise<Account> {
  const board = createFaultBoard();
  board.set({ stats: "down" });
  const value: AccountReading = account.reading();
  const sound = { ...unreachableNetwork, account: async () => ({ ok: true, value }) as const };
  const { accountId } = value.snapshot;
  const reading = await withFaults(sound, board).account({ accountId, version: 1 });
  if (!reading.ok) throw new Error(`balances that can be read, not ${reading.error}`);
  return accountView(reading.value);
}

describe("while the statistics are down [D4.stale]", () => {
  test("what they tell is unknown, balances and limits stay", async () => {
    const sound = accountView(scriptedProChallenge().reading());
    const objectives = sound.proTrack?.objectives.map((one) => ({
      ...one,
      value: null,
      met: null,
    }));
    expect(await readStale(scriptedProChallenge())).toEqual({
      ...sound,
      meta: { ...sound.meta, stale: true },
      performance: { ...sound.performance, dailyReturns: [] },
      proTrack: {
        ...sound.proTrack,
        hasStats: false,
        evaluated: false,
        objectives,
        maxDrawdownPercent: 0,
      },
      tradingDays: null,
    });
  });

  test("an account off the track is stale all the same", async () => {
    const { meta, proTrack } = await readStale(scriptedFundedAccount());
    expect([meta.stale, proTrack]).toEqual([true, null]);
  });
});
