import { expect, test } from "vitest";
import { parsePricePlan } from "../../../../base/src/settings/price-plan.ts";
import { madeCatalogue, madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { withPairIds } from "./resolve-plan.ts";

const INSTRUMENTS = madeCatalogue(madeInstrument("BTCUSD", { aliases: ["XBT/USD"] }));

function idsOf(text: string): readonly string[] {
  const parsed = parsePricePlan(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return [...withPairIds(parsed.value, INSTRUMENTS, "PROPGATE_PRICES").pairs.keys()];
}

test.each(["BTCUSD", "BTC/USD", "XBTUSD", "XBT/USD"])(
  "the setting of sources may name BTCUSD as %s",
  (name) => expect(idsOf(`${name}=kraken`)).toEqual(["BTCUSD"]),
);

test("a pair that is named twice, or that the catalogue does not have, stops the start", () => {
  expect(() => idsOf("BTC/USD=kraken;XBTUSD=okx")).toThrow(
    "PROPGATE_PRICES names the pair BTCUSD twice, once as XBTUSD",
  );
  expect(() => idsOf("NOPE=kraken")).toThrow("PROPGATE_PRICES names the pair NOPE");
});
