import type { Instruments } from "@propgate/core";
import type { Clock } from "../base/clock.ts";
import { applyChoices } from "../prices/composition/apply-choices.ts";
import type { LiveFeed } from "../prices/composition/live-feed.ts";
import { createPriceChoices, type PriceChoices } from "../prices/composition/price-choices.ts";
import { createPriceDesk, type PriceDesk } from "../prices/composition/price-desk.ts";
import { createPriceHistory } from "../prices/composition/price-history.ts";
import type { MarketLoop } from "../prices/market-loop.ts";
import type { QuoteBoard } from "../prices/quote-board.ts";
import type { QuoteIntake } from "../prices/quotes/quote-intake.ts";
import type { Database } from "../storage/databases/database.ts";
import type { NodeFigures } from "../storage/rows/node-figures.ts";
import { createPriceChoiceStore } from "../storage/stores/prices/price-choice-store.ts";
import { addedHolders } from "./nodes/added-figures.ts";

/** The desk of prices: what operators see, and their choices in effect. */
export function composePrices(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly board: QuoteBoard;
  readonly intake: QuoteIntake;
  readonly market: MarketLoop;
  readonly prices: { readonly name: string; readonly description?: string };
  /** Loaded before; made here unless given. */
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
