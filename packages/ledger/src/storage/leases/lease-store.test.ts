import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { createLeaseStore } from "./lease-store.ts";

const LONG_MS = 600_000;

await describeOnEachDatabase("leases", (database) => {
  const store = () => createLeaseStore(database());
  const claim = (names: readonly string[], owner: string, above = 0, forMs = LONG_MS) =>
    store().claim(names, { owner, forMs, above });

  test("leases have one owner until they end by the database's clock", async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    expect(await claim(["a"], one)).toEqual([{ name: "a", epoch: 1, owner: one }]);
    expect(await claim(["a"], other)).toEqual([]);
    await database().query(
      "update leases set lease_until = clock_timestamp() - interval '1 millisecond' where name = 'a'",
    );
    expect(await claim(["a"], other)).toEqual([{ name: "a", epoch: 2, owner: other }]);
  });

  test("each name has one owner after concurrent claims of the same names", async () => {
    const names = Array.from({ length: 64 }, (_, index) => `p${String(index).padStart(2, "0")}`);
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, node) =>
        claim(node % 2 === 0 ? names : names.toReversed(), randomUUID()),
      ),
    );
    const gained = claims.flat().map(({ name }) => name);
    expect(gained.toSorted()).toEqual(names);
  });

  test("leases are claimed, renewed and released in one order, so that no statement waits for another in a circle", async () => {
    const names = Array.from({ length: 96 }, (_, index) => `q${String(index).padStart(2, "0")}`);
    const node = async (isTurned: boolean): Promise<number> => {
      const owner = randomUUID();
      let gained = 0;
      for (let round = 0; round < 60; round += 1) {
        const leases = await claim(names, owner);
        const given = isTurned ? leases.toReversed() : leases;
        await store().renew(given, { owner, forMs: LONG_MS });
        await store().release(given, owner);
        gained += leases.length;
      }
      return gained;
    };
    const gained = await Promise.all([node(false), node(true), node(false), node(true)]);
    expect(Math.max(...gained)).toBeGreaterThan(0);
  });

  test("leases start above a given epoch, and count on from a greater one of their own", async () => {
    const owner = randomUUID();
    expect(await claim(["high"], owner, 40)).toEqual([{ name: "high", epoch: 41, owner }]);
    expect(await claim(["high"], owner, 7)).toEqual([{ name: "high", epoch: 42, owner }]);
    expect(await claim(["high"], owner, 99)).toEqual([{ name: "high", epoch: 100, owner }]);
    expect(await store().epochOf("high")).toBe(100);
    expect(await store().epochOf("never")).toBeNull();
  });

  test("leases are renewed only by their owner under their newest epoch", async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const [lease] = await claim(["b"], one);
    if (lease === undefined) throw new Error("the lease was not claimed");
    const by = { owner: one, forMs: LONG_MS };
    expect(await store().renew([lease], by)).toEqual([lease]);
    expect(await store().renew([lease], { ...by, owner: other })).toEqual([]);
    expect(await store().renew([{ ...lease, epoch: lease.epoch + 1 }], by)).toEqual([]);
    expect(await store().renew([{ ...lease, name: "none" }, lease], by)).toEqual([lease]);
  });

  test("leases that are released can be claimed immediately, and a former owner releases nothing", async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const leases = await claim(["c", "d"], one);
    await store().release(leases, other);
    expect(await claim(["c", "d"], other)).toEqual([]);
    await store().release(leases, one);
    await database().query("select pg_sleep(0.002)", []);
    expect((await claim(["c", "d"], other)).map(({ epoch }) => epoch)).toEqual([2, 2]);
    await store().release(leases, one);
    expect(await claim(["c", "d"], randomUUID())).toEqual([]);
  });

  test("leases name their owners until they end", async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const leases = await claim(["e", "f"], one);
    await claim(["g"], other);
    await store().release(leases.slice(0, 1), one);
    await database().query("select pg_sleep(0.002)", []);
    const owners = await store().ownersOf(["e", "f", "g", "none"]);
    expect(Object.fromEntries(owners)).toEqual({ f: one, g: other });
  });
});
