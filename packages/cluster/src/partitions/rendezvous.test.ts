import { describe, expect, test } from "vitest";
import { createSeededChance } from "../../../base/src/random.ts";
import { PARTITIONS } from "../../../ledger/src/storage/rows/partition.ts";
import { partitionShareOf } from "./rendezvous.ts";

const ROUNDS = 40;
const EVERY_PARTITION = Array.from({ length: PARTITIONS }, (_, partition) => partition);

function nodesOf(count: number, seed: string): readonly string[] {
  const chance = createSeededChance(seed);
  return Array.from({ length: count }, () => chance.uuid());
}

describe("the shares of nodes", () => {
  test("the shares of nodes are the same for the same nodes in any order, and have every partition once", () => {
    const nodes = nodesOf(5, "any order");
    const shares = nodes.map((node) => partitionShareOf(node, nodes));
    expect(nodes.map((node) => partitionShareOf(node, nodes.toReversed()))).toEqual(shares);
    expect(shares.flat().toSorted((one, other) => one - other)).toEqual(EVERY_PARTITION);
  });

  test("the shares of nodes belong to a single node, and a node that does not live has none", () => {
    expect(partitionShareOf("one", ["one"])).toEqual(EVERY_PARTITION);
    expect(partitionShareOf("one", ["other"])).toEqual([]);
    expect(partitionShareOf("one", [])).toEqual([]);
  });

  test("the shares of three nodes are at most 45 % each", () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const nodes = nodesOf(3, `balance ${round}`);
      for (const node of nodes) {
        expect(partitionShareOf(node, nodes).length / PARTITIONS).toBeLessThanOrEqual(0.45);
      }
    }
  });

  test("the shares of nodes change for a node that joins or leaves only by its own partitions", () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [joining = "", ...before] = nodesOf(4, `join ${round}`);
      const after = [...before, joining];
      const its = new Set(partitionShareOf(joining, after));
      for (const node of before) {
        const kept = partitionShareOf(node, before).filter((partition) => !its.has(partition));
        expect(partitionShareOf(node, after)).toEqual(kept);
      }
    }
  });
});
