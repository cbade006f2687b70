import {
  actionId,
  type CorporateActions,
  type Instruments,
  type PairId,
  pairId,
  price,
  type Quote,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { until } from "../../../../../test/eventually.ts";
import { openLog } from "../../../../base/src/log.ts";
import {
  type DatabaseOutage,
  databaseWithOutage,
} from "../../../../server/src/testing/database-outage.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { madeQuote } from "../../../../server/src/testing/made-quote.ts";
import { SMALL_CATALOGUE } from "../../../../server/src/testing/small-market.ts";
import { type ChosenPrices, createPriceChoiceStore } from "../../storage/price-choice-store.ts";
import { createQuoteStore } from "../../storage/quote-store.ts";
import { createQuoteBoard } from "../quote-board.ts";
import { createGapHalts } from "./gap-halts.ts";
import { createPriceChoices } from "./price-choices.ts";

/** A pair that trades from Monday to Friday. */
const EUR = pairId("EURUSD");
const GBP = pairId("GBPUSD");
const INSTRUMENTS: Instruments = new Map(
  [...SMALL_CATALOGUE].flatMap(([id, one]) =>
    id === EUR
      ? [
          [id, one],
          [GBP, { ...one, id: GBP }],
        ]
      : [[id, one]],
  ),
);
const FRIDAY = Date.parse("2026-01-09T23:59:59Z");
const MONDAY = unixMs(Date.parse("2026-01-12T00:00:00Z"));
const ACTION = { id: actionId("s"), pair: EUR, atMs: MONDAY, announcedAtMs: MONDAY };

const eur = (mid: number, atMs: UnixMs) => ({ pair: EUR, bid: price(mid), ask: price(mid), atMs });

await describeOnEachDatabase("halts of implausible gaps [D11.gap]", (database) => {
  beforeEach(() => database().query("truncate price_choices"));

  /** Opens a process on the database, with a board that has the last quote of Friday. */
  const openProcess = async () => {
    const warnings: string[] = [];
    const board = createQuoteBoard();
    const kept = { place: { epoch: 1, number: 1 }, source: "replay" };
    await createQuoteStore(database()).save(
      [EUR, GBP].map((pair) => ({ ...kept, quote: madeQuote(pair, 1.2, 1.2, FRIDAY) })),
    );
    await board.restore(createQuoteStore(database()), MONDAY);
    const clock = { now: () => MONDAY };
    const outage: DatabaseOutage = { text: "price_choices", when: "never" };
    const store = createPriceChoiceStore(databaseWithOutage(database(), outage));
    const choices = createPriceChoices({ store, clock });
    await choices.refresh();
    const log = openLog("warn", { write: (line) => void warnings.push(line) });
    const halts = createGapHalts({ instruments: INSTRUMENTS, board, choices, log });
    const offer = (bid: number, atMs = MONDAY, pair = EUR) => {
      const last: Quote = board.inScale(madeQuote(pair, 1.2, 1.2, FRIDAY), atMs);
      return halts.gaps.judge(last, { ...eur(bid, atMs), pair });
    };
    return { board, choices, halts, offer, outage, warnings };
  };
  const halted = async ({ choices }: Awaited<ReturnType<typeof openProcess>>) => {
    await choices.refresh();
    return choices.choiceOf(EUR);
  };
  const untilHalted = async (process: Awaited<ReturnType<typeof openProcess>>) => {
    for (let turn = 0; turn < 1_000; turn += 1) {
      if ((await halted(process))?.chosen.kind === "halt") return;
    }
    throw new Error("the pair was never halted");
  };

  test("a gap halts the pair with its reason, over a restart, until an operator accepts it", async () => {
    const first = await openProcess();
    expect([first.offer(0.6), first.offer(0.6)]).toEqual(["gap", "gap"]);
    await untilHalted(first);
    expect(await halted(first)).toMatchObject({
      chosen: { kind: "halt" },
      by: "gap check",
      reason: expect.stringMatching(/^the first price of the session is 0\.6, 50\.0 % from 1\.2/),
    });
    const second = await openProcess();
    await second.choices.choose({
      pair: EUR,
      chosen: { kind: "auto" },
      reason: null,
      by: "olga",
      expected: null,
    });
    expect(second.offer(0.6)).toBe("accepted");
  });

  const splitOf = (newShares: number): CorporateActions =>
    new Map([[EUR, [{ ...ACTION, kind: "split", newShares, oldShares: 1 }]]]);
  const lifted = async (node: Awaited<ReturnType<typeof openProcess>>) => {
    await node.halts.liftExplained();
    return await halted(node);
  };

  test("an announced action that the price fits lifts the halt, without accepting the gap [D13.gapExplained]", async () => {
    const node = await openProcess();
    expect(node.offer(0.3)).toBe("gap");
    await untilHalted(node);
    expect(await lifted(node)).toMatchObject({ chosen: { kind: "halt" } });
    node.board.adjust(splitOf(4), MONDAY);
    expect(await lifted(node)).toMatchObject({ chosen: { kind: "auto" }, by: "gap check" });
    expect([node.offer(0.6), node.offer(0.3)]).toEqual(["gap", "plausible"]);
  });

  test("an action does not lift the halt of an operator who has halted the pair since [D13.gapExplained]", async () => {
    const node = await openProcess();
    const choose = (kind: "halt" | "auto") =>
      node.choices.choose({
        pair: EUR,
        chosen: { kind },
        reason: null,
        by: "olga",
        expected: null,
      });
    expect(node.offer(0.3)).toBe("gap");
    await untilHalted(node);
    await choose("halt");
    node.board.adjust(splitOf(4), MONDAY);
    expect(await lifted(node)).toMatchObject({ chosen: { kind: "halt" }, by: "olga" });
    await choose("auto");
    expect(node.offer(0.6)).toBe("accepted");
  });

  test("an action that the price does not fit lifts nothing, and the pair stays halted with its one reason [D13.gapExplained]", async () => {
    const actions: readonly CorporateActions[] = [
      splitOf(2),
      new Map([[EUR, [{ ...ACTION, kind: "dividend", amount: 0.01 }]]]),
    ];
    for (const action of actions) {
      const node = await openProcess();
      expect(node.offer(0.3)).toBe("gap");
      await untilHalted(node);
      const before = await halted(node);
      node.board.adjust(action, MONDAY);
      for (let second = 0; second < 3; second += 1) {
        expect(await lifted(node)).toEqual(before);
        node.halts.gaps.note(eur(0.3, MONDAY));
      }
      expect(node.warnings).toHaveLength(1);
      // The price reaches the level that the action explains.
      const fits = action === actions[0] ? 0.61 : 1.18;
      node.halts.gaps.note(eur(fits, MONDAY));
      expect(await lifted(node)).toMatchObject({ chosen: { kind: "auto" }, by: "gap check" });
      await database().query("truncate price_choices");
    }
  });

  const by = (pair: PairId, chosen: ChosenPrices) => ({
    pair,
    chosen,
    reason: null,
    by: "olga",
    expected: null,
  });

  test("a halt that an action lifts gives the pair back to the source that an operator had chosen [D13.gapExplained]", async () => {
    const first = await openProcess();
    await first.choices.choose(by(EUR, { kind: "use", source: "kraken", isFar: true }));
    expect(first.offer(0.3)).toBe("gap");
    await untilHalted(first);
    const second = await openProcess();
    second.board.adjust(splitOf(4), MONDAY);
    second.halts.gaps.note(eur(0.3, MONDAY));
    expect(await lifted(second)).toMatchObject({
      chosen: { kind: "use", source: "kraken", isFar: false },
      by: "gap check",
    });
  });

  test("an operator's halt that comes while another pair's is lifted stays [D13.gapExplained]", async () => {
    const node = await openProcess();
    for (const pair of [EUR, GBP]) expect(node.offer(0.3, MONDAY, pair)).toBe("gap");
    await until(() => node.choices.isHalted(EUR) && node.choices.isHalted(GBP));
    const ofGbp = { ...ACTION, pair: GBP, kind: "split", newShares: 4, oldShares: 1 } as const;
    node.board.adjust(new Map([...splitOf(4), [GBP, [ofGbp]]]), MONDAY);
    node.choices.onChange(async ({ pair, chosen }) => {
      if (pair === EUR && chosen.kind === "auto") {
        await node.choices.choose(by(GBP, { kind: "halt" }));
      }
    });
    await node.halts.liftExplained();
    expect(node.choices.choiceOf(EUR)).toMatchObject({ chosen: { kind: "auto" } });
    expect(node.choices.choiceOf(GBP)).toMatchObject({ chosen: { kind: "halt" }, by: "olga" });
  });

  test("a gap does not replace the halt of an operator at another node [D13.gapExplained]", async () => {
    const [feed, other] = [await openProcess(), await openProcess()];
    await other.choices.choose(by(EUR, { kind: "halt" }));
    expect(feed.offer(0.3)).toBe("gap");
    await until(() => feed.choices.isHalted(EUR));
    expect(await halted(feed)).toMatchObject({ chosen: { kind: "halt" }, by: "olga" });
  });

  test("a halt that could not be stored is stored later, unless the pair has a plausible price again", async () => {
    const node = await openProcess();
    node.outage.when = "before";
    for (const pair of [EUR, GBP]) expect(node.offer(0.3, MONDAY, pair)).toBe("gap");
    await expect(node.halts.liftExplained()).rejects.toThrow("connect ECONNREFUSED");
    expect(node.offer(1.2, MONDAY, GBP)).toBe("plausible");
    node.outage.when = "never";
    await node.halts.liftExplained();
    expect(node.choices.choiceOf(EUR)).toMatchObject({ chosen: { kind: "halt" }, by: "gap check" });
    expect(node.choices.choiceOf(GBP)).toBeNull();
  });

  test("a gap that an operator accepts at a node without the feed is not accepted after the pair's next quote", async () => {
    const [feed, other] = [await openProcess(), await openProcess()];
    expect([feed.offer(0.6), other.offer(0.6)]).toEqual(["gap", "gap"]);
    await untilHalted(other);
    await other.choices.choose(by(EUR, { kind: "auto" }));
    other.board.show({
      ...madeQuote("EURUSD", 0.6, 0.6, MONDAY),
      epoch: 2,
      number: 1,
      previous: 0,
      source: "feed",
      madeAtMs: null,
      receivedAtMs: MONDAY,
      range: { lowBid: price(0.6), highBid: price(0.6), lowAsk: price(0.6), highAsk: price(0.6) },
    });
    const later = unixMs(MONDAY + 7 * 86_400_000);
    expect(other.offer(0.6, later)).toBe("gap");
    await untilHalted(other);
  });

  test("the halt waits after a restart for a price that shows what it is [D13.gapExplained]", async () => {
    const first = await openProcess();
    expect(first.offer(0.3)).toBe("gap");
    await untilHalted(first);
    const second = await openProcess();
    second.board.adjust(splitOf(4), MONDAY);
    expect(await lifted(second)).toMatchObject({ chosen: { kind: "halt" } });
    // A price from before the action's moment does not count.
    second.halts.gaps.note(eur(0.3, unixMs(MONDAY - 1)));
    expect(await lifted(second)).toMatchObject({ chosen: { kind: "halt" } });
    second.halts.gaps.note(eur(0.3, MONDAY));
    expect(await lifted(second)).toMatchObject({ chosen: { kind: "auto" } });
  });

  test("prices of before a split halt the pair after ten seconds, until one of the new scale comes [D13.formerScale]", async () => {
    const node = await openProcess();
    node.board.adjust(splitOf(4), MONDAY);
    const later = (ms: number) => unixMs(MONDAY + ms);
    expect([node.offer(1.2), node.offer(1.2, later(9_999))]).toEqual(["gap", "gap"]);
    expect(await halted(node)).toBe(null);
    expect(node.offer(1.21, later(10_000))).toBe("gap");
    await untilHalted(node);
    expect(await halted(node)).toMatchObject({
      by: "split check",
      reason: expect.stringMatching(/^the price 1\.21 is still of before the split of 4:1/),
    });
    const restarted = await openProcess();
    restarted.board.adjust(splitOf(4), later(11_000));
    for (const [mid, kind] of [
      [1.2, "halt"],
      [0.5, "halt"],
      [0.31, "auto"],
    ] as const) {
      restarted.halts.gaps.note(eur(mid, later(11_000)));
      expect(await lifted(restarted)).toMatchObject({ chosen: { kind } });
    }
  });
});
