import type { AccountId } from "@propgate/core";
import { shardNumberOf, shardNumberOfKey } from "../rows/shard-number.ts";

/** One part for each shard, by its number. A shard is one of the databases of an installation. */
export type PerShard<Part> = readonly [Part, ...Part[]];

/**
 * The part of the shard with that number. For a number without a shard, the first part, which finds no such account or
 * key.
 */
export function shardAt<Part>(parts: PerShard<Part>, number: number): Part {
  return parts[number] ?? parts[0];
}

/** Makes a part from each part and the number of its shard. */
export function perShard<From, To>(
  [first, ...others]: PerShard<From>,
  make: (part: From, number: number) => To,
): PerShard<To> {
  return [make(first, 0), ...others.map((part, index) => make(part, index + 1))];
}

/** The part of the account's shard. */
export function shardOf<Part>(parts: PerShard<Part>, account: AccountId): Part {
  return shardAt(parts, shardNumberOf(account));
}

/** The part of the key's shard, which is the one of its account. */
export function shardOfKey<Part>(parts: PerShard<Part>, keyId: string): Part {
  return shardAt(parts, shardNumberOfKey(keyId));
}
