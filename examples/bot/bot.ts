/**
 * One round of a small bot: holds a quarter of the balance in bitcoin behind a trailing stop, and
 * leaves off for the day when 2 % of it are lost. Run it as often as you like, from a checkout:
 *
 *   export PROPGATE_KEY_ID=pk_... PROPGATE_SECRET=sk_...
 *   node --conditions=@propgate/source examples/bot/bot.ts
 *
 * It keeps nothing between rounds: what it holds is what the service says. That also makes it safe
 * to run again after an order whose fate is unknown.
 */
import { env } from "node:process";
import { createClient } from "@propgate/sdk";

const PAIR = env.PAIR ?? "BTCUSD";
const ENOUGH_LOST_PCT = 2;

const client = createClient({
  baseUrl: env.PROPGATE_BASE_URL ?? "http://127.0.0.1:8787",
  keyId: env.PROPGATE_KEY_ID ?? "",
  secret: env.PROPGATE_SECRET ?? "",
  // A sandbox has a time of its own.
  now: () => Number(env.PROPGATE_TIMESTAMP ?? Date.now()),
});

console.log(await round());

async function round(): Promise<string> {
  const { drawdownRules } = await client.account();
  const lostPct = drawdownRules?.dailyLoss.usedPct ?? 0;
  const held = (await client.positions()).find(({ tradePair }) => tradePair === PAIR);
  if (held !== undefined) return `holding ${held.netQuantity} ${PAIR}, stop at ${held.stopLoss}`;
  if (lostPct >= ENOUGH_LOST_PCT) return `lost ${lostPct.toFixed(2)} % today: enough`;
  const { order } = await client.placeOrder({
    trade: {
      execution_type: "MARKET",
      trade_pair: PAIR,
      order_type: "LONG",
      leverage: 0.25,
      trailing_stop: { trailing_percent: 0.05 },
    },
  });
  return `bought ${order?.quantity} ${PAIR} at ${order?.price}`;
}
