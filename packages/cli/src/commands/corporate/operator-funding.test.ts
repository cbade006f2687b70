import { beforeAll, describe, expect, test } from "vitest";
import {
  type Harness,
  OPERATOR_TOKEN,
  openHarness,
} from "../../../../server/src/testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { type CliResult, runCli } from "../../testing/run-cli.ts";

let service: Harness;
beforeAll(async () => {
  const perp = madeInstrument("BTCPERP", { carry: { kind: "everyHour", rate: null } });
  const instruments = madeCatalogue(madeInstrument("BTCUSD"), perp);
  service = await openHarness({ isOperatorApart: true, instruments });
  return () => service.close();
});

const funding = (...given: readonly string[]): Promise<CliResult> =>
  runCli(["operator", "funding", ...given], {
    env: {
      PROPGATE_OPERATOR_LISTEN: `127.0.0.1:${service.operatorPort}`,
      PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    },
  });

describe("propgate operator funding", () => {
  test("propgate operator funding sets rates above and below zero and lists them, newest hour first", async () => {
    expect((await funding("list")).stdout).toBe("No funding rate is stored.\n");
    const first = await funding("set", "btcperp", "0.0001", "--at", "2026-12-01T14:00Z");
    expect([first.code, first.stderr, first.stdout]).toEqual([
      0,
      "",
      "BTCPERP 0.0001 at 2026-12-01 14:00:00Z\n",
    ]);
    const below = ["set", "BTCPERP", "--at", "2026-12-01T10:00:00-05:00", "--", "-0.00003"];
    expect((await funding(...below)).stdout).toBe("BTCPERP -0.00003 at 2026-12-01 15:00:00Z\n");
    const lines = (await funding("list")).stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ["PAIR", "HOUR", "RATE", "SOURCE"],
      ["BTCPERP", "2026-12-01 15:00:00Z", "-0.00003", expect.any(String)],
      ["BTCPERP", "2026-12-01 14:00:00Z", "0.0001", expect.any(String)],
    ]);
    const { stdout } = await funding("list", "--json");
    expect(JSON.parse(stdout)).toMatchObject([{ rate: -0.00003 }, { rate: 0.0001 }]);
  });

  test("propgate operator funding withdraws a rate, and sets a large one only with --large [D13.fundingBounds] [D13.largeRate]", async () => {
    const at = ["--at", "2026-12-02T14:00Z"];
    await funding("set", "BTCPERP", "0.0001", ...at);
    expect((await funding("withdraw", "btcperp", ...at)).stdout).toBe(
      "BTCPERP 0.0001 at 2026-12-02 14:00:00Z withdrawn\n",
    );
    expect((await funding("set", "BTCPERP", "0.01", ...at)).code).toBe(1);
    expect((await funding("set", "BTCPERP", "0.01", ...at, "--large")).stdout).toBe(
      "BTCPERP 0.01 at 2026-12-02 14:00:00Z\n",
    );
  });

  test.each([
    [["set", "BTCPERP", "much", "--at", "2026-12-01T14:00Z"], 2, "<rate> is not a number"],
    [["set", "BTCPERP", "0.0001", "--at", "2026-12-01"], 2, "--at is not a time with its zone"],
    [["set", "BTCPERP", "0.0001", "--at", "2026-12-01T14:05Z"], 2, "must be a whole hour"],
    [["set", "BTCPERP", "2", "--at", "2026-12-01T14:00Z"], 2, "must be a number from -1 to 1"],
    [["set", "BTCPERP", "0.5", "--at", "2026-12-01T14:00Z"], 1, "beyond 0.75 %"],
    [["withdraw", "BTCPERP", "--at", "2026-12-01T20:00Z"], 1, "No operator set a rate"],
    [["set", "BTCUSD", "0.0001", "--at", "2026-12-01T14:00Z"], 2, "does not come from the source"],
  ])("%j is refused: %i", async (given, code, words) => {
    const result = await funding(...given);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(words)]);
  });
});
