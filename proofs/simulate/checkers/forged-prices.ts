/** No node accepts a quote that was forged on the bus. */

import type { Checker, Finding, Observation } from "../checker.ts";
import type { ForgedQuote } from "../forged-messages.ts";
import { positionText } from "./published-quotes.ts";

/** Finds forged quotes among those that nodes accepted. @rule D12.sealedQuotes */
export class ForgedPrices implements Checker {
  readonly name = "forged prices";
  readonly #forged = new Map<string, ForgedQuote>();

  async check({ forged, published }: Observation): Promise<readonly Finding[]> {
    for (const quote of forged) this.#forged.set(positionText(quote), quote);
    return published.flatMap((quote) => {
      const made = this.#forged.get(positionText(quote));
      if (made === undefined || made.pair !== quote.pair) return [];
      if (made.bid !== quote.bid || made.ask !== quote.ask) return [];
      const message = `a node took ${quote.pair} ${quote.bid}/${quote.ask} at ${positionText(quote)}, which no feed published`;
      return [{ checker: this.name, accountId: null, message }];
    });
  }
}
