import type { AccountId } from "@propgate/core";
import { shardNumberOf, shardNumberOfKey } from "../rows/shard-number.ts";

/** One value for each shard, in the order of the shards' numbers. A shard is one database of an installation. */
export type PerShard<Part> = readonly [Part, ...Part[]];

/**
 * The value for the shard with that number. An account or key id may name a shard that does not exist. The first value
 * is then returned, and its shard does not find that id.
 */
export function shardAt<Part>(parts: PerShard<Part>, number: number): Part {
  return parts[number] ?? parts[0];
}

/** Makes a new value for each shard from the given value and the shard's number. */
export function perShard<From, To>(
  [first, ...others]: PerShard<From>,
  make: (part: From, number: number) => To,
): PerShard<To> {
  return [make(first, 0), ...others.map((part, index) => make(part, index + 1))];
}

/** The value for the shard that has the account. */
export function shardOf<Part>(parts: PerShard<Part>, account: AccountId): Part {
  return shardAt(parts, shardNumberOf(account));
}

/** The value for the shard that has the key. A key is on the shard of its account. */
export function shardOfKey<Part>(parts: PerShard<Part>, keyId: string): Part {
  return shardAt(parts, shardNumberOfKey(keyId));
}
