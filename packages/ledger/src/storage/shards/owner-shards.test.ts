import { type OwnerId, ownerId } from "@propgate/core";
import { beforeEach, describe, expect, test } from "vitest";
import { createSeededChance } from "../../../../base/src/random.ts";
import {
  type DatabaseOutage,
  databaseWithOutage,
} from "../../../../server/src/testing/database-outage.ts";
import {
  openScratchPostgres,
  testPostgresUrl,
} from "../../../../server/src/testing/open-test-database.ts";
import type { Database } from "../databases/database.ts";
import { openPostgres } from "../databases/postgres-database.ts";
import { shardNumberOf } from "../rows/shard-number.ts";
import { createOwnerShards, type OwnerShards } from "./owner-shards.ts";

const postgres = await testPostgresUrl();
const chance = createSeededChance("owner shards");

describe.skipIf(postgres === null)("the databases of owners", () => {
  let first: Awaited<ReturnType<typeof openScratchPostgres>>;
  let second: Awaited<ReturnType<typeof openScratchPostgres>>;
  beforeEach(async () => {
    first = await openScratchPostgres(postgres ?? "");
    second = await openScratchPostgres(postgres ?? "");
    await addAccount(first, "old-1");
    await addAccount(first, "old-2");
    return async () => {
      await first.close();
      await second.close();
    };
  });

  /** Adds an account of the owner, without a row in `owner_databases`. */
  const addAccount = (database: Database, owner: string): Promise<unknown> =>
    database.query(
      `insert into accounts (account_id, owner_id, status, version, head_hash, exposed, created_at_ms)
       values (gen_random_uuid(), $1, 'active', 1, '\\x00', false, 0)`,
      [owner],
    );
  const placeOf = async (ownerShards: OwnerShards, owner: OwnerId): Promise<number> =>
    shardNumberOf(await ownerShards.newAccountId(owner, chance));

  /** The numbers of the databases where these new owners are placed, in the order of the owners. */
  const placed = async (...names: readonly string[]): Promise<readonly number[]> => {
    const ownerShards = createOwnerShards([first, second]);
    const numbers: number[] = [];
    for (const name of names) numbers.push(await placeOf(ownerShards, ownerId(name)));
    return numbers;
  };

  test("a new owner gets the database with the fewest accounts, the first of several", async () => {
    expect(await placed("a", "b", "c", "d")).toEqual([1, 1, 0, 1]);
  });

  test("an owner keeps the database, also in another process", async () => {
    await placed("a", "b", "c");
    const ownerShards = createOwnerShards([first, second]);
    for (const [name, number] of [
      ["a", 1],
      ["c", 0],
    ] as const) {
      expect(await ownerShards.shardNumberOfOwner(ownerId(name))).toBe(number);
      expect(await placeOf(ownerShards, ownerId(name))).toBe(number);
    }
  });

  test("an owner from before there were several stays where the accounts are", async () => {
    await addAccount(second, "restored");
    const ownerShards = createOwnerShards([first, second]);
    for (const [name, number] of [
      ["old-1", 0],
      ["old-2", 0],
      ["restored", 1],
    ] as const) {
      expect(await placeOf(ownerShards, ownerId(name))).toBe(number);
    }
  });

  test("an owner without accounts is on the first, and is not written by being asked for", async () => {
    const ownerShards = createOwnerShards([first, second]);
    expect(await ownerShards.shardNumberOfOwner(ownerId("without-accounts"))).toBe(0);
    const rows = await first.query("select 1 from owner_databases where owner_id = $1", [
      "without-accounts",
    ]);
    expect(rows).toEqual([]);
  });

  test("two nodes that place the same owners at once agree on each", async () => {
    const nodes = await Promise.all(
      [0, 1].map(
        async () => [await openPostgres(first.url), await openPostgres(second.url)] as const,
      ),
    );
    const ownerShards = nodes.map((databases) => createOwnerShards(databases));
    const owners = Array.from({ length: 40 }, (_, number) => ownerId(`at-once-${number}`));
    // The nodes begin at different ends of the list, and each counts accounts for itself.
    const [one, other] = await Promise.all(
      ownerShards.map((own, node) =>
        Promise.all(
          (node === 0 ? owners : owners.toReversed()).map(
            async (owner) => [owner, await placeOf(own, owner)] as const,
          ),
        ),
      ),
    );
    expect(new Map(one)).toEqual(new Map(other));
    expect(new Set(one?.map(([, number]) => number))).toEqual(new Set([0, 1]));
    await Promise.all(nodes.flat().map((database) => database.close()));
  });

  test("known owners keep theirs while a database is away, and a new one waits for it", async () => {
    const outage: DatabaseOutage = { text: "from accounts", when: "never" };
    await placed("a", "b", "c");
    const ownerShards = createOwnerShards([first, databaseWithOutage(second, outage)]);
    outage.when = "before";
    expect(await placeOf(ownerShards, ownerId("c"))).toBe(0);
    await expect(placeOf(ownerShards, ownerId("later"))).rejects.toThrow("ECONNREFUSED");
    outage.when = "never";
    expect([0, 1]).toContain(await placeOf(ownerShards, ownerId("later")));
  });

  test("nothing is asked or written with one database", async () => {
    const outage: DatabaseOutage = { text: "", when: "before" };
    const ownerShards = createOwnerShards([databaseWithOutage(first, outage)]);
    expect(await placeOf(ownerShards, ownerId("alone"))).toBe(0);
    expect(await ownerShards.shardNumberOfOwner(ownerId("alone"))).toBe(0);
  });
});
