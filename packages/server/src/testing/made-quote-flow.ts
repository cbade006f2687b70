import type { Instruments } from "@propgate/core";
import { createQuoteBoard, type QuoteBoard } from "../../../market/src/prices/quote-board.ts";
import type { OutlierFilter } from "../../../market/src/prices/quotes/outlier-check.ts";
import { createLocalBus, type QuoteBus } from "../../../market/src/prices/quotes/quote-bus.ts";
import {
  createQuoteIntake,
  type QuoteIntake,
} from "../../../market/src/prices/quotes/quote-intake.ts";

/** The path of quotes from their source to the accounts, in the first epoch. */
export interface QuoteFlow {
  readonly board: QuoteBoard;
  readonly bus: QuoteBus;
  readonly intake: QuoteIntake;
}

/**
 * The flow of quotes in a test that moves the clock as well as the prices. So the standing of each quote is `given`,
 * unless `kind` is `sent` because a source sends the quotes.
 * @rule D13.judges
 */
export function madeQuoteFlow(
  instruments: Instruments,
  outliers: OutlierFilter | null = null,
  kind: "sent" | "given" = "given",
): QuoteFlow {
  const board = createQuoteBoard(kind);
  const bus = createLocalBus();
  const intake = createQuoteIntake({ epoch: 1, instruments, outliers, bus, known: board.quotes });
  return { board, bus, intake };
}
