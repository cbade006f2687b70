import { beforeAll, describe, expect, test } from "vitest";
import {
  type Harness,
  OPERATOR_TOKEN,
  openHarness,
} from "../../../../server/src/testing/harness.ts";
import { SHARE_CATALOGUE } from "../../../../server/src/testing/share-market.ts";
import { type CliResult, runCli } from "../../testing/run-cli.ts";

let service: Harness;
beforeAll(async () => {
  service = await openHarness({ isOperatorApart: true, instruments: SHARE_CATALOGUE });
  await service.quote("AAPL", 200, 200);
  return () => service.close();
});

const action = (...given: readonly string[]): Promise<CliResult> =>
  runCli(["operator", "corporate-actions", ...given], {
    env: {
      PROPGATE_OPERATOR_LISTEN: `127.0.0.1:${service.operatorPort}`,
      PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    },
  });

describe("propgate operator corporate-action", () => {
  test("propgate operator corporate-actions announces a split and a dividend, lists them and cancels one", async () => {
    expect((await action("list")).stdout).toBe("There is no corporate action.\n");
    const split = await action("split", "aapl", "--ratio", "4:1", "--at", "2026-12-01T14:30Z");
    expect([split.code, split.stderr]).toEqual([0, ""]);
    expect(split.stdout).toMatch(
      /^action +(\S+)\npair +AAPL\nwhat +split 4:1\nat +2026-12-01 14:30:00Z\nstatus +announced\n$/,
    );
    const dividend = ["dividend", "AAPL", "--amount", "0.24", "--at", "2026-12-02T09:30:00-05:00"];
    expect((await action(...dividend)).stdout).toMatch(/dividend 0\.24\nat +2026-12-02 14:30:00Z/);
    const [, id = ""] = /^action +(\S+)/.exec(split.stdout) ?? [];
    expect((await action("cancel", id)).stdout).toMatch(/status +cancelled/);
    const { stdout } = await action("list");
    const lines = stdout.split("\n").map((line) => line.replace(/ +/, " "));
    expect(lines.filter((line) => /^(what|status)/.test(line))).toEqual([
      "what dividend 0.24",
      "status announced",
      "what split 4:1",
      "status cancelled",
    ]);
  });

  test("a second split within seven days needs --again [D13.splitAgain]", async () => {
    const split = ["split", "AAPL", "--ratio", "4:1", "--at"];
    expect((await action(...split, "2027-02-01T14:30Z")).code).toBe(0);
    const second = await action(...split, "2027-02-01T14:31Z");
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringContaining("again: must be true"),
    ]);
    expect((await action(...split, "2027-02-01T14:31Z", "--again")).stdout).toMatch(/announced\n$/);
  });

  test.each([
    [["split", "AAPL", "--ratio", "4", "--at", "2026-12-01T14:30Z"], 2, "--ratio is not two whole"],
    [
      ["split", "AAPL", "--ratio", "4:1", "--at", "2026-12-01"],
      2,
      "--at is not a time with its zone",
    ],
    [["split", "AAPL", "--ratio", "2:2", "--at", "2026-12-05T14:30Z"], 2, "must differ"],
    [["dividend", "AAPL", "--amount", "much", "--at", "2026-12-05T14:30Z"], 2, "is not a number"],
    [["dividend", "BTCUSD", "--amount", "1", "--at", "2026-12-05T14:30Z"], 2, "is not an equity"],
  ])("%j is refused: %i", async (given, code, words) => {
    const result = await action(...given);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(words)]);
  });
});
