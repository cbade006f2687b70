import { setTimeout } from "node:timers/promises";
import { freePort } from "../../test/environment/free-port.ts";
import { type NodeGroup, orderRequest } from "../nodes/node-group.ts";
import { resultNumber, resultPart, resultText } from "../result-parts.ts";

const TOKEN = "token-of-the-earned-payouts";
const BEFORE = 50_000;
const AFTER = 51_000;
const AGAIN_MS = 100;
const BUY = orderRequest({
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 50_000,
});
const FLAT = orderRequest({ execution_type: "FLAT_ALL" });

/**
 * Makes payouts that are owed, each on its own account, and returns their ids. Funded accounts buy, the price rises,
 * they sell, and the operator closes the accounts. Meanwhile only the first node runs, on pushed prices. Afterwards
 * both nodes run with their first settings.
 */
export async function earnPayouts(two: NodeGroup, count: number): Promise<readonly string[]> {
  if (count === 0) return [];
  const port = await freePort();
  await two.kill(1);
  await two.restart(0, {
    PROPGATE_PRICES: "push",
    PROPGATE_PUSH_TOKEN: TOKEN,
    PROPGATE_PUSH_LISTEN: `127.0.0.1:${port}`,
  });
  const pushed = { bid: BEFORE, isOver: false };
  const pushing = push(`http://127.0.0.1:${port}/prices/v1/quotes`, pushed);
  try {
    const traders = [];
    while (traders.length < count) traders.push(await two.newTrader());
    for (const { accountId } of traders) {
      await callFirstNode(two, `POST /accounts/${accountId}/promote`, { phase: "challenge" });
    }
    await priceReaches(two, BEFORE);
    for (const trader of traders) await bodyOfAccepted(two.send(0, trader, BUY));
    pushed.bid = AFTER;
    await priceReaches(two, AFTER);
    for (const trader of traders) await bodyOfAccepted(two.send(0, trader, FLAT));
    const payouts: string[] = [];
    for (const { accountId } of traders) {
      const closed = await callFirstNode(two, `POST /accounts/${accountId}/close`, {});
      payouts.push(resultText(resultPart(closed, "payout"), "id"));
    }
    return payouts;
  } finally {
    pushed.isOver = true;
    await pushing;
    await Promise.all([two.restart(0, {}), two.restart(1, {})]);
  }
}

async function push(
  url: string,
  pushed: { readonly bid: number; readonly isOver: boolean },
): Promise<void> {
  while (!pushed.isOver) {
    await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/x-ndjson" },
      body: JSON.stringify({ tradePair: "BTCUSD", bid: pushed.bid, ask: pushed.bid + 1 }),
    }).catch(() => undefined);
    await setTimeout(AGAIN_MS);
  }
}

async function priceReaches(two: NodeGroup, bid: number): Promise<void> {
  while ((await newestBid(two)) !== bid) {
    await setTimeout(AGAIN_MS);
  }
}

/** The newest bid of BTCUSD at the first node; null before the first quote. */
async function newestBid(two: NodeGroup): Promise<number | null> {
  const quote = resultPart(await callFirstNode(two, "GET /prices/BTCUSD"), "quote");
  return quote === null ? null : resultNumber(quote, "bid");
}

/**
 * Sends a call of the operator to the first node and returns the answer's `data`. @throws when the status is not 200
 */
async function callFirstNode(two: NodeGroup, call: string, body?: unknown): Promise<unknown> {
  return resultPart(await bodyOfAccepted(two.operate(0, call, body)), "data");
}

/** The body of an answer. @throws when the status is not 200 */
async function bodyOfAccepted(
  answer: Promise<{ readonly status: number; readonly body: unknown }>,
): Promise<unknown> {
  const { status, body } = await answer;
  if (status === 200) return body;
  throw new Error(`an earned payout could not be made: ${status} ${JSON.stringify(body)}`);
}
