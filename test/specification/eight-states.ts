import { isRecord } from "@propgate/contract";
import { type AccountId, payoutId, unixMs } from "@propgate/core";
import { START_MS } from "../../packages/server/src/testing/harness.ts";
import type { LinkedService } from "../../packages/server/src/testing/linked-service.ts";
import { PRO_TERMS } from "../../packages/server/src/testing/scripted-account.ts";
import type { Reply, Signer } from "../../packages/server/src/testing/signed-request.ts";

/** The `data` of each read of an account, at one moment. */
export interface StateAnswers {
  readonly account: unknown;
  readonly positions: unknown;
  readonly orders: unknown;
  readonly trades: unknown;
  readonly payouts: unknown;
  /** The `data` of the second page of payouts, with one item per page; empty when there is no second page. */
  readonly laterPayouts: readonly unknown[];
}

/** The names of the eight states in which the suite has an account each. */
export const STATE_NAMES = [
  "new",
  "trading",
  "ended",
  "linked",
  "transition",
  "challenge",
  "funded pro",
  "funded",
] as const;
export type StateName = (typeof STATE_NAMES)[number];

/** The answers about the accounts in the eight states. */
export interface LiveStates {
  readonly states: Readonly<Record<StateName, StateAnswers>>;
  /** GET payouts of the account in the state `funded`, while the network cannot be reached for an estimate. */
  readonly payoutsWithoutNetwork: unknown;
  /** The `data` of every order that was placed to reach the states. */
  readonly orderResults: readonly unknown[];
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** 2026-01-05 00:00 UTC. */
const MONDAY_MS = START_MS - DAY_MS / 2;
const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
const FLAT_ALL = { execution_type: "FLAT_ALL" };
/** A pair that the catalogue and the validator have. */
const LINKED_PAIR = "BTCUSDC";

/** Brings one account into each of the eight states, and reads all of them at one moment. */
export async function reachLiveStates(service: LinkedService): Promise<LiveStates> {
  const { harness } = service;
  const orderResults: unknown[] = [];
  const order = async (signer: Signer, trade: object): Promise<void> => {
    orderResults.push(dataOf(await harness.order(trade, { signer })));
  };
  const opened = async () => {
    const accountId = await harness.newAccount();
    return { accountId, signer: await harness.newKey({ accountId }) };
  };
  const price = (at: number) => harness.quote("BTCUSD", at, at);
  /** Buys one BTC at 50,000 and sells it at `closing`. */
  const trade = async (signer: Signer, closing: number): Promise<void> => {
    await price(50_000);
    await order(signer, { ...MARKET, quantity: 1 });
    await price(closing);
    await order(signer, FLAT_ALL);
  };
  const funded = await opened();
  const pro = await opened();
  const fundedPro = await opened();
  await harness.accounts.promote(funded.accountId);
  await harness.accounts.offerPro(pro.accountId, PRO_TERMS);
  await harness.accounts.offerPro(fundedPro.accountId, PRO_TERMS);
  await harness.accounts.promote(fundedPro.accountId);
  for (const closing of [51_000, 50_800, 50_900]) {
    for (const { signer } of [funded, fundedPro]) await trade(signer, closing);
    await trade(pro.signer, 50_100);
    await harness.pass(WEEK_MS - ((harness.time.clock.now() - MONDAY_MS) % WEEK_MS));
  }
  await payOldest(service, funded);
  // This trade is in the week that is not over.
  await trade(funded.signer, 50_200);
  const transition = await opened();
  await harness.accounts.promote(transition.accountId);
  await harness.accounts.offerPro(transition.accountId, PRO_TERMS);
  const ended = await opened();
  await price(50_000);
  await order(ended.signer, { ...MARKET, quantity: 1 });
  await price(44_000);
  const trading = await opened();
  await placeEveryKind((trade) => order(trading.signer, trade), price);
  await order(pro.signer, { ...MARKET, order_type: "SHORT", quantity: 0.01 });
  const linked = await linkedTrader(service, order);
  const fresh = await opened();
  const signers: Record<StateName, Signer> = {
    new: fresh.signer,
    trading: trading.signer,
    ended: ended.signer,
    linked,
    transition: transition.signer,
    challenge: pro.signer,
    "funded pro": fundedPro.signer,
    funded: funded.signer,
  };
  const states: Partial<Record<StateName, StateAnswers>> = {};
  for (const name of STATE_NAMES) states[name] = await answersOf(service, signers[name]);
  harness.faults.set({ network: "down" });
  const payoutsWithoutNetwork = dataOf(await harness.get("payouts", { signer: funded.signer }));
  harness.faults.set({ network: "up" });
  const complete = states as Record<StateName, StateAnswers>;
  return { states: complete, payoutsWithoutNetwork, orderResults };
}

/** Creates a closed trade of each direction, a position with its legs, and pending orders of every kind and size. */
async function placeEveryKind(
  order: (trade: object) => Promise<void>,
  price: (at: number) => Promise<void>,
): Promise<void> {
  await price(50_000);
  await order({ ...MARKET, quantity: 1, stop_loss: 48_000, take_profit: 60_000 });
  await price(50_500);
  await order(FLAT_ALL);
  await order({ ...MARKET, order_type: "SHORT", quantity: 0.5 });
  await order(FLAT_ALL);
  await price(50_000);
  const legs = [
    { stop_loss: 48_000, quantity: 0.1 },
    { take_profit: 60_000, value: 1_000 },
    { trailing_percent: 0.05, bracket_pct: 0.5 },
    { trailing_value: 2_000 },
  ];
  // The cap of the pair is 1.5 times the balance.
  await order({ ...MARKET, leverage: 2, bracket_orders: legs });
  await order({ ...MARKET, order_type: "SHORT", quantity: 2.5 });
  const limit = { ...MARKET, execution_type: "LIMIT", limit_price: 45_000 };
  await order({ ...limit, value: 1_000, stop_loss: 40_000, take_profit: 50_000 });
  await order({ ...limit, leverage: 0.01 });
  const stop = { stop_price: 51_000, stop_condition: "GTE", limit_price: 51_500 };
  await order({ ...MARKET, ...stop, execution_type: "STOP_LIMIT", quantity: 0.01 });
  await order({
    execution_type: "BRACKET",
    trade_pair: "BTCUSD",
    stop_loss: 47_000,
    bracket_pct: 0.5,
  });
}

/** Records that the oldest payout of the account was paid. */
async function payOldest(
  { harness }: LinkedService,
  { accountId, signer }: { readonly accountId: AccountId; readonly signer: Signer },
): Promise<void> {
  const payouts = dataOf(await harness.get("payouts", { signer }));
  const items = isRecord(payouts) && Array.isArray(payouts.items) ? payouts.items : [];
  const oldest: unknown = items.at(-1);
  if (!isRecord(oldest)) throw new Error("an account that has earned has a payout");
  const recorded = await harness.accounts.recordPayout(accountId, {
    payoutId: payoutId(accountId, unixMs(Number(oldest.periodEndMs))),
    status: "paid",
    rail: "onchain",
    provider: "base-usdc",
    reference: null,
    paidAmount: null,
  });
  if (recorded?.ok !== true) throw new Error("the payment was not recorded");
}

/** Opens a linked account with an open position, a pending order and a closed trade. Resolves with its key. */
async function linkedTrader(
  service: LinkedService,
  order: (signer: Signer, trade: object) => Promise<void>,
): Promise<Signer> {
  const { harness, standIn } = service;
  const price = (at: number) => standIn.control.setPrices({ [LINKED_PAIR]: { bid: at, ask: at } });
  await price(50_000);
  const { signer } = await service.newLinked();
  const market = { ...MARKET, trade_pair: LINKED_PAIR };
  await order(signer, { ...market, quantity: 0.1 });
  await price(50_500);
  await order(signer, FLAT_ALL);
  await order(signer, { ...market, quantity: 0.2, stop_loss: 45_000, take_profit: 60_000 });
  await order(signer, { ...market, execution_type: "LIMIT", limit_price: 45_000, value: 1_000 });
  await harness.pass(0);
  return signer;
}

async function answersOf({ harness }: LinkedService, signer: Signer): Promise<StateAnswers> {
  const read = async (path: string) => dataOf(await harness.get(path, { signer }));
  const first = await read("payouts?limit=1");
  const cursor = isRecord(first) && typeof first.nextCursor === "string" ? first.nextCursor : null;
  return {
    account: await read("account"),
    positions: await read("positions"),
    orders: await read("orders"),
    trades: await read("trades"),
    payouts: await read("payouts"),
    laterPayouts: cursor === null ? [] : [await read(`payouts?limit=1&cursor=${cursor}`)],
  };
}

/** The `data` of an answer. @throws when the request was not answered with 200 */
export function dataOf(reply: Reply): unknown {
  const body = reply.json();
  if (reply.status !== 200 || !isRecord(body)) throw new Error(`${reply.status} ${reply.text}`);
  return body.data;
}
