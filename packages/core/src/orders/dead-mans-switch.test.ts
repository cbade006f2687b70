import { describe, expect, test } from "vitest";
import { evolve } from "../evolve/evolve.ts";
import { decide } from "../network/decide.ts";
import type { AccountState } from "../state/account.ts";
import { createTestAccount, createTestMarket, TEST_TIME_MS } from "../testing/test-account.ts";
import { unixMs } from "../units.ts";

const SECOND_MS = 1_000;
/** The client arms the switch so that it acts this many milliseconds after the first call. */
const DEADLINE_AFTER_MS = 600 * SECOND_MS;
/** The time between two calls. A second is not a multiple of it, so the calls come at varying times within a second. */
const EVERY_MS = 137;

describe("a dead man's switch whose client aims at one time, in whole seconds [D12.smallRenewal]", () => {
  test("a dead man's switch of a client that aims at one time writes a line only for a deadline that is sooner than all before", () => {
    const { instruments, quotes } = createTestMarket({});
    let state: AccountState = createTestAccount();
    let lines = 0;
    let calls = 0;
    for (let passedMs = 0; DEADLINE_AFTER_MS - passedMs >= 20 * SECOND_MS; passedMs += EVERY_MS) {
      const moment = { now: unixMs(TEST_TIME_MS + passedMs), instruments, quotes };
      const afterMs = Math.floor((DEADLINE_AFTER_MS - passedMs) / SECOND_MS) * SECOND_MS;
      const command = { type: "cancelAllAfter", afterMs, action: "cancel" } as const;
      const decision = decide(state, command, moment);
      if (!decision.ok) throw new Error(decision.refusal.code);
      calls += 1;
      lines += decision.value.length;
      for (const event of decision.value) state = evolve(state, event);
      // A request for an earlier deadline always takes effect.
      expect(state.armedSwitch?.atMs).toBeLessThanOrEqual(moment.now + afterMs);
    }
    expect(calls).toBeGreaterThan(4_000);
    expect(lines).toBeLessThan(25);
  });
});
