import { type UnixMs, unixMs } from "@propgate/core";
import type { Clock } from "../../base/clock.ts";
import { decodePairs, type LinkedPairs } from "../dashboard/pairs.ts";
import type { Validator } from "../upstream/port.ts";

/** The network's pairs, read every five minutes. */
export interface PairBook {
  /** Null until they could be read. Old pairs are kept while new ones cannot be read. */
  read(): Promise<LinkedPairs | null>;
}

const EVERY_MS = 300_000;
const RETRY_MS = 10_000;

export function createPairBook({
  validator,
  clock,
}: {
  readonly validator: Pick<Validator, "tradePairs">;
  readonly clock: Clock;
}): PairBook {
  let pairs: LinkedPairs | null = null;
  let nextAtMs: UnixMs | null = null;
  let reading: Promise<void> | null = null;
  const readAgain = async (): Promise<void> => {
    const now = clock.now();
    const answer = await validator.tradePairs();
    const decoded = answer.ok ? decodePairs(answer.value) : null;
    if (decoded?.ok === true) pairs = decoded.pairs;
    nextAtMs = unixMs(now + (decoded?.ok === true ? EVERY_MS : RETRY_MS));
  };
  return {
    async read() {
      if (nextAtMs === null || clock.now() >= nextAtMs) {
        reading ??= readAgain().finally(() => {
          reading = null;
        });
        // Old pairs are shown while new ones are on their way.
        if (pairs === null) await reading;
      }
      return pairs;
    },
  };
}
