import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { AcknowledgedOrders } from "./acknowledged-orders.ts";
import { DueWorkInTime } from "./due-work-in-time.ts";
import { JournalReader } from "./journal-reader.ts";
import { PublishedQuotes } from "./published-quotes.ts";
import { SerialAccounts } from "./serial-accounts.ts";
import { WaitingAccounts } from "./waiting-accounts.ts";
import { WatchedService } from "./watched-service.ts";

const inTime = () =>
  new DueWorkInTime(new JournalReader(), new WaitingAccounts(new PublishedQuotes()));

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 };
const BID = { ...BUY, execution_type: "LIMIT", limit_price: 40_000 };

const watched = await WatchedService.open();
afterAll(() => watched.service.close());

let serial: SerialAccounts;
beforeEach(async () => {
  await watched.quote("BTCUSD", 50_000);
  await watched.switchTrader();
  serial = new SerialAccounts(new JournalReader());
  await serial.check(watched.observe());
});

/** The findings after a text was replaced in the account's newest event of a type, as a bug of the service could. */
function messagesWhen(type: string, from: string, to: string): Promise<readonly string[]> {
  const own = `account_id = '${watched.accountId}'`;
  const statement = `update journal set event = replace(journal_text(event), '${from}', '${to}')
    where ${own} and seq = (select max(seq) from journal where ${own} and journal_text(event) like '%"${type}"%')`;
  return watched.messagesWhenTampered([statement], (database) =>
    watched.messages(serial, { database }),
  );
}

describe("the checkers of the dead man's switch [D9.cancelAllAfter]", () => {
  test("a switch that is armed, renewed, ended and fires causes no finding", async () => {
    const acknowledged = new AcknowledgedOrders(new JournalReader());
    await acknowledged.check(watched.observe());
    const checkers = [serial, inTime(), acknowledged];
    await watched.trade({ ...BUY, stop_loss: 49_000 });
    await watched.trade(BID);
    await watched.cancelAllAfter({ seconds: 60 });
    await watched.cancelAllAfter({ seconds: 60 });
    await watched.read("account");
    await watched.cancelAllAfter({ seconds: 30, action: "flatten" });
    await watched.cancelAllAfter({ seconds: 0 });
    await watched.cancelAllAfter({ seconds: 0 });
    await watched.cancelAllAfter({ seconds: -1 });
    await watched.cancelAllAfter({ seconds: 1, action: "flatten" });
    await watched.service.pass(1_000);
    for (const endpoint of ["account", "positions", "orders", "trades"])
      await watched.read(endpoint);
    const observation = watched.observe();
    for (const checker of checkers) expect(await checker.check(observation)).toEqual([]);
  });

  test("a deadline that is not the answered one is found", async () => {
    await watched.cancelAllAfter({ seconds: 60 });
    expect(await messagesWhen("switchArmed", '"action":"cancel"', '"action":"flatten"')).toEqual([
      expect.stringContaining("its action is flatten"),
      expect.stringContaining("answered cancel at"),
    ]);
  });

  test("a small renewal that is written, or answers a deadline that was never the current one, is found [D12.smallRenewal]", async () => {
    const nowMs = watched.service.time.clock.now();
    await watched.cancelAllAfter({ seconds: 60 });
    await watched.cancelAllAfter({ seconds: 30 });
    const deadline = (ms: number) => `"deadlineMs":${nowMs + ms}`;
    const written = await messagesWhen("switchArmed", deadline(30_000), deadline(60_001));
    expect(written.join()).toContain("switchArmed: a renewal by 1 ms of 60001");
    await watched.cancelAllAfter({ seconds: 31 });
    const never = await messagesWhen("switchArmed", deadline(30_000), deadline(29_000));
    expect(never.join()).toContain(
      `answered cancel at ${nowMs + 30_000}, which was never the current one`,
    );
    const acknowledged = new AcknowledgedOrders(new JournalReader());
    await acknowledged.check(watched.observe());
    await watched.cancelAllAfter({ seconds: 31 });
    expect(await watched.messages(acknowledged)).toEqual([]);
  });

  test("a switch that fires twice, or as another, is found", async () => {
    await watched.cancelAllAfter({ seconds: 60 });
    await watched.cancelAllAfter({ seconds: 60 });
    await watched.service.pass(60_000);
    const fired = '"type":"switchFired"';
    expect(
      (await messagesWhen("switchFired", '"action":"cancel"', '"action":"flatten"')).join(),
    ).toContain("switchFired: the switch was armed for");
    await watched.service.pass(1_000);
    const ended = await messagesWhen("switchFired", fired, '"type":"switchEnded"');
    expect(ended).toEqual([]);
  });

  test("an order after the deadline of a switch that has not fired is found", async () => {
    await watched.cancelAllAfter({ seconds: 60 });
    await watched.trade(BID);
    const armed = /"atMs":(\d+),"seconds"/.exec(JSON.stringify(watched.observe().ended))?.[1] ?? "";
    const messages = await messagesWhen("switchArmed", `"deadlineMs":${armed}`, '"deadlineMs":1');
    expect(messages.join()).toContain("the switch of 1 has not fired");
  });

  test("a switch that is late is found, and one whose time has not come is not", async () => {
    await watched.service.pass(3_600_000);
    await watched.cancelAllAfter({ seconds: 60 });
    const nowMs = watched.service.time.clock.now();
    const late = (ms: number, repairedAfterMs = ms) =>
      watched.messages(inTime(), {
        nowMs: nowMs + ms,
        repairedMs: nowMs + repairedAfterMs,
      });
    expect(await late(59_999)).toEqual([]);
    // The last repair came before the deadline, so the switch may have been due for only a moment.
    expect(await late(60_000, 59_999)).toEqual([]);
    expect(await late(60_000)).toEqual([expect.stringContaining("has not fired at")]);
  });

  test("a position that a switch did not close although it trades is found", async () => {
    await watched.trade(BUY);
    await watched.cancelAllAfter({ seconds: 3_600, action: "flatten" });
    await watched.service.pass(3_600_000);
    const checker = inTime();
    expect(await watched.messages(checker)).toEqual([]);
    const { boards, nowMs } = watched.observe();
    const live = boards.map(
      (board) =>
        new Map(
          [...board].map(([pair, quote]) => [pair, { ...quote, atMs: nowMs as typeof quote.atMs }]),
        ),
    );
    expect(
      await watched.messages(inTime(), {
        boards: live,
      }),
    ).toEqual([expect.stringContaining("the switch has not closed")]);
  });
});
