import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../../../server/src/testing/harness.ts";
import { createOperatorCommand } from "../../testing/run-operator.ts";

let service: Harness;
beforeAll(async () => {
  service = await openHarness();
  await service.quote("BTCUSD", 50_000, 50_010);
  return () => service.close();
});

const prices = createOperatorCommand(() => `http://127.0.0.1:${service.port}`, "prices");

describe("propgate operator prices", () => {
  test("propgate operator prices halts a pair with a reason, lists it with its choice, and lifts the halt", async () => {
    const halted = await prices("halt", "btcusd", "--reason", "wrong prints", "--seen", "0");
    expect([halted.code, halted.stdout]).toEqual([0, "BTCUSD is halted\n"]);
    const { stdout } = await prices("list", "--state", "halted,missing");
    expect(stdout).toMatch(
      /^PAIR +STATE +SOURCE +BID +ASK +AGE +LAG +REJ +CHOICE\nBTCUSD +halted /,
    );
    expect(stdout).toContain("BTCUSD: halt by operator token root at ");
    const late = await prices("auto", "BTCUSD", "--seen", "0");
    expect([late.code, late.stderr]).toEqual([
      1,
      "propgate: operator token root has chosen halt for BTCUSD since; look at it again\n",
    ]);
    expect((await prices("auto", "BTCUSD")).stdout).toBe("BTCUSD uses its sources by priority\n");
    expect((await prices("list", "--pair", "BTCUSD")).stdout).toContain("live");
  });

  test("propgate operator prices list writes a file of the chosen fields", async () => {
    const given = ["--pair", "BTCUSD", "--fields", "pair,bid,ask", "--format", "csv"];
    expect((await prices("list", ...given)).stdout).toBe("pair,bid,ask\r\nBTCUSD,50000,50010\r\n");
  });

  test("an error names the option that was typed, and in JSON the field of the interface", async () => {
    const wrong = ["list", "--holders-min", "many"];
    const { code, stderr } = await prices(...wrong);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^propgate: --holders-min: /)]);
    const { stderr: json } = await prices(...wrong, "--json");
    expect(JSON.parse(json)).toMatchObject({
      error: expect.stringMatching(/^--holders-min: /),
      field: "holdersMin",
    });
  });

  test.each([
    [["halt", "BTCUSD"], "--reason"],
    [["use", "BTCUSD", "kraken"], "Prices are not live"],
    [["auto", "BTCUSD", "--seen", "x"], "--seen is not a whole number: x"],
  ])("%j is refused and names what is wrong", async (given, words) => {
    const { code, stderr } = await prices(...given);
    expect(code).not.toBe(0);
    expect(stderr).toContain(words);
  });
});
