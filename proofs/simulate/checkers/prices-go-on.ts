/** When the faults are over, the prices of the sources reach the boards. */
import { isOpen, midOf } from "@propgate/core";
import type { Checker, Finding, Observation } from "../checker.ts";
import { sourcesOf } from "../price-sources.ts";
import { choicesOf } from "./chosen-sources.ts";

/**
 * A new price that is farther from the last one than this share has to be confirmed first, so it is not judged here.
 */
const NEAR_MAX = 0.15;

/**
 * Compares the boards after a repair with the latest quote of each pair's source: no earlier or later price may keep
 * that quote from a board. Prices that have to be confirmed, pairs whose market is closed or that are halted, and pairs
 * with several sources or with a choice of the operator are left out, because other rules apply to them.
 * @rule D12.oneClock
 */
export class PricesGoOn implements Checker {
  readonly name = "prices go on";

  async check(at: Observation): Promise<readonly Finding[]> {
    if (!at.calm || at.nowMs !== at.repairedMs) return [];
    const choices = await choicesOf(at);
    const sent = at.fed.filter(({ turn }) => turn > at.lastFaultTurn);
    const newest = new Map(sent.map(({ quote }) => [quote.pair, quote]));
    return [...newest.values()].flatMap((quote) => {
      const { pair, atMs } = quote;
      const instrument = at.instruments.get(pair);
      const isChosen = (choices.get(pair)?.kind ?? "auto") !== "auto";
      if (isChosen || sourcesOf(pair).length > 1) return [];
      if (instrument === undefined || !isOpen(instrument.session, atMs)) return [];
      return at.boards.flatMap((board, node) => {
        const shown = board.get(pair);
        if (shown === undefined || shown.standing === "halted") return [];
        const isNear = Math.abs(midOf(quote) / midOf(shown) - 1) < NEAR_MAX;
        if (!isNear || shown.atMs === atMs) return [];
        const message = `board ${node} has ${pair} of ${shown.atMs}, but its source has sent one of ${atMs}`;
        return [{ checker: this.name, accountId: null, message }];
      });
    });
  }
}
