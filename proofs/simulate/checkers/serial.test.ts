import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { HttpExchange, Observation } from "../checker.ts";
import { JournalReader } from "./journal-reader.ts";
import { LedgerSums } from "./ledger-sums.ts";
import { SerialAccounts } from "./serial-accounts.ts";
import { answeredWith, WatchedService } from "./watched-service.ts";

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 };
const BID = { ...BUY, execution_type: "LIMIT", limit_price: 40_000 };
const FLAT_ALL = { execution_type: "FLAT_ALL" };
const CANCEL_ALL = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };

const watched = await WatchedService.open();
afterAll(() => watched.service.close());

let serial: SerialAccounts;
let ledger: LedgerSums;
/**
 * Gives each test a new account. The checkers have then already processed everything that happened before the test.
 */
beforeEach(async () => {
  await watched.quote("BTCUSD", 50_000);
  await watched.switchTrader();
  serial = new SerialAccounts(new JournalReader());
  ledger = new LedgerSums(new JournalReader());
  const observation = watched.observe();
  await serial.check(observation);
  await ledger.check(observation);
});

/** The findings after a statement has changed the journal, as a bug of the service could. */
function messagesWhenTampered(
  statement: string,
  over: Partial<Observation> = {},
): Promise<readonly string[]> {
  return watched.messagesWhenTampered([statement], (database) =>
    watched.messages(serial, { database, ...over }),
  );
}

/** A statement that replaces a text in the account's newest line that contains it. */
function replaced(from: string, to: string): string {
  const own = `account_id = '${watched.accountId}'`;
  return `update journal set event = replace(journal_text(event), '${from}', '${to}')
    where ${own} and seq = (select max(seq) from journal where ${own} and journal_text(event) like '%${from}%')`;
}

describe("the checker of one serial order", () => {
  test("orders of every kind, their fills, refusals and reads cause no finding", async () => {
    const bought = await watched.trade({ ...BUY, stop_loss: 49_000, take_profit: 51_000 });
    await watched.trade({ ...BUY, quantity: 9, leverage: undefined });
    const bid = await watched.trade({ ...BID, stop_loss: 30_000 });
    const uuid = /"order_uuid":"([^"]+)"/.exec(JSON.stringify(bid.outcome))?.[1];
    await watched.trade({ ...BID, execution_type: "LIMIT_EDIT", order_uuid: uuid, limit_price: 1 });
    await watched.trade({ execution_type: "BRACKET", trade_pair: "BTC/USD", stop_loss: 45_000 });
    for (const endpoint of ["account", "positions", "orders", "trades", "payouts"]) {
      await watched.read(endpoint);
    }
    await watched.trade({ execution_type: "LIMIT_CANCEL", order_uuid: "none" });
    await watched.quote("BTCUSD", 48_500);
    await watched.read("positions");
    await watched.read("trades");
    await watched.trade({ ...BUY, order_type: "SHORT", value: 5000, quantity: undefined });
    await watched.trade({ ...BUY, order_type: "FLAT", quantity: undefined });
    await watched.trade({ ...BUY, order_type: "FLAT", quantity: undefined });
    await watched.trade({ ...BUY, leverage: 1.2, quantity: undefined });
    await watched.trade(FLAT_ALL);
    await watched.trade(CANCEL_ALL);
    await watched.read("account");
    const observation = watched.observe();
    expect(bought.outcome).toMatchObject({ status: 200 });
    expect(await serial.check(observation)).toEqual([]);
    expect(await ledger.check(observation)).toEqual([]);
  });

  test("a read without the effect of an answered order is found", async () => {
    const empty = await watched.read("positions");
    await watched.trade(BUY);
    const late = await watched.read("positions");
    const stale = answeredWith(late, { body: bodyOf(empty) });
    const ended = watched.observe().ended.map((one) => (one === late ? stale : one));
    expect(await watched.messages(serial, { ended })).toEqual([
      expect.stringContaining("expected one of"),
    ]);
  });

  test("a read that is older than another client's earlier read is found, unless they overlap", async () => {
    const empty = await watched.read("positions");
    const bought = await watched.trade(BUY);
    const full = await watched.read("positions");
    const racing: HttpExchange = { ...empty, id: 7, outcome: { ...full.outcome } };
    const lost: HttpExchange = { ...bought, outcome: { kind: "lost", turn: bought.outcome.turn } };
    const observation = watched.observe({ ended: [empty, lost, full, racing] });
    expect(await serial.check(observation)).toEqual([]);
    const staleRead = answeredWith(await watched.read("positions"), { body: bodyOf(empty) });
    expect(await watched.messages(serial, { ended: [staleRead] })).toHaveLength(1);
  });

  test("a position at a price that no board had is found", async () => {
    await watched.trade(BUY);
    const read = await watched.read("positions");
    const wrong = answeredWith(read, {
      body: changed(read, '"netValue":50000', '"netValue":50000.00001'),
    });
    const ended = watched.observe().ended.map((one) => (one === read ? wrong : one));
    expect(await watched.messages(serial, { ended })).toEqual([
      expect.stringContaining("50000.00001 is not a bid of BTCUSD that any board had"),
    ]);
  });

  test.each([
    ['"effect":"open"', '"effect":"add"', "is called add"],
    ['"price":50000', '"price":50001', "50001 is not a fresh ask of BTCUSD"],
    ['"quantity":100000', '"quantity":100001', "quantity is 1, expected 1.00001"],
    ['"direction":"long"', '"direction":"short"', "without its position"],
    [
      '"bindingCap":null',
      '"bindingCap":{"cap":2,"of":{"kind":"pair"}}',
      "bindingCap is null, expected per pair cap 2x",
    ],
    ['"type":"legsAttached"', '"type":"softBreached"', "1 legs were expected with the fill, not 0"],
    ['-bracket-0"', '-bracket-1"', "do not belong to their fill"],
    ['"slippage":0', '"slippage":0.1', "with a slippage of 0.1"],
  ])("a market order with %s replaced by %s is found", async (from, to, message) => {
    await watched.trade({ ...BUY, stop_loss: 49_000 });
    expect((await messagesWhenTampered(replaced(from, to))).join("\n")).toContain(message);
  });

  test("an order without its line is found, and so is an order before an earlier one", async () => {
    const bought = await watched.trade(BUY);
    const other = await watched.trade(BUY);
    const early = { ...bought, sentTurn: other.outcome.turn + 1 };
    const gone: HttpExchange = { ...bought, nonce: "gone" };
    expect(await watched.messages(serial, { ended: [other, early, gone] })).toEqual([
      expect.stringContaining("nothing filled"),
      expect.stringContaining("which precedes it"),
    ]);
  });

  test.each([
    ['"limitPrice":40000', '"limitPrice":41000', "limit_price is 40000, expected 41000"],
    ['"direction":"long"', '"direction":"short"', "order_type is LONG, expected SHORT"],
    ['"legs":[]', '"legs":[{}]', "with 1 legs"],
  ])("a pending limit order with %s replaced by %s is found", async (from, to, message) => {
    await watched.trade(BID);
    expect((await messagesWhenTampered(replaced(from, to))).join("\n")).toContain(message);
  });

  test("a limit that filled at a worse price is found", async () => {
    await watched.trade(BID);
    await watched.quote("BTCUSD", 39_000);
    const found = (await messagesWhenTampered(replaced('"price":39000', '"price":40001'))).join(
      "\n",
    );
    expect(found).toContain("40001 is not a fresh ask");
    expect(found).toContain("is worse than its limit 40000");
  });

  test("a cancellation that left an order is found", async () => {
    await watched.trade(BID);
    await watched.trade(BID);
    await watched.trade(CANCEL_ALL);
    const { ended } = watched.observe();
    const own = `account_id = '${watched.accountId}'`;
    const left = `delete from journal where ${own} and seq = (select max(seq) from journal where ${own})`;
    expect((await messagesWhenTampered(left, { ended })).join("\n")).toContain(
      "were cancelled, expected",
    );
  });

  test("a position that FLAT_ALL did not close is found", async () => {
    await watched.quote("EURUSD", 1.1);
    await watched.trade(BUY);
    await watched.trade({ ...BUY, trade_pair: "EURUSD", quantity: 0.1 });
    const flat = await watched.trade(FLAT_ALL);
    const one = changed(flat, "2 positions closed", "1 position closed");
    const { ended } = watched.observe();
    const own = `account_id = '${watched.accountId}'`;
    const left = `delete from journal where ${own} and seq >= (select max(seq) - 1 from journal where ${own})`;
    const answered = ended.map((each) =>
      each === flat ? answeredWith(flat, { body: one }) : each,
    );
    expect((await messagesWhenTampered(left, { ended: answered })).join("\n")).toContain(
      "1 of 2 positions were closed",
    );
  });

  test("a refusal that was never true is found", async () => {
    const bought = await watched.trade(BUY);
    const refused = answeredWith(
      await watched.trade({ ...BUY, order_type: "FLAT", quantity: undefined }),
      {
        status: 400,
        body: { error: "There is no open position in ETHUSD" },
      },
    );
    const untrue = answeredWith(refused, {
      body: { error: "The account is eliminated and takes no orders" },
    });
    expect(await watched.messages(serial, { ended: [bought, refused, untrue] })).toEqual([
      expect.stringContaining("which was never true"),
    ]);
  });
});

describe("the checker of the ledger", () => {
  test.each([
    ['"fee":15000000', '"fee":15000002', "fee of a fill of BTCUSD"],
    ['"realizedPnl":1000000000', '"realizedPnl":1000600000', "realized PnL"],
    ['"fees":30300000', '"fees":30300001', "a trade's fees"],
  ])("money with %s replaced by %s is found", async (from, to, message) => {
    await watched.trade(BUY);
    await watched.quote("BTCUSD", 51_000);
    await watched.trade(FLAT_ALL);
    const found = await watched.messagesWhenTampered([replaced(from, to)], (database) =>
      watched.messages(ledger, { database }),
    );
    expect(found).toEqual([expect.stringContaining(message)]);
  });

  test("a stored balance that differs from the sum of the events is found", async () => {
    await watched.trade(BUY);
    const statement = `update account_states set state = regexp_replace(state, '"fees":', '"fees":1')
      where account_id = '${watched.accountId}'`;
    const found = await watched.messagesWhenTampered([statement], (database) =>
      watched.messages(ledger, { database }),
    );
    expect(found).toEqual([expect.stringContaining("the balance")]);
  });

  test("figures of one answer that disagree are found", async () => {
    await watched.trade(BUY);
    const account = await watched.read("account");
    const positions = await watched.read("positions");
    const wrong = [
      answeredWith(account, { body: changed(account, '"openPnL":0', '"openPnL":1') }),
      answeredWith(positions, { body: changed(positions, '"netQuantity":1', '"netQuantity":-1') }),
    ];
    const found = await watched.messages(ledger, { ended: wrong });
    expect(found.join("\n")).toContain("openPnL is 1, expected 0");
    expect(found.join("\n")).toContain("a LONG of -1 lots");
  });
});

function bodyOf({ outcome }: HttpExchange): unknown {
  return outcome.kind === "lost" ? null : outcome.body;
}

function changed(exchange: HttpExchange, from: string, to: string): unknown {
  const text = JSON.stringify(bodyOf(exchange));
  if (!text.includes(from)) throw new Error(`${from} is not in ${text}`);
  return JSON.parse(text.replace(from, to));
}
