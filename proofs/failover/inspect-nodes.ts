import type { Database } from "../../packages/ledger/src/storage/databases/database.ts";
import { decodePhrases } from "../../packages/ledger/src/storage/journal/line-text.ts";
import { PARTITIONS } from "../../packages/ledger/src/storage/rows/partition.ts";

/** The names of the partitions without a living owner. Empty when the nodes own no partitions at all. */
export async function unownedPartitions(database: Database): Promise<readonly string[]> {
  const rows = await database.query<{ readonly name: string; readonly isOwned: boolean }>(
    `select l.name, l.lease_until > clock_timestamp() and n.node_id is not null as "isOwned"
     from leases l left join nodes n on n.node_id = l.owner where l.name like 'partition %'`,
    [],
  );
  if (rows.length === 0) return [];
  const owned = new Set(rows.filter(({ isOwned }) => isOwned).map(({ name }) => name));
  return Array.from({ length: PARTITIONS }, (_, index) => `partition ${index}`).filter(
    (name) => !owned.has(name),
  );
}

/**
 * Pair, bid, ask, age and origin of a quote. The origin is the epoch, the number and the source; it is null for a quote
 * without one.
 */
type UsedQuote = readonly [
  string,
  number,
  number,
  number,
  readonly [number, number, string] | null,
];

/** The decisions that read an older quote of a pair than an earlier decision on the same account, as texts. */
export async function decisionsAtOlderQuotes(database: Database): Promise<readonly string[]> {
  const rows = await database.query<{
    readonly account_id: string;
    readonly seq: string;
    readonly inputs: string;
  }>(
    "select account_id, seq, inputs from journal where inputs is not null order by account_id, seq",
    [],
  );
  const newest = new Map<string, readonly [number, number]>();
  const found: string[] = [];
  for (const { account_id, seq, inputs } of rows) {
    const parsed: readonly unknown[] = JSON.parse(decodePhrases(inputs));
    const quotes = parsed.at(-1);
    if (!Array.isArray(quotes)) continue;
    for (const [pair, , , , origin] of quotes as readonly UsedQuote[]) {
      if (!Array.isArray(origin)) continue;
      const [epoch, number] = origin as readonly [number, number, string];
      const key = `${account_id} ${pair}`;
      const [lastEpoch, lastNumber] = newest.get(key) ?? [0, 0];
      if (epoch < lastEpoch || (epoch === lastEpoch && number < lastNumber)) {
        found.push(
          `${account_id} line ${seq}: ${pair} at ${epoch}/${number} after ${lastEpoch}/${lastNumber}`,
        );
      } else newest.set(key, [epoch, number]);
    }
  }
  return found;
}
