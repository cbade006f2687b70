import {
  type FundingRates,
  type PairId,
  pairId,
  type Ratio,
  ratio,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { Queryable } from "../databases/database.ts";

/** The funding rate of a pair for one hour. */
export interface FundingRate {
  readonly pair: PairId;
  /** The full hour that the rate is for. */
  readonly atMs: UnixMs;
  readonly rate: Ratio;
  /** A venue, or the operator who set it. */
  readonly source: string;
}

/**
 * The funding rates of all pairs and hours. A withdrawn rate stays stored, marked as withdrawn, until another rate of
 * the same pair and hour replaces it.
 */
export interface FundingStore {
  /**
   * Stores a rate, unless its pair has a rate for the hour already. A withdrawn rate does not count and is replaced.
   */
  add(rate: FundingRate, nowMs: UnixMs): Promise<void>;
  /** Stores a rate. It replaces any earlier rate of its pair and hour. */
  set(rate: FundingRate, nowMs: UnixMs): Promise<void>;
  /** Withdraws the rate of an hour and returns it; null when the hour has no rate, or one from a source in `kept`. */
  withdraw(
    hour: Pick<FundingRate, "pair" | "atMs">,
    as: { readonly kept: readonly string[]; readonly atMs: UnixMs },
  ): Promise<FundingRate | null>;
  /** The rate of the hour that was withdrawn and not replaced since; null when there is none. */
  findWithdrawn(hour: Pick<FundingRate, "pair" | "atMs">): Promise<FundingRate | null>;
  /** The rates of hours from `atMs` on and before `beforeMs`, without withdrawn ones. */
  readSince(atMs: UnixMs, beforeMs?: UnixMs): Promise<FundingRates>;
  /** The newest `limit` rates, newest hour first, without withdrawn ones. */
  newest(limit: number): Promise<readonly FundingRate[]>;
}

interface RateRow {
  readonly pair: string;
  readonly at_ms: string;
  readonly rate: number;
  readonly source: string;
}

const PUT = `
insert into funding_rates (pair, at_ms, rate, source, set_at_ms)
values ($1, $2, $3, $4, $5)
on conflict (pair, at_ms) do update
set rate = excluded.rate, source = excluded.source, set_at_ms = excluded.set_at_ms, withdrawn_at_ms = null`;

export function createFundingStore(database: Queryable): FundingStore {
  return {
    async add({ pair, atMs, rate, source }, nowMs) {
      const text = `${PUT} where funding_rates.withdrawn_at_ms is not null`;
      await database.query(text, [pair, atMs, rate, source, nowMs]);
    },
    async set({ pair, atMs, rate, source }, nowMs) {
      await database.query(PUT, [pair, atMs, rate, source, nowMs]);
    },
    async withdraw({ pair, atMs }, as) {
      const [row] = await database.query<RateRow>(
        `update funding_rates set withdrawn_at_ms = $4
         where pair = $1 and at_ms = $2 and source <> all($3::text[]) and withdrawn_at_ms is null
         returning pair, at_ms, rate, source`,
        [pair, atMs, as.kept, as.atMs],
      );
      return row === undefined ? null : rateOf(row);
    },
    async findWithdrawn({ pair, atMs }) {
      const [row] = await database.query<RateRow>(
        `select pair, at_ms, rate, source from funding_rates
         where pair = $1 and at_ms = $2 and withdrawn_at_ms is not null`,
        [pair, atMs],
      );
      return row === undefined ? null : rateOf(row);
    },
    async readSince(atMs, beforeMs) {
      const rows = await database.query<RateRow>(
        `select pair, at_ms, rate, source from funding_rates
         where at_ms >= $1 and ($2::bigint is null or at_ms < $2) and withdrawn_at_ms is null
         order by pair, at_ms`,
        [atMs, beforeMs ?? null],
      );
      const rates = new Map<PairId, Map<UnixMs, Ratio>>();
      for (const { pair, atMs: hour, rate } of rows.map(rateOf)) {
        const ofPair = rates.get(pair) ?? new Map<UnixMs, Ratio>();
        rates.set(pair, ofPair.set(hour, rate));
      }
      return rates;
    },
    async newest(limit) {
      const rows = await database.query<RateRow>(
        `select pair, at_ms, rate, source from funding_rates
         where withdrawn_at_ms is null order by at_ms desc, pair limit $1`,
        [limit],
      );
      return rows.map(rateOf);
    },
  };
}

function rateOf(row: RateRow): FundingRate {
  return {
    pair: pairId(row.pair),
    atMs: unixMs(Number(row.at_ms)),
    rate: ratio(row.rate),
    source: row.source,
  };
}
