import { createHash } from "node:crypto";
import { PARTITIONS } from "@propgate/ledger";

/**
 * The partitions, in order, that a node should own while these nodes live. Each partition belongs to the living node
 * for which the SHA-256 of node and partition is greatest. So every node computes the same shares from the same list,
 * and a node that joins or leaves moves only its own share. Empty when the node is not in the list.
 */
export function partitionShareOf(node: string, living: readonly string[]): readonly number[] {
  if (!living.includes(node)) return [];
  const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
  return partitions.filter((partition) => ownerOf(partition, living) === node);
}

function ownerOf(partition: number, living: readonly string[]): string | null {
  let owner: { readonly node: string; readonly weight: string } | null = null;
  for (const node of living) {
    const weight = createHash("sha256").update(`${node} ${partition}`).digest("hex");
    if (owner === null || weight > owner.weight) owner = { node, weight };
  }
  return owner?.node ?? null;
}
