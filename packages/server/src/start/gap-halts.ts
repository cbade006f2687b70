import type { Instruments, PairId } from "@propgate/core";
import type { Log } from "../base/log.ts";
import type { PriceChoices } from "../prices/composition/price-choices.ts";
import type { QuoteBoard } from "../prices/quote-board.ts";
import { createSessionGaps, gapText, type SessionGaps } from "../prices/quotes/session-gaps.ts";

/** Names itself in the choice, so that the console shows who halted the pair. */
const GAP_CHECK = "gap check";

/** Halts pairs whose session begins with an implausible price, and lifts those that an action explains. */
export interface GapHalts {
  readonly gaps: SessionGaps;
  /** Lifts pairs whose last quote was adjusted for a corporate action since; call it every second. */
  liftExplained(): Promise<void>;
}

/**
 * Halts are choices, so they survive a restart and every node has them. An operator who lifts one with `auto` accepts
 * the gap. A corporate action lifts it without accepting it: a price that is still implausible halts the pair again.
 * @rule D11.gap
 */
export function createGapHalts(options: {
  readonly instruments: Instruments;
  readonly board: Pick<QuoteBoard, "quote">;
  readonly choices: PriceChoices;
  readonly log: Log;
}): GapHalts {
  const { choices, log } = options;
  const halted = new Set<PairId>(
    choices
      .list()
      .filter(({ chosen, by }) => chosen.kind === "halt" && by === GAP_CHECK)
      .map(({ pair }) => pair),
  );
  const gaps = createSessionGaps({
    instruments: options.instruments,
    onGap(gap) {
      const reason = gapText(gap);
      log.warn({ pair: gap.pair }, reason);
      // The gap is rejected already; the halt shows it to the operator and keeps it.
      choices.halt(gap.pair, { reason, by: GAP_CHECK }).catch((cause: unknown) => {
        log.error({ err: cause, pair: gap.pair }, "the halt of a gap could not be stored");
      });
    },
  });
  choices.onChange(async ({ pair, chosen, by }) => {
    if (chosen.kind === "halt") {
      if (by === GAP_CHECK) halted.add(pair);
      return;
    }
    if (!halted.delete(pair)) return;
    if (by === GAP_CHECK) gaps.forget(pair);
    else gaps.accept(pair);
  });
  return {
    gaps,
    async liftExplained() {
      const explained = [...halted].filter(
        (pair) => options.board.quote(pair)?.adjustedToMs !== undefined,
      );
      for (const pair of explained) {
        const expected = choices.of(pair)?.version ?? 0;
        const reason = "a corporate action explains the gap";
        await choices.choose({ pair, chosen: { kind: "auto" }, reason, by: GAP_CHECK, expected });
      }
    },
  };
}
