import { pairId, price, type Quote, unixMs } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";

/** Stores the newest quote of each pair, so that a restarted service has prices immediately. */
export interface QuoteStore {
  /** Keeps the newer quote of each pair. */
  save(quotes: readonly Quote[]): Promise<void>;
  load(): Promise<readonly Quote[]>;
}

interface QuoteRow {
  readonly pair: string;
  readonly bid: number;
  readonly ask: number;
  readonly at_ms: string;
}

export function createQuoteStore(database: Queryable): QuoteStore {
  return {
    async save(quotes) {
      // One row per pair: a statement cannot write the same row twice.
      const newest = [...new Map(quotes.map((quote) => [quote.pair, quote])).values()];
      if (newest.length === 0) return;
      await database.query(
        `insert into quotes (pair, bid, ask, at_ms)
         select * from unnest($1::text[], $2::float8[], $3::float8[], $4::bigint[])
         on conflict (pair) do update set bid = excluded.bid, ask = excluded.ask, at_ms = excluded.at_ms
         where quotes.at_ms <= excluded.at_ms`,
        [
          newest.map((quote) => quote.pair),
          newest.map((quote) => quote.bid),
          newest.map((quote) => quote.ask),
          newest.map((quote) => quote.atMs),
        ],
      );
    },
    async load() {
      const rows = await database.query<QuoteRow>(
        "select pair, bid, ask, at_ms from quotes order by pair",
        [],
      );
      return rows.map((row) => ({
        pair: pairId(row.pair),
        bid: price(row.bid),
        ask: price(row.ask),
        atMs: unixMs(Number(row.at_ms)),
      }));
    },
  };
}
