import { createClient } from "@propgate/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { startCli } from "../testing/background-cli.ts";
import { runCli } from "../testing/run-cli.ts";

describe("propgate sandbox", () => {
  test("prints one line of JSON with all that a caller needs, and trades at given prices", async () => {
    const start = "2026-01-05T12:00:00Z";
    const running = await startCli(["sandbox", "--port", "0", "--start", start, "--seed", "7"]);
    onTestFinished(async () => void (await running.stop("SIGKILL")));
    const ready = JSON.parse(running.firstLine) as Record<string, string>;
    expect(Object.keys(ready)).toEqual([
      "baseUrl",
      "controlUrl",
      "controlToken",
      "accountId",
      "keyId",
      "secret",
    ]);
    const { baseUrl = "", controlUrl = "", controlToken = "", keyId = "", secret = "" } = ready;
    const control = async (path: string, body: unknown): Promise<unknown> => {
      const response = await fetch(`${controlUrl}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${controlToken}` },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(200);
      return response.json();
    };
    await control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
    const now = (): number => Date.parse(start);
    const client = createClient({ baseUrl, keyId, secret, now });
    const trade = {
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      quantity: 0.1,
    } as const;
    const placed = await client.placeOrder({ trade });
    expect(placed.order).toMatchObject({ filled: true, quantity: 0.1 });
    expect(await control("/clock", { advance: 1000 })).toEqual({ now: Date.parse(start) + 1000 });
    expect(running.said().stdout.trim().split("\n")).toHaveLength(1);
    expect(await running.stop()).toBe(0);
  });

  test.each([
    [["--start", "yesterday"], "--start is no time"],
    [["--start", "1726000000000"], "--start is no time"],
    [["--clock", "slow"], "frozen, real"],
    [["--port", "-1"], "--port must be"],
  ])("%j: 2, and it is named", async (given, words) => {
    const { code, stdout, stderr } = await runCli(["sandbox", ...given]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
  });
});
