import { createServer } from "node:http";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type CliSandbox, openCliSandbox } from "../../testing/cli-sandbox.ts";

let sandbox: CliSandbox;

beforeAll(async () => {
  sandbox = await openCliSandbox();
  return () => sandbox.close();
});
// The sandbox's clock runs, and a quote is stale after a minute, so each test begins with a fresh one.
beforeEach(async () => {
  await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
});

const MARKET = ["order", "market", "BTCUSD", "long", "--quantity", "0.1"] as const;

async function pending(): Promise<readonly Record<string, unknown>[]> {
  return (await sandbox.json("orders")) as readonly Record<string, unknown>[];
}

describe("an order", () => {
  test("--dry-run prints body and headers, never the secret, and sends no order", async () => {
    const { code, stdout } = await sandbox.run(...MARKET, "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toContain(
      '{"trade":{"execution_type":"MARKET","trade_pair":"BTCUSD","order_type":"LONG","quantity":0.1}}',
    );
    expect(stdout).toMatch(/^X-Service-Signature: v1=\S{44}$/m);
    expect(stdout).not.toContain(sandbox.secret);
    expect(await sandbox.json("positions")).toEqual([]);
  });

  test("an order without --yes is rejected when standard input is not a terminal", async () => {
    const { code, stdout, stderr } = await sandbox.run(...MARKET);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Add --yes");
    expect(await sandbox.json("positions")).toEqual([]);
  });

  test("an order is filled, given a bracket, edited, cancelled and flattened", async () => {
    expect(await sandbox.json(...MARKET, "--yes")).toMatchObject({
      fate: "accepted",
      result: { order: { filled: true, quantity: 0.1 } },
    });
    const bracket = ["order", "bracket", "BTCUSD", "--stop", "49000", "--target", "52000", "-y"];
    expect(await sandbox.json(...bracket)).toMatchObject({ fate: "accepted" });
    const [leg] = await pending();
    expect(leg).toMatchObject({ executionType: "BRACKET", stopLoss: 49_000, takeProfit: 52_000 });
    await sandbox.json("order", "edit", String(leg?.orderUuid), "--stop", "49500", "--yes");
    expect((await pending())[0]).toMatchObject({ stopLoss: 49_500, takeProfit: 52_000 });
    const id = String(leg?.orderUuid);
    expect(await sandbox.json("order", "cancel", id, "--yes")).toMatchObject({ fate: "accepted" });
    expect(await pending()).toEqual([]);
    const [position] = (await sandbox.json("positions")) as readonly { positionUuid: string }[];
    const short = position?.positionUuid.slice(0, 8) ?? "";
    expect(await sandbox.json("order", "flat", short, "--yes")).toMatchObject({ fate: "accepted" });
    expect(await sandbox.json("positions")).toEqual([]);
  });

  test("limit and stop-limit orders stay pending, and an edit keeps the other fields", async () => {
    const limit = ["order", "limit", "BTCUSD", "long", "--price", "45000", "--value", "5000"];
    const placed = await sandbox.run(...limit, "--stop", "44000", "--yes");
    expect(placed.stdout).toMatch(
      /^accepted\nid +\S+\norder +LIMIT LONG BTC\/USD\nstate +pending\n/,
    );
    const [order] = await pending();
    await sandbox.json("order", "edit", String(order?.orderUuid), "--price", "45500", "--yes");
    const [edited] = await pending();
    expect(edited).toMatchObject({ limitPrice: 45_500, value: 5000, stopLoss: 44_000 });
    const stopLimit = ["order", "stop-limit", "BTCUSD", "long", "--price", "56000"];
    await sandbox.json(
      ...stopLimit,
      "--trigger",
      "55000",
      "--when",
      "above",
      "--leverage",
      "0.1",
      "-y",
    );
    expect(await pending()).toHaveLength(2);
    const { code, stdout } = await sandbox.run("order", "cancel", "--all", "--yes");
    expect([code, stdout.split("\n")[0]]).toEqual([0, "accepted"]);
    expect(await pending()).toEqual([]);
  });

  test("an order that the service rejects ends with 1 and the service's text", async () => {
    const { code, stdout } = await sandbox.run(
      ...["order", "market", "NOPEUSD", "long", "--quantity", "1", "--yes"],
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^rejected: 400 .*\nNothing was changed\.\n/);
  });

  test("an order without an answer shows the search for its fate and ends with 6", async () => {
    const silent = createServer((request) => void request.socket.destroy());
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close());
    const address = silent.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { code, stdout, stderr } = await sandbox.run(
      ...[...MARKET, "--yes", "--settle-timeout", "2", "--url", `http://127.0.0.1:${port}`],
    );
    expect(code).toBe(6);
    const [, nonce = ""] = /^nonce {2}(\S+)$/m.exec(stdout) ?? [];
    expect(stdout).toMatch(/^unknown: /);
    expect(stderr.split("\n")[0]).toMatch(
      new RegExp(`^finding out the order's fate, \\d s left: no answer .* \\(nonce ${nonce}\\)$`),
    );
  });

  test.each([
    [["market", "BTCUSD", "up", "--quantity", "1"], "not a side: up"],
    [["market", "BTCUSD", "long", "--quantity", "1e3"], "--quantity must be a number above 0"],
    [["market", "BTCUSD", "long"], "'leverage', 'value', or 'quantity' must be provided"],
    [
      ["market", "BTCUSD", "long", "--quantity", "1", "--value", "5"],
      "Give exactly one of --quantity, --value and --leverage.",
    ],
    [["bracket", "BTCUSD", "--trailing-percent", "3"], "It is a share: 0.03 is 3 %."],
    [["bracket", "BTCUSD", "--leg", "target=60000,share=50"], "It is a share: 0.03 is 3 %."],
    [["limit", "BTCUSD", "long", "--quantity", "1"], "required option '--price <price>'"],
    [["cancel"], "no order was named"],
    [["cancel", "--all", "x"], "--all and ids exclude each other"],
    [["bracket", "BTCUSD"], "stop_loss"],
  ])("%j is rejected before anything is sent, with exit code 2", async (given, words) => {
    const { code, stdout, stderr } = await sandbox.run("order", ...given, "--yes");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
  });

  test("an edit of an order that is not pending ends with 1", async () => {
    const { code, stderr } = await sandbox.run("order", "edit", "nothing", "--price", "1", "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain("no pending order has the id nothing");
  });
});
