import {
  accountId,
  type Event,
  leverage,
  microUsd,
  NEW_PAYMENT,
  orderUuid,
  ownerId,
  type Payout,
  pairId,
  payoutId,
  positionUuid,
  price,
  quantity,
  ratio,
  roundUsd,
  type Trade,
  unixMs,
} from "@propgate/core";
import { expect, test } from "vitest";
import { TEST_TERMS } from "../../../../server/src/testing/counting-decider.ts";
import { madeCatalogue, madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { PRO_TERMS } from "../../../../server/src/testing/scripted-account.ts";
import { eventSentence } from "./event-sentence.ts";

/** 2026-01-05, a Monday, 00:00 UTC. */
const AT = unixMs(1_767_571_200_000);
const WEEK = unixMs(AT + 7 * 86_400_000);
const CATALOGUE = madeCatalogue(
  madeInstrument("BTCUSD"),
  madeInstrument("EURUSD", { assetClass: "forex", lotSize: 100_000 }),
);
const ACCOUNT = accountId("a1");
const BTC = pairId("BTCUSD");
const ORDER = { uuid: orderUuid("o1"), pair: BTC, direction: "long", placedAtMs: AT } as const;
const LIMIT = {
  ...ORDER,
  kind: "limit",
  size: { kind: "quantity", lots: 0.5 },
  limitPrice: price(40_000),
  legs: [],
} as const;
const LEG = {
  ...ORDER,
  kind: "bracket",
  positionUuid: positionUuid("p1"),
  stopLoss: price(39_000),
  takeProfit: null,
  trailing: { kind: "percent", ratio: ratio(0.01) },
  size: null,
  bestPrice: null,
  shareOf: quantity(100_000),
} as const;
const PAYOUT: Payout = {
  id: payoutId(ACCOUNT, WEEK),
  periodStartMs: AT,
  periodEndMs: WEEK,
  amount: roundUsd(1234.5),
  split: ratio(0.8),
  createdAtMs: WEEK,
  payment: { ...NEW_PAYMENT, status: "paid", reference: "wire 7" },
};
const TRADE: Trade = {
  id: positionUuid("p1"),
  pair: BTC,
  direction: "short",
  quantity: quantity(50_000),
  averageEntryPrice: price(41_000),
  averageExitPrice: price(40_000),
  cumulativeEntryValue: roundUsd(20_500),
  leverage: 0.2 as Trade["leverage"],
  realizedPnl: roundUsd(-500),
  fees: roundUsd(12.3),
  returnAtClose: ratio(0.995),
  openedAtMs: AT,
  closedAtMs: AT,
  stopLoss: null,
  takeProfit: null,
  status: "liquidated",
};
const FILL = {
  orderUuid: orderUuid("o1"),
  positionUuid: positionUuid("p1"),
  pair: BTC,
  price: price(40_000),
  slippage: ratio(0),
  quantity: quantity(50_000),
  value: roundUsd(20_000),
  leverage: TRADE.leverage,
  fee: roundUsd(6),
  usdRate: 1,
} as const;
const CYCLE = {
  periodStartMs: AT,
  periodEndMs: WEEK,
  gross: roundUsd(0),
  share: roundUsd(0),
  released: microUsd(0),
} as const;

/** At least one event of every type, with its sentence. A new event does not compile until it has a row here. */
const SENTENCES_OF_EVENTS: {
  readonly [Type in Event["type"]]: readonly (readonly [object, string])[];
} = {
  accountOpened: [
    [
      { accountId: ACCOUNT, ownerId: ownerId("o"), terms: TEST_TERMS, provisioned: false },
      "Account of $100,000 opened on program classic version 1, not provisioned yet.",
    ],
  ],
  accountProvisioned: [[{}, "Account provisioned: it may trade."]],
  accountClosed: [
    [{}, "Account closed."],
    [{ forfeited: roundUsd(70) }, "Account closed. Reward of $70.00 forfeited."],
  ],
  orderPlaced: [
    [{ order: LIMIT }, "Long limit order for 0.5 lots of BTC/USD at 40,000.00000 placed."],
    [
      {
        order: {
          ...LIMIT,
          kind: "stopLimit",
          stopPrice: price(39_500),
          stopCondition: "lte",
          size: { kind: "value", value: roundUsd(1500) },
        },
      },
      "Long stop-limit order for $1,500.00 of BTC/USD at 40,000.00000 once the price is at 39,500.00000 or below placed.",
    ],
  ],
  orderEdited: [
    [
      { order: LEG },
      "Order edited: stop 39,000.00000, stop trailing 1% behind on the long position in BTC/USD.",
    ],
  ],
  orderCancelled: [
    [{ orderUuid: "o1", reason: "owner", detail: null }, "Order o1 cancelled by its owner."],
    [
      { orderUuid: "o1-bracket-1", reason: "roundedAway", detail: null },
      "Order o1-bracket-1 cancelled when its price was reached: the rounded sum of the shares so far was already closed.",
    ],
  ],
  orderRejected: [
    [
      {
        orderUuid: "o1",
        refusal: {
          code: "noRoom",
          pair: BTC,
          cap: { cap: leverage(2), of: { kind: "portfolio" } },
        },
      },
      "Order o1 rejected when its price was reached: There is no room left for BTCUSD: overall portfolio cap 2x.",
    ],
  ],
  orderHeld: [
    [
      { orderUuid: "o1", quote: { bid: price(1), ask: price(1), atMs: AT } },
      "Order o1 waits for the next price: this one closed its position.",
    ],
  ],
  stopTriggered: [
    [{ orderUuid: "o1" }, "Stop of order o1 reached: it is now a pending limit order."],
  ],
  trailMoved: [
    [
      { orderUuid: "o1", bestPrice: price(41_000) },
      "Trailing stop of order o1 follows a best price of 41,000.",
    ],
  ],
  orderFilled: [
    [
      {
        ...FILL,
        kind: "limit",
        direction: "long",
        effect: "open",
        realizedPnl: microUsd(0),
        bindingCap: { cap: leverage(1.5), of: { kind: "class", assetClass: "crypto" } },
      },
      "Bought 0.5 lots of BTC/USD at 40,000.00000 ($20,000.00) by a limit order: opens a position, fee $6.00, limited by per class cap crypto 1.5x.",
    ],
    [
      {
        ...FILL,
        kind: "stopLoss",
        direction: "short",
        effect: "close",
        realizedPnl: roundUsd(-99.995),
        bindingCap: null,
      },
      "Sold 0.5 lots of BTC/USD at 40,000.00000 ($20,000.00) by a stop: closes the position, realized -$100.00, fee $6.00.",
    ],
    [
      {
        ...FILL,
        kind: "stopLoss",
        direction: "short",
        effect: "close",
        realizedPnl: roundUsd(-99.995),
        bindingCap: null,
        rateAgeMs: 90_000,
      },
      "Sold 0.5 lots of BTC/USD at 40,000.00000 ($20,000.00) by a stop: closes the position, realized -$100.00, fee $6.00, converted at a rate 90 s old.",
    ],
    [
      {
        ...FILL,
        kind: "market",
        direction: "short",
        effect: "close",
        realizedPnl: roundUsd(-99.995),
        bindingCap: null,
        shortfall: { code: "neverFlips", lots: 0.2 },
      },
      "Sold 0.5 lots of BTC/USD at 40,000.00000 ($20,000.00) at the market: closes the position, realized -$100.00, fee $6.00, 0.2 lots less than its size: an order against a position never opens the other side.",
    ],
    [
      {
        ...FILL,
        kind: "takeProfit",
        direction: "short",
        effect: "close",
        realizedPnl: roundUsd(-99.995),
        bindingCap: null,
        tookRestAlong: true,
        excess: { code: "leastPosition", lots: 0.0001 },
      },
      "Sold 0.5 lots of BTC/USD at 40,000.00000 ($20,000.00) by a target: closes the position, realized -$100.00, fee $6.00, 0.0001 lots more than its size: the rest was below the minimum position.",
    ],
  ],
  legsAttached: [
    [
      { legs: [LEG, { ...LEG, stopLoss: null, trailing: null, takeProfit: price(42_000) }] },
      "Attached: stop 39,000.00000, stop trailing 1% behind on the long position in BTC/USD; target 42,000.00000 on the long position in BTC/USD.",
    ],
  ],
  positionClosed: [
    [{ trade: TRADE }, "Short position in BTC/USD liquidated: realized -$500.00, fees $12.30."],
  ],
  dayEnded: [
    [
      { midnightMs: AT, equity: roundUsd(99_000), balance: roundUsd(100_000) },
      "Day ended at 2026-01-05 00:00 UTC: equity $99,000.00, balance $100,000.00.",
    ],
  ],
  carryCharged: [
    [
      { dueMs: AT, charges: [{ fee: roundUsd(1.5) }, { fee: roundUsd(0.25) }] },
      "Carry of 2026-01-05 00:00 UTC charged on 2 positions: $1.75.",
    ],
  ],
  sharesSplit: [
    [
      {
        actionId: "s1",
        pair: BTC,
        dueMs: AT,
        newShares: 4,
        oldShares: 1,
        position: {
          uuid: positionUuid("p1"),
          quantity: quantity(200_000),
          averageEntryPrice: price(10_000),
          openedQuantity: quantity(200_000),
          openedPrice: price(10_000),
          exitQuantity: quantity(0),
          exitPriceQuantity: 0,
        },
        orders: [LIMIT],
      },
      "Split 4:1 of BTC/USD at 2026-01-05 00:00 UTC: the position is now 2 lots at an entry of 10,000.00000, 1 order adjusted.",
    ],
    [
      {
        actionId: "s1",
        pair: BTC,
        dueMs: AT,
        newShares: 1,
        oldShares: 10,
        position: null,
        orders: [],
      },
      "Split 1:10 of BTC/USD at 2026-01-05 00:00 UTC: no position, 0 orders adjusted.",
    ],
  ],
  dividendPaid: [
    [
      {
        actionId: "d1",
        pair: BTC,
        dueMs: AT,
        positionUuid: "p1",
        amount: 0.24,
        usdRate: 1,
        paid: roundUsd(24),
      },
      "Dividend of 0.24 a share of BTC/USD at 2026-01-05 00:00 UTC: $24.00 received.",
    ],
    [
      {
        actionId: "d1",
        pair: BTC,
        dueMs: AT,
        positionUuid: "p1",
        amount: 0.24,
        usdRate: 1,
        paid: roundUsd(-24),
      },
      "Dividend of 0.24 a share of BTC/USD at 2026-01-05 00:00 UTC: $24.00 paid.",
    ],
  ],
  challengePassed: [
    [
      { by: "target", equity: roundUsd(110_000) },
      "Evaluation passed by its target at an equity of $110,000.00: the account is funded.",
    ],
  ],
  proOffered: [
    [
      { terms: PRO_TERMS, transitionEndsAtMs: WEEK },
      "Pro account of $200,000 offered; it starts at 2026-01-12 00:00 UTC.",
    ],
  ],
  proStarted: [
    [
      { terms: PRO_TERMS, phase: "proChallengeDirect", startMs: AT, equity: roundUsd(1) },
      "Pro account of $200,000 started: the pro challenge.",
    ],
  ],
  proPromoted: [
    [
      { by: "objectives", profit: roundUsd(12_000), promotedMs: AT },
      "Pro account funded by its objectives at a profit of $12,000.00.",
    ],
  ],
  drawdownDeepened: [
    [{ maxDrawdown: ratio(0.0125) }, "Deepest drawdown of the pro account so far: 1.25%."],
  ],
  softBreached: [
    [{ dayStartMs: AT }, "The day of 2026-01-05 was beyond a target: its week is held."],
  ],
  cycleClosed: [
    [
      { ...CYCLE, profit: roundUsd(1543.13), isHeld: false, payout: PAYOUT },
      "Cycle from 2026-01-05 00:00 UTC to 2026-01-12 00:00 UTC closed at a profit of $1,543.13: $1,234.50 to be paid.",
    ],
    [
      { ...CYCLE, profit: roundUsd(1543.13), isHeld: true, payout: null },
      "Cycle from 2026-01-05 00:00 UTC to 2026-01-12 00:00 UTC closed at a profit of $1,543.13: held, nothing is paid.",
    ],
    [
      { ...CYCLE, profit: roundUsd(-5), isHeld: false, payout: null },
      "Cycle from 2026-01-05 00:00 UTC to 2026-01-12 00:00 UTC closed at a profit of -$5.00: nothing to pay.",
    ],
  ],
  deferralForfeited: [[{ amount: roundUsd(70) }, "Withheld rewards of $70.00 forfeited."]],
  payoutRecorded: [
    [
      { payout: PAYOUT },
      "Payout po_a1_1768176000000 of $1,234.50 recorded as paid, reference wire 7.",
    ],
    [
      {
        payout: { ...PAYOUT, payment: { ...PAYOUT.payment, paidAmount: roundUsd(1234.51) } },
      },
      "Payout po_a1_1768176000000 of $1,234.50 recorded as paid, payment of $1,234.51, reference wire 7.",
    ],
  ],
  limitNeared: [
    [
      {
        rule: "dailyLoss",
        level: 75,
        equity: roundUsd(96_250),
        floor: roundUsd(95_000),
        worst: { pair: BTC, price: price(47_000) },
      },
      "Daily loss limit 75% used: equity $96,250.00, floor $95,000.00, BTC/USD at 47,000.00000.",
    ],
    [
      {
        rule: "endOfDayTrailing",
        level: 50,
        equity: roundUsd(97_500),
        floor: roundUsd(95_000),
        worst: null,
      },
      "Trailing loss limit 50% used: equity $97,500.00, floor $95,000.00.",
    ],
  ],
  switchArmed: [
    [
      { deadlineMs: AT, action: "flatten" },
      "Dead man's switch armed: all orders are cancelled and all positions closed at 2026-01-05 00:00:00 UTC.",
    ],
  ],
  switchSuspended: [
    [
      { action: "flatten", spanMs: 60_000 },
      "Dead man's switch suspended while the keys are paused: all orders are cancelled and all positions closed later.",
    ],
  ],
  switchEnded: [[{}, "Dead man's switch ended."]],
  switchFired: [
    [
      { dueMs: AT, action: "cancel", waiting: [] },
      "Dead man's switch fired at its deadline of 2026-01-05 00:00:00 UTC: all orders are cancelled.",
    ],
    [
      { dueMs: AT, action: "flatten", waiting: [{ positionUuid: "p1", pair: BTC }] },
      "Dead man's switch fired at its deadline of 2026-01-05 00:00:00 UTC: all orders are cancelled and all positions closed; BTC/USD at the first fresh quote.",
    ],
  ],
  accountEliminated: [
    [
      { elimination: { cause: { kind: "inactivity" }, atMs: AT, drawdownPct: null } },
      "Account eliminated: INACTIVE.",
    ],
    [
      {
        elimination: {
          cause: {
            kind: "lossLimit",
            phase: "challenge",
            rule: "dailyLoss",
            measured: 94_800_000_000,
            floor: 95_000_000_000,
          },
          atMs: AT,
          drawdownPct: 5.2,
        },
      },
      "Account eliminated: FAILED_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN at 5.2% of drawdown.",
    ],
  ],
};

const ROWS = Object.entries(SENTENCES_OF_EVENTS).flatMap(([type, cases]) =>
  cases.map(([fields, text]) => [type, { type, atMs: AT, ...fields } as Event, text] as const),
);

test.each(ROWS)("%s reads as a sentence", (_type, event, text) => {
  expect(eventSentence(event, CATALOGUE)).toBe(text);
});
