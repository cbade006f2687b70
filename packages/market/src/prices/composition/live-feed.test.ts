import {
  actionId,
  type Instruments,
  type PairId,
  pairId,
  quoteInScale,
  type Split,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { describe, expect, test } from "vitest";
import { madeCatalogue, madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { madeNumberedQuote } from "../../../../server/src/testing/made-numbered-quote.ts";
import { madeQuoteFlow } from "../../../../server/src/testing/made-quote-flow.ts";
import { createManualTime } from "../../../../server/src/testing/manual-time.ts";
import {
  createScriptedSource,
  type ScriptedSource,
} from "../../../../server/src/testing/scripted-source.ts";
import type { PriceChoice } from "../../storage/price-choice-store.ts";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { createSessionGaps } from "../quotes/session-gaps.ts";
import { createLiveFeed, type LiveFeed, type SpeakerChange } from "./live-feed.ts";

const PAIR = pairId("BTCUSD");
const START_MS = Date.UTC(2026, 0, 7, 12);
const OUTLIERS = { moveMax: 0.2, confirmedBy: 3 };

interface Stage {
  readonly feed: LiveFeed;
  readonly a: ScriptedSource;
  readonly b: ScriptedSource;
  readonly c: ScriptedSource;
  /** Shows a quote that another process has accepted. */
  readonly accepts: (source: string, mid: number) => void;
  /** The accepted quotes, as `source mid`. */
  readonly accepted: string[];
  readonly changes: SpeakerChange[];
  readonly now: () => UnixMs;
  /** Passes time in steps of a quarter second, with a tick after each. `each` runs before every tick. */
  readonly pass: (ms: number, each?: () => void) => Promise<void>;
  /** Moves the clock in one step, without a tick. */
  readonly step: (ms: number) => Promise<void>;
  readonly speaker: () => string | null;
  readonly choose: (chosen: PriceChoice["chosen"]) => void;
}

async function stage(
  names: readonly string[] = ["a", "b"],
  splits: readonly Split[] = [],
): Promise<Stage> {
  const instruments: Instruments = madeCatalogue(madeInstrument("BTCUSD"));
  const time = createManualTime(START_MS);
  const { intake, bus, board } = madeQuoteFlow(instruments);
  const accepted: string[] = [];
  let elsewhere = 0;
  bus.subscribe(({ source, bid, ask }: NumberedQuote) => {
    accepted.push(`${source} ${(bid + ask) / 2}`);
  });
  const source = (name: string) => createScriptedSource(name, [PAIR], time.clock);
  const [a, b, c] = [source("a"), source("b"), source("c")];
  const choices = new Map<PairId, Pick<PriceChoice, "chosen">>();
  const changes: SpeakerChange[] = [];
  const feed = createLiveFeed({
    sources: [a, b, c],
    plan: new Map([[PAIR, names]]),
    instruments,
    choices: { choiceOf: (pair) => choices.get(pair) ?? null },
    deviationPct: () => 1,
    outliers: OUTLIERS,
    clock: time.clock,
    gaps: createSessionGaps({
      instruments,
      actionsOf: () => splits,
      lastAtMs: () => null,
      onGap: () => undefined,
    }),
    newest: (pair) => {
      const newest = intake.newest(pair) ?? board.newest(pair);
      const now = time.clock.now();
      if (newest === null) return null;
      const quote = quoteInScale(newest, splits, { now, isPending: () => false });
      return { ...quote, source: newest.source };
    },
    accept: (quote) => intake.offer(quote, "composed"),
    onChanges: (given) => void changes.push(...given),
  });
  await feed.start();
  return {
    feed,
    a,
    b,
    c,
    accepts(source, mid) {
      elsewhere += 1;
      const atMs = time.clock.now();
      board.show(madeNumberedQuote({ source, number: elsewhere, bid: mid, ask: mid, atMs }));
    },
    accepted,
    changes,
    now: () => time.clock.now(),
    async pass(ms, each = () => undefined) {
      for (let passed = 0; passed < ms; passed += 250) {
        await time.pass(250);
        each();
        feed.tick();
      }
    },
    step: (ms) => time.pass(ms),
    speaker: () => feed.pairs()[0]?.speaker ?? null,
    choose(chosen) {
      choices.set(PAIR, { chosen });
      feed.applyChoice(PAIR);
    },
  };
}

const faults = ({ feed }: Stage, place = 0) => {
  const counts = Object.entries(feed.pairs()[0]?.sources[place]?.rejected ?? {});
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
};

describe("the source that speaks for a pair", () => {
  test("the preferred source speaks alone, and the other's quotes are not used", async () => {
    const { a, b, accepted, speaker } = await stage();
    a.say(PAIR, 100);
    b.say(PAIR, 100.1);
    a.say(PAIR, 100.2);
    expect(accepted).toEqual(["a 100", "a 100.2"]);
    expect(speaker()).toBe("a");
  });

  test("a silent source is replaced when its quote is stale, within a quarter second", async () => {
    const { a, b, pass, speaker, accepted } = await stage();
    a.say(PAIR, 100);
    await pass(60_000, () => b.say(PAIR, 100.1));
    expect(speaker()).toBe("a");
    await pass(250, () => b.say(PAIR, 100.2));
    expect(speaker()).toBe("b");
    expect(accepted).toEqual(["a 100", "b 100.2"]);
  });

  test("a replaced source's held quote speaks at the change, without waiting for its next one", async () => {
    const { a, b, pass, accepted } = await stage();
    a.say(PAIR, 100);
    await pass(30_000);
    b.say(PAIR, 100.1);
    await pass(30_250);
    expect(accepted).toEqual(["a 100", "b 100.1"]);
  });

  test("a crossed quote changes the source immediately", async () => {
    const crossing = await stage();
    const { a, b, speaker, accepted } = crossing;
    a.say(PAIR, 100);
    b.say(PAIR, 100.1);
    a.offer(PAIR, { bid: 101, ask: 99 });
    expect(speaker()).toBe("b");
    expect(accepted).toEqual(["a 100", "b 100.1"]);
    expect(faults(crossing)).toEqual({ crossed: 1 });
  });

  test("a source whose connection is down is replaced at the next tick", async () => {
    const { a, b, pass, speaker } = await stage();
    a.say(PAIR, 100);
    b.say(PAIR, 100.1);
    a.set("down");
    await pass(250);
    expect(speaker()).toBe("b");
  });

  test("a source that is down for other pairs only still speaks for this one", async () => {
    const { a, b, pass, speaker } = await stage();
    const both = (): void => {
      a.say(PAIR, 100);
      b.say(PAIR, 100);
    };
    await pass(1_000, both);
    a.set("down");
    a.set("up", PAIR);
    await pass(3_000, both);
    expect(speaker()).toBe("a");
    a.set("down", PAIR);
    await pass(1_000, () => b.say(PAIR, 100));
    expect(speaker()).toBe("b");
  });

  test("the preferred source returns after 10 seconds of health, not before", async () => {
    const { a, b, pass, speaker } = await stage();
    b.say(PAIR, 100);
    a.say(PAIR, 100);
    const both = () => {
      a.say(PAIR, 100);
      b.say(PAIR, 100);
    };
    await pass(9_750, both);
    expect(speaker()).toBe("b");
    await pass(250, both);
    expect(speaker()).toBe("a");
  });

  test("a source that fails every 9.9 seconds never returns", async () => {
    const { a, b, pass, speaker, feed } = await stage();
    b.say(PAIR, 100);
    let passed = 0;
    await pass(120_000, () => {
      passed += 250;
      b.say(PAIR, 100);
      if (passed % 9_750 === 0) a.offer(PAIR, { bid: 101, ask: 99 });
      else a.say(PAIR, 100);
    });
    expect(speaker()).toBe("b");
    expect(feed.pairs()[0]?.changes).toBe(1);
  });

  test("a source that recovered speaks immediately without another source", async () => {
    const { a, accepted } = await stage(["a"]);
    a.say(PAIR, 100);
    a.offer(PAIR, { bid: 101, ask: 99 });
    a.say(PAIR, 101);
    expect(accepted).toEqual(["a 100", "a 101"]);
  });

  test("a source that failed is passed over for a steady one of lower priority", async () => {
    const { a, b, c, pass, speaker } = await stage(["a", "b", "c"]);
    b.say(PAIR, 100);
    await pass(1_000, () => {
      a.say(PAIR, 100);
      b.say(PAIR, 100);
      c.say(PAIR, 100);
    });
    b.offer(PAIR, { bid: 101, ask: 99 });
    expect(speaker()).toBe("c");
  });
});

describe("quotes that are rejected", () => {
  test.each([
    ["future", 1_001],
    ["late", -60_001],
  ] as const)("a quote of the %s is rejected: made %i ms from now", async (fault, ahead) => {
    const given = await stage();
    given.a.say(PAIR, 100, { madeAtMs: unixMs(given.now() + ahead) });
    expect(given.accepted).toEqual([]);
    expect(faults(given)).toEqual({ [fault]: 1 });
  });

  test("a reordered quote is ignored and harms nothing", async () => {
    const given = await stage();
    const { a, accepted, step, now, speaker } = given;
    a.say(PAIR, 100);
    await step(500);
    a.say(PAIR, 101);
    a.say(PAIR, 100, { madeAtMs: unixMs(now() - 400) });
    expect(accepted).toEqual(["a 100", "a 101"]);
    expect([speaker(), faults(given)]).toEqual(["a", { older: 1 }]);
  });

  test("a print far away is an outlier: the other source speaks immediately", async () => {
    const given = await stage();
    const { a, b, accepted, speaker } = given;
    a.say(PAIR, 100);
    b.say(PAIR, 100);
    a.say(PAIR, 150);
    expect(speaker()).toBe("b");
    expect(accepted).toEqual(["a 100", "b 100"]);
    expect(faults(given)).toEqual({ outlier: 1 });
  });

  test("a jump that the other source confirms is accepted with the confirming quote", async () => {
    const { a, b, accepted } = await stage();
    a.say(PAIR, 100);
    b.say(PAIR, 100);
    a.say(PAIR, 150);
    b.say(PAIR, 150.2);
    expect(accepted.at(-1)).toBe("b 150.2");
  });

  test("a single source's jump is accepted when three quotes in a row confirm it", async () => {
    const { a, accepted } = await stage(["a"]);
    a.say(PAIR, 100);
    for (const mid of [150, 151]) a.say(PAIR, mid);
    expect(accepted).toEqual(["a 100"]);
    a.say(PAIR, 152);
    expect(accepted).toEqual(["a 100", "a 152"]);
  });
});

describe("prices of before a split", () => {
  const split: Split = {
    id: actionId("s"),
    pair: PAIR,
    atMs: unixMs(START_MS + 1_000),
    announcedAtMs: unixMs(START_MS - 10_000),
    kind: "split",
    newShares: 4,
    oldShares: 1,
  };

  test("neither repetition nor another source confirms a price of before a split, and a source of the new scale speaks [D13.formerScale]", async () => {
    const given = await stage(["a", "b"], [split]);
    const { a, b, accepted, step, speaker } = given;
    a.say(PAIR, 200);
    await step(1_000);
    for (const mid of [200.1, 200.2, 200.1, 200.1]) {
      a.say(PAIR, mid);
      b.say(PAIR, mid);
    }
    expect([accepted, speaker()]).toEqual([["a 200"], null]);
    expect([faults(given), faults(given, 1)]).toEqual([{ outlier: 4 }, { outlier: 4 }]);
    b.say(PAIR, 50.1);
    a.say(PAIR, 200.1);
    a.say(PAIR, 50.2);
    expect(accepted).toEqual(["a 200", "b 50.1"]);
  });
});

describe("the deviation guard", () => {
  test("two sources that differ hold the pair until they agree", async () => {
    const { a, b, accepted, feed } = await stage();
    a.say(PAIR, 100);
    b.say(PAIR, 103);
    a.say(PAIR, 100.5);
    expect(accepted).toEqual(["a 100"]);
    expect(feed.pairs()[0]?.isHeld).toBe(true);
    b.say(PAIR, 101);
    expect(accepted).toEqual(["a 100", "a 100.5"]);
  });

  test("two sources at the limit believe each other or hold the pair, and neither is believed alone", async () => {
    const given = await stage();
    const { a, b, accepted, feed } = given;
    a.say(PAIR, 100);
    b.say(PAIR, 100);
    // The difference is within one percent of the higher price, but not within one percent of the lower one.
    a.say(PAIR, 101.005);
    expect(accepted).toEqual(["a 100", "a 101.005"]);
    b.say(PAIR, 99.9);
    expect([accepted.length, feed.pairs()[0]?.isHeld]).toEqual([2, true]);
    expect([faults(given), faults(given, 1)]).toEqual([{}, {}]);
  });

  test("two seconds of disagreement put the last quote in doubt, until the first quote afterwards", async () => {
    const { a, b, pass, feed, accepted } = await stage();
    feed.onDoubt((_, isHeld) => accepted.push(isHeld ? "held" : "agreed"));
    a.say(PAIR, 100);
    b.say(PAIR, 103);
    await pass(1_750);
    expect(accepted).toEqual(["a 100"]);
    await pass(500);
    b.say(PAIR, 100.1);
    a.say(PAIR, 100.2);
    expect(accepted).toEqual(["a 100", "held", "agreed", "a 100.2"]);
  });

  test("two sources frozen at different prices end without any quote", async () => {
    const { a, b, pass, accepted, speaker } = await stage();
    a.say(PAIR, 100);
    b.say(PAIR, 103);
    await pass(61_000);
    expect([accepted, speaker()]).toEqual([["a 100"], null]);
  });

  test("the majority of three sources is believed, and the third loses its health", async () => {
    const given = await stage(["a", "b", "c"]);
    const { a, b, c, accepted, speaker } = given;
    for (const source of [a, b, c]) source.say(PAIR, 100);
    a.say(PAIR, 103);
    expect(speaker()).toBe("b");
    a.say(PAIR, 103);
    expect(accepted).toEqual(["a 100", "b 100"]);
    expect(faults(given)).toEqual({ disagreeing: 2 });
  });

  test("the operator's choice decides between two that differ", async () => {
    const { a, b, accepted, choose } = await stage();
    a.say(PAIR, 100);
    b.say(PAIR, 103);
    choose({ kind: "use", source: "b", isFar: true });
    b.say(PAIR, 103.5);
    expect(accepted).toEqual(["a 100", "b 103", "b 103.5"]);
  });
});

describe("a price far from the last one, of another source [D13.farPrice]", () => {
  const holds = (given: Stage): boolean[] => {
    const holding: boolean[] = [];
    given.feed.onDoubt((_, isHeld) => void holding.push(isHeld));
    return holding;
  };
  const stateOf = ({ feed }: Stage) => {
    const [{ speaker, isHeld, far } = { speaker: null, isHeld: false, far: null }] = feed.pairs();
    return { speaker, isHeld, far };
  };

  test("a source that is left alone a fifth away does not speak, however often it repeats its price", async () => {
    const given = await stage();
    const { a, b, accepted, pass, choose } = given;
    const holding = holds(given);
    a.say(PAIR, 100);
    await pass(61_000, () => b.say(PAIR, 50));
    await pass(10_000, () => b.say(PAIR, 50));
    expect(accepted).toEqual(["a 100"]);
    expect([stateOf(given), holding]).toEqual([{ speaker: null, isHeld: true, far: "b" }, [true]]);
    choose({ kind: "use", source: "b", isFar: false });
    expect(accepted).toEqual(["a 100"]);
    choose({ kind: "use", source: "b", isFar: true });
    expect(accepted).toEqual(["a 100", "b 50"]);
    expect([stateOf(given), holding]).toEqual([
      { speaker: "b", isHeld: false, far: null },
      [true, false],
    ]);
  });

  test("two sources that agree far away are believed", async () => {
    const { a, b, c, accepted, pass } = await stage(["a", "b", "c"]);
    a.say(PAIR, 100);
    await pass(61_000, () => {
      b.say(PAIR, 50);
      c.say(PAIR, 50);
    });
    expect(accepted[1]).toBe("b 50");
  });

  test("the price of a chosen source beyond the limit does not come in without far, not after a silence either", async () => {
    const given = await stage();
    const { a, b, accepted, pass, choose } = given;
    a.say(PAIR, 100);
    choose({ kind: "use", source: "b", isFar: false });
    await pass(5_000);
    b.say(PAIR, 102);
    expect([accepted, stateOf(given)]).toEqual([
      ["a 100"],
      { speaker: null, isHeld: true, far: "b" },
    ]);
    b.say(PAIR, 100.9);
    expect(accepted).toEqual(["a 100", "b 100.9"]);
    // After that quote the source speaks for the pair like any other.
    b.say(PAIR, 103);
    expect(accepted.at(-1)).toBe("b 103");
  });

  test("a chosen source comes in no further after a change of the feed, unless it spoke before", async () => {
    const { b, accepts, accepted, choose } = await stage();
    accepts("a", 100);
    choose({ kind: "use", source: "b", isFar: false });
    b.say(PAIR, 102);
    expect(accepted).toEqual([]);
    accepts("b", 100.5);
    b.say(PAIR, 102);
    expect(accepted).toEqual(["b 102"]);
  });

  test("the last quote counts, although its source is no longer configured", async () => {
    const given = await stage();
    given.accepts("removed", 100);
    await given.pass(10_000, () => given.b.say(PAIR, 50));
    expect([given.accepted, stateOf(given)]).toEqual([
      [],
      { speaker: null, isHeld: true, far: "b" },
    ]);
    given.choose({ kind: "use", source: "b", isFar: true });
    expect(given.accepted).toEqual(["b 50"]);
  });

  test("a simulated quote is no price to compare with", async () => {
    const { b, accepts, accepted, pass } = await stage();
    accepts("simulated", 100);
    await pass(1_000, () => b.say(PAIR, 50));
    expect(accepted[0]).toBe("b 50");
  });

  test("a chosen source that is silent puts the quote of the one before in doubt immediately", async () => {
    const given = await stage();
    const { a, b, choose, pass } = given;
    const holding = holds(given);
    a.say(PAIR, 100);
    choose({ kind: "use", source: "b", isFar: false });
    expect(holding).toEqual([true]);
    b.say(PAIR, 100);
    expect(holding).toEqual([true, false]);
    await pass(60_250);
    expect(holding).toEqual([true, false, true]);
    choose({ kind: "auto" });
    expect(holding).toEqual([true, false, true, false]);
  });
});

test("a chosen source is not silent on a node that is not the feed, and after a stop no more", async () => {
  const { a, feed, choose, pass } = await stage();
  const holding: boolean[] = [];
  feed.onDoubt((_, isHeld) => void holding.push(isHeld));
  a.say(PAIR, 100);
  choose({ kind: "use", source: "b", isFar: false });
  expect([holding, feed.pairs()[0]?.isSilent]).toEqual([[true], true]);
  await feed.stop();
  await pass(250);
  expect([holding, feed.pairs()[0]?.isSilent]).toEqual([[true, false], false]);
});

describe("the operator's choice", () => {
  test("a chosen source speaks alone: when it is silent, no other replaces it", async () => {
    const { a, b, accepted, choose, pass, speaker } = await stage();
    a.say(PAIR, 100);
    choose({ kind: "use", source: "b", isFar: false });
    expect(speaker()).toBe(null);
    await pass(1_000, () => a.say(PAIR, 100));
    expect(accepted).toEqual(["a 100"]);
    b.say(PAIR, 100.1);
    await pass(61_000, () => a.say(PAIR, 100));
    expect([accepted, speaker()]).toEqual([["a 100", "b 100.1"], null]);
    choose({ kind: "auto" });
    expect([accepted.at(-1), speaker()]).toEqual(["a 100", "a"]);
  });

  test("a source that is no longer configured gives no quotes, and no other replaces it", async () => {
    const { a, accepted, choose } = await stage();
    choose({ kind: "use", source: "removed", isFar: false });
    a.say(PAIR, 100);
    expect(accepted).toEqual([]);
  });

  test("a halted pair takes no quotes, and auto begins with the newest fresh one", async () => {
    const { a, accepted, choose, step } = await stage();
    a.say(PAIR, 100);
    choose({ kind: "halt" });
    await step(1_000);
    a.say(PAIR, 101);
    expect(accepted).toEqual(["a 100"]);
    choose({ kind: "auto" });
    expect(accepted).toEqual(["a 100", "a 101"]);
  });
});

describe("the clock", () => {
  test("a clock that steps back drops the quotes of every source, and the next quotes speak again", async () => {
    const { a, b, step, feed, speaker } = await stage();
    a.say(PAIR, 100);
    b.say(PAIR, 100);
    await step(-3_600_000);
    feed.tick();
    expect(speaker()).toBe(null);
    a.say(PAIR, 100);
    expect(speaker()).toBe("a");
  });

  test("a clock that steps forward gives no source the health of the skipped time", async () => {
    const { a, b, step, pass, speaker } = await stage();
    b.say(PAIR, 100);
    a.say(PAIR, 100);
    await step(30_000);
    const both = () => {
      a.say(PAIR, 100);
      b.say(PAIR, 100);
    };
    both();
    expect(speaker()).toBe("b");
    await pass(9_750, both);
    expect(speaker()).toBe("b");
    await pass(500, both);
    expect(speaker()).toBe("a");
  });
});

test("no quote is taken after a stop", async () => {
  const { a, feed, accepted } = await stage();
  await feed.stop();
  a.say(PAIR, 100);
  expect(accepted).toEqual([]);
});
