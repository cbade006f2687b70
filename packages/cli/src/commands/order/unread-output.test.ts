import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { startVerifyingServer } from "../../../../sdk/src/testing/verifying-server.ts";
import { CLI_COMMAND, withoutPropgateVariables } from "../../testing/run-cli.ts";

const SECRET = "its-secret";
const ORDER = ["order", "market", "BTCUSD", "long", "--value", "50", "--yes"];

/** Runs the command with a standard output that its reader has closed. */
async function runUnread(baseUrl: string, given: readonly string[]) {
  const env = {
    ...withoutPropgateVariables(process.env),
    PROPGATE_BASE_URL: baseUrl,
    PROPGATE_KEY_ID: "pk_1",
    PROPGATE_SECRET: SECRET,
  };
  const child = spawn(process.execPath, [...CLI_COMMAND, ...given], { env, stdio: "pipe" });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return { code, stderr };
}

test("an order ends with the exit code of its fate when standard output is closed, and keeps the nonce", async () => {
  const refusal = { status: 400, body: { error: "The market for BTC/USD is closed" } };
  const refusing = await startVerifyingServer({ secret: SECRET, replies: [refusal] });
  // A key without the read scope cannot find out the fate of an order.
  const replies = ["hang up", { status: 403, body: { error: "insufficient_scope" } }] as const;
  const silent = await startVerifyingServer({ secret: SECRET, replies });
  onTestFinished(async () => void (await Promise.all([refusing.close(), silent.close()])));
  expect(await runUnread(refusing.baseUrl, ORDER)).toEqual({ code: 1, stderr: "" });
  const { code, stderr } = await runUnread(silent.baseUrl, ORDER);
  expect([code, silent.received[0]?.target]).toEqual([6, "/api/v1/trading/orders"]);
  expect(stderr).toContain(`settle ${silent.received[0]?.nonce}`);
});

test("a command that reads ends with 0 when standard output is closed", async () => {
  const body = { success: true, data: [] };
  const service = await startVerifyingServer({ secret: SECRET, replies: [{ status: 200, body }] });
  onTestFinished(() => service.close());
  expect(await runUnread(service.baseUrl, ["trades"])).toEqual({ code: 0, stderr: "" });
});
