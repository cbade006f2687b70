import type { OperatorEvents } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../../server/src/testing/harness.ts";
import { createOperatorCommand } from "../testing/run-operator.ts";

let service: Harness;

beforeAll(async () => {
  service = await openHarness();
  await service.quote("BTCUSD", 50_000, 50_000);
  const order = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 100 };
  expect((await service.order(order)).status).toBe(200);
  return () => service.close();
});

const run = createOperatorCommand(() => `http://127.0.0.1:${service.port}`, "events");

describe("propgate operator events", () => {
  test("list prints a page and the place of the next one [D9.firehose]", async () => {
    const json = await run("list", "--after", "0", "--json");
    const page = JSON.parse(json.stdout) as OperatorEvents;
    expect(page.items.map(({ type }) => type)).toEqual(["account.opened", "order.filled"]);
    const one = await run("list", "--after", "0", "--limit", "1");
    expect([one.code, one.stdout]).toEqual([
      0,
      expect.stringMatching(/account\.opened[\s\S]*\nNext {2}--after [\w-]+\n$/),
    ]);
    const rest = await run("list", "--after", "0", "--types", "order.filled");
    expect(rest.stdout).toContain("order.filled");
    expect(rest.stdout).not.toContain("account.opened");
    const end = await run("list", "--after", page.next);
    expect(end.stdout).toBe(`No events.\n\nNext  --after ${page.next}\n`);
  });

  test("a list with a format writes the file to standard output and ends with the next place [D9.firehose]", async () => {
    const whole = await run("list", "--format", "ndjson");
    const [, next = ""] = /^next ([\w-]+)\n$/.exec(whole.stderr) ?? [];
    expect(next).not.toBe("");
    const lines = whole.stdout.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      "account.opened",
      "order.filled",
    ]);
    const csv = await run("list", "--format", "csv", "--account", service.accountId);
    expect(csv.stdout.split("\r\n")).toHaveLength(4);
    expect(csv.stdout).toMatch(/^accountId,externalId,ownerId,/);
    const later = await run("list", "--format", "csv", "--after", next);
    expect([later.stdout.split("\r\n").length, later.stderr]).toEqual([2, `next ${next}\n`]);
  });

  test.each([
    [["--after", "41"], "--after: must be the `next` of a page, or 0 for the first event"],
    [["--types", "filled"], '--types: "filled" is not a type of event'],
    [["--account", "41"], "--account is not an account's id: 41"],
    [["--program", ""], "--program is empty"],
  ])("a file with %j ends with 2, the option's name and no file", async (options, problem) => {
    const { code, stdout, stderr } = await run("list", "--format", "csv", ...options);
    expect([code, stdout, stderr.split("\n")[0]]).toEqual([2, "", `propgate: ${problem}`]);
  });
});
