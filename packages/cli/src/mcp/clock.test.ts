import { expect, onTestFinished, test } from "vitest";
import { startAccountSandbox } from "../testing/account-sandbox.ts";
import { connectAgent } from "../testing/mcp-agent.ts";

test("an agent's first request at a sandbox of another date may be an order [D10.clockLearned]", async () => {
  const sandbox = await startAccountSandbox(Date.UTC(2026, 0, 5, 12));
  onTestFinished(() => sandbox.stop());
  await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
  const caps = ["--allow-trading", "--pairs", "BTCUSD", "--max-notional", "5000"];
  const agent = await connectAgent(await sandbox.open(), caps);
  const trade = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 100 };
  const { data } = await agent.call("place_order", { trade });
  expect(data).toMatchObject({ fate: "accepted", result: { status: "filled" } });
});
