import type { Clock, Timer } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";
import { decodePairs, type LinkedPairs } from "../dashboard/pairs.ts";
import type { Validator } from "../upstream/port.ts";
import { startWaitLimit } from "./wait-limit.ts";

/** The network's pairs. They are read again after five minutes, or ten seconds after a failed read. */
export interface PairBook {
  /** Reads the pairs; null until they could be read. Old pairs are kept while new ones cannot be read. */
  read(): Promise<LinkedPairs | null>;
  /** The pairs that are known, without waiting; null before the first pairs were read. */
  peek(): LinkedPairs | null;
}

const READ_INTERVAL_MS = 300_000;
const RETRY_MS = 10_000;

/** The maximum time that a reader waits for the first pairs, which may come later. */
const FIRST_READ_WAIT_MS = 3_000;

export function createPairBook({
  validator,
  clock,
  timer,
  onFault,
}: {
  readonly validator: Pick<Validator, "tradePairs">;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly onFault: (cause: unknown) => void;
}): PairBook {
  let pairs: LinkedPairs | null = null;
  let nextAtMs: UnixMs | null = null;
  let reading: Promise<void> | null = null;
  const inTime = async (first: Promise<void>): Promise<void> => {
    const patience = startWaitLimit(timer, FIRST_READ_WAIT_MS);
    await patience.wait(first);
    patience.end();
  };
  const readAgain = async (): Promise<void> => {
    const now = clock.now();
    const answer = await validator.tradePairs();
    const decoded = answer.ok ? decodePairs(answer.value) : null;
    if (decoded?.ok === true) pairs = decoded.pairs;
    nextAtMs = unixMs(now + (decoded?.ok === true ? READ_INTERVAL_MS : RETRY_MS));
  };
  const renew = (): Promise<void> | null => {
    if (nextAtMs !== null && clock.now() < nextAtMs) return null;
    reading ??= readAgain()
      .catch(onFault)
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  return {
    async read() {
      const renewed = renew();
      // Old pairs are returned while new ones are read, so only the first ones are waited for.
      if (pairs === null && renewed !== null) await inTime(renewed);
      return pairs;
    },
    peek() {
      void renew();
      return pairs;
    },
  };
}
