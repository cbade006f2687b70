import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { HttpExchange } from "../checker.ts";
import { AcknowledgedOrders } from "./acknowledged-orders.ts";
import { DocumentedAnswers } from "./documented-answers.ts";
import { JournalReader } from "./journal-reader.ts";
import { NoncesOnce } from "./nonces-once.ts";
import { answeredWith, WatchedService } from "./watched-service.ts";

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.1 };
const BID = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  limit_price: 40_000,
};
const watched = await WatchedService.open();
afterAll(() => watched.service.close());

beforeEach(async () => {
  await watched.quote("BTCUSD", 50_000);
  watched.observe();
});

/** Lets a checker process everything that happened before the test. */
async function upToNow<Made extends { check(at: ReturnType<WatchedService["observe"]>): unknown }>(
  checker: Made,
): Promise<Made> {
  await checker.check(watched.observe());
  return checker;
}

describe("the checker of acknowledged orders", () => {
  test("a correct service causes no finding", async () => {
    const checker = await upToNow(new AcknowledgedOrders(new JournalReader()));
    await watched.trade(BUY);
    await watched.trade({ ...BUY, trade_pair: "NOSUCH" });
    await watched.trade(BID);
    await watched.trade({ execution_type: "LIMIT_CANCEL", order_uuid: "ALL" });
    await watched.trade({ execution_type: "FLAT_ALL" });
    await watched.trade({ execution_type: "LIMIT_CANCEL", order_uuid: "ALL" });
    expect(await watched.messages(checker)).toEqual([]);
  });

  test("an answered order that is not in the journal is found", async () => {
    const checker = await upToNow(new AcknowledgedOrders(new JournalReader()));
    const bought = await watched.trade(BUY);
    const lost = { ...bought, nonce: "another" };
    expect(await watched.messages(checker, { ended: [bought, lost] })).toEqual([
      expect.stringContaining('the journal has "" under its nonce'),
    ]);
  });

  test("an order under another id than the answered one is found", async () => {
    const checker = await upToNow(new AcknowledgedOrders(new JournalReader()));
    const bid = await watched.trade(BID);
    const other = answeredWith(bid, { body: { success: true, data: { order_uuid: "other" } } });
    expect(await watched.messages(checker, { ended: [other] })).toEqual([
      expect.stringContaining("order_uuid other"),
    ]);
  });

  test("a refused order in the journal is found, and so is an order that no client sent", async () => {
    const checker = await upToNow(new AcknowledgedOrders(new JournalReader()));
    const bought = await watched.trade(BUY);
    const refused = answeredWith(bought, { status: 400, body: { error: "no" } });
    await watched.trade(BUY);
    expect(await watched.messages(checker, { ended: [refused] })).toEqual([
      expect.stringContaining("was refused and is in the journal"),
      expect.stringContaining("was never sent and is in the journal"),
    ]);
  });

  test("an order whose answer was lost may be carried out or not", async () => {
    const checker = await upToNow(new AcknowledgedOrders(new JournalReader()));
    const bought = await watched.trade(BUY);
    const lost: HttpExchange = { ...bought, outcome: { kind: "lost", turn: bought.sentTurn + 1 } };
    const never: HttpExchange = { ...lost, nonce: "never arrived" };
    expect(await watched.messages(checker, { ended: [lost, never] })).toEqual([]);
  });
});

describe("the checker of nonces", () => {
  test("a correct service causes no finding", async () => {
    const checker = await upToNow(new NoncesOnce(new JournalReader()));
    const bought = await watched.trade(BUY);
    await watched.trade(BUY, { nonce: bought.nonce });
    await watched.read("positions", { nonce: "p" });
    await watched.read("account", { nonce: "p" });
    await watched.read("account", { headers: { "X-Service-Signature": "v1=no" } });
    expect(await watched.messages(checker)).toEqual([]);
    await watched.read("account", { nonce: bought.nonce });
    expect(await watched.messages(checker)).toEqual([]);
  });

  test("a nonce that passed twice is found, and so is one that passed after its 409", async () => {
    const checker = await upToNow(new NoncesOnce(new JournalReader()));
    const first = await watched.read("positions");
    const used = await watched.read("positions", { nonce: first.nonce });
    const again = { ...first, sentTurn: used.outcome.turn + 1 };
    expect(await watched.messages(checker, { ended: [first, used, again] })).toEqual([
      expect.stringContaining("had passed"),
      expect.stringContaining("passed after its nonce had been refused"),
    ]);
  });

  test("a 409 for a fresh nonce is found", async () => {
    const checker = await upToNow(new NoncesOnce(new JournalReader()));
    const first = await watched.read("positions");
    const refused = answeredWith(first, { status: 409, body: { error: "Nonce" } });
    expect(await watched.messages(checker, { ended: [refused] })).toEqual([
      expect.stringContaining("got 409 for a nonce sent only once"),
    ]);
  });

  test("a stored nonce of a refused request is found, and so is a missing nonce of a passed one", async () => {
    const checker = await upToNow(new NoncesOnce(new JournalReader()));
    const read = await watched.read("positions");
    const stranger = answeredWith(read, { status: 401, body: { error: "Bad signature" } });
    const missing = { ...read, nonce: "missing" };
    expect(await watched.messages(checker, { ended: [stranger, missing] })).toEqual([
      expect.stringContaining("its nonce is stored"),
      expect.stringContaining("its nonce is not stored"),
    ]);
  });

  test("an order that was carried out twice is found", async () => {
    const checker = await upToNow(new NoncesOnce(new JournalReader()));
    const bought = await watched.trade(BUY);
    await watched.service.database.query(
      `insert into journal select account_id, seq + 1, at_ms, origin, key_id, nonce, command, event,
         hash from journal where nonce = $1 order by seq limit 1`,
      [bought.nonce],
    );
    try {
      expect(await watched.messages(checker)).toEqual([
        expect.stringContaining("were carried out twice"),
      ]);
    } finally {
      await watched.service.database.query(
        "delete from journal where nonce = $1 and seq > (select version from accounts)",
        [bought.nonce],
      );
    }
  });

  test("the 121st read of a minute is found, and so is a limit before it", async () => {
    const checker = await upToNow(new NoncesOnce(new JournalReader()));
    const read = await watched.read("positions");
    const many = Array.from({ length: 120 }, (_, id) => ({ ...read, id, nonce: `read ${id}` }));
    const stored = { query: async () => [] };
    const served = await watched.messages(checker, { ended: [read, ...many], database: stored });
    expect(served.filter((message) => message.includes("reads in one minute"))).toHaveLength(1);
    const early = new NoncesOnce(new JournalReader());
    const limited = answeredWith(read, { status: 429, body: { error: "rate_limited" } });
    expect(await watched.messages(early, { ended: [limited] })).toEqual([
      expect.stringContaining("was limited after 1 reads"),
    ]);
  });
});

describe("the checker of answers", () => {
  test("a correct service causes no finding", async () => {
    const checker = new DocumentedAnswers();
    for (const endpoint of ["account", "positions", "orders", "trades", "payouts", "nowhere"]) {
      await watched.read(endpoint);
    }
    await watched.read("payouts?limit=0");
    await watched.trade(BUY);
    await watched.trade({ ...BUY, quantity: -1 });
    await watched.trade({ execution_type: "FLAT_ALL" });
    expect(await watched.messages(checker)).toEqual([]);
  });

  test.each([
    [409, { error: "Nonce" }, null],
    [402, { error: "Pay" }, "does not have this status"],
    [404, { error: "Gone" }, "is unknown"],
    [404, { error: "Account not found", why: "x" }, "no field why"],
    [403, { error: "insufficient_scope" }, "its scope is wrong"],
    [500, { error: "Internal error" }, "the service had no fault"],
    [502, { error: "select 1 from accounts" }, "the body contains"],
    [200, { success: true, data: [{ positionUuid: 1 }] }, "does not have its shape"],
    [
      200,
      { success: true, data: [], sealed: "propgate_sk_0123456789012345678901234" },
      "the body contains",
    ],
  ])("the answer %i %j causes the right finding", async (status, body, message) => {
    const read = await watched.read("positions");
    const found = await watched.messages(new DocumentedAnswers(), {
      ended: [answeredWith(read, { status, body })],
    });
    if (message === null) expect(found).toEqual([]);
    else expect(found.join("\n")).toContain(message);
  });
});
