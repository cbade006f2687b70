import { pairId, price, type Quote, unixMs } from "@propgate/core";
import type { Queryable, QuotePosition } from "@propgate/ledger";

/** A quote with its source, epoch and number. */
export interface StoredQuote {
  readonly quote: Quote;
  readonly place: QuotePosition;
  /** The name of the quote's source. */
  readonly source: string;
}

/** Stores the newest quote of each pair, so that a restarted service has prices immediately. */
export interface QuoteStore {
  /** Stores quotes, except those older than the stored quote of their pair. */
  save(quotes: readonly StoredQuote[]): Promise<void>;
  load(): Promise<readonly StoredQuote[]>;
}

interface QuoteRow {
  readonly pair: string;
  readonly bid: number;
  readonly ask: number;
  readonly at_ms: string;
  readonly epoch: string;
  readonly number: string;
  readonly source: string;
}

export function createQuoteStore(database: Queryable): QuoteStore {
  return {
    async save(quotes) {
      // A statement cannot write a row twice, so only the last quote of each pair is written.
      const newest = [...new Map(quotes.map((one) => [one.quote.pair, one])).values()];
      if (newest.length === 0) return;
      await database.query(
        `insert into quotes (pair, bid, ask, at_ms, epoch, number, source)
         select * from unnest($1::text[], $2::float8[], $3::float8[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[])
         on conflict (pair) do update set bid = excluded.bid, ask = excluded.ask, at_ms = excluded.at_ms,
           epoch = excluded.epoch, number = excluded.number, source = excluded.source
         where quotes.at_ms <= excluded.at_ms`,
        [
          newest.map(({ quote }) => quote.pair),
          newest.map(({ quote }) => quote.bid),
          newest.map(({ quote }) => quote.ask),
          newest.map(({ quote }) => quote.atMs),
          newest.map(({ place }) => place.epoch),
          newest.map(({ place }) => place.number),
          newest.map(({ source }) => source),
        ],
      );
    },
    async load() {
      const rows = await database.query<QuoteRow>(
        "select pair, bid, ask, at_ms, epoch, number, source from quotes order by pair",
        [],
      );
      return rows.map((row) => ({
        quote: {
          pair: pairId(row.pair),
          bid: price(row.bid),
          ask: price(row.ask),
          atMs: unixMs(Number(row.at_ms)),
        },
        place: { epoch: Number(row.epoch), number: Number(row.number) },
        source: row.source,
      }));
    },
  };
}
