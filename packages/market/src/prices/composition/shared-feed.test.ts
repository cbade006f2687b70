import { type PairId, pairId } from "@propgate/core";
import { expect, test } from "vitest";
import { createSharedBus } from "../../../../cluster/src/bus/shared-bus.ts";
import { madeCatalogue, madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { madeQuoteFlow } from "../../../../server/src/testing/made-quote-flow.ts";
import { createMadeMessageHub } from "../../../../server/src/testing/made-transport.ts";
import { createManualTime } from "../../../../server/src/testing/manual-time.ts";
import { createScriptedSource } from "../../../../server/src/testing/scripted-source.ts";
import type { ChosenPrices } from "../../storage/price-choice-store.ts";
import { createLiveFeed } from "./live-feed.ts";
import { createSharedFeed } from "./shared-feed.ts";

const PAIR = pairId("BTCUSD");
const INSTRUMENTS = madeCatalogue(madeInstrument("BTCUSD"));

/** Makes nodes on one bus, each with two sources. Only the sources of the feed's node run. */
function stage() {
  const hub = createMadeMessageHub();
  const time = createManualTime(Date.UTC(2026, 0, 7, 12));
  let chosen: ChosenPrices = { kind: "auto" };
  let epoch = 0;
  const nodes = [0, 1].map((number) => {
    const [a, b] = ["a", "b"].map((name) => createScriptedSource(name, [PAIR], time.clock));
    if (a === undefined || b === undefined) throw new Error("two sources are made");
    const bus = createSharedBus({
      transport: hub.node(),
      installation: "6f1d2c53-7a33-4c9b-9f0e-0d1c5b7a2e11",
      sealKeys: [new Uint8Array(32)],
      node: `00000000-0000-4000-8000-00000000000${number}`,
      instruments: INSTRUMENTS,
      clock: time.clock,
      steadyClock: { nowMs: () => time.clock.now() },
      feedEpoch: async () => epoch,
      log: { warn: () => undefined, error: () => undefined },
    });
    const { intake } = madeQuoteFlow(INSTRUMENTS);
    const live = createLiveFeed({
      sources: [a, b],
      plan: new Map([[PAIR, ["a", "b"]]]),
      instruments: INSTRUMENTS,
      choices: { choiceOf: () => ({ chosen }) },
      deviationPct: () => 1,
      outliers: { moveMax: 0.2, confirmedBy: 3 },
      clock: time.clock,
      newest: (pair: PairId) => intake.newest(pair),
      accept: (quote) => intake.offer(quote, "composed"),
    });
    const feed = createSharedFeed(live, bus);
    const holds: boolean[] = [];
    feed.onDoubt((_, isHeld) => void holds.push(isHeld));
    return { a, b, bus, feed, holds };
  });
  const [first, second] = nodes;
  if (first === undefined || second === undefined) throw new Error("two nodes are made");
  return {
    first,
    second,
    lead: async ({ bus, feed }: (typeof nodes)[number]) => {
      epoch += 1;
      bus.becomeFeed({ epoch, isHeld: () => true, onEpochUsed: () => undefined });
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      await feed.start();
    },
    choose: (given: ChosenPrices) => {
      chosen = given;
      for (const { feed } of nodes) feed.applyChoice(PAIR);
    },
    pass: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 250) {
        await time.pass(250);
        for (const { feed, bus } of nodes) {
          bus.tick();
          feed.tick();
        }
      }
    },
  };
}

test("a pair whose chosen source is silent is in doubt on every node, until its quote [D13.judges] [D13.silentChoice]", async () => {
  const { first, second, lead, choose } = stage();
  await lead(first);
  first.a.say(PAIR, 100);
  choose({ kind: "use", source: "b", isFar: false });
  expect([first.holds, second.holds]).toEqual([[true], [true]]);
  first.b.say(PAIR, 100);
  expect([first.holds, second.holds]).toEqual([
    [true, false],
    [true, false],
  ]);
});

test("every node shows the sources of the feed, and none of a feed that is gone [D13.farPrice]", async () => {
  const { first, second, lead, pass } = stage();
  await lead(first);
  first.a.say(PAIR, 100);
  first.b.say(PAIR, 100.5);
  await pass(1_000);
  const sources = second.feed.pairs()[0]?.sources.map(({ name, quote }) => [name, quote?.bid]);
  expect(sources).toEqual([
    ["a", 99.5],
    ["b", 100],
  ]);
  expect(second.feed.pairs()).toEqual(first.feed.pairs());
  first.bus.endFeed();
  await first.feed.stop();
  await pass(4_000);
  expect(second.feed.pairs()[0]?.sources.map(({ quote }) => quote)).toEqual([null, null]);
});

test("the next feed keeps the doubt about a silent source, and ends that of a feed before it", async () => {
  const { first, second, lead, choose, pass } = stage();
  await lead(first);
  choose({ kind: "use", source: "b", isFar: false });
  first.bus.endFeed();
  await first.feed.stop();
  await lead(second);
  await pass(1_000);
  expect([first.holds, second.holds]).toEqual([[true], [true]]);
  choose({ kind: "auto" });
  expect([first.holds, second.holds]).toEqual([
    [true, false],
    [true, false],
  ]);
});
