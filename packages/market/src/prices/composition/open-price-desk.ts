import type { Clock } from "@propgate/base";
import type { Instruments, PairId } from "@propgate/core";
import type { Database } from "@propgate/ledger";
import { createPriceChoiceStore } from "../../storage/price-choice-store.ts";
import type { MarketLoop } from "../market-loop.ts";
import type { QuoteBoard } from "../quote-board.ts";
import type { QuoteIntake } from "../quotes/quote-intake.ts";
import { applyChoices } from "./apply-choices.ts";
import type { LiveFeed } from "./live-feed.ts";
import { createPriceChoices, type PriceChoices } from "./price-choices.ts";
import { createPriceDesk, type PriceDesk } from "./price-desk.ts";
import { createPriceHistory } from "./price-history.ts";

/** Opens the desk of prices, which shows prices to operators and applies their choices. */
export function openPriceDesk(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly board: QuoteBoard;
  readonly intake: QuoteIntake;
  readonly market: MarketLoop;
  readonly prices: { readonly name: string; readonly description?: string };
  /**
   * The operator's choices, if the caller has loaded them. When absent, they are created here, without the choices of
   * earlier starts.
   */
  readonly choices?: PriceChoices | undefined;
  readonly feed?: LiveFeed | null;
  /** How many accounts hold each pair, counted over all nodes. */
  readonly holders: () => ReadonlyMap<PairId, number>;
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
    holders: options.holders,
    reachedBy: (quote) => market.reachedBy(quote),
    clock,
  });
}
