import { type PairId, unixMs } from "@propgate/core";
import { beforeEach, describe, expect, test } from "vitest";
import { createMessageSeal } from "../../../base/src/transport/message-seal.ts";
import type { PairView } from "../../../market/src/prices/composition/live-feed.ts";
import type { NumberedQuote } from "../../../market/src/prices/quotes/numbered-quote.ts";
import { madeNumberedQuote } from "../../../server/src/testing/made-numbered-quote.ts";
import {
  createMadeMessageHub,
  type MadeMessageHub,
  type MadeTransport,
} from "../../../server/src/testing/made-transport.ts";
import { BTCUSD, EURUSD, SMALL_CATALOGUE } from "../../../server/src/testing/small-market.ts";
import { createSharedBus, type SharedBus } from "./shared-bus.ts";

const START_MS = Date.UTC(2026, 2, 3, 12);
const SEAL_KEY = new Uint8Array(32);
const INSTALLATION = "6f1d2c53-7a33-4c9b-9f0e-0d1c5b7a2e11";
const SILENT_MS = 3_000;
/** The view of a pair without any source. */
const VIEW: PairView = {
  pair: BTCUSD,
  speaker: null,
  isHeld: false,
  far: null,
  isSilent: true,
  isDoubtful: false,
  deviationPct: 1,
  changes: 0,
  sources: [],
};

interface Node {
  readonly bus: SharedBus;
  readonly transport: MadeTransport;
  readonly seen: NumberedQuote[];
}

describe("the bus of several nodes", () => {
  let hub: MadeMessageHub;
  let nowMs: number;
  let feedEpoch: number | null;
  let logged: string[];
  let nodes: Node[];
  let usedEpochs: (number | null)[];

  beforeEach(() => {
    hub = createMadeMessageHub();
    nowMs = START_MS;
    feedEpoch = null;
    logged = [];
    nodes = [];
    usedEpochs = [];
  });

  const join = (): Node => {
    const transport = hub.node();
    const id = `00000000-0000-4000-8000-00000000000${nodes.length}`;
    const bus = createSharedBus({
      transport,
      installation: INSTALLATION,
      node: id,
      sealKeys: [SEAL_KEY],
      instruments: SMALL_CATALOGUE,
      clock: { now: () => unixMs(nowMs) },
      steadyClock: { nowMs: () => nowMs },
      feedEpoch: async () => feedEpoch,
      log: {
        warn: (about: object) => void logged.push(JSON.stringify(about)),
        error: (about: object) => void logged.push(JSON.stringify(about)),
      } as never,
    });
    const seen: NumberedQuote[] = [];
    bus.subscribe((quote) => void seen.push(quote));
    const node = { bus, transport, seen };
    nodes.push(node);
    return node;
  };
  /** Makes the node the feed of the next epoch. Resolves when all nodes have confirmed the epoch. */
  const lead = async ({ bus }: Node, isHeld: () => boolean = () => true): Promise<number> => {
    feedEpoch = (feedEpoch ?? 0) + 1;
    bus.becomeFeed({
      epoch: feedEpoch,
      isHeld,
      onEpochUsed: () => void usedEpochs.push(feedEpoch),
    });
    await confirmed();
    return feedEpoch;
  };
  const confirmed = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  const pass = (ms: number): void => {
    nowMs += ms;
    for (const { bus } of nodes) bus.tick();
  };
  /** Returns a function that publishes the next quote. Each quote names the number of its pair's previous quote. */
  const publisher = ({ bus }: Node, epoch: number) => {
    const before = new Map<PairId, number>();
    let number = 0;
    return (bid: number, pair: PairId = BTCUSD): NumberedQuote => {
      number += 1;
      const quote = madeNumberedQuote({
        epoch,
        number,
        previous: before.get(pair) ?? 0,
        pair,
        bid,
        atMs: nowMs,
      });
      before.set(pair, number);
      bus.publish(quote);
      return quote;
    };
  };

  test("the bus of several nodes brings every quote to every node once and in order, to the feed by the same way", async () => {
    const [feed, listener] = [join(), join()];
    const publish = publisher(feed, await lead(feed));
    const quotes = [publish(100), publish(1.1, EURUSD), publish(101), publish(1.2, EURUSD)];
    expect(feed.seen).toEqual(quotes);
    expect(listener.seen).toEqual(quotes);
    expect(listener.bus.snapshot().get(BTCUSD)).toEqual(quotes[2]);
    expect([...listener.bus.dropped()]).toEqual([]);
  });

  test("the bus of several nodes shows nothing anywhere while the feed is cut off, not even at the feed", async () => {
    const [feed, listener] = [join(), join()];
    const publish = publisher(feed, await lead(feed));
    feed.transport.disconnect();
    const missed = [publish(100), publish(101)];
    expect([feed.seen, listener.seen]).toEqual([[], []]);
    expect(feed.bus.isWorking).toBe(false);
    expect(feed.bus.problem()).toBe("there is no connection to NATS");
    // After the connection, the feed's answer has the quotes that were published meanwhile.
    feed.transport.connect();
    expect([feed.seen, listener.seen]).toEqual([missed, missed]);
  });

  test("the bus of several nodes has the lost quotes that reach a level after a gap, before the later ones", async () => {
    const [feed, listener] = [join(), join()];
    const publish = publisher(feed, await lead(feed));
    publish(100);
    listener.transport.lose(({ subject }) => subject.includes(".quotes."));
    for (const bid of [100.1, 99, 100.2, 104, 100.3]) publish(bid);
    listener.transport.lose(() => false);
    const last = publish(100.4);
    expect(listener.seen.map(({ bid }) => bid)).toEqual([100, 100.1, 99, 100.2, 104, 100.3, 100.4]);
    expect(listener.seen.at(-1)).toEqual(last);
    // When more quotes are missing than merging keeps, the answer has the extremes, each a quote that was published.
    listener.transport.lose(({ subject }) => subject.includes(".quotes."));
    const lost = Array.from({ length: 200 }, (_, index) => publish(100 + Math.sin(index) * 3));
    listener.transport.lose(() => false);
    publish(100.5);
    const answered = listener.seen.slice(7, -1);
    const bids = lost.map(({ bid }) => bid);
    const kept = answered.map(({ bid }) => bid);
    expect(kept.length).toBeLessThan(30);
    expect([Math.min(...kept), Math.max(...kept)]).toEqual([Math.min(...bids), Math.max(...bids)]);
    for (const { number, bid } of answered) {
      expect(bid).toBe(lost.find((quote) => quote.number === number)?.bid);
    }
    const numbers = listener.seen.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  });

  test("the bus of several nodes notices by the heartbeat that the newest quote was lost", async () => {
    const [feed, listener] = [join(), join()];
    const publish = publisher(feed, await lead(feed));
    publish(100);
    listener.transport.lose(({ subject }) => subject.includes(".quotes."));
    const lost = publish(105);
    listener.transport.lose(() => false);
    expect(listener.seen.at(-1)?.bid).toBe(100);
    pass(1_000);
    expect(listener.seen.at(-1)).toEqual(lost);
  });

  test("the bus of several nodes has reached a number only when every quote up to it has come, or an answer has covered it", async () => {
    const [feed, listener] = [join(), join()];
    const publish = publisher(feed, await lead(feed));
    publish(100);
    publish(1.1, EURUSD);
    expect(listener.bus.reached).toEqual({ epoch: 1, number: 2 });
    listener.transport.lose(({ subject }) => subject.includes(".quotes."));
    publish(101);
    listener.transport.lose(() => false);
    // The pair of this quote has no gap, and the lost quote may be of any other pair.
    publish(1.2, EURUSD);
    expect(listener.bus.reached).toEqual({ epoch: 1, number: 2 });
    pass(1_000);
    expect(listener.bus.reached).toEqual({ epoch: 1, number: 4 });
    publish(102);
    expect([feed.bus.reached.number, listener.bus.reached.number]).toEqual([5, 5]);
  });

  test("the bus of several nodes keeps the place in the former epoch until each pair of the new one is covered", async () => {
    const [former, next] = [join(), join()];
    const publish = publisher(former, await lead(former));
    publish(100);
    publish(101);
    former.bus.endFeed();
    next.transport.lose(({ subject }) => subject.includes(".answer."));
    const publishNext = publisher(next, await lead(next));
    publishNext(102);
    expect(next.bus.reached).toEqual({ epoch: 1, number: 2 });
    next.transport.lose(() => false);
    pass(1_000);
    expect(next.bus.reached).toEqual({ epoch: 2, number: 1 });
    expect([0, 1, 2].map((epoch) => next.bus.reachedIn(epoch))).toEqual([0, 2, 1]);
  });

  test("the bus of several nodes asks again each second when the answer is lost", async () => {
    const [feed, listener] = [join(), join()];
    const publish = publisher(feed, await lead(feed));
    publish(100);
    listener.transport.lose(({ subject }) => /quotes|answer/.test(subject));
    publish(101);
    listener.transport.lose(({ subject }) => subject.includes("answer"));
    publish(102);
    for (let second = 0; second < 5; second += 1) pass(1_000);
    expect(listener.seen.map(({ bid }) => bid)).toEqual([100]);
    expect(listener.bus.problem()).toMatch(/the newest quotes of \d+ pairs are missing/);
    listener.transport.lose(() => false);
    pass(1_000);
    expect(listener.seen.map(({ bid }) => bid)).toEqual([100, 101, 102]);
    expect(listener.bus.problem()).toBeNull();
  });

  test("the bus of several nodes gives a node that starts the newest quotes only, so it triggers nothing at former ones", async () => {
    const feed = join();
    const publish = publisher(feed, await lead(feed));
    for (const bid of [100, 90, 110, 101]) publish(bid);
    const late = join();
    expect(late.bus.problem()).toBe("no node sends prices");
    pass(1_000);
    await confirmed();
    expect(late.seen.map(({ bid }) => bid)).toEqual([101]);
    expect(late.bus.problem()).toBeNull();
  });

  test("the bus of a new feed has what the former one published last, and then the new epoch", async () => {
    const [first, second, third] = [join(), join(), join()];
    const publish = publisher(first, await lead(first));
    publish(100);
    third.transport.lose(({ subject }) => subject.includes(".quotes."));
    publish(95);
    publish(100.5);
    third.transport.lose(() => false);
    first.bus.endFeed();
    const next = publisher(second, await lead(second));
    expect(third.seen.map(({ bid }) => bid)).toEqual([100, 95, 100.5]);
    next(101);
    for (const { seen } of nodes) {
      expect(seen.map(({ epoch, bid }) => [epoch, bid])).toEqual([
        [1, 100],
        [1, 95],
        [1, 100.5],
        [2, 101],
      ]);
    }
  });

  test("the bus of several nodes tells a feed whose epoch was given twice, by a database that lost its last commits, that it was used", async () => {
    const [former, listener] = [join(), join()];
    const publish = publisher(former, await lead(former));
    for (const bid of [100, 101, 102]) publish(bid);
    former.transport.disconnect();
    const next = join();
    feedEpoch = null;
    publisher(next, await lead(next))(103);
    expect([listener.seen.length, usedEpochs]).toEqual([3, [1]]);
    publisher(next, await lead(next))(104);
    pass(1_000);
    expect(listener.seen.at(-1)).toMatchObject({ epoch: 2, bid: 104 });
    expect(usedEpochs).toEqual([1]);
  });

  test("the bus of several nodes drops what a former feed still sends, also when it does not know yet that it is none", async () => {
    const [former, next] = [join(), join()];
    const old = publisher(former, await lead(former));
    old(100);
    const fresh = publisher(next, await lead(next));
    fresh(101);
    // The former feed publishes after it has woken up: it checked its lease before the pause.
    old(50);
    former.bus.tick();
    for (const { seen, bus } of nodes) {
      expect(seen.map(({ bid }) => bid)).toEqual([100, 101]);
      // Each node drops the former feed's answer about the new epoch, its quote and its heartbeat.
      expect(bus.dropped().get("epoch")).toBe(3);
    }
    expect(logged.filter((line) => line.includes('"epoch"'))).toHaveLength(2);
  });

  test("the bus of several nodes publishes nothing without the lease, and nothing of an epoch that is not its own", async () => {
    const [feed, listener] = [join(), join()];
    let isHeld = true;
    const epoch = await lead(feed, () => isHeld);
    const publish = publisher(feed, epoch);
    publish(100);
    isHeld = false;
    const before = hub.sent.length;
    publish(101);
    listener.bus.publish(madeNumberedQuote({ epoch, number: 3, atMs: nowMs }));
    isHeld = true;
    publisher(feed, epoch + 1)(102);
    expect(hub.sent.length).toBe(before);
    expect(listener.seen.map(({ bid }) => bid)).toEqual([100]);
  });

  test("the bus of several nodes believes an epoch only when the database gave it to a feed", async () => {
    const [feed, listener] = [join(), join()];
    const publish = publisher(feed, await lead(feed));
    publish(100);
    const liar = join();
    liar.bus.becomeFeed({ epoch: 99, isHeld: () => true, onEpochUsed: () => undefined });
    await confirmed();
    publisher(liar, 99)(1);
    publish(101);
    expect(listener.seen.map(({ bid }) => bid)).toEqual([100, 101]);
    // The listener drops the heartbeat and the quote.
    expect(listener.bus.dropped().get("epoch")).toBe(2);
  });

  test("the bus of several nodes is cut when the transport delivers nothing, though it accepts everything", async () => {
    const [feed, listener] = [join(), join()];
    const publish = publisher(feed, await lead(feed));
    publish(100);
    expect(listener.bus.isCut).toBe(false);
    for (const { transport } of nodes) transport.lose(() => true);
    pass(SILENT_MS);
    expect([feed.bus.isWorking, listener.bus.isCut]).toEqual([true, false]);
    pass(1);
    expect([feed.bus.isWorking, listener.bus.isCut]).toEqual([false, true]);
    expect(listener.bus.problem()).toBe("NATS delivers no messages");
    for (const { transport } of nodes) transport.lose(() => false);
    pass(1_000);
    expect([feed.bus.isWorking, listener.bus.isCut]).toEqual([true, false]);
  });

  test("the bus of several nodes says that no node sends prices when the feed is silent", async () => {
    const [feed, listener] = [join(), join()];
    await lead(feed);
    feed.bus.endFeed();
    pass(SILENT_MS);
    expect(listener.bus.problem()).toBeNull();
    pass(1);
    expect([listener.bus.isCut, listener.bus.problem()]).toEqual([true, "no node sends prices"]);
  });

  test("the bus of several nodes shows a held-back node all quotes in order when they arrive, and none twice", async () => {
    const [feed, listener] = [join(), join()];
    const publish = publisher(feed, await lead(feed));
    publish(100);
    listener.transport.hold();
    const rising = Array.from({ length: 40 }, (_, index) => publish(100 + index / 100));
    expect(listener.seen).toHaveLength(1);
    listener.transport.release();
    expect(listener.seen.slice(1)).toEqual(rising);
    expect([...listener.bus.dropped()]).toEqual([]);
  });

  describe("drops bad messages, counts them and logs one line", () => {
    const prefix = `propgate.${INSTALLATION}.v1`;
    const good = {
      release: 1,
      installation: INSTALLATION,
      epoch: 1,
      number: 2,
      quote: [1, 100, 101, START_MS, START_MS, START_MS, "kraken", null],
    };
    const other = (quote: readonly unknown[]) => ({ ...good, quote });
    const [previous, bid, ask, at, made, received, source] = good.quote;

    test.each([
      ["not JSON", "quotes.BTCUSD", "{", "json"],
      ["bytes that are no text", "quotes.BTCUSD", "\u0000", "json"],
      ["another form", "quotes.BTCUSD", { ...good, quote: "none" }, "form"],
      ["JSON that is no object", "quotes.BTCUSD", 7, "form"],
      ["another release", "quotes.BTCUSD", { ...good, release: 2, quote: "of v2" }, "release"],
      ["another installation", "quotes.BTCUSD", { ...good, installation: "other" }, "installation"],
      ["too large", "quotes.BTCUSD", { ...good, more: "x".repeat(2_000) }, "size"],
      ["another pair", "quotes.NOPE", good, "pair"],
      ["an older epoch", "quotes.BTCUSD", { ...good, epoch: 0 }, "epoch"],
      ["an epoch of no feed", "quotes.BTCUSD", { ...good, epoch: 2 }, "epoch"],
      ["the same number again", "quotes.BTCUSD", { ...good, number: 1 }, "form"],
      [
        "a number twice",
        "quotes.BTCUSD",
        { ...other([0, ...good.quote.slice(1)]), number: 1 },
        "twice",
      ],
      [
        "a bid above the ask",
        "quotes.BTCUSD",
        other([previous, 102, ask, at, made, received, source, null]),
        "form",
      ],
      [
        "a price of zero",
        "quotes.BTCUSD",
        other([previous, 0, ask, at, made, received, source, null]),
        "form",
      ],
      [
        "a range without the quote",
        "quotes.BTCUSD",
        other([previous, bid, ask, at, made, received, source, [90, 95, 101, 101]]),
        "form",
      ],
      [
        "a quote from the future",
        "quotes.BTCUSD",
        other([previous, bid, ask, at, made, START_MS + 3_600_000, source, null]),
        "future",
      ],
      ["a heartbeat of another form", "heartbeat", { ...good, epoch: "1" }, "form"],
      ["a heartbeat of an older epoch", "heartbeat", { ...good, epoch: 0 }, "epoch"],
      [
        "sources of another form",
        "sources",
        { ...good, views: [{ pair: "BTCUSD", isHeld: true }] },
        "form",
      ],
      ["sources of an older epoch", "sources", { ...good, epoch: 0, views: [] }, "epoch"],
      [
        "a question about an unknown pair",
        "ask",
        { ...good, node: INSTALLATION, pairs: [["NOPE"]] },
        "pair",
      ],
      [
        "a question of a node whose id is none",
        "ask",
        { ...good, node: "a.>", pairs: [["BTCUSD"]] },
        "form",
      ],
      [
        "an answer of another epoch",
        "answer.00000000-0000-4000-8000-000000000001",
        { ...good, epoch: 7, pairs: [], quotes: [] },
        "epoch",
      ],
      [
        "an answer with quotes of a later epoch",
        "answer.00000000-0000-4000-8000-000000000001",
        { ...good, pairs: ["BTCUSD"], quotes: [["BTCUSD", 2, 2, good.quote]] },
        "form",
      ],
    ] as const)("the bus drops and counts %s", async (_title, subject, content, kind) => {
      const [feed, listener] = [join(), join()];
      publisher(feed, await lead(feed))(100);
      const text = typeof content === "string" ? content : JSON.stringify(content);
      const send = (): void => {
        const whole = `${prefix}.${subject}`;
        hub.node().send(whole, createMessageSeal([SEAL_KEY]).seal(text, whole));
      };
      for (let times = 0; times < 3; times += 1) send();
      expect(listener.seen.map((quote) => quote.bid)).toEqual([100]);
      expect([...listener.bus.dropped()]).toEqual([[kind, 3]]);
      const lines = logged.filter((line) => line.includes(`"${kind}"`));
      // Each node that received the messages logs one line.
      expect(lines.length).toBe(subject.startsWith("answer") ? 1 : 2);
      nowMs += 60_000;
      send();
      expect(listener.bus.dropped().get(kind)).toBe(4);
    });

    test.each([
      ["without a seal", (sent: string) => sent.slice(sent.indexOf("\n") + 1)],
      [
        "with another content than was sealed",
        (sent: string) => sent.replace("[0,100,", "[0,900,"),
      ],
      [
        "with a seal of another key",
        (sent: string, subject: string) =>
          createMessageSeal([new Uint8Array(32).fill(7)]).seal(
            sent.slice(sent.indexOf("\n") + 1),
            subject,
          ),
      ],
    ])("the bus drops, counts and logs a message %s [D12.sealedQuotes]", async (_title, forge) => {
      const [feed, listener] = [join(), join()];
      publisher(feed, await lead(feed))(100);
      const own = hub.sent.find(({ subject }) => subject.includes(".quotes."));
      const [subject, sent] = [own?.subject ?? "", own?.content ?? ""];
      const forged = forge(sent, subject);
      expect(forged).not.toBe(sent);
      hub.node().send(subject, forged);
      expect(listener.seen.map((quote) => quote.bid)).toEqual([100]);
      expect([...listener.bus.dropped()]).toEqual([["seal", 1]]);
    });

    test("a message that was sealed for another pair is dropped [D12.sealedQuotes]", async () => {
      const [feed, listener] = [join(), join()];
      publisher(feed, await lead(feed))(100);
      const own = hub.sent.find(({ subject }) => subject.includes(".quotes."));
      hub.node().send((own?.subject ?? "").replace("BTCUSD", "ETHUSD"), own?.content ?? "");
      expect(listener.seen.map(({ pair }) => pair)).toEqual(["BTCUSD"]);
      expect([...listener.bus.dropped()]).toEqual([["seal", 1]]);
    });

    test("dropped messages are a warning of their pair until one is taken, or for a minute [D12.sealedQuotes] [D12.droppedPairs]", async () => {
      const [feed, { bus }] = [join(), join()];
      const publish = publisher(feed, await lead(feed));
      publish(100);
      const own = hub.sent.find(({ subject }) => subject.includes(".quotes."));
      const forge = (pair: string) =>
        hub.node().send((own?.subject ?? "").replace("BTCUSD", pair), "no seal");
      for (const pair of ["EURUSD", "EURUSD", "NOPAIR", "BTCUSD"]) forge(pair);
      const warning = { source: "quote bus", first: null };
      const eur = { ...warning, reason: "the quotes of EURUSD are dropped (seal)", count: 2 };
      const btc = { ...warning, reason: "the quotes of BTCUSD are dropped (seal)", count: 1 };
      expect(bus.warnings()).toEqual([eur, btc]);
      publish(101);
      expect(bus.warnings()).toEqual([eur]);
      nowMs += 60_001;
      expect(bus.warnings()).toEqual([]);
    });

    test("messages of another installation on the same NATS are dropped without hearing them", async () => {
      const [feed, listener] = [join(), join()];
      publisher(feed, await lead(feed))(100);
      const subject = `propgate.${INSTALLATION.replace("6", "7")}.v1.quotes.BTCUSD`;
      hub.node().send(subject, JSON.stringify(good));
      expect([listener.seen.length, listener.bus.dropped().size]).toEqual([1, 0]);
    });

    test("sources that were sent before others are dropped, so a copy of them changes nothing", async () => {
      const [feed, listener] = [join(), join()];
      const publish = publisher(feed, await lead(feed));
      const pairs: unknown[] = [];
      listener.bus.onViews((views) => void pairs.push(views.map(({ isHeld }) => isHeld)));
      const view = { ...VIEW, isHeld: true };
      publish(100);
      feed.bus.send([view]);
      publish(101);
      feed.bus.send([{ ...view, isHeld: false }]);
      const earlier = hub.sent.find(({ subject }) => subject.endsWith(".sources"));
      hub.node().send(earlier?.subject ?? "", earlier?.content ?? "");
      expect(pairs).toEqual([[true], [false]]);
      expect([...listener.bus.dropped()]).toEqual([["order", 1]]);
    });

    test("messages that come out of order are dropped", async () => {
      const [feed, listener] = [join(), join()];
      const publish = publisher(feed, await lead(feed));
      publish(100);
      publish(101);
      publish(102);
      const late = hub.sent.find(({ subject }) => subject.includes(".quotes."));
      hub.node().send(late?.subject ?? "", late?.content ?? "");
      expect(listener.seen.map((quote) => quote.bid)).toEqual([100, 101, 102]);
      expect([...listener.bus.dropped()]).toEqual([["order", 1]]);
    });
  });
});
