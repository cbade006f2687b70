import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { runCli } from "../testing/run-cli.ts";

const SECRET = "sk_test_0123456789abcdef0123456789abcdef";
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const TARGET = "/api/v1/trading/payouts?limit=2";

function signed(lines: readonly string[]): string {
  return `v1=${createHmac("sha256", SECRET).update(lines.join("\n")).digest("base64")}`;
}

const sent = (signature: string): readonly string[] => [
  ...["verify", "--method", "GET", "--target", TARGET, "--timestamp", "1700000000000"],
  ...["--nonce", "n1", "--signature", signature, "--now", "1700000000000"],
];
const env = { PROPGATE_SECRET: SECRET };

describe("propgate verify", () => {
  test("a right signature ends with 0", async () => {
    const signature = signed(["v1", "GET", TARGET, "1700000000000", "n1", EMPTY]);
    const { code, stdout } = await runCli(sent(signature), { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^The signature is valid/);
  });

  test("a query that was not signed is named, and it ends with 1", async () => {
    const signature = signed([
      "v1",
      "GET",
      "/api/v1/trading/payouts",
      "1700000000000",
      "n1",
      EMPTY,
    ]);
    const { code, stdout, stderr } = await runCli(sent(signature), { env });
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain("target: the query string was not signed");
    const json = await runCli([...sent(signature), "--json"], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({
      verdict: "wrong",
      findings: [{ part: "target", problem: "the query string was not signed" }],
    });
  });

  test("a file that holds no request is refused with what it should look like", async () => {
    const { code, stderr } = await runCli(["verify", "--request", "package.json"], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('does not begin with a request line but with "{"');
  });

  test("what is missing is named", async () => {
    const { code, stderr } = await runCli(["verify", "--method", "GET"], { env });
    expect(code).toBe(2);
    expect(stderr).toContain("--target is missing");
  });
});
