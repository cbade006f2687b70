import type { AccountId } from "@propgate/core";
import type { Queryable } from "../storage/databases/database.ts";
import { PARTITIONS } from "../storage/rows/partition.ts";
import { readExposedVersions } from "../storage/stores/account-rows.ts";
import type { Ownership } from "./ownership.ts";

type Versions = Awaited<ReturnType<typeof readExposedVersions>>;

/** Reads the accounts with open positions or pending orders in the partitions of this node, page by page. */
export interface ExposedPages {
  /**
   * Reads the next page of the round. `isLast` is true when the round ends with it; then the next call begins a new
   * round.
   */
  next(): Promise<{ readonly accounts: Versions; readonly isLast: boolean }>;
}

interface PartitionRange {
  readonly firstPartition: number;
  readonly lastPartition: number;
}

export function createExposedPages(options: {
  readonly database: Queryable;
  /** The partitions of this node; all when absent. */
  readonly ownership?: Pick<Ownership, "partitions"> | undefined;
  /** The maximum number of accounts of a page. */
  readonly limit: number;
}): ExposedPages {
  const { database, ownership, limit } = options;
  let ranges: PartitionRange[] = [];
  let after: AccountId | null = null;

  const begin = (): void => {
    if (ranges.length > 0) return;
    ranges = ownership === undefined ? [ALL] : rangesOf(ownership.partitions());
    after = null;
  };
  return {
    async next() {
      begin();
      const accounts: Versions[number][] = [];
      for (let [range] = ranges; range !== undefined && accounts.length < limit; [range] = ranges) {
        const rest = limit - accounts.length;
        const read: Versions = await readExposedVersions(database, {
          ...range,
          after,
          limit: rest,
        });
        accounts.push(...read);
        after = read.at(-1)?.accountId ?? null;
        if (read.length === rest) break;
        ranges.shift();
        after = null;
      }
      return { accounts, isLast: ranges.length === 0 };
    },
  };
}

const ALL: PartitionRange = { firstPartition: 0, lastPartition: PARTITIONS - 1 };

/**
 * The partitions as ranges. Adjacent partitions form one range, so a node with all partitions reads them in one
 * statement.
 */
function rangesOf(partitions: readonly number[]): PartitionRange[] {
  const ranges: PartitionRange[] = [];
  for (const partition of partitions) {
    const before = ranges.at(-1)?.lastPartition === partition - 1 ? ranges.pop() : undefined;
    const firstPartition = before?.firstPartition ?? partition;
    ranges.push({ firstPartition, lastPartition: partition });
  }
  return ranges;
}
