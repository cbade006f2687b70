import { beforeAll, describe, expect, test } from "vitest";
import type { NumberedQuote } from "../../../packages/market/src/prices/quotes/numbered-quote.ts";
import { CATALOGUE } from "../../../packages/server/src/testing/harness.ts";
import { madeNumberedQuote } from "../../../packages/server/src/testing/made-numbered-quote.ts";
import { installWriteRecords, setStatementSender } from "../node/recorded-writes.ts";
import { JournalReader } from "./journal-reader.ts";
import { OldEpochs } from "./old-epochs.ts";
import { OlderPrices } from "./older-prices.ts";
import { PublishedQuotes } from "./published-quotes.ts";
import { PublishedTriggers } from "./published-triggers.ts";
import { WatchedService } from "./watched-service.ts";

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 0.1 };
const BIDS = [50_000, 51_000] as const;
const OWNER = "00000000-0000-4000-8000-000000000001";
const OTHER = "00000000-0000-4000-8000-000000000002";
const CLAIM_STEP = 5;
const CLAIM = `insert into leases (name, owner, epoch, lease_until)
  select 'partition ' || number, '${OWNER}', 1, now() from generate_series(0, 255) as number`;
const WRITE = "update accounts set version = version + 1";

describe("the checker of old epochs", () => {
  let watched: WatchedService;
  const sentAt = (sentStep: number, writer = OWNER) =>
    setStatementSender(watched.service.database, { writer, sentStep, step: CLAIM_STEP });
  beforeAll(async () => {
    watched = await WatchedService.open();
    await watched.quote("BTCUSD", 50_000);
    await installWriteRecords(watched.service.database);
    await sentAt(0);
    await watched.service.database.query(CLAIM, []);
    return () => watched.service.close();
  });

  const found = (statements: readonly string[]) =>
    watched.messagesWhenTampered(statements, (tampered) =>
      watched.messages(new OldEpochs(), { database: tampered }),
    );

  test("an order and a renewal of the owner cause no finding", async () => {
    await sentAt(CLAIM_STEP);
    await watched.trade(BUY);
    const rows = await watched.service.database.query("select 1 from simulated_writes", []);
    expect(rows.length).toBeGreaterThan(0);
    expect(await found(["update leases set epoch = epoch, lease_until = now()", WRITE])).toEqual(
      [],
    );
  });

  test("a write of another node is found", async () => {
    await sentAt(CLAIM_STEP, OTHER);
    expect(await found([WRITE])).toEqual([
      expect.stringContaining(`${OTHER} wrote it under epoch 1 of ${OWNER}`),
    ]);
  });

  test("a write that the owner sent before its claim is found", async () => {
    await sentAt(CLAIM_STEP - 1);
    expect(await found([WRITE])).toEqual([expect.stringContaining("epoch 1 began at step 5")]);
  });

  test("a write without a lease is found", async () => {
    await sentAt(CLAIM_STEP);
    expect(await found(["delete from leases", WRITE])).toEqual([
      expect.stringContaining("before any claim of the lease"),
    ]);
  });
});

describe("the checkers of published quotes", () => {
  let watched: WatchedService;
  /** Opens an account that has a pending order and has bought once at each bid of `BIDS`. */
  beforeAll(async () => {
    watched = await WatchedService.open();
    await watched.quote("BTCUSD", BIDS[0]);
    await watched.trade({ ...BUY, execution_type: "LIMIT", limit_price: 40_000 });
    await watched.trade(BUY);
    await watched.quote("BTCUSD", BIDS[1]);
    await watched.trade(BUY);
    return () => watched.service.close();
  });

  /** The quotes with these bids, numbered from 1 as the service numbers them. */
  const published = (bids: readonly number[]) => {
    const atMs = watched.service.time.clock.now();
    return bids.map((bid, at) => madeNumberedQuote({ number: at + 1, atMs, bid, ask: bid }));
  };
  const inputsWith = (from: string, to: string, seq: number): string =>
    `update journal set inputs = replace(journal_text(inputs), '${from}', '${to}') where seq = ${seq}`;

  test.each([
    [[], []],
    [[inputsWith("[1,1,", "[9,1,", 3)], ["BTCUSD at 1/2 was used at 9/1 before"]],
  ])("an older quote than before is found, after %j: %j", async (statements, found) => {
    const messages = await watched.messagesWhenTampered(statements, (database) => {
      const checker = new OlderPrices(new JournalReader(), new PublishedQuotes());
      return watched.messages(checker, { database, published: published(BIDS) });
    });
    expect(messages).toEqual(found.map((text) => expect.stringContaining(text)));
  });

  test("an older quote than before is no finding while the pair's market is closed", async () => {
    const instruments = new Map(
      [...CATALOGUE].map(([id, one]) => [id, { ...one, session: { ...one.session, weekly: [] } }]),
    );
    const statements = [inputsWith("[1,1,", "[9,1,", 3)];
    const messages = await watched.messagesWhenTampered(statements, (database) => {
      const checker = new OlderPrices(new JournalReader(), new PublishedQuotes());
      return watched.messages(checker, { database, instruments, published: published(BIDS) });
    });
    expect(messages).toEqual([]);
  });

  test.each([
    [BIDS, []],
    [[BIDS[0], 52_000], ["line 4, placeMarket: BTCUSD 51000/51000 was not published at 1/2"]],
  ])("an unpublished quote is found, with the bids %j: %j", async (bids, found) => {
    const checker = new PublishedTriggers(new JournalReader(), new PublishedQuotes());
    expect(await watched.messages(checker, { published: published(bids) })).toEqual(found);
  });

  test("a pending order that a published quote reached is found, and no other", async () => {
    const messagesAt = async (bid: number) => {
      const checker = new PublishedTriggers(new JournalReader(), new PublishedQuotes());
      const first = await watched.messages(checker, { published: published(BIDS) });
      const news = published([...BIDS, bid]).slice(BIDS.length);
      return [...first, ...(await watched.messages(checker, { published: news }))];
    };
    expect(await messagesAt(50_000)).toEqual([]);
    expect(await messagesAt(39_000)).toEqual([expect.stringContaining("reached its limit 40000")]);
  });

  test("a quote that several nodes got is news once, at its place", () => {
    const [first, second, third] = published([...BIDS, 50_000]).values();
    const quotes = new PublishedQuotes();
    const newsOf = (got: readonly (NumberedQuote | undefined)[]) => {
      quotes.addObserved(
        watched.observe({ published: got.filter((quote) => quote !== undefined) }),
      );
      return quotes.news;
    };
    expect(newsOf([first, third, second, first, third])).toEqual([first, second, third]);
    expect(newsOf([second, third])).toEqual([]);
  });
});
