import type { Instruments } from "@propgate/core";
import { createQuoteBoard, type QuoteBoard } from "../prices/quote-board.ts";
import type { OutlierFilter } from "../prices/quotes/outlier-check.ts";
import { createLocalBus, type QuoteBus } from "../prices/quotes/quote-bus.ts";
import { createQuoteIntake, type QuoteIntake } from "../prices/quotes/quote-intake.ts";

/** A quote's way from its source to the accounts, in its first epoch. */
export interface QuoteFlow {
  readonly board: QuoteBoard;
  readonly bus: QuoteBus;
  readonly intake: QuoteIntake;
}

export function madeQuoteFlow(
  instruments: Instruments,
  outliers: OutlierFilter | null = null,
): QuoteFlow {
  const board = createQuoteBoard();
  const bus = createLocalBus();
  const intake = createQuoteIntake({ epoch: 1, instruments, outliers, bus, known: board.quotes });
  return { board, bus, intake };
}
