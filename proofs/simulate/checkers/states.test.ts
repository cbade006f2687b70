import { beforeAll, describe, expect, test } from "vitest";
import { madeNumberedQuote } from "../../../packages/server/src/testing/made-numbered-quote.ts";
import type { Observation } from "../checker.ts";
import { DueWorkInTime } from "./due-work-in-time.ts";
import { JournalReader } from "./journal-reader.ts";
import { PublishedQuotes } from "./published-quotes.ts";
import { RebuiltStates } from "./rebuilt-states.ts";
import { WaitingAccounts } from "./waiting-accounts.ts";
import { WatchedService } from "./watched-service.ts";

const inTime = () =>
  new DueWorkInTime(new JournalReader(), new WaitingAccounts(new PublishedQuotes()));

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 };
const BID = { ...BUY, execution_type: "LIMIT", limit_price: 40_000 };
const DAY_MS = 86_400_000;

/** A statement that replaces a text in every stored state, as a bug of the service could. */
function replacing(from: string, to: string): string {
  return `update account_states set state = replace(state, '${from}', '${to}')`;
}

/** A service whose account has a pending order, and a position with a stop, a target and a trailing stop. */
async function openTraded(): Promise<WatchedService> {
  const watched = await WatchedService.open();
  await watched.quote("BTCUSD", 50_000);
  await watched.trade(BID);
  const trailing_stop = { trailing_percent: 0.02 };
  await watched.trade({ ...BUY, stop_loss: 49_000, take_profit: 51_000, trailing_stop });
  return watched;
}

describe("the checker of what is due", () => {
  let watched: WatchedService;
  beforeAll(async () => {
    watched = await openTraded();
    await watched.takeSnapshots();
    return () => watched.service.close();
  });

  function messagesOf(statements: readonly string[], over: Partial<Observation> = {}) {
    return watched.messagesWhenTampered(statements, (database) =>
      watched.messages(inTime(), { database, ...over }),
    );
  }

  test("a pending order that every board reaches is found, and no other", async () => {
    const reached = [replacing('"limitPrice":40000', '"limitPrice":50000')];
    const { boards } = watched.observe();
    expect(await messagesOf(reached, { boards: [] })).toEqual([]);
    expect(await messagesOf(reached, { calm: false })).toEqual([]);
    expect(await messagesOf(reached, { boards: [...boards, new Map()] })).toEqual([]);
    expect(await messagesOf(reached)).toEqual([expect.stringContaining("reaches its limit 50000")]);
  });

  test("an account waits for quotes of a later feed that has sent none yet", async () => {
    const decided = [
      replacing('"limitPrice":40000', '"limitPrice":50000'),
      "update accounts set quote_epoch = 4",
    ];
    const found = (pair: string) =>
      messagesOf(decided, {
        published: [madeNumberedQuote({ epoch: 5, number: 1, atMs: 0, pair })],
      });
    expect(await found("ETHUSD")).toEqual([]);
    expect(await found("BTCUSD")).toHaveLength(1);
  });

  test.each([
    ['"stopLoss":49000', '"stopLoss":50000', "its stop 50000"],
    ['"takeProfit":51000', '"takeProfit":50000', "its target 50000"],
    ['"bestPrice":50000', '"bestPrice":51200', "its trailing stop 50176"],
  ])("a leg that should have triggered is found: %s replaced by %s", async (from, to, found) => {
    expect(await messagesOf([replacing(from, to)])).toEqual([expect.stringContaining(found)]);
  });

  test("an account below its floor is found, and an account exactly at it is not", async () => {
    const fee = 15;
    const atTheLimit = -(5000 - fee) * 1e6;
    expect(await messagesOf([replacing('"realized":0', `"realized":${atTheLimit}`)])).toEqual([]);
    expect(await messagesOf([replacing('"realized":0', `"realized":${atTheLimit - 1}`)])).toEqual([
      expect.stringContaining("dailyLoss 5.000000001 % used"),
    ]);
  });

  test("a reached target is found", async () => {
    expect(await messagesOf([replacing('"realized":0', `"realized":${10_015 * 1e6}`)])).toEqual([
      expect.stringContaining("in its challenge with an equity of 110000000000"),
    ]);
  });

  test("a midnight without the end of its day is found", async () => {
    const nowMs = watched.service.time.clock.now() + DAY_MS;
    expect(await messagesOf([], { nowMs })).toEqual([expect.stringContaining("the midnight of")]);
  });

  test("a midnight is not late for an account whose price came after the work of the last repair", async () => {
    const nowMs = watched.service.time.clock.now() + DAY_MS;
    const repairedBoards = [new Map()];
    expect(await messagesOf([], { nowMs, repairedMs: nowMs, repairedBoards })).toEqual([]);
    expect(await messagesOf([], { nowMs, repairedMs: nowMs })).toHaveLength(1);
  });
});

test("what a correct service leaves due causes no finding, and an elimination exactly at the limit is found", async () => {
  await using stack = new AsyncDisposableStack();
  const watched = stack.adopt(await openTraded(), (one) => one.service.close());
  const checker = inTime();
  for (const bid of [50_500, 49_400, 48_500, 39_000]) {
    await watched.quote("BTCUSD", bid);
    expect(await watched.messages(checker)).toEqual([]);
  }
  await watched.service.pass(DAY_MS);
  expect(await watched.messages(checker)).toEqual([]);
  await watched.quote("BTCUSD", 30_000);
  expect(await watched.messages(checker)).toEqual([]);
  const exact = `regexp_replace(journal_text(event), '"drawdownPct":[0-9.]+', '"drawdownPct":5')`;
  const found = await watched.messagesWhenTampered(
    [`update journal set event = ${exact}`],
    (database) => watched.messages(inTime(), { database }),
  );
  expect(found).toEqual([
    expect.stringContaining("the account was ended at 5 % of a limit of 5 %"),
  ]);
});

describe("the checker of what the journal makes", () => {
  let watched: WatchedService;
  /**
   * The messages of the checker while the position was open and after the week of the trade, and those of its `finish`
   * at the end.
   */
  let found: readonly (readonly string[])[];
  beforeAll(async () => {
    watched = await WatchedService.open();
    const checker = new RebuiltStates(new JournalReader());
    await watched.service.accounts.promote(watched.service.accountId);
    await watched.quote("BTCUSD", 50_000);
    await watched.trade(BUY);
    const early = await watched.messages(checker);
    await watched.quote("BTCUSD", 52_000);
    await watched.trade({ execution_type: "FLAT_ALL" });
    await watched.service.pass(7 * DAY_MS);
    const late = await watched.messages(checker);
    const end = await checker.finish(watched.observe());
    found = [early, late, end.map(({ message }) => message)];
    return () => watched.service.close();
  });

  test("a correct life with a trade, a week and a payout causes no finding", async () => {
    expect(found).toEqual([[], [], []]);
    const tables = await watched.service.database.query(
      `select (select count(*) from trades)::int as trades, (select count(*) from payouts)::int
         as payouts, (select count(*) from daily_returns)::int as days`,
      [],
    );
    expect(tables).toEqual([{ trades: 1, payouts: 1, days: 7 }]);
  });

  test.each([
    [replacing('"fees":', '"fees":1'), "stored is"],
    ["update accounts set due_at_ms = due_at_ms + 1", "it is due at"],
    ["update accounts set exposed = not exposed", "exposed is true"],
    ["update accounts set last_at_ms = last_at_ms + 1", "its newest line is of"],
    ["update accounts set version = version + 1", "lines"],
    ["update accounts set head_hash = 'x'", "its head has another hash"],
    ["update journal set nonce = 'other' where seq = 3", "line 3 breaks the chain"],
    [
      `update journal set event = replace(journal_text(event), '"market"', '"limit"')`,
      "line 3 breaks the chain",
    ],
    ["delete from journal where seq = 5", "line 6 follows line 4"],
  ])("the change `%s` is found", async (statement, found) => {
    const messages = await watched.messagesWhenTampered([statement], (database) =>
      watched.messages(new RebuiltStates(new JournalReader()), { database }),
    );
    expect(messages.join("\n")).toContain(found);
  });

  test.each([
    "delete from trades",
    "update trades set seq = seq + 1000",
    `update trades set trade = replace(trade, '"fees":', '"fees":1')`,
    "update daily_returns set percent = percent + 1e-9",
    "delete from daily_returns",
    "update payouts set status = 'paid'",
    "delete from payouts",
  ])("the change `%s` is found immediately and at the end", async (statement) => {
    const messages = await watched.messagesWhenTampered([statement], async (database) => {
      const one = new RebuiltStates(new JournalReader());
      const observation = watched.observe({ database });
      const found = [...(await one.check(observation)), ...(await one.finish(observation))];
      return found.map((finding) => finding.message);
    });
    expect(messages).toEqual([
      expect.stringContaining("by the journal"),
      expect.stringContaining("differ from its journal"),
    ]);
  });
});
