import { expect, test } from "vitest";
import type { Database } from "../../../../ledger/src/storage/databases/database.ts";
import { createCountingNetwork } from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { openTestDatabase } from "../../../../server/src/testing/open-test-database.ts";
import { nextEpoch, openFeedEpochs } from "./epoch.ts";

/** Opens an account whose last decision was at a quote of this epoch. */
async function openDecided(database: Database, epoch: number): Promise<void> {
  const id = await createCountingNetwork(database).open();
  await database.query("update accounts set quote_epoch = $2 where account_id = $1", [id, epoch]);
}

await describeOnEachDatabase("the epoch of a feed that starts", (database) => {
  test("the epoch of a feed that starts is above those of its database and its tape [I3]", async () => {
    const first = await nextEpoch([database()]);
    expect(await nextEpoch([database()])).toBe(first + 1);
    expect(await nextEpoch([database()], first + 6)).toBe(first + 7);
    expect(await nextEpoch([database()], first)).toBe(first + 8);
  });

  test("the epoch of a feed that starts is above those of accounts, whose decisions may outlive the stored one [I3]", async () => {
    const first = await nextEpoch([database()]);
    await openDecided(database(), first + 12);
    await openDecided(database(), first + 3);
    expect(await nextEpoch([database()])).toBe(first + 13);
  });

  test("the epoch of a feed that starts is above those of the accounts on each of several databases [I3]", async () => {
    const first = await nextEpoch([database()]);
    const other = await openTestDatabase();
    await openDecided(other, first + 20);
    expect(await nextEpoch([database(), other])).toBe(first + 21);
    await other.close();
  });

  test("the epoch of a feed that starts is, among nodes, above those that the bus, the tape, the accounts and other nodes tell", async () => {
    const first = await nextEpoch([database()]);
    await openDecided(database(), first + 30);
    const bus = { reached: { epoch: 0 } };
    const epochs = await openFeedEpochs([database()], { lastOnTape: first, bus });
    expect(await epochs.lastKnown()).toBe(first + 30);
    await epochs.store(first + 32);
    expect(await epochs.lastKnown()).toBe(first + 32);
    bus.reached = { epoch: first + 40 };
    expect(await epochs.lastKnown()).toBe(first + 40);
    const taped = await openFeedEpochs([database()], { lastOnTape: first + 50, bus });
    expect(await taped.lastKnown()).toBe(first + 50);
  });
});
