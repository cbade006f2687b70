import { actionId, type CorporateActions, pairId, price, type Quote, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { openLog } from "../base/log.ts";
import { createPriceChoices } from "../prices/composition/price-choices.ts";
import { createQuoteBoard } from "../prices/quote-board.ts";
import { createPriceChoiceStore } from "../storage/stores/prices/price-choice-store.ts";
import { createQuoteStore } from "../storage/stores/quote-store.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { madeQuote } from "../testing/made-quote.ts";
import { SMALL_CATALOGUE } from "../testing/small-market.ts";
import { createGapHalts } from "./gap-halts.ts";

/** Trades from Monday to Friday. */
const EUR = pairId("EURUSD");
const FRIDAY = Date.parse("2026-01-09T23:59:59Z");
const MONDAY = unixMs(Date.parse("2026-01-12T00:00:00Z"));

await describeOnEachDatabase("halts of implausible gaps [D11.gap]", (database) => {
  /** A process on the database, with a board that has Friday's last quote. */
  const openProcess = async () => {
    const board = createQuoteBoard();
    await createQuoteStore(database()).save([
      { quote: madeQuote("EURUSD", 1.2, 1.2, FRIDAY), place: { epoch: 1, number: 1 } },
    ]);
    await board.restore(createQuoteStore(database()), MONDAY);
    const clock = { now: () => MONDAY };
    const choices = createPriceChoices({ store: createPriceChoiceStore(database()), clock });
    await choices.refresh();
    const log = openLog("silent");
    const halts = createGapHalts({ instruments: SMALL_CATALOGUE, board, choices, log });
    const offer = (bid: number) => {
      const last: Quote = board.inScale(madeQuote("EURUSD", 1.2, 1.2, FRIDAY), MONDAY);
      return halts.gaps.judge(last, { pair: EUR, bid: price(bid), ask: price(bid), atMs: MONDAY });
    };
    return { board, choices, halts, offer };
  };
  const halted = async ({ choices }: Awaited<ReturnType<typeof openProcess>>) => {
    await choices.refresh();
    return choices.of(EUR);
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

  test("an announced action lifts the halt without accepting the gap", async () => {
    const node = await openProcess();
    expect(node.offer(0.3)).toBe("gap");
    await untilHalted(node);
    await node.halts.liftExplained();
    expect(await halted(node)).toMatchObject({ chosen: { kind: "halt" } });
    const id = actionId("s");
    const split = {
      id,
      pair: EUR,
      atMs: MONDAY,
      announcedAtMs: MONDAY,
      kind: "split",
      newShares: 4,
      oldShares: 1,
    } as const;
    const actions: CorporateActions = new Map([[EUR, [split]]]);
    node.board.adjust(actions, MONDAY);
    await node.halts.liftExplained();
    expect(await halted(node)).toMatchObject({ chosen: { kind: "auto" }, by: "gap check" });
    expect([node.offer(0.6), node.offer(0.3)]).toEqual(["gap", "plausible"]);
  });
});
