import type { PairId } from "@propgate/core";
import type { PriceChoice } from "../../storage/price-choice-store.ts";
import type { MarketLoop } from "../market-loop.ts";
import type { QuoteBoard } from "../quote-board.ts";
import type { QuoteIntake } from "../quotes/quote-intake.ts";
import type { LiveFeed } from "./live-feed.ts";
import type { PriceChoices } from "./price-choices.ts";

/** The choices, and the parts of the service that carry them out. */
export interface AppliedChoices {
  readonly choices: PriceChoices;
  readonly board: Pick<QuoteBoard, "halt" | "lift">;
  readonly intake: Pick<QuoteIntake, "halt" | "lift">;
  readonly market: Pick<MarketLoop, "runBetweenQuotes">;
  /** The live feed; null when prices do not come from venues. */
  readonly feed: Pick<LiveFeed, "applyChoice" | "onDoubt"> | null;
}

/**
 * Halts pairs and lifts their halts as the operator chooses, and makes the feed follow the chosen sources. The choices
 * that are already known, such as those of an earlier start, apply before this returns. A halted pair takes no further
 * quote from the moment of the choice. Its last quote stops being fresh only when everything that earlier quotes
 * triggered is committed, so a halt hides no reached trigger. While a live feed doubts a pair's last quote, that quote
 * is not fresh either.
 */
export function applyChoices({ choices, board, intake, market, feed }: AppliedChoices): void {
  const halted = new Set<PairId>();
  for (const { pair, chosen } of choices.list()) {
    if (chosen.kind !== "halt") continue;
    halted.add(pair);
    intake.halt(pair);
    board.halt(pair, "operator");
  }
  feed?.onDoubt((pair, isHeld) => {
    // The halt or lift has its place in the sequence of the quotes: the board first shows the quotes that were accepted
    // before it, and the later ones after it.
    void market.runBetweenQuotes(() => board[isHeld ? "halt" : "lift"](pair, "sources"));
  });
  choices.onChange(async ({ pair, chosen }: PriceChoice) => {
    if (chosen.kind === "halt") {
      halted.add(pair);
      intake.halt(pair);
      feed?.applyChoice(pair);
      await market.runBetweenQuotes(() => {
        if (halted.has(pair)) board.halt(pair, "operator");
      });
      return;
    }
    halted.delete(pair);
    await market.runBetweenQuotes(() => {
      if (!halted.has(pair)) board.lift(pair, "operator");
    });
    if (halted.has(pair)) return;
    intake.lift(pair);
    feed?.applyChoice(pair);
    // This waits until the effects of the chosen source's first quote are committed. Only then is the choice answered.
    await market.runBetweenQuotes(() => undefined);
  });
}
