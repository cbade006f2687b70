import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../../server/src/testing/harness.ts";
import { type CliResult, runCli } from "../testing/run-cli.ts";

let service: Harness;
beforeAll(async () => {
  service = await openHarness({ isOperatorApart: true });
  return () => service.close();
});

const webhook = (...given: readonly string[]): Promise<CliResult> =>
  runCli(["operator", "webhooks", ...given], {
    env: {
      PROPGATE_OPERATOR_LISTEN: `127.0.0.1:${service.operatorPort}`,
      PROPGATE_BASE_URL: `http://127.0.0.1:${service.port}`,
      PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    },
  });
const made = async (...given: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await webhook("create", "https://example.invalid/hook", ...given);
  const id = /wh_[0-9a-f]{32}/.exec(stdout)?.[0];
  if (id === undefined) throw new Error(stderr);
  return id;
};

describe("propgate operator webhooks", () => {
  test("propgate operator webhooks creates a webhook, shows its secret once, changes it and deletes it", async () => {
    const { stdout } = await webhook("create", "https://example.invalid/hook", "--label", "shop");
    expect(stdout).toMatch(/\n\nThe secret is shown only once:\n {2}whsec_[\w+/]{43}=\n$/);
    const id = /wh_[0-9a-f]{32}/.exec(stdout)?.[0] ?? "";
    const list = await webhook("list");
    expect(list.stdout).toContain("https://example.invalid/…hook");
    expect(list.stdout).not.toContain("whsec_");
    const changed = await webhook("update", id, "--types", "order.filled", "--no-enabled");
    expect(changed.stdout).toMatch(/types +order\.filled\n.*state +disabled \(operator\)\n/s);
    const signed = await webhook("update", id, "--signatures", "v1,v1a");
    expect(signed.stdout).toMatch(/signatures +v1, v1a\n/);
    const program = await webhook("create", "https://example.invalid/p", "--program", "classic");
    expect(program.stdout).toMatch(/program +classic\nsignatures +v1\n/);
    expect((await webhook("rotate", id, "--overlap-hours", "1")).stdout).toContain("whsec_");
    expect((await webhook("delete", id)).stdout).toBe(`${id} deleted\n`);
    expect((await webhook("lanes", id)).stderr).toBe("propgate: Webhook not found\n");
  });

  test("propgate operator webhooks shows lanes and attempts, and moves lanes", async () => {
    const id = await made("--no-enabled");
    const tried = await webhook("test", id);
    expect(tried.stdout).toMatch(/^result +dns\n/);
    expect((await webhook("deliveries", id)).stdout).toMatch(/evt_test_[0-9a-f]{32}/);
    expect((await webhook("lanes", id)).code).toBe(0);
    expect((await webhook("resume", id)).stdout).toContain(id);
    expect((await webhook("replay", id, "--from-sequence", "1")).stdout).toContain(id);
    expect((await webhook("replay", id, "--from-time", "2026-01-05T00:00:00Z")).code).toBe(0);
    const ofOwner = ["--owner", "nobody", "--from-sequence", "1"];
    expect((await webhook("replay", id, ...ofOwner)).stderr).toContain("no lane for that account");
    expect((await webhook("resume", id, "--owner", "null")).stdout).toContain(id);
    expect((await webhook("send", id, "evt_1")).stderr).toContain("Event not found");
  });

  test.each([
    [["create", "http://example.com/x"], "<address>: must use https"],
    [["create", "https://example.com/x", "--types", "order.filed"], '--types: names "order.filed"'],
    [
      ["create", "https://example.com/x", "--program", "gold"],
      "--program: there is no such program",
    ],
    [["rotate", "wh_1", "--overlap-hours", "x"], "--overlap-hours must be whole hours, not x"],
    [["replay", "wh_1"], "--from-sequence"],
    [["replay", "wh_1", "--from-time", "noon"], "--from-time is not a time with its zone: noon"],
  ])("%j is refused by the name of what was typed", async (given, words) => {
    expect((await webhook(...given)).stderr).toContain(words);
  });
});
