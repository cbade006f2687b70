/**
 * The whole life of one account in a few seconds, in a sandbox of its own: bought, traded, passed,
 * paid, offered a pro account, ninety trading days, promoted, a held week and its release, and the
 * end by the daily loss limit. Every figure it reads is compared with one that was worked out by
 * hand, from the numbers in this file alone. From a checkout:
 *
 *   node --conditions=@propgate/source examples/whole-life/whole-life.ts
 *
 * The index SPX pays no fee and no carry, so most sums can be followed in the head: a point is
 * 20 USD on 20 lots and 40 USD on 40.
 */
import assert from "node:assert/strict";
import { type Client, RejectedError } from "@propgate/sdk";
import { openStage, type Stage } from "./stage.ts";

const DAY_MS = 86_400_000;
const MONDAY = 1;
const THURSDAY = 4;
const FRIDAY = 5;

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

/** 100,000 on static limits: 10,000 to win, 5 % to lose. */
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
  // 20 × 5,100 of 100,000; 15 times the balance less that.
  same(account.account.leverage, "Current - 1.0200x / Max - 15x");
  money(account.account.buyingPower, 1_398_000);
  money(account.account.capitalUsed, 100_000);
  same(account.drawdownRules?.maxLoss.rule, "static");
  money(account.drawdownRules?.maxLoss.remaining, 5_000);
  // 5,000 of loss on 20 lots are 250 points below the entry.
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
  // 110,000 × 0.03 / 365 on Tuesday, three times that on Wednesday: 9.041096 + 27.123288.
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
  // Two wins of three; 8,000 + 2,040 − 36.16 over three.
  same(account.performance.winRate?.toFixed(2), "66.67");
  money(account.performance.avgTradePnL, 3_334.61);
}

/** Weeks of +500, −300 and +700: 500 are paid, then 300 are recovered, then 400 are paid. */
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

/** Offered on a Wednesday: until the Monday the account only reduces. */
async function transition(stage: Stage): Promise<void> {
  const { at, price, order, client, money, same, say, act } = stage;
  say("offered a pro account of 200,000");
  await trade(stage, { on: "2026-01-27", quantity: 20, from: 5550, to: 5555 });
  await at("2026-01-28T15:00:00Z");
  await price("SPX", 5555);
  await order("LONG", "SPX", 20);
  await act({ action: "offerPro", proAccountSize: 200_000 });
  let account = await client.account();
  same([account.evaluation.title, account.evaluation.status], ["Pro Transition", "funded"]);
  same([account.isPro, account.challenge.bucket], [false, "PRO_CHALLENGE_TRANSITION"]);
  same(account.proTrack?.phase, "transition");
  same(account.proTrack?.transitionEndsAtMs, Date.parse("2026-02-02"));
  same(
    [account.proTrack?.standardAccountSize, account.proTrack?.proAccountSize],
    [100_000, 200_000],
  );
  same([account.proTrack?.hasStats, account.proTrack?.evaluated], [false, false]);
  await refused(stage, order("LONG", "SPX", 1), /moving to its pro account/);
  await price("SPX", 5565);

  say("the Monday: what was open is closed and paid, the pro account begins");
  await at("2026-02-02T00:00:00Z");
  account = await client.account();
  same(account.challenge.bucket, "PRO_CHALLENGE_FROM_STANDARD");
  same([account.accountSize, account.evaluation.effectiveAccountSizeNumeric], [100_000, 200_000]);
  same([account.isPro, account.tradingDays, account.challenge.variant], [true, 0, "pro"]);
  money(account.account.currentBalance, 200_000);
  same(account.drawdownRules?.criteria, "pro");
  // 100 by hand, 200 by the close at 5,565.
  money((await client.payouts()).items[0]?.amount, 300);
}

/** 40 lots, five points up each weekday, realized on Thursdays: 200 a day on 200,000. */
async function ninetyDays(stage: Stage): Promise<void> {
  const { at, price, order, client, money, same, say } = stage;
  say("the pro challenge: ninety full days");
  await at("2026-02-02T15:00:00Z");
  let level = 5565;
  await price("SPX", level);
  await order("LONG", "SPX", 40);
  for (const day of weekdays("2026-02-03", "2026-05-01")) {
    if (day === "2026-03-10") await dip(stage, level);
    if (weekdayOf(day) === MONDAY) await weekIsPaid(stage, day);
    await at(`${day}T15:00:00Z`);
    level += 5;
    await price("SPX", level);
    if (weekdayOf(day) !== THURSDAY) continue;
    await order("FLAT", "SPX");
    await order("LONG", "SPX", 40);
  }
  say("the eighty-ninth day does not promote the account, the ninetieth does");
  await at("2026-05-03T00:00:00Z");
  let account = await client.account();
  same([account.tradingDays, account.challenge.bucket], [89, "PRO_CHALLENGE_FROM_STANDARD"]);
  same(met(account), ["true", "true", "true", "false"]);
  await at("2026-05-04T00:00:00Z");
  account = await client.account();
  same([account.tradingDays, account.challenge.bucket], [90, "PRO_FUNDED"]);
  same(account.evaluation.title, "Pro $200K Funded");
  same([account.proTrack?.phase, account.proTrack?.softBreachApplies], ["funded", true]);
  // 63 of the 64 rises are realized, the last one is open.
  money(account.account.currentBalance, 212_600);
  money(account.account.currentEquity, 212_800);
  money((await client.payouts()).items[0]?.amount, 1_000);
  same(objectives(account), {
    return: "0.063000",
    // March's dip was 2,050 of 205,000.
    calmar: "6.300000",
    // New York was closed on the day of the tenth rise and of the forty-fourth: the next day had both.
    consistency: bestOfAll(dailyGains(64, [10, 44])).toFixed(6),
    days: "90.000000",
  });
}

/** An intraday fall of 51.25 points from the mark of 205,000, gone within the day. */
async function dip({ at, price, client, money, same }: Stage, level: number): Promise<void> {
  await at("2026-03-10T14:40:00Z");
  await price("SPX", level - 51.25);
  const account = await client.account();
  money(account.account.currentEquity, 202_950);
  same(account.drawdownRules?.dailyLoss.usedPct, 1);
  // The other limit uses the equity at yesterday's end of day.
  same(account.drawdownRules?.maxLoss.usedPct, 0);
  money(account.drawdownRules?.maxLoss.anchorEquity, 205_000);
  same(account.proTrack?.maxDrawdownPercent, 1);
  // The return is the lesser of the two, 2,950 of 200,000; Calmar is the 4,600 realized, 0.023 over 0.01.
  same(objectives(account).return, "0.014750");
  same(objectives(account).calmar, "2.300000");
}

/** Friday's rise is realized on the next Thursday, so the first week has three of them, then five. */
async function weekIsPaid({ at, client, money, same }: Stage, monday: string): Promise<void> {
  await at(`${monday}T00:00:00Z`);
  const { items } = await client.payouts();
  money(items[0]?.amount, monday === "2026-02-09" ? 600 : 1_000);
  same(items[0]?.periodEndMs, Date.parse(monday));
  if (monday === "2026-02-09") same((await client.account()).tradingDays, 6);
}

/** A fall of 4 % below the mark takes Calmar to 0.063 / 0.04 until 7 % are won. */
async function heldWeek(stage: Stage): Promise<void> {
  const { at, price, order, client, money, same, say } = stage;
  say("a week with days beyond the Calmar target is held");
  await at("2026-05-05T15:00:00Z");
  await price("SPX", 5885 - 212.8);
  let account = await client.account();
  money(account.account.currentEquity, 204_288);
  same([account.proTrack?.maxDrawdownPercent, account.proTrack?.softBreach], [4, false]);
  await price("SPX", 5885);
  await at("2026-05-06T00:00:00Z");
  account = await client.account();
  same([objectives(account).calmar, account.proTrack?.softBreach], ["1.575000", true]);
  await at("2026-05-07T15:00:00Z");
  await price("SPX", 5920);
  await order("FLAT", "SPX");
  account = await client.account();
  money(account.account.currentBalance, 214_200);
  same(objectives(account).calmar, "1.775000");
  same((await client.payouts()).accrual?.estimatedAmount, 0);
  await at("2026-05-11T00:00:00Z");
  let payouts = await client.payouts();
  same(payouts.items[0]?.periodEndMs, Date.parse("2026-05-04"));
  // 14,200 less the 12,600 of the promotion.
  money(payouts.accrual?.deferredBalance, 1_600);
  money(payouts.accrual?.estimatedAmount, 1_600);

  say("the clean week after it pays both");
  await trade(stage, { on: "2026-05-12", quantity: 40, from: 5920, to: 5930 });
  same((await client.account()).proTrack?.softBreach, false);
  money((await client.payouts()).accrual?.estimatedAmount, 2_000);
  await at("2026-05-18T00:00:00Z");
  payouts = await client.payouts();
  money(payouts.items[0]?.amount, 2_000);
  same(payouts.accrual?.deferredBalance, null);
}

/** Day start 214,600: the account may lose 10,730 and not a cent more. */
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
  // A day for each of 5 January to 18 May.
  same(account.performance.dailyReturns.length, 134);
  const pages = await allPages(client);
  same(
    pages.map(({ length }) => length),
    [5, 5, 5, 2],
  );
  const owed = pages.flat().filter(({ status }) => status !== "paid");
  // 400 and 300 funded, 600 and twelve weeks of 1,000 in the challenge, 2,000 since.
  money(
    owed.reduce((sum, { amount }) => sum + amount, 0),
    15_300,
  );
  const { accrual, accrualStatus } = await client.payouts();
  same(accrualStatus, "not_applicable");
  money(accrual?.priorUnpaidAmount, 15_300);
}

/** In and out on one day at 15:00 UTC, when New York trades all year. */
async function trade(
  { at, price, order }: Stage,
  deal: {
    readonly on: string;
    readonly quantity: number;
    readonly from: number;
    readonly to: number;
  },
): Promise<void> {
  await at(`${deal.on}T15:00:00Z`);
  await price("SPX", deal.from);
  await order("LONG", "SPX", deal.quantity);
  await price("SPX", deal.to);
  await order("FLAT", "SPX");
}

async function refused({ same }: Stage, order: Promise<unknown>, text: RegExp): Promise<void> {
  const error = await order.then(
    () => null,
    (cause: unknown) => cause,
  );
  assert(error instanceof RejectedError, "an order that is refused");
  same(error.status, 400);
  assert.match(error.message, text);
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

type Account = Awaited<ReturnType<Client["account"]>>;

function met({ proTrack }: Account): readonly string[] {
  return (proTrack?.objectives ?? []).map((objective) => String(objective.met));
}

function objectives({ proTrack }: Account): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    (proTrack?.objectives ?? []).map(({ key, value }) => [key, value?.toFixed(6)]),
  );
}

/** 200 on 200,000, 200 on 200,200 and so on; a rise of a closed market comes with the next one. */
function dailyGains(rises: number, closed: readonly number[]): readonly number[] {
  const gains: number[] = [];
  let start = 200_000;
  let end = start;
  for (let rise = 1; rise <= rises; rise += 1) {
    end += 200;
    if (closed.includes(rise)) continue;
    gains.push((end - start) / start);
    start = end;
  }
  return gains;
}

/** The best day's share of all days together. */
function bestOfAll(gains: readonly number[]): number {
  return Math.max(...gains) / gains.reduce((sum, gain) => sum + gain, 0);
}

function weekdayOf(day: string): number {
  return new Date(day).getUTCDay();
}

function weekdays(first: string, last: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, "2026-01-05".length);
    if (weekdayOf(day) >= MONDAY && weekdayOf(day) <= FRIDAY) days.push(day);
  }
  return days;
}
