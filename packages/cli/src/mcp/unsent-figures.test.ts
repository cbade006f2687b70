import { beforeAll, expect, test } from "vitest";
import {
  openUnsentFiguresServer,
  type UnsentFiguresServer,
} from "../../../server/src/testing/unsent-figures.ts";
import {
  type AccountSandbox,
  type SandboxAccount,
  startAccountSandbox,
} from "../testing/account-sandbox.ts";
import { connectAgent } from "../testing/mcp-agent.ts";

const TRADING = ["--allow-trading", "--pairs", "BTCUSD", "--max-notional", "5000"];

let sandbox: AccountSandbox;
let network: UnsentFiguresServer;
let key: SandboxAccount;

beforeAll(async () => {
  sandbox = await startAccountSandbox();
  await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
  key = await sandbox.open();
  network = await openUnsentFiguresServer(key.baseUrl);
  return async () => {
    await network.close();
    await sandbox.stop();
  };
});

const order = (size: Readonly<Record<string, number>>) => ({
  trade: { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", ...size },
});

test("an agent reads null for what the network did not send, and the reason of what it does not offer", async () => {
  const agent = await connectAgent({ ...key, baseUrl: network.url });
  const { data, isError } = await agent.call("get_account");
  expect(isError).toBe(false);
  expect(data).toMatchObject({ account: { currentEquity: null }, challenge: { remaining: null } });
  const quotes = await agent.call("get_quotes");
  expect(quotes).toMatchObject({ isError: true, data: { code: "notOffered" } });
  expect(quotes.texts.join()).toContain("the network of this account has no prices");
});

test("a cap rejects an order whose value the network does not tell, and lets one in USD through", async () => {
  const agent = await connectAgent({ ...key, baseUrl: network.url }, TRADING);
  for (const size of [{ quantity: 0.01 }, { leverage: 0.01 }]) {
    const refused = await agent.call("place_order", order(size));
    expect(refused.isError).toBe(true);
    expect(refused.texts.join()).toContain("value in USD is unknown");
  }
  const placed = await agent.call("place_order", order({ value: 500 }));
  expect(placed).toMatchObject({ isError: false, data: { fate: "accepted" } });
});
