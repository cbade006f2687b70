import { expect, test } from "vitest";
import { readSettings } from "../../../../../base/src/config.ts";
import { openLog } from "../../../../../base/src/log.ts";
import { createSeededChance } from "../../../../../base/src/random.ts";
import {
  madeCatalogue,
  madeInstrument,
} from "../../../../../server/src/testing/made-instrument.ts";
import { createManualTime } from "../../../../../server/src/testing/manual-time.ts";
import { openVenues } from "../open-venues.ts";

const TOKEN = "push-token-of-tests-0123456789";

async function warningsOf(environment: Readonly<Record<string, string>>): Promise<string> {
  const reading = readSettings(environment);
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  const lines: string[] = [];
  await openVenues({
    ...createManualTime(1_700_000_000_000),
    settings: reading.settings,
    instruments: madeCatalogue(madeInstrument("BTCUSD")),
    symbols: new Map(),
    chance: createSeededChance("push"),
    log: openLog("warn", { write: (line) => void lines.push(line) }),
  });
  return lines.join("");
}

test.each([[{ PROPGATE_PUSH_TOKEN: TOKEN }], [{ PROPGATE_PUSH_LISTEN: "127.0.0.1:8790" }]])(
  "settings of pushed prices without push as a source are a warning: %j",
  async (environment) => {
    const warning = await warningsOf(environment);
    expect(warning).toContain("have no effect: PROPGATE_PRICES does not name push");
    expect(warning).not.toContain(TOKEN);
  },
);

test("a listener for pushed prices beyond this machine is a warning, and one of this machine is not", async () => {
  const push = { PROPGATE_PRICES: "push", PROPGATE_PUSH_TOKEN: TOKEN };
  for (const host of ["0.0.0.0", "[::]", "192.168.1.5"]) {
    expect(await warningsOf({ ...push, PROPGATE_PUSH_LISTEN: `${host}:8790` })).toContain(
      "unencrypted",
    );
  }
  for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
    expect(await warningsOf({ ...push, PROPGATE_PUSH_LISTEN: `${host}:8790` })).toBe("");
  }
  expect(await warningsOf(push)).toBe("");
});
