/**
 * The whole life of one account in a few seconds, in a sandbox of its own. The account is bought, trades, passes, is
 * paid and is offered a pro account. It trades for ninety days and is promoted. A week's payout is held and later
 * released, and a breach of the daily loss limit ends the account. Every figure that the program reads is compared with
 * one that was worked out by hand, from the numbers in these files alone. From a checkout:
 *
 *   node --conditions=@propgate/source examples/whole-life/whole-life.ts
 *
 * The index SPX pays no fee and no carry, so most sums can be checked without a calculator: a point is 20 USD on 20
 * lots and 40 USD on 40.
 */
import assert from "node:assert/strict";
import type { Client } from "@propgate/sdk";
import { heldWeek, ninetyDays, transition } from "./pro-account.ts";
import { refused, trade } from "./round-trip.ts";
import { openStage, type Stage } from "./stage.ts";

const stage = await openStage("2026-01-05T15:00:00Z");
try {
  await evaluation(stage);
  await fundedWeeks(stage);
  await transition(stage);
  await ninetyDays(stage);
  await heldWeek(stage);
  await theEnd(stage);
  stage.say(`${stage.checks()} figures equal those worked out by hand`);
} finally {
  await stage.close();
}

/** The evaluation of an account of 100,000 with static limits: 10,000 are to be won, and 5 % may be lost. */
async function evaluation({ at, price, order, client, money, same, say }: Stage): Promise<void> {
  say("bought: classic, 100,000, static limits");
  await price("SPX", 5000);
  await order("LONG", "SPX", 20);
  await price("SPX", 5100);
  let account = await client.account();
  same(account.evaluation.title, "Classic $100K Evaluation");
  same(account.challenge.bucket, "SUBACCOUNT_CHALLENGE");
  money(account.account.currentBalance, 100_000);
  money(account.account.currentEquity, 102_000);
  money(account.challenge.remaining, 10_000);
  // The exposure is 20 × 5,100 on 100,000. The buying power is 15 times the balance less the exposure.
  same(account.account.leverage, "Current - 1.0200x / Max - 15x");
  money(account.account.buyingPower, 1_398_000);
  money(account.account.capitalUsed, 100_000);
  same(account.drawdownRules?.maxLoss.rule, "static");
  money(account.drawdownRules?.maxLoss.remaining, 5_000);
  // A loss of 5,000 on 20 lots is 250 points below the entry.
  money(account.drawdownRules?.maxLoss.breachPrice, 4_750);
  same([account.proTrack, account.isPro, account.tradingDays], [null, false, null]);
  const [position] = await client.positions();
  same([position?.netQuantity, position?.averageEntryPrice], [20, 5000]);
  money(position?.unrealizedPnl, 2_000);
  const none = await client.payouts();
  same([none.accrualStatus, none.items], ["not_applicable", []]);

  say("a day later: up 8,000, and a night of EUR/USD that costs its carry");
  await at("2026-01-06T15:00:00Z");
  await price("SPX", 5400);
  await order("FLAT", "SPX");
  account = await client.account();
  money(account.account.currentBalance, 108_000);
  money(account.challenge.remaining, 2_000);
  money(account.drawdownRules?.dailyLoss.dayStartEquity, 102_000);
  same(account.performance.dailyReturns, [{ date: "2026-01-05", value: 2 }]);
  await price("EURUSD", 1.1);
  await order("LONG", "EURUSD", 1);
  await at("2026-01-08T15:00:00Z");
  // The carry is 110,000 × 0.03 / 365 on Tuesday, and three times that on Wednesday: 9.041096 + 27.123288.
  money((await client.account()).account.currentBalance, 107_963.84);
  await price("EURUSD", 1.1);
  await order("FLAT", "EURUSD");

  say("passed: balance and equity beyond 110,000");
  await price("SPX", 5400);
  await order("LONG", "SPX", 20);
  await price("SPX", 5502);
  account = await client.account();
  money(account.account.currentEquity, 110_003.84);
  same([account.account.isPassed, account.evaluation.status], [false, "evaluation"]);
  await order("FLAT", "SPX");
  account = await client.account();
  same([account.account.isPassed, account.evaluation.status], [true, "funded"]);
  same(account.evaluation.title, "Classic $100K Funded");
  money(account.account.currentBalance, 100_000);
  money(account.challenge.profitTarget, 0);
  const trades = await client.trades();
  same(
    trades.map(({ tradePair, realizedPnl }) => [tradePair, realizedPnl]),
    [
      ["SPX", 2_040],
      ["EURUSD", 0],
      ["SPX", 8_000],
    ],
  );
  money(trades[1]?.totalFees, 36.16);
  // Two of three trades won. The mean is a third of 8,000 + 2,040 − 36.16.
  same(account.performance.winRate?.toFixed(2), "66.67");
  money(account.performance.avgTradePnL, 3_334.61);
}

/** Weeks of +500, −300 and +700: the first pays 500, the second nothing, and the third 400 after it recovers 300. */
async function fundedWeeks(stage: Stage): Promise<void> {
  const { at, price, order, client, money, same, say, recordPayout } = stage;
  say("funded: the first week, won, closed and paid");
  const passedMs = stage.now();
  same((await client.payouts()).accrual?.estimatedAmount, null);
  await trade(stage, { on: "2026-01-09", quantity: 20, from: 5500, to: 5525 });
  let payouts = await client.payouts();
  same(payouts.accrualStatus, "ok");
  same(payouts.accrual?.windowStartMs, passedMs);
  money(payouts.accrual?.estimatedAmount, 500);
  await at("2026-01-12T00:00:00Z");
  payouts = await client.payouts();
  const [first] = payouts.items;
  assert(first !== undefined);
  money(first.amount, 500);
  same([first.periodStartMs, first.periodEndMs], [passedMs, Date.parse("2026-01-12")]);
  same([first.status, first.rail, first.profitSplit], ["pending", "manual", "100%"]);
  money(payouts.accrual?.priorUnpaidAmount, 500);
  same(payouts.accrual?.earliestUnpaidPeriodStartMs, passedMs);
  await recordPayout(first.id, { status: "processing", rail: "bank", provider: "stripe" });
  await recordPayout(first.id, { status: "paid", reference: "po_77" });
  payouts = await client.payouts();
  same(
    payouts.items.map(({ status, rail, provider, reference }) => [
      status,
      rail,
      provider,
      reference,
    ]),
    [["paid", "bank", "stripe", "po_77"]],
  );
  money(payouts.accrual?.priorUnpaidAmount, 0);
  same(await recordPayout(first.id, { status: "failed" }), 400);

  say("a losing week pays nothing, and is won back before the next one does");
  await at("2026-01-13T15:00:00Z");
  await price("SPX", 5500);
  await order("SHORT", "SPX", 20);
  await price("SPX", 5515);
  await order("FLAT", "SPX");
  money((await client.payouts()).accrual?.estimatedAmount, 0);
  await at("2026-01-19T00:00:00Z");
  same((await client.payouts()).items.length, 1);
  await trade(stage, { on: "2026-01-20", quantity: 20, from: 5515, to: 5550 });
  await at("2026-01-26T00:00:00Z");
  payouts = await client.payouts();
  same(
    payouts.items.map(({ amount }) => amount),
    [400, 500],
  );
  money((await client.account()).account.currentBalance, 100_900);
}

/** The account begins the day at 214,600, so it may lose 10,730 and not a cent more. */
async function theEnd(stage: Stage): Promise<void> {
  const { at, price, order, client, money, same, say } = stage;
  say("the end: exactly at the limit it lives, a hundredth of a point beyond it does not");
  await at("2026-05-19T15:00:00Z");
  await price("SPX", 5930);
  await order("LONG", "SPX", 40);
  await price("SPX", 5930 - 268.25);
  let account = await client.account();
  money(account.account.currentEquity, 203_870);
  same([account.drawdownRules?.dailyLoss.usedPct, account.elimination], [5, null]);
  await price("SPX", 5930 - 268.26);
  account = await client.account();
  same(account.elimination?.reason, "FAILED_PRO_FUNDED_PERIOD_INTRADAY_DRAWDOWN");
  same(account.elimination?.atMs, stage.now());
  same([account.elimination?.forInactivity, account.evaluation.isEliminated], [false, true]);
  same(account.challenge.bucket, "ELIMINATED");
  money(account.account.currentBalance, 203_869.6);
  same((await client.positions()).length, 0);
  const [last] = await client.trades();
  same([last?.status, last?.realizedPnl], ["LIQUIDATED", -10_730.4]);
  await refused(stage, order("LONG", "SPX", 1), /eliminated/);
  // There is a day for each of 5 January to 19 May, and the account ended on the last one.
  same(account.performance.dailyReturns.length, 135);
  const pages = await allPages(client);
  same(
    pages.map(({ length }) => length),
    [5, 5, 5, 2],
  );
  const owed = pages.flat().filter(({ status }) => status !== "paid");
  // 400 and 300 are from the funded weeks, 600 and twelve times 1,000 from the challenge, and 2,000 from the time
  // since.
  money(
    owed.reduce((sum, { amount }) => sum + amount, 0),
    15_300,
  );
  const { accrual, accrualStatus } = await client.payouts();
  same(accrualStatus, "not_applicable");
  money(accrual?.priorUnpaidAmount, 15_300);
}

async function allPages(client: Client) {
  const pages: Awaited<ReturnType<Client["payouts"]>>["items"][] = [];
  let page = await client.payouts({ limit: 5 });
  for (;;) {
    pages.push(page.items);
    if (page.nextCursor === null) return pages;
    page = await client.payouts({ limit: 5, cursor: page.nextCursor });
  }
}
