/** Buys for a quarter of the balance with a trailing stop, unless a position is open or 2 % has been lost today. */
import { env } from "node:process";
import { createClient } from "@propgate/sdk";

const { PROPGATE_BASE_URL: baseUrl = "http://127.0.0.1:8787" } = env;
const { PROPGATE_KEY_ID: keyId = "", PROPGATE_SECRET: secret = "", PAIR: pair = "BTCUSD" } = env;
const client = createClient({ baseUrl, keyId, secret, strict: true });

async function round(): Promise<string> {
  const { drawdownRules } = await client.account();
  const held = (await client.positions()).find(({ tradePair }) => tradePair === pair);
  if (held !== undefined) return `holding ${held.netQuantity} ${pair}, stop at ${held.stopLoss}`;
  const lostPct = drawdownRules?.dailyLoss.usedPct ?? null;
  if (lostPct === null) return "today's loss is unknown: not trading";
  if (lostPct >= 2) return `lost ${lostPct.toFixed(2)} % today: stopping until tomorrow`;
  const outcome = await client.placeOrder({
    trade: {
      execution_type: "MARKET",
      trade_pair: pair,
      order_type: "LONG",
      leverage: 0.25,
      trailing_stop: { trailing_percent: 0.05 },
    },
  });
  if (outcome.fate !== "accepted") return `${outcome.fate}: ${outcome.reason}`;
  const order = outcome.result?.order;
  return `bought ${order?.quantity} ${pair} at ${order?.price}`;
}

console.log(await round());
