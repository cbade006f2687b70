import { unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { readSettings, type Settings } from "../../../base/src/config.ts";
import { createCountingNetwork, TEST_NOON } from "../testing/counting-network.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { checkBuiltInPrices, checkOwnTime, checkPriceOrigin } from "./price-origin.ts";

function settingsOf(environment: Readonly<Record<string, string>>): Settings {
  const reading = readSettings(environment);
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  return reading.settings;
}

const DAY_MS = 86_400_000;
const SIMULATED = {};
const REPLAYED = { PROPGATE_REPLAY: "btc.csv" };

await describeOnEachDatabase("where prices come from", (database) => {
  const start = (environment: Readonly<Record<string, string>>) =>
    checkPriceOrigin(database(), settingsOf(environment));

  test("data that had live prices start with made ones only when these are asked for by name [D13.priceOrigin]", async () => {
    await start(SIMULATED);
    await start(REPLAYED);
    await start({ PROPGATE_PRICES: "simulated" });
    await start(SIMULATED);
    await start({ PROPGATE_PRICES: "push", PROPGATE_PUSH_TOKEN: "token-of-tests-0123456789" });
    await expect(start(SIMULATED)).rejects.toMatchObject({
      name: "UnfitSettings",
      message: expect.stringContaining("PROPGATE_PRICES is not set, so they would be simulated"),
      fix: expect.stringContaining("--prices simulated"),
    });
    await expect(start(REPLAYED)).rejects.toMatchObject({
      fix: expect.stringContaining("--prices replay"),
    });
    await start({ PROPGATE_PRICES: "simulated" });
    await start({ ...REPLAYED, PROPGATE_PRICES: "replay" });
    // A price source that was chosen by name at one start is not chosen for the next start.
    await expect(start(SIMULATED)).rejects.toThrow("live or pushed sources");
    // A node that makes no prices needs no sources.
    await start({ PROPGATE_ROLE: "api" });
  });

  test("a recording with its own time does not begin before the newest line of the data [D12.lineTime] [D12.recordingTime]", async () => {
    const own = settingsOf({ ...REPLAYED, PROPGATE_REPLAY_REBASE: "own" });
    const begin = (settings: Settings, byMs: number) =>
      checkOwnTime([database()], settings, unixMs(TEST_NOON + byMs));
    await begin(own, -DAY_MS);
    await createCountingNetwork(database()).open();
    await expect(begin(own, -1)).rejects.toMatchObject({
      name: "CannotStart",
      message:
        "The recording begins at 2026-01-05T11:59:59.999Z, and the data have a journal line of 2026-01-05T12:00:00.000Z",
    });
    await begin(own, 0);
    await begin(settingsOf(REPLAYED), -DAY_MS);
  });
});

test.each([
  [
    { PROPGATE_PRICES: "simulated", ...REPLAYED },
    "PROPGATE_PRICES is simulated and PROPGATE_REPLAY is set",
  ],
  [{ PROPGATE_PRICES: "replay" }, "PROPGATE_REPLAY names no recording"],
])(
  "names of made prices that other settings contradict stop a start: %j [D13.priceOrigin]",
  (environment, problem) => {
    expect(() => checkBuiltInPrices(settingsOf(environment))).toThrow(problem);
  },
);
