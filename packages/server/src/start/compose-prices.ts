import type { Clock } from "@propgate/base";
import type { Instruments } from "@propgate/core";
import { createPriceChoiceStore, type Database, type NodeFigures } from "@propgate/ledger";
import {
  applyChoices,
  createPriceChoices,
  createPriceDesk,
  createPriceHistory,
  type LiveFeed,
  type MarketLoop,
  type PriceChoices,
  type PriceDesk,
  type QuoteBoard,
  type QuoteIntake,
} from "@propgate/market";
import { addedHolders } from "./nodes/added-figures.ts";

/** The desk of prices: shows them to operators, and applies the operators' choices. */
export function composePrices(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly board: QuoteBoard;
  readonly intake: QuoteIntake;
  readonly market: MarketLoop;
  readonly prices: { readonly name: string; readonly description?: string };
  /** The operator's choices, when they were loaded before; else they are made here. */
  readonly choices?: PriceChoices;
  readonly feed?: LiveFeed | null;
  /** The figures of the other nodes; none unless given. */
  readonly figuresOfOthers?: (() => readonly NodeFigures[]) | undefined;
}): PriceDesk {
  const { database, clock, instruments, board, intake, market, feed = null } = options;
  const choices =
    options.choices ?? createPriceChoices({ store: createPriceChoiceStore(database), clock });
  const history = createPriceHistory();
  board.onQuote((quote) => history.add(quote));
  applyChoices({ choices, board, intake, market, feed });
  const { name, description = name } = options.prices;
  return createPriceDesk({
    description,
    feed,
    source: name,
    instruments,
    quotes: board.quotes,
    choices,
    history,
    holders: () => addedHolders(market.holders(), options.figuresOfOthers?.() ?? []),
    reachedBy: (quote) => market.reachedBy(quote),
    clock,
  });
}
