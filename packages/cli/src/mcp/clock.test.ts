import { expect, onTestFinished, test } from "vitest";
import { startCli } from "../testing/background-cli.ts";
import { connectAgent } from "../testing/mcp-agent.ts";

test("an agent's first request at a sandbox of another date may be an order [D10.clockLearned]", async () => {
  const start = "2026-01-05T12:00:00Z";
  const running = await startCli(["sandbox", "--port", "0", "--start", start]);
  onTestFinished(async () => void (await running.stop("SIGKILL")));
  const ready = JSON.parse(running.firstLine) as Record<string, string>;
  const { baseUrl = "", controlUrl = "", controlToken = "", keyId = "", secret = "" } = ready;
  await fetch(`${controlUrl}/quotes`, {
    method: "POST",
    headers: { Authorization: `Bearer ${controlToken}` },
    body: JSON.stringify([{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]),
  });
  const caps = ["--allow-trading", "--pairs", "BTCUSD", "--max-notional", "5000"];
  const agent = await connectAgent({ baseUrl, keyId, secret }, caps);
  const trade = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 100 };
  const { data } = await agent.call("place_order", { trade });
  expect(data).toMatchObject({ fate: "accepted", result: { status: "filled" } });
});
