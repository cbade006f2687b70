import { describe, expect, test } from "vitest";
import type { Lease, LeaseStore } from "../../../ledger/src/storage/leases/lease-store.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { createModelLeases, type ModelLeases } from "../../../server/src/testing/model-leases.ts";
import { CLAIM_EVERY_MS, createLeaseKeeper, RENEW_EVERY_MS } from "./lease-keeper.ts";

/** A lease ends after 6 s of the database's clock, and a node trusts it for 4 s of its own clock. */
const OVERDUE_MS = 6_000;
const TRUSTED_MS = 4_000;

function node(
  owner: string,
  table: ModelLeases,
  wanted: () => string[],
  settled?: () => Promise<void>,
) {
  const time = createManualTime(owner.length * 1_000);
  const events: string[] = [];
  const held = new Map<string, Lease>();
  const keeper = createLeaseKeeper({
    store: table.store,
    owner,
    clock: { nowMs: () => time.clock.now() },
    timer: time.timer,
    wantedNames: wanted,
    onGained(lease) {
      held.set(lease.name, lease);
      events.push(`gained ${lease.name} ${lease.epoch}`);
    },
    onLost: (lease) => void events.push(`lost ${lease.name} ${lease.epoch}`),
    ...(settled === undefined ? {} : { whenSettled: settled }),
  });
  return {
    keeper,
    events,
    time,
    holds: (name: string) => {
      const lease = held.get(name);
      return lease !== undefined && keeper.holds(lease);
    },
  };
}

type Node = ReturnType<typeof node>;

/** Lets time pass for the database and for these nodes, which claim every second and renew every two. */
async function pass(table: ModelLeases, nodes: readonly Node[], ms: number) {
  for (let passedMs = 0; passedMs < ms; passedMs += CLAIM_EVERY_MS) {
    table.pass(CLAIM_EVERY_MS);
    for (const { time, keeper } of nodes) {
      await time.pass(CLAIM_EVERY_MS);
      await keeper.claim().catch(() => undefined);
      if ((passedMs / CLAIM_EVERY_MS) % (RENEW_EVERY_MS / CLAIM_EVERY_MS) === 1) {
        await keeper.renew().catch(() => undefined);
      }
    }
  }
}

describe("a lease keeper", () => {
  test("a lease keeper keeps one lease for as long as it runs, and no other node gets it", async () => {
    const table = createModelLeases();
    const [one, other] = [node("one", table, () => ["feed"]), node("other", table, () => ["feed"])];
    await pass(table, [one, other], 60_000);
    expect(one.events).toEqual(["gained feed 1"]);
    expect(other.events).toEqual([]);
    expect([one.holds("feed"), other.holds("feed")]).toEqual([true, false]);
  });

  test("a lease keeper takes the lease of a killed node over when it is overdue, with a greater epoch", async () => {
    const table = createModelLeases();
    const [one, other] = [node("one", table, () => ["feed"]), node("other", table, () => ["feed"])];
    await pass(table, [one, other], 4_000);
    await pass(table, [other], OVERDUE_MS - 1_000);
    expect(other.events).toEqual([]);
    await pass(table, [other], 2_000);
    expect(other.events).toEqual(["gained feed 2"]);
  });

  test("a lease keeper of a process that wakes up from a pause trusts nothing before it has asked the database", async () => {
    const table = createModelLeases();
    const [one, other] = [node("one", table, () => ["feed"]), node("other", table, () => ["feed"])];
    await pass(table, [one, other], 4_000);
    // While the process is stopped, its steady clock goes on, but none of its timers runs.
    await pass(table, [other], 8_000);
    let isTrusted = true;
    one.time.timer.after(8_000, () => {
      isTrusted = one.holds("feed");
    });
    await one.time.pass(8_000);
    expect([isTrusted, one.holds("feed"), other.holds("feed")]).toEqual([false, false, true]);
    await one.keeper.renew();
    await one.keeper.claim();
    expect(one.events).toEqual(["gained feed 1", "lost feed 1"]);
    await pass(table, [one, other], 10_000);
    expect([one.holds("feed"), other.holds("feed")]).toEqual([false, true]);
  });

  test("a lease keeper stops trusting a lease that it cannot renew before another node can claim it", async () => {
    const table = createModelLeases();
    const one = node("one", table, () => ["feed"]);
    await pass(table, [one], 4_000);
    table.setAway(true);
    await pass(table, [one], TRUSTED_MS);
    expect(one.holds("feed")).toBe(false);
    expect(one.events).toEqual(["gained feed 1", "lost feed 1"]);
    table.setAway(false);
    await pass(table, [one], 1_000);
    expect(one.events.at(-1)).toBe("gained feed 2");
  });

  test("a lease keeper trusts from when it sent a renewal, not from when the answer came", async () => {
    const table = createModelLeases();
    let answerAfterMs = 0;
    const slow: LeaseStore = {
      ...table.store,
      async claim(names, by) {
        const leases = await table.store.claim(names, by);
        await one.time.pass(answerAfterMs);
        return leases;
      },
      async renew(leases, by) {
        const renewed = await table.store.renew(leases, by);
        await one.time.pass(answerAfterMs);
        return renewed;
      },
    };
    const one = node("one", { ...table, store: slow }, () => ["feed"]);
    answerAfterMs = TRUSTED_MS;
    await one.keeper.claim();
    expect(one.events).toEqual([]);
    answerAfterMs = 0;
    await one.keeper.claim();
    answerAfterMs = TRUSTED_MS - 1;
    await one.keeper.renew();
    expect(one.holds("feed")).toBe(true);
    await one.time.pass(1);
    expect(one.holds("feed")).toBe(false);
    expect(one.events).toEqual(["gained feed 2", "lost feed 2"]);
  });

  test("a lease keeper holds many leases, gives up those that it no longer wants, and another node gets them next", async () => {
    const table = createModelLeases();
    const names = Array.from({ length: 256 }, (_, index) => `partition ${index}`);
    let mine = names;
    const [one, other] = [node("one", table, () => mine), node("other", table, () => names)];
    await pass(table, [one, other], 10_000);
    expect(names.every((name) => one.holds(name))).toBe(true);
    mine = names.slice(0, 128);
    await pass(table, [one, other], 3_000);
    expect(names.filter((name) => one.holds(name))).toEqual(names.slice(0, 128));
    expect(names.filter((name) => other.holds(name))).toEqual(names.slice(128));
    await one.keeper.releaseAll();
    await pass(table, [other], 1_000);
    expect(names.filter((name) => other.holds(name))).toEqual(names);
  });

  test("a lease keeper gives up what it no longer wants only after the work under way has ended", async () => {
    const table = createModelLeases();
    let wanted: string[] = ["a", "b"];
    let end = (): void => undefined;
    const settled = () => new Promise<void>((resolve) => (end = resolve));
    const one = node("one", table, () => wanted, settled);
    const other = node("other", table, () => ["b"]);
    await one.keeper.claim();
    wanted = ["a"];
    const given = one.keeper.releaseUnwanted();
    expect([one.holds("a"), one.holds("b")]).toEqual([true, false]);
    await one.keeper.renew();
    await other.keeper.claim();
    expect(other.events).toEqual([]);
    end();
    await given;
    await other.keeper.claim();
    expect(other.events).toEqual(["gained b 2"]);
  });

  test("a lease keeper that stops while a claim is under way gives up what that claim has gained", async () => {
    const table = createModelLeases();
    let wanted = ["feed"];
    const store: LeaseStore = {
      ...table.store,
      async claim(names, by) {
        const leases = await table.store.claim(names, by);
        wanted = [];
        await one.keeper.releaseAll();
        return leases;
      },
    };
    const one = node("one", { ...table, store }, () => wanted);
    const other = node("other", table, () => ["feed"]);
    await one.keeper.claim();
    await other.keeper.claim();
    expect([one.holds("feed"), other.events]).toEqual([false, ["gained feed 2"]]);
  });

  test("a lease keeper says how long ago its oldest renewal was sent", async () => {
    const table = createModelLeases();
    const one = node("one", table, () => ["a"]);
    expect(one.keeper.oldestRenewalMs()).toBeNull();
    await one.keeper.claim();
    await one.time.pass(1_500);
    expect(one.keeper.oldestRenewalMs()).toBe(1_500);
    await one.keeper.renew();
    expect(one.keeper.oldestRenewalMs()).toBe(0);
  });
});
