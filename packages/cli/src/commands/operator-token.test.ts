import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../../server/src/testing/harness.ts";
import { type CliResult, runCli } from "../testing/run-cli.ts";

let service: Harness;
beforeAll(async () => {
  service = await openHarness({ isOperatorApart: true });
  return () => service.close();
});

const operator = (given: readonly string[], token = OPERATOR_TOKEN): Promise<CliResult> =>
  runCli(["operator", ...given], {
    env: {
      PROPGATE_OPERATOR_LISTEN: `127.0.0.1:${service.operatorPort}`,
      PROPGATE_BASE_URL: `http://127.0.0.1:${service.port}`,
      PROPGATE_OPERATOR_TOKEN: token,
    },
  });

describe("propgate operator token", () => {
  test("propgate operator tokens adds a token, shows it once, lists and revokes it, at the operator's own listener", async () => {
    const added = await operator(["tokens", "add", "ci", "--expires", "12h"]);
    expect([added.code, added.stderr]).toEqual([0, ""]);
    expect(added.stdout).toMatch(/^name +ci\nexpires +2026-01-06 00:00:00Z\n/);
    const token = /PROPGATE_OPERATOR_TOKEN=(propgate_op_[\w-]{49})\n/.exec(added.stdout)?.[1] ?? "";
    expect((await operator(["accounts", "list"], token)).code).toBe(0);
    const own = await operator(["tokens", "add", "second"], token);
    expect([own.code, own.stderr]).toEqual([
      1,
      "propgate: A named operator token may not do this; use the root token, or sign in as an operator\n",
    ]);
    const { stdout } = await operator(["tokens", "list"]);
    expect(stdout).toMatch(/^NAME +STATE +EXPIRES +LAST USED +FROM\nci +(expired|active) /);
    expect(stdout).not.toContain(token);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect((await operator(["tokens", "revoke", "ci"])).stdout).toBe("ci revoked\n");
    const late = await operator(["accounts", "list"], token);
    expect([late.code, late.stderr.split("\n")[0]]).toEqual([
      4,
      "propgate: Operator token missing or wrong",
    ]);
  });

  test.each([
    ["tomorrow", "--expires is not a number of hours or days: tomorrow"],
    ["367d", "--expires: must be whole hours from 1 to 8784"],
  ])("--expires %s is refused: 2", async (expires, words) => {
    const { code, stderr } = await operator(["tokens", "add", "x", "--expires", expires]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
