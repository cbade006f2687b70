import { expect, test } from "vitest";
import { readSettings, type Settings } from "../base/config.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { checkMadePrices, checkPriceOrigin } from "./price-origin.ts";

function settingsOf(environment: Readonly<Record<string, string>>): Settings {
  const reading = readSettings(environment);
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  return reading.settings;
}

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
    // Asking once does not ask for the next start.
    await expect(start(SIMULATED)).rejects.toThrow("live or pushed sources");
    // A node that makes no prices needs no sources.
    await start({ PROPGATE_ROLE: "api" });
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
    expect(() => checkMadePrices(settingsOf(environment))).toThrow(problem);
  },
);
