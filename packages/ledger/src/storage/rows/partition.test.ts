import { accountId } from "@propgate/core";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { PARTITIONS, partitionOf } from "./partition.ts";

const VECTORS = [
  ["00000000-0000-0000-0000-000000000000", 55],
  ["4f8f7d0e-2f6d-4f0e-8c39-0d6f5a6f1f10", 12],
  ["ffffffff-ffff-ffff-ffff-ffffffffffff", 90],
] as const;
const IDS_PER_PARTITION = 100;

await describeOnEachDatabase("the partition of an account", (database) => {
  test("the partition of an account is the same in the database, and never changes", async () => {
    for (const [id, partition] of VECTORS) expect(partitionOf(accountId(id))).toBe(partition);
    const rows = await database().query<{ id: string; partition: number }>(
      `select id, partition_of(id) as partition
       from (select gen_random_uuid() as id from generate_series(1, $1) union all select unnest($2::uuid[])) ids`,
      [PARTITIONS * IDS_PER_PARTITION, VECTORS.map(([id]) => id)],
    );
    for (const { id, partition } of rows) expect(partitionOf(accountId(id))).toBe(partition);
    expect(new Set(rows.map(({ partition }) => partition)).size).toBe(PARTITIONS);
  });
});
