import { type AccountId, accountId, pairId, price, type Quote, unixMs } from "@propgate/core";
import { createTriggerBook, NO_LEVELS } from "../packages/market/src/prices/watch/trigger-book.ts";

const PAIR = pairId("BTCUSD");
const QUOTES = 200_000;

export interface QuoteCost {
  readonly resting: number;
  readonly nanosecondsPerQuote: number;
}

/**
 * The cost of a quote in the trigger book, in nanoseconds, when `resting` orders rest on its pair and it triggers none.
 */
export function measureQuoteCost(resting: number): QuoteCost {
  const book = createTriggerBook<AccountId>();
  for (let index = 0; index < resting; index += 1) {
    const far = 10_000 + (index % 20_000);
    book.replace(accountId(`account-${index}`), NO_LEVELS, [
      { pair: PAIR, side: "ask", when: "atOrBelow", price: price(40_000 - far) },
    ]);
  }
  const reached = new Set<AccountId>();
  const visit = (id: AccountId) => void reached.add(id);
  const collect = (count: number): void => {
    for (let index = 0; index < count; index += 1) book.collect(quoteAt(index), visit);
  };
  collect(QUOTES / 10);
  const started = process.hrtime.bigint();
  collect(QUOTES);
  const spent = Number(process.hrtime.bigint() - started);
  if (reached.size > 0) throw new Error("no order of this load may be triggered");
  return { resting, nanosecondsPerQuote: spent / QUOTES };
}

function quoteAt(index: number): Quote {
  const bid = 40_000 + (index % 1_000);
  return { pair: PAIR, bid: price(bid), ask: price(bid + 1), atMs: unixMs(index) };
}
