import { earlierTime } from "../../storage/shards/earlier-time.ts";
import type { PerShard } from "../../storage/shards/per-shard.ts";
import { mergeAwaited } from "../blocked-accounts.ts";
import type { DueLag, DueRun, DueWork } from "../due-work.ts";

/**
 * The due work of several databases as one. A database that fails does not delay the others; its failure is thrown at
 * the end.
 */
export function createShardedDueWork(parts: PerShard<DueWork>): DueWork {
  if (parts.length === 1) return parts[0];
  const onEach = async <Value>(run: (part: DueWork) => Promise<Value>): Promise<Value[]> => {
    const ends = await Promise.allSettled(parts.map(run));
    return ends.map((end) => {
      if (end.status === "rejected") throw end.reason;
      return end.value;
    });
  };
  return {
    async nextDueMs(after) {
      return (await onEach((part) => part.nextDueMs(after))).reduce(earlierTime);
    },
    async runDue() {
      return (await onEach((part) => part.runDue())).reduce(mergeRuns);
    },
    async runUnblocked() {
      return (await onEach((part) => part.runUnblocked())).reduce(mergeRuns);
    },
    async lag() {
      return (await onEach((part) => part.lag())).reduce(mergeLags);
    },
    awaitedPrices: () => mergeAwaited(parts.map((part) => part.awaitedPrices())),
    async lagOfAllNodes() {
      return (await onEach((part) => part.lagOfAllNodes())).reduce(mergeLags);
    },
  };
}

function mergeRuns(one: DueRun, other: DueRun): DueRun {
  return {
    accounts: one.accounts + other.accounts,
    latenessMs: laterTime(one.latenessMs, other.latenessMs),
  };
}

function mergeLags(one: DueLag, other: DueLag): DueLag {
  return {
    waiting: one.waiting + other.waiting,
    oldestDueAtMs: earlierTime(one.oldestDueAtMs, other.oldestDueAtMs),
    awaited: mergeAwaited([one.awaited, other.awaited]),
    newestLatenessMs: laterTime(one.newestLatenessMs, other.newestLatenessMs),
  };
}

function laterTime<Time extends number>(one: Time | null, other: Time | null): Time | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
