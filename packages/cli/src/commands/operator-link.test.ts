import { beforeAll, expect, test } from "vitest";
import {
  type LinkedService,
  openLinkedService,
} from "../../../server/src/testing/linked-service.ts";
import { createOperatorCommand } from "../testing/run-operator.ts";

let service: LinkedService;
let hotkey = "";

beforeAll(async () => {
  service = await openLinkedService();
  ({ hotkey } = await service.standIn.control.addSubaccount({}));
  return () => service.close();
});

const operator = createOperatorCommand(() => `http://127.0.0.1:${service.harness.port}`);

test("a subaccount is linked, listed with its network, and counted by health", async () => {
  const link = [
    "accounts",
    "link",
    "--subaccount",
    hotkey,
    "--owner",
    "trader-1",
    "--new-owner",
  ] as const;
  const linked = await operator(...link, "--split", "80");
  expect([linked.code, linked.stderr]).toEqual([0, ""]);
  const [, id = ""] = /^account +([0-9a-f-]{36})$/m.exec(linked.stdout) ?? [];
  expect(linked.stdout).toContain(`operator keys create --account ${id}`);
  const list = await operator("accounts", "list");
  expect(list.stdout).toMatch(/vanta/);
  expect(list.stdout).toMatch(/embedded/);
  const health = await operator("health");
  expect(health.stdout).toMatch(/^validator +reachable, \d+ calls in flight$/m);
  expect(health.stdout).toMatch(/^linked accounts +1$/m);
  expect(health.stdout).not.toMatch(/null|undefined|NaN/);
});

test.each([
  [["--subaccount", "999", "--owner", "trader-1", "--new-owner"], 2, /subaccount: is not known/],
  [["--subaccount", "0", "--owner", "t", "--split", "eighty"], 2, /--split is not a number/],
  [["--subaccount", "0", "--owner", "t", "--new-owner", "--split", "0"], 2, /--split: must be/],
  [["--owner", "trader-1"], 2, /--subaccount/],
])("link %j ends with %i and names the field", async (given, exit, error) => {
  const { code, stderr } = await operator("accounts", "link", ...given);
  expect([code, stderr]).toEqual([exit, expect.stringMatching(error)]);
});

test("a deed that only the service's own network has ends with 1 and the reason", async () => {
  const { accountId } = await service.newLinked();
  const promoted = await operator("accounts", "promote", accountId, "--phase", "challenge");
  expect([promoted.code, promoted.stderr]).toEqual([
    1,
    expect.stringContaining("The validator promotes the accounts on it"),
  ]);
  const closed = await operator("accounts", "close", accountId);
  expect(closed.stdout).toBe(`${accountId} closed\n`);
});
