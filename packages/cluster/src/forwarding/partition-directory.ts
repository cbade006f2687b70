import type { Stopwatch } from "@propgate/base";
import type { AccountId } from "@propgate/core";
import { type LeaseStore, PARTITIONS, partitionLease, partitionOf } from "@propgate/ledger";

/** Knows which node owns each partition. It reads the leases and keeps what it has read. */
export interface PartitionDirectory {
  /**
   * The id of the node that owns the account; null when no node has its partition. When the last reading is old, the
   * next one starts in the background.
   */
  ownerOf(account: AccountId): Promise<string | null>;
  /**
   * Reads the leases again, once for all concurrent callers. Call it when the node that should own the account does not
   * answer, or answers that it does not own it.
   */
  refresh(account: AccountId): Promise<void>;
}

/** A reading of the leases that is older than this is still used, while a new reading starts in the background. */
const FRESH_MS = 1_000;
/** A refresh uses a reading of the leases that is younger than this, instead of a new one. */
const SHARED_MS = 50;

const NAMES = Array.from({ length: PARTITIONS }, (_, partition) => partitionLease(partition));

export function createPartitionDirectory(options: {
  readonly leases: Pick<LeaseStore, "ownersOf">;
  readonly clock: Stopwatch;
  readonly onFault: (cause: unknown) => void;
}): PartitionDirectory {
  const { leases, clock } = options;
  let owners: ReadonlyMap<string, string> = new Map();
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  const readNow = async (): Promise<void> => {
    const startedAtMs = clock.nowMs();
    owners = await leases.ownersOf(NAMES);
    readAtMs = startedAtMs;
  };
  const read = (): Promise<void> => {
    reading ??= readNow().finally(() => {
      reading = null;
    });
    return reading;
  };
  return {
    async ownerOf(account) {
      const ageMs = clock.nowMs() - readAtMs;
      if (ageMs === Number.POSITIVE_INFINITY) await read();
      else if (ageMs > FRESH_MS) read().catch(options.onFault);
      return owners.get(partitionLease(partitionOf(account))) ?? null;
    },
    async refresh() {
      if (clock.nowMs() - readAtMs >= SHARED_MS) await read();
    },
  };
}
