import { accountId, ownerId } from "@propgate/core";
import { expect, test } from "vitest";
import { TEST_OWNER } from "../../../../server/src/testing/counting-decider.ts";
import {
  createCountingNetwork,
  TEST_NOON,
} from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { createAccountStore } from "./account-store.ts";
import { createSettingStore } from "./setting-store.ts";

await describeOnEachDatabase("the stores", (database) => {
  test("the name of a setting has its last value, or none", async () => {
    const store = createSettingStore(database());
    expect(await store.get("clock")).toBe(null);
    await store.set("clock", "1");
    await store.set("clock", "2");
    expect(await store.get("clock")).toBe("2");
  });

  test("a counter of the settings begins at 1 and gives no number twice", async () => {
    const store = createSettingStore(database());
    const given = await Promise.all(Array.from({ length: 5 }, () => store.increment("starts")));
    expect(given.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
    expect(await store.get("starts")).toBe("5");
    expect(await store.increment("starts", 40)).toBe(41);
    expect(await store.increment("starts", 40)).toBe(42);
  });

  test("accounts are found, listed page by page, and counted by owner", async () => {
    const store = createAccountStore(database());
    const network = createCountingNetwork(database());
    const ids = [await network.open(), await network.open(), await network.open()].toSorted();
    const found = await store.find(accountId(ids[0] ?? ""));
    expect(found).toEqual({
      accountId: ids[0],
      network: "embedded",
      ownerId: TEST_OWNER,
      status: "active",
      version: 1,
      createdAtMs: TEST_NOON,
    });
    expect(await store.find(accountId("no uuid"))).toBe(null);
    const first = await store.list({ after: null, limit: 2 });
    const rest = await store.list({ after: first.at(-1)?.accountId ?? null, limit: 2 });
    expect([...first, ...rest].map((entry) => entry.accountId)).toEqual(ids);
    const unknownOwner = { ownerId: ownerId("another-owner"), after: null, limit: 9 };
    expect(await store.list(unknownOwner)).toEqual([]);
    expect(await store.list({ ...unknownOwner, ownerId: TEST_OWNER })).toHaveLength(3);
    expect(await store.countActive(TEST_OWNER)).toBe(3);
    expect(await store.countActive(ownerId("another-owner"))).toBe(0);
  });
});
