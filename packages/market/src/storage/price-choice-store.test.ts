import { pairId, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createPriceChoiceStore, type NewPriceChoice } from "./price-choice-store.ts";

const BTC = pairId("BTCUSD");
const halt = (by: string): NewPriceChoice => ({
  pair: BTC,
  chosen: { kind: "halt" },
  reason: "the venue prints nonsense",
  by,
  atMs: unixMs(1_000),
});

await describeOnEachDatabase("choices of prices", (database) => {
  test("the newest choice of a pair is kept with its reason, and its version counts", async () => {
    await database().query("delete from price_choices");
    const store = createPriceChoiceStore(database());
    expect(await store.list()).toEqual([]);
    const eur = { ...halt("olga"), pair: pairId("EURUSD"), reason: null };
    const use: NewPriceChoice = { ...eur, chosen: { kind: "use", source: "oanda", isFar: true } };
    expect(await store.choose(use, null)).toEqual({ ...use, version: 1 });
    expect(await store.choose(halt("olga"), 0)).toEqual({ ...halt("olga"), version: 1 });
    const auto: NewPriceChoice = { ...halt("omar"), chosen: { kind: "auto" }, reason: null };
    expect(await store.choose(auto, 1)).toEqual({ ...auto, version: 2 });
    expect(await store.list()).toEqual([
      { ...auto, version: 2 },
      { ...use, version: 1 },
    ]);
  });

  test("one of two operators who saw the same choice is refused with the other's", async () => {
    const store = createPriceChoiceStore(database());
    const gold = pairId("GOLDUSD");
    const both = await Promise.all(
      ["olga", "omar"].map((by) => store.choose({ ...halt(by), pair: gold }, 0)),
    );
    const stored = both.filter((one) => "version" in one);
    const refused = both.filter((one) => "changed" in one);
    expect([stored.length, refused.length]).toEqual([1, 1]);
    expect(refused).toEqual([{ changed: stored[0] }]);
  });

  test("a version that the pair never had is refused", async () => {
    const store = createPriceChoiceStore(database());
    const unseen = await store.choose({ ...halt("olga"), pair: pairId("SILVERUSD") }, 3);
    expect(unseen).toEqual({ changed: null });
    const first = await store.choose({ ...halt("olga"), pair: pairId("SILVERUSD") }, 0);
    const again = await store.choose({ ...halt("omar"), pair: pairId("SILVERUSD") }, 7);
    expect(again).toEqual({ changed: first });
  });
});
