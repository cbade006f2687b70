import type { Clock } from "@propgate/base";
import type { Quote, QuoteMap } from "@propgate/core";
import type { PriceSource, Publish } from "./port.ts";
import { createSimulatedMarket, type SimulatedMarketOptions } from "./simulated-market.ts";
import type { Ticker, Ticking } from "./ticker.ts";

const PERIOD_MS = 500;
/**
 * How long an unchanged quote is not published again. A market without changes is still quoted, so that its price does
 * not become stale.
 */
const REPEAT_AFTER_MS = 5_000;

export interface SimulatedSourceOptions extends Omit<SimulatedMarketOptions, "from"> {
  readonly clock: Clock;
  readonly ticker: Ticker;
  /** The newest known quotes. They are read when the source starts, which continues from them. */
  readonly quotes: QuoteMap;
}

/** Makes a source of simulated prices. It quotes every instrument twice a second while its market is open. */
export function createSimulatedSource(options: SimulatedSourceOptions): PriceSource {
  let ticking: Ticking | null = null;
  return {
    name: "simulated",
    async start(publish: Publish) {
      const market = createSimulatedMarket({ ...options, from: new Map(options.quotes) });
      const published = new Map<string, Quote>();
      const tick = async () => {
        const quotes = market.next(options.clock.now()).filter((quote) => {
          const last = published.get(quote.pair);
          if (last !== undefined && isRepeat(quote, last)) return false;
          published.set(quote.pair, quote);
          return true;
        });
        if (quotes.length > 0) await publish(quotes);
      };
      await tick();
      ticking = options.ticker.start(PERIOD_MS, tick);
    },
    stop: async () => ticking?.stop(),
    warnings: () => [],
  };
}

function isRepeat(quote: Quote, last: Quote): boolean {
  const isSame = quote.bid === last.bid && quote.ask === last.ask;
  // The clock may have gone back, so the absolute difference counts.
  return isSame && Math.abs(quote.atMs - last.atMs) < REPEAT_AFTER_MS;
}
