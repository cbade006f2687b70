import type { Clock } from "@propgate/base";
import { type FundingRates, type PairId, type UnixMs, unixMs } from "@propgate/core";
import { FUNDING_FINAL_AFTER_MS, type FundingRate } from "@propgate/ledger";
import type { FundingSource } from "./funding-source.ts";

/** Stores the funding rate of each hour when the venue has published it. */
export interface FundingCollector {
  /**
   * Requests the missing rates of the present hour; call it every second. It throws, so that the job's health shows it,
   * when a venue does not answer, and when it has not published a rate within a minute after the hour. It continues to
   * throw until an attempt succeeds or the rates of the next hour are requested. It does not throw for a pair that its
   * venue does not list, which is a warning of the source.
   */
  tick(): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Rates are requested this long after the hour, because venues publish them seconds after it. */
const FIRST_REQUEST_MS = 10_000;
/** A rate that is missing this long after the hour is reported. */
const LATE_MS = 60_000;

export interface FundingCollectorOptions {
  readonly sources: readonly FundingSource[];
  /** The stored rates. `storeVenueRate` stores a rate unless one is already stored for its hour. */
  readonly rates: {
    readonly current: FundingRates;
    storeVenueRate(rate: FundingRate): Promise<void>;
  };
  readonly clock: Clock;
}

/**
 * Creates a collector. Several nodes may collect concurrently: the first stored rate of an hour counts.
 * @rule D11.fundingSource
 */
export function createFundingCollector(options: FundingCollectorOptions): FundingCollector {
  const { rates, clock } = options;
  // The first hour whose rates can still be stored when this process starts. Earlier hours are not reported as missing.
  const firstHourMs = hourOf(clock.now() + HOUR_MS - FUNDING_FINAL_AFTER_MS);
  const queues = options.sources.map((source) => ({ source, order: [...source.pairs] }));
  let problem: string | null = null;

  const isMissing = (pair: PairId, hourMs: UnixMs): boolean =>
    rates.current.get(pair)?.has(hourMs) !== true;

  const keepRate = async (source: FundingSource, pair: PairId, atMs: UnixMs): Promise<void> => {
    const rate = await source.rateOf(pair, atMs);
    if (rate === null || clock.now() >= atMs + FUNDING_FINAL_AFTER_MS) return;
    await rates.storeVenueRate({ pair, atMs, rate, source: source.name });
  };

  /**
   * Requests the missing rates in the queue's order, until one request fails. Returns why it failed; null when all
   * succeeded.
   */
  const request = async (
    { source, order }: RequestQueue,
    hourMs: UnixMs,
  ): Promise<string | null> => {
    for (const pair of [...order]) {
      if (clock.now() >= hourMs + FUNDING_FINAL_AFTER_MS) return null;
      if (!isMissing(pair, hourMs)) continue;
      try {
        await keepRate(source, pair, hourMs);
      } catch (cause) {
        // The failed pair moves to the end, so that the other pairs are requested before it the next time.
        order.push(...order.splice(order.indexOf(pair), 1));
        return cause instanceof Error ? cause.message : String(cause);
      }
    }
    return null;
  };

  /** Requests the missing rates of a source. Returns the problem to report; null when there is none. */
  const collect = async (queue: RequestQueue, hourMs: UnixMs): Promise<string | null> => {
    const reason = await request(queue, hourMs);
    const { name, pairs } = queue.source;
    const unlisted = queue.source.unlisted();
    const missing = pairs.filter((pair) => isMissing(pair, hourMs) && !unlisted.includes(pair));
    if (missing.length === 0) return null;
    const sinceMs = clock.now() - hourMs;
    const hour = new Date(hourMs).toISOString();
    const what = `${name} gave no funding rate of ${hour} for ${missing.join(", ")}`;
    if (sinceMs >= FUNDING_FINAL_AFTER_MS) {
      return `${what}: that hour is not charged unless an operator set its rate in time`;
    }
    if (reason !== null) return `${what} yet: ${reason}`;
    return sinceMs < LATE_MS ? null : `${what} yet`;
  };

  return {
    async tick() {
      const nowMs = clock.now();
      const hourMs = hourOf(nowMs);
      if (hourMs >= firstHourMs && nowMs >= hourMs + FIRST_REQUEST_MS) {
        const problems = await Promise.all(queues.map((queue) => collect(queue, hourMs)));
        problem = problems.filter((one) => one !== null).join("; ") || null;
      }
      if (problem !== null) throw new Error(problem);
    },
  };
}

/** A source with the order in which its rates are requested. A pair whose request failed is last. */
interface RequestQueue {
  readonly source: FundingSource;
  readonly order: PairId[];
}

function hourOf(atMs: number): UnixMs {
  return unixMs(Math.floor(atMs / HOUR_MS) * HOUR_MS);
}
