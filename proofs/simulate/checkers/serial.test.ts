import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Exchange, Look } from "../history.ts";
import { JournalFeed } from "./journal-feed.ts";
import { Ledger } from "./ledger.ts";
import { Serial } from "./serial.ts";
import { answeredWith, WatchedService } from "./watched-service.ts";

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 };
const BID = { ...BUY, execution_type: "LIMIT", limit_price: 40_000 };
const FLAT_ALL = { execution_type: "FLAT_ALL" };
const CANCEL_ALL = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };

const watched = await WatchedService.open();
afterAll(() => watched.service.close());

let serial: Serial;
let ledger: Ledger;
/** A new account, and checkers that know all that happened before. */
beforeEach(async () => {
  await watched.quote("BTCUSD", 50_000);
  await watched.beginAgain();
  serial = new Serial(new JournalFeed());
  ledger = new Ledger(new JournalFeed());
  const look = watched.seen();
  await serial.look(look);
  await ledger.look(look);
});

/** With the journal as a fault of the service would have written it. */
function saysTampered(statement: string, over: Partial<Look> = {}): Promise<readonly string[]> {
  return watched.saysTampered([statement], (database) =>
    watched.says(serial, { database, ...over }),
  );
}

/** The newest line of the account in which it stands, with another text. */
function replaced(from: string, to: string): string {
  const own = `account_id = '${watched.accountId}'`;
  return `update journal set event = replace(event, '${from}', '${to}')
    where ${own} and seq = (select max(seq) from journal where ${own} and event like '%${from}%')`;
}

describe("the checker of one serial order", () => {
  test("finds nothing in orders of every kind, their fills, refusals and reads", async () => {
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
    const look = watched.seen();
    expect(bought.outcome).toMatchObject({ status: 200 });
    expect(await serial.look(look)).toEqual([]);
    expect(await ledger.look(look)).toEqual([]);
  });

  test("finds a read that shows what was before an order that had been answered", async () => {
    const empty = await watched.read("positions");
    await watched.trade(BUY);
    const late = await watched.read("positions");
    const stale = answeredWith(late, { body: bodyOf(empty) });
    const ended = watched.seen().ended.map((one) => (one === late ? stale : one));
    expect(await watched.says(serial, { ended })).toEqual([
      expect.stringContaining("where one of these was due"),
    ]);
  });

  test("finds a read that goes back behind another client's, and lets one race", async () => {
    const empty = await watched.read("positions");
    const bought = await watched.trade(BUY);
    const full = await watched.read("positions");
    const racing: Exchange = { ...empty, id: 7, outcome: { ...full.outcome } };
    const lost: Exchange = { ...bought, outcome: { kind: "lost", turn: bought.outcome.turn } };
    const look = watched.seen({ ended: [empty, lost, full, racing] });
    expect(await serial.look(look)).toEqual([]);
    const back = answeredWith(await watched.read("positions"), { body: bodyOf(empty) });
    expect(await watched.says(serial, { ended: [back] })).toHaveLength(1);
  });

  test("finds a position at a price that no board had", async () => {
    await watched.trade(BUY);
    const read = await watched.read("positions");
    const wrong = answeredWith(read, {
      body: changed(read, '"netValue":50000', '"netValue":50000.00001'),
    });
    const ended = watched.seen().ended.map((one) => (one === read ? wrong : one));
    expect(await watched.says(serial, { ended })).toEqual([
      expect.stringContaining("50000.00001 is no bid of BTCUSD that anybody had"),
    ]);
  });

  test.each([
    ['"effect":"open"', '"effect":"add"', "is called add"],
    ['"price":50000', '"price":50001', "50001 is no fresh ask of BTCUSD"],
    ['"quantity":100000', '"quantity":100001', "quantity is 1, due 1.00001"],
    ['"direction":"long"', '"direction":"short"', "without its position"],
    [
      '"bindingCap":null',
      '"bindingCap":{"cap":2,"of":{"kind":"pair"}}',
      "bindingCap is null, due per pair cap 2x",
    ],
    ['"type":"legsAttached"', '"type":"softBreached"', "1 legs were due with the fill, and 0 came"],
    ['-bracket-0"', '-bracket-1"', "not named after their fill"],
    ['"slippage":0', '"slippage":0.1', "with a slippage of 0.1"],
  ])("finds a market order that was carried out otherwise: %s as %s", async (from, to, says) => {
    await watched.trade({ ...BUY, stop_loss: 49_000 });
    expect((await saysTampered(replaced(from, to))).join("\n")).toContain(says);
  });

  test("finds an order without its line, and one before what it followed", async () => {
    const bought = await watched.trade(BUY);
    const other = await watched.trade(BUY);
    const early = { ...bought, sentTurn: other.outcome.turn + 1 };
    const gone: Exchange = { ...bought, nonce: "gone" };
    expect(await watched.says(serial, { ended: [other, early, gone] })).toEqual([
      expect.stringContaining("nothing filled"),
      expect.stringContaining("which it follows"),
    ]);
  });

  test.each([
    ['"limitPrice":40000', '"limitPrice":41000', "limit_price is 40000, due 41000"],
    ['"direction":"long"', '"direction":"short"', "order_type is LONG, due SHORT"],
    ['"legs":[]', '"legs":[{}]', "with 1 legs"],
  ])("finds a limit order that rests otherwise: %s as %s", async (from, to, says) => {
    await watched.trade(BID);
    expect((await saysTampered(replaced(from, to))).join("\n")).toContain(says);
  });

  test("finds a limit that filled at worse than its price", async () => {
    await watched.trade(BID);
    await watched.quote("BTCUSD", 39_000);
    const found = (await saysTampered(replaced('"price":39000', '"price":40001'))).join("\n");
    expect(found).toContain("40001 is no fresh ask");
    expect(found).toContain("is worse than its limit 40000");
  });

  test("finds a cancel that left an order", async () => {
    await watched.trade(BID);
    await watched.trade(BID);
    await watched.trade(CANCEL_ALL);
    const { ended } = watched.seen();
    const own = `account_id = '${watched.accountId}'`;
    const left = `delete from journal where ${own} and seq = (select max(seq) from journal where ${own})`;
    expect((await saysTampered(left, { ended })).join("\n")).toContain("were due");
  });

  test("finds a position that FLAT_ALL forgot", async () => {
    await watched.quote("EURUSD", 1.1);
    await watched.trade(BUY);
    await watched.trade({ ...BUY, trade_pair: "EURUSD", quantity: 0.1 });
    const flat = await watched.trade(FLAT_ALL);
    const one = changed(flat, "2 positions closed", "1 position closed");
    const { ended } = watched.seen();
    const own = `account_id = '${watched.accountId}'`;
    const left = `delete from journal where ${own} and seq >= (select max(seq) - 1 from journal where ${own})`;
    const told = ended.map((each) => (each === flat ? answeredWith(flat, { body: one }) : each));
    expect((await saysTampered(left, { ended: told })).join("\n")).toContain(
      "1 of 2 positions were closed",
    );
  });

  test("finds a refusal that was never true", async () => {
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
    expect(await watched.says(serial, { ended: [bought, refused, untrue] })).toEqual([
      expect.stringContaining("which it never was"),
    ]);
  });
});

describe("the checker of the ledger", () => {
  test.each([
    ['"fee":15000000', '"fee":15000002', "fee of a fill of BTCUSD"],
    ['"realizedPnl":1000000000', '"realizedPnl":1000600000', "realized PnL"],
    ['"fees":30300000', '"fees":30300001', "a trade's fees"],
  ])("finds money that does not add up: %s as %s", async (from, to, says) => {
    await watched.trade(BUY);
    await watched.quote("BTCUSD", 51_000);
    await watched.trade(FLAT_ALL);
    const found = await watched.saysTampered([replaced(from, to)], (database) =>
      watched.says(ledger, { database }),
    );
    expect(found).toEqual([expect.stringContaining(says)]);
  });

  test("finds a stored balance that is not what the events come to", async () => {
    await watched.trade(BUY);
    const statement = `update accounts set state = regexp_replace(state, '"fees":', '"fees":1')
      where account_id = '${watched.accountId}'`;
    const found = await watched.saysTampered([statement], (database) =>
      watched.says(ledger, { database }),
    );
    expect(found).toEqual([expect.stringContaining("the balance")]);
  });

  test("finds figures of one answer that do not fit each other", async () => {
    await watched.trade(BUY);
    const account = await watched.read("account");
    const positions = await watched.read("positions");
    const wrong = [
      answeredWith(account, { body: changed(account, '"openPnL":0', '"openPnL":1') }),
      answeredWith(positions, { body: changed(positions, '"netQuantity":1', '"netQuantity":-1') }),
    ];
    const found = await watched.says(ledger, { ended: wrong });
    expect(found.join("\n")).toContain("openPnL is 1, due 0");
    expect(found.join("\n")).toContain("a LONG of -1 lots");
  });
});

function bodyOf({ outcome }: Exchange): unknown {
  return outcome.kind === "lost" ? null : outcome.body;
}

function changed(exchange: Exchange, from: string, to: string): unknown {
  const text = JSON.stringify(bodyOf(exchange));
  if (!text.includes(from)) throw new Error(`${from} is not in ${text}`);
  return JSON.parse(text.replace(from, to));
}
