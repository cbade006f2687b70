import { createHash } from "node:crypto";
import type { AccountId } from "@propgate/core";

/** Every account belongs to one partition, from 0 to 255, and with several nodes each partition to one node. */
export const PARTITIONS = 256;

/**
 * The account's partition: the first byte of the SHA-256 of its id's 16 bytes. The database's function `partition_of`
 * computes the same number.
 */
export function partitionOf(account: AccountId): number {
  const id = Buffer.from(account.replaceAll("-", ""), "hex");
  return createHash("sha256").update(id).digest().readUInt8(0);
}

/** The name of the partition's row in `leases`. */
export function partitionLease(partition: number): string {
  return `partition ${partition}`;
}
