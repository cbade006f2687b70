import { accountId, pairId } from "@propgate/core";
import { expect, test } from "vitest";
import { createLoopedMarket } from "../../../../server/src/testing/looped-market.ts";
import type {
  NewPriceChoice,
  PriceChoice,
  PriceChoiceStore,
} from "../../storage/price-choice-store.ts";
import { applyChoices } from "./apply-choices.ts";
import { createPriceChoices } from "./price-choices.ts";

const ACCOUNT = accountId("00000000-0000-4000-8000-000000000001");
const BTC = pairId("BTCUSD");

function memoryStore(): PriceChoiceStore {
  const rows: PriceChoice[] = [];
  return {
    async choose(choice: NewPriceChoice) {
      const stored = { ...choice, version: rows.length + 1 };
      rows.push(stored);
      return stored;
    },
    list: async () => rows,
  };
}

test("a halt while orders settle hides no reached order, and the next quote is not taken [D10.haltedPair]", async () => {
  const market = createLoopedMarket();
  const { loop, board, intake, time } = market;
  const choices = createPriceChoices({ store: memoryStore(), clock: time.clock });
  applyChoices({ choices, board, intake, market: loop, feed: null });
  await market.give("BTCUSD", 1_000);
  await market.open(ACCOUNT);
  await market.limit(ACCOUNT, 990);
  const settling = market.give("BTCUSD", 980);
  // After this loop the quote is accepted, and the order that it reaches is not filled yet.
  while (intake.newest(BTC)?.bid !== 980) await Promise.resolve();
  expect(market.fills()).toEqual([]);
  const halting = choices.halt(BTC, { reason: "implausible gap", by: "gap check" });
  expect(await settling).toEqual(["accepted"]);
  await halting;
  expect(market.fills()).toEqual([["limit", 980]]);
  expect(await market.give("BTCUSD", 970)).toEqual(["halted"]);
  expect(board.quote(BTC)).toMatchObject({ bid: 980, standing: "halted" });
  // When another part of the service halts the pair again, the first reason stays.
  await choices.halt(BTC, { reason: "another", by: "other check" });
  expect(choices.choiceOf(BTC)?.reason).toBe("implausible gap");
  await choices.choose({
    pair: BTC,
    chosen: { kind: "auto" },
    reason: null,
    by: "olga",
    expected: null,
  });
  expect(board.quote(BTC)?.standing).toBe("given");
  expect(await market.give("BTCUSD", 970)).toEqual(["accepted"]);
});
