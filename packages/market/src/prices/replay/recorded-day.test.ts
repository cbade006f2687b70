import { join } from "node:path";
import {
  type AccountId,
  type Direction,
  orderUuid,
  type PairId,
  price,
  type Quote,
  type TraderCommand,
  unixMs,
} from "@propgate/core";
import { describe, expect, test } from "vitest";
import { createSeededChance } from "../../../../base/src/random.ts";
import { madeQuoteFlow } from "../../../../server/src/testing/made-quote-flow.ts";
import {
  createManualEngine,
  type ManualEngine,
} from "../../../../server/src/testing/manual-engine.ts";
import { createManualTime } from "../../../../server/src/testing/manual-time.ts";
import { openTestDatabase } from "../../../../server/src/testing/open-test-database.ts";
import { BTCUSD, EURUSD, SMALL_CATALOGUE } from "../../../../server/src/testing/small-market.ts";
import {
  makeTemporaryFolder,
  writeTemporaryFile,
} from "../../../../server/src/testing/temporary-folder.ts";
import type { RecordedQuote } from "../port.ts";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { createRecordingTape } from "../tape/tape-writer.ts";
import { openReplay } from "./replay.ts";

/** A Wednesday at noon, so that the recorded day includes midnight. */
const START = Date.UTC(2023, 10, 15, 12);
const QUOTES = 1_500;

/**
 * A day of quotes of two pairs from two venues, one of which sends its own time. It has a jump that the outlier check
 * doubts.
 */
function liveDay(): readonly RecordedQuote[] {
  const chance = createSeededChance("a recorded day");
  const random = (): number => (chance.bytes(1)[0] ?? 0) / 255;
  let bitcoin = 50_000;
  let euro = 1.1;
  let atMs = START;
  let madeMs = START;
  return Array.from({ length: QUOTES }, (_, index): RecordedQuote => {
    atMs += Math.floor(random() * 110_000);
    bitcoin *= 1 + (random() - 0.5) / 150;
    euro *= 1 + (random() - 0.5) / 1_000;
    if (index === 700) bitcoin *= 0.7;
    const isBitcoin = random() < 0.6;
    const bid = isBitcoin ? Math.round(bitcoin * 100) / 100 : Math.round(euro * 1e5) / 1e5;
    const madeAtMs = isBitcoin ? null : unixMs(Math.max(madeMs, atMs - Math.floor(random() * 50)));
    madeMs = madeAtMs ?? madeMs;
    return {
      source: isBitcoin ? "kraken" : "oanda",
      pair: isBitcoin ? BTCUSD : EURUSD,
      bid: price(bid),
      ask: price(isBitcoin ? bid + 0.5 : bid + 0.00012),
      atMs: madeAtMs ?? unixMs(atMs),
      madeAtMs,
      receivedAtMs: unixMs(atMs),
    };
  });
}

/**
 * The quote as it is offered. BTCUSD comes from a source on the service's own time, whose quotes the outlier check
 * judges.
 */
function asOffered(quote: RecordedQuote): Quote {
  const { pair, bid, ask, receivedAtMs: atMs } = quote;
  return pair === BTCUSD ? { pair, bid, ask, atMs } : quote;
}

/**
 * The orders that the trader sends after this quote: one MARKET and one LIMIT when `count` is a multiple of 30 and the
 * quote is of BTCUSD.
 */
function ordersAfter(count: number, quote: Quote): readonly TraderCommand[] {
  if (count % 30 !== 0 || quote.pair !== BTCUSD) return [];
  const id = (kind: number) =>
    orderUuid(`00000000-0000-4000-8000-${String(count * 10 + kind).padStart(12, "0")}`);
  const direction: Direction = count % 60 === 0 ? "long" : "short";
  const away = direction === "long" ? 0.998 : 1.002;
  return [
    {
      type: "placeMarket",
      orderUuid: id(1),
      pair: BTCUSD,
      direction,
      size: { kind: "quantity", lots: 0.05 },
      legs: [],
      reduceOnly: false,
    },
    {
      type: "placeLimit",
      reduceOnly: false,
      orderUuid: id(2),
      pair: BTCUSD,
      direction,
      size: { kind: "quantity", lots: 0.05 },
      limitPrice: price(Math.round(quote.bid * away * 100) / 100),
      legs: [],
    },
  ];
}

interface Day {
  readonly journal: string;
  readonly quotes: readonly NumberedQuote[];
  readonly fills: number;
}

/** Runs the network over the quotes of a day. `play` calls its argument with each of them. */
async function day(
  play: (publish: (quotes: readonly Quote[], nowMs: number) => Promise<void>) => Promise<void>,
  given: { readonly recordTo?: string } = {},
): Promise<Day> {
  const database = await openTestDatabase();
  const flow = madeQuoteFlow(SMALL_CATALOGUE, { moveMax: 0.2, confirmedBy: 3 });
  const quotes: NumberedQuote[] = [];
  flow.bus.subscribe((quote) => void quotes.push(quote));
  const tape =
    given.recordTo === undefined
      ? null
      : createRecordingTape({ folder: given.recordTo, onRepair: () => undefined });
  await tape?.open();
  flow.bus.subscribe((quote) => tape?.write(quote));
  const engine: ManualEngine = createManualEngine(database, { flow, now: unixMs(START) });
  const account: AccountId = await engine.open();
  await play(async (batch, nowMs) => {
    engine.now = unixMs(nowMs);
    for (const quote of batch) {
      const before = quotes.length;
      await engine.market.publish([quote]);
      const orders = quotes.length === before ? [] : ordersAfter(quotes.length, quote);
      for (const order of orders) {
        await engine.network.carryOut(account, order, { by: "operator" });
      }
    }
    if (quotes.length % 97 === 0) await tape?.flush();
  });
  await engine.market.whenSettled();
  await tape?.close();
  expect(engine.faults).toEqual([]);
  const lines = await engine.journal(account);
  await database.close();
  return {
    journal: JSON.stringify(lines),
    quotes,
    fills: lines.filter(({ event }) => event.type === "orderFilled").length,
  };
}

/** Replays the recording with its own time, as fast as the machine can. */
async function replayed(path: string): Promise<Day> {
  const time = createManualTime(START);
  const replay = await openReplay({
    files: [path],
    instruments: SMALL_CATALOGUE,
    speed: 1_000,
    rebase: "own",
    loop: false,
    maxUnusablePct: 1,
    clock: time.clock,
    ticker: time.ticker,
  });
  return day(async (publish) => {
    await replay.source.start((quotes) => publish(quotes, replay.clock.now()));
    await time.pass(2 * 86_400);
    await replay.ended;
    await replay.source.stop();
  });
}

describe("a recorded day", () => {
  test("a recorded day that is replayed twice gives the quotes, the fills and the journal of the day itself, byte for byte", async () => {
    const folder = join(await makeTemporaryFolder(), "tape");
    const live = await day(
      async (publish) => {
        for (const quote of liveDay()) await publish([asOffered(quote)], quote.receivedAtMs);
      },
      { recordTo: folder },
    );
    // The feed rejects the two quotes after the jump, and the third confirms them. The tape, and so the replay, has
    // only the third.
    expect(live.quotes).toHaveLength(QUOTES - 2);
    expect(live.fills).toBeGreaterThan(20);
    for (let run = 0; run < 2; run += 1) {
      const again = await replayed(folder);
      expect(again.quotes).toEqual(live.quotes);
      expect(again.journal).toBe(live.journal);
    }
  });

  test("a recorded day at the present time keeps the source, order and lag of its quotes", async () => {
    const folder = await makeTemporaryFolder();
    const tape = createRecordingTape({ folder, onRepair: () => undefined });
    await tape.open();
    for (const [index, quote] of liveDay().entries()) {
      const { bid, ask } = quote;
      const range = { lowBid: bid, highBid: bid, lowAsk: ask, highAsk: ask };
      tape.write({ ...quote, epoch: 1, number: index + 1, previous: 0, range });
    }
    await tape.close();
    const time = createManualTime(START + 400 * 86_400_000);
    const replay = await openReplay({
      files: [`EURUSD=${folder}`],
      instruments: SMALL_CATALOGUE,
      speed: 100_000,
      rebase: "now",
      loop: false,
      maxUnusablePct: 1,
      clock: time.clock,
      ticker: time.ticker,
    });
    const quotes: Quote[] = [];
    await replay.source.start(async (batch) => void quotes.push(...batch));
    await time.pass(86_400);
    await replay.source.stop();
    const own = liveDay().filter(({ pair }: { pair: PairId }) => pair === EURUSD);
    const facts = (all: readonly Quote[]) =>
      all.map((quote) => [
        quote.bid,
        quote.ask,
        "source" in quote ? quote.source : null,
        "receivedAtMs" in quote ? Number(quote.receivedAtMs) - quote.atMs : null,
      ]);
    expect(facts(quotes)).toEqual(facts(own));
    expect(quotes.every(({ atMs }) => atMs > START + 399 * 86_400_000)).toBe(true);
  });

  test("a file that is no tape is refused by name", async () => {
    const time = createManualTime(START);
    const open = (file: string) =>
      openReplay({
        files: [file],
        instruments: SMALL_CATALOGUE,
        speed: 1,
        rebase: "own",
        loop: false,
        maxUnusablePct: 1,
        clock: time.clock,
        ticker: time.ticker,
      });
    const wrong = await writeTemporaryFile("2026-11-23T01.tape", "not a tape");
    await expect(open(wrong)).rejects.toThrow(`${wrong}: a tape file keeps its name`);
    const renamed = await writeTemporaryFile("2026-11-23T01.00000001.tape", "not a tape");
    await expect(open(renamed)).rejects.toThrow(renamed);
  });
});
