import { type AccountId, accountId } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { createSeededChance } from "../../../base/src/random.ts";
import { PARTITIONS, partitionOf } from "../../../ledger/src/storage/rows/partition.ts";
import type { VersionedState } from "../../../ledger/src/trading/executor-port.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { createModelLeases, type ModelLeases } from "../../../server/src/testing/model-leases.ts";
import { RENEW_EVERY_MS } from "../leases/lease-keeper.ts";
import { createPartitionOwner } from "./partition-owner.ts";
import { partitionShareOf } from "./rendezvous.ts";

const FOLLOW_EVERY_MS = 500;
const OVERDUE_MS = 6_000;
const ACCOUNTS = 300;

const chance = createSeededChance("partition owner");
const accounts = Array.from({ length: ACCOUNTS }, () => accountId(chance.uuid()));

/** A state that has only an id, because only the id of an account matters here. */
function stateOf(id: AccountId): VersionedState {
  return { version: 1, state: { accountId: id } as VersionedState["state"] };
}

function createNode(name: string, table: ModelLeases, living: () => readonly string[]) {
  const time = createManualTime(name.length * 1_000);
  const watched = new Set<AccountId>();
  const node = {
    isCut: false,
    loads: 0,
    idle: async (): Promise<void> => undefined,
    onLoad: (): void => undefined,
  };
  const owner = createPartitionOwner({
    leases: table.store,
    node: name,
    steadyClock: { nowMs: () => time.clock.now() },
    timer: time.timer,
    wantedPartitions: () => partitionShareOf(name, living()),
    isCut: () => node.isCut,
    async load(partition) {
      node.loads += 1;
      node.onLoad();
      return accounts.filter((id) => partitionOf(id) === partition).map(stateOf);
    },
    async watch(_loaded, own) {
      for (const { state } of own()) watched.add(state.accountId);
    },
    forget(isForgotten) {
      for (const id of watched) if (isForgotten(id)) watched.delete(id);
    },
    whenIdle: () => node.idle(),
    onFault: (cause) => {
      throw cause;
    },
  });
  return Object.assign(node, {
    name,
    owner,
    watched,
    time,
    decides: (): readonly AccountId[] => accounts.filter((id) => owner.leaseOf(id) !== null),
  });
}

type Node = ReturnType<typeof createNode>;

async function pass(table: ModelLeases, nodes: readonly Node[], ms: number): Promise<void> {
  for (let passedMs = FOLLOW_EVERY_MS; passedMs <= ms; passedMs += FOLLOW_EVERY_MS) {
    table.pass(FOLLOW_EVERY_MS);
    for (const { time, owner } of nodes) {
      await time.pass(FOLLOW_EVERY_MS);
      if (passedMs % RENEW_EVERY_MS === 0) await owner.renew();
      await owner.reconcile();
    }
  }
}

/** The number of nodes that watch and decide each account. It should be 1. */
function holdersOf(nodes: readonly Node[]): readonly number[] {
  return accounts.map((id) => {
    const deciding = nodes.filter(({ owner }) => owner.leaseOf(id) !== null);
    const watching = nodes.filter(({ watched }) => watched.has(id));
    expect(watching).toEqual(deciding);
    return deciding.length;
  });
}

const ONE_EACH = accounts.map(() => 1);

describe("owners of partitions", () => {
  test("owners of partitions watch and decide each account on exactly one node, also after a join and a departure", async () => {
    const table = createModelLeases();
    let living = ["one", "other"];
    const [one, other] = [
      createNode("one", table, () => living),
      createNode("other", table, () => living),
    ];
    const third = createNode("the third", table, () => living);
    await pass(table, [one, other], 1_000);
    expect(holdersOf([one, other])).toEqual(ONE_EACH);
    living = ["one", "other", "the third"];
    await pass(table, [one, other, third], 1_500);
    expect(holdersOf([one, other, third])).toEqual(ONE_EACH);
    expect(third.owner.figures().owned).toBe(partitionShareOf("the third", living).length);
    living = ["other", "the third"];
    await one.owner.stop();
    expect(one.watched.size).toBe(0);
    await pass(table, [other, third], 1_000);
    expect(holdersOf([one, other, third])).toEqual(ONE_EACH);
  });

  test("owners of partitions take the partitions of a killed node over when its leases have ended", async () => {
    const table = createModelLeases();
    let living = ["killed", "left"];
    const killed = createNode("killed", table, () => living);
    const left = createNode("left", table, () => living);
    await pass(table, [killed, left], 2_000);
    living = ["left"];
    await pass(table, [left], OVERDUE_MS - 2_000);
    expect(left.decides().length).toBeLessThan(ACCOUNTS);
    await pass(table, [left], 3_000);
    expect(left.decides()).toHaveLength(ACCOUNTS);
    expect(left.owner.partitions()).toHaveLength(PARTITIONS);
  });

  test("owners of partitions decide nothing after a pause, forget what was lost, and load it again", async () => {
    const table = createModelLeases();
    let living = ["paused"];
    const paused = createNode("paused", table, () => living);
    const other = createNode("other", table, () => living);
    await pass(table, [paused], 2_000);
    expect(paused.decides()).toHaveLength(ACCOUNTS);
    living = ["other"];
    await pass(table, [other], 10_000);
    await paused.time.pass(10_000);
    expect(paused.decides()).toEqual([]);
    expect(other.decides()).toHaveLength(ACCOUNTS);
    await pass(table, [paused, other], 500);
    expect(paused.watched.size).toBe(0);
    living = ["paused", "other"];
    const loads = paused.loads;
    await pass(table, [paused, other], 2_000);
    expect(holdersOf([paused, other])).toEqual(ONE_EACH);
    expect(paused.loads - loads).toBe(partitionShareOf("paused", living).length);
  });

  test("owners of partitions take nothing over while no prices can arrive", async () => {
    const table = createModelLeases();
    const node = createNode("one", table, () => ["one"]);
    node.isCut = true;
    await pass(table, [node], 4_000);
    expect(node.owner.figures()).toMatchObject({ owned: 0, takingOver: PARTITIONS });
    expect(node.owner.partitions()).toEqual([]);
    node.isCut = false;
    await pass(table, [node], 500);
    expect(node.owner.figures()).toMatchObject({ owned: PARTITIONS, takingOver: 0 });
  });

  test("owners of partitions do not watch accounts whose lease was lost while they were loaded", async () => {
    const table = createModelLeases();
    const node = createNode("one", table, () => ["one"]);
    node.onLoad = () => {
      if (node.loads === 2) void node.time.pass(4_000);
    };
    await node.owner.reconcile();
    expect(node.watched.size).toBe(0);
    expect(node.decides()).toEqual([]);
  });

  test("owners of partitions give a partition up only after the commands under way have ended, or after a second", async () => {
    const table = createModelLeases();
    let living = ["one"];
    const one = createNode("one", table, () => living);
    const joined = createNode("joined", table, () => living);
    await pass(table, [one], 1_000);
    let end = (): void => undefined;
    one.idle = () => new Promise<void>((resolve) => (end = resolve));
    living = ["one", "joined"];
    const given = one.owner.reconcile();
    await pass(table, [joined], 500);
    expect(joined.owner.figures().owned).toBe(0);
    end();
    await given;
    await pass(table, [joined], 500);
    expect(joined.owner.figures().owned).toBe(partitionShareOf("joined", living).length);
    living = ["one"];
    joined.idle = () => new Promise<void>(() => undefined);
    const stuck = joined.owner.reconcile();
    await new Promise((resolve) => setImmediate(resolve));
    await joined.time.pass(1_000);
    await stuck;
    await pass(table, [one], 1_000);
    expect(one.decides()).toHaveLength(ACCOUNTS);
  });

  test("owners of partitions notice a lost lease immediately when the database refuses a batch", async () => {
    const table = createModelLeases();
    const node = createNode("one", table, () => ["one"]);
    await pass(table, [node], 1_000);
    const [first = accountId(chance.uuid())] = accounts;
    const lease = node.owner.leaseOf(first);
    table.pass(OVERDUE_MS + 1);
    if (lease === null) throw new Error("the account is not owned");
    await table.store.claim([lease.name], { owner: "another", forMs: OVERDUE_MS, above: 0 });
    expect(node.owner.leaseOf(first)).toEqual(lease);
    node.owner.onStaleLeases([lease]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(node.owner.leaseOf(first)).toBeNull();
    expect(node.owner.figures().refusals).toBe(1);
  });
});
