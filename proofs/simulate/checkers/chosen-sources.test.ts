import { pairId, price } from "@propgate/core";
import { afterAll, expect, test } from "vitest";
import { madeNumberedQuote } from "../../../packages/server/src/testing/made-numbered-quote.ts";
import type { Observation } from "../checker.ts";
import type { SourceName } from "../price-sources.ts";
import type { SourceAnswer } from "../price-tasks.ts";
import { ChosenSources } from "./chosen-sources.ts";
import { JournalReader } from "./journal-reader.ts";
import { PublishedQuotes } from "./published-quotes.ts";
import { WatchedService } from "./watched-service.ts";

const PAIR = pairId("BTCUSD");
/** Stores that an operator chose the second source without `far`, the permission for a distant price. */
const CHOSEN = `insert into price_choices values ('${PAIR}', 'use', 'second', false, null, 'operator', 0, 1)`;
const watched = await WatchedService.open();
const nowMs = watched.service.time.clock.now();
afterAll(() => watched.service.close());

const quoteOf = (bid: number) => ({ pair: PAIR, bid: price(bid), ask: price(bid), atMs: nowMs });
const fedBy = (source: SourceName, bid: number) => ({
  source,
  quote: quoteOf(bid),
  turn: 1,
  steadyMs: 0,
});
const publishedBy = (source: SourceName, bid: number, number: number) => ({
  ...madeNumberedQuote({ epoch: 1, number, pair: PAIR, bid, ask: bid, atMs: nowMs }),
  source,
});
const answer = (over: Partial<SourceAnswer>): SourceAnswer => ({
  kind: "use",
  pair: PAIR,
  source: "second",
  isFar: false,
  status: 200,
  data: null,
  sentSteadyMs: 5_000,
  newestAtSending: null,
  isAgain: false,
  turn: 1_000,
  atMs: nowMs,
  ...over,
});

/** The findings of an observation that follows one without faults. */
function found(over: Partial<Observation>, before: Partial<Observation> = {}) {
  return watched.messagesWhenTampered([CHOSEN], async (database) => {
    const checker = new ChosenSources(new JournalReader(), new PublishedQuotes());
    const common = { database, boards: [] };
    await checker.check(watched.observe({ ...common, ...before }));
    const findings = await checker.check(watched.observe({ ...common, ...over }));
    return findings.map(({ message }) => message);
  });
}

test("a published quote of another source than the chosen one is found", async () => {
  expect(await found({ published: [publishedBy("second", 50_000, 1)] })).toEqual([]);
  const [message] = await found({ published: [publishedBy("main", 50_000, 1)] });
  expect(message).toBe("BTCUSD 50000/50000 of main was published, but second is chosen");
});

test("a published price of the chosen source beyond the limit is found", async () => {
  const published = (bid: number) => ({ published: [publishedBy("second", bid, 2)] });
  const before = { published: [publishedBy("main", 50_000, 1)] };
  expect(await found(published(50_400), before)).toEqual([]);
  const [message] = await found(published(50_600), before);
  expect(message).toMatch(/^BTCUSD 50600\/50600 of second is 1.2 % from main, without far$/);
});

test("a board with a fresh price that the chosen source has not sent is found", async () => {
  const boards = [new Map([[PAIR, quoteOf(50_000)]])];
  expect(await found({ boards, fed: [fedBy("second", 50_000)] })).toEqual([]);
  expect(await found({ boards, fed: [fedBy("main", 50_000)] })).toHaveLength(1);
  const halted = [new Map([[PAIR, { ...quoteOf(50_000), standing: "halted" as const }]])];
  expect(await found({ boards: halted, fed: [fedBy("main", 50_000)] })).toEqual([]);
});

test("a choice beyond the limit that was accepted without far is found", async () => {
  const effect = (bid: number, isFar: boolean) => ({
    effect: { from: { bid: 50_000, ask: 50_000 }, to: { bid, ask: bid }, isFar },
  });
  const of = (data: unknown) => found({ sourceAnswers: [answer({ data })] });
  expect(await of(effect(50_100, false))).toEqual([]);
  expect(await of(effect(51_000, true))).toEqual([
    "use of BTCUSD from 50000 to 51000, 2 % away, was accepted without far",
  ]);
  expect(await of(effect(50_100, true))).toHaveLength(1);
});

test("an answer that names no price of a source which has sent one is found", async () => {
  const left = publishedBy("main", 50_000, 1);
  const given = {
    sourceAnswers: [answer({ newestAtSending: left, data: { effect: { from: null, to: null } } })],
  };
  expect(await found({ ...given, fed: [fedBy("main", 50_000)] })).toEqual([]);
  expect(await found({ ...given, fed: [fedBy("second", 50_000)] })).toEqual([
    "use of BTCUSD names no price of second, which has sent 50000",
  ]);
});

test("a pair that is live while its chosen source is silent is found", async () => {
  const of = (state: string) => ({
    sourceAnswers: [
      answer({ kind: "list", data: { items: [{ pair: PAIR, state, choice: { version: 1 } }] } }),
    ],
  });
  expect(await found(of("missing"))).toEqual([]);
  expect(await found({ ...of("live"), fed: [fedBy("second", 50_000)] })).toEqual([]);
  expect(await found(of("live"))).toEqual(["BTCUSD is live, but second is chosen and silent"]);
});
