import { type AccountId, accountId, unixMs } from "@propgate/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { createSecretBox } from "../../../access/src/keys/seal-secret.ts";
import { createSeededChance } from "../../../base/src/random.ts";
import { createEventLines } from "../../../ledger/src/storage/journal/event-lines.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { keepAllRows } from "../../../server/src/testing/keep-all-rows.ts";
import { addBareAccount, addBareLines } from "../../../server/src/testing/raw-journal.ts";
import type { DeliveryResult, WebhookRequest } from "../delivery/webhook-sender.ts";
import { createAlertLines } from "../storage/alert-lines.ts";
import { createAttemptStore } from "../storage/attempt-store.ts";
import { createEndpointStore } from "../storage/endpoint-store.ts";
import { createGrownQueues } from "../storage/grown-queues.ts";
import { createLaneStore, type LaneStore } from "../storage/lane-store.ts";
import type { LaneDatabase } from "../storage/webhook-stores.ts";
import { createLaneDelivery } from "./lane-delivery.ts";
import { sealNames } from "./sealed-endpoint.ts";
import { createWebhookLanes, type WebhookLanes } from "./webhook-lanes.ts";

const DAY = 86_400_000;
const ENDED = '{"type":"dayEnded"}';
const KEY = { version: 1, key: Buffer.alloc(32, 7) };
const MASTER_KEYS = { current: KEY, byVersion: new Map([[1, KEY.key]]) };

/**
 * One step of a random run: new events of an account, the receiver's next answer, a node that dies and is replaced,
 * time that passes, or a node that scans the queues.
 */
type Step =
  | { readonly kind: "events"; readonly account: number; readonly count: number }
  | { readonly kind: "answer"; readonly status: number | "lost" }
  | { readonly kind: "node" }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "tick"; readonly node: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("events" as const),
    account: fc.nat(2),
    count: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    kind: fc.constant("answer" as const),
    status: fc.constantFrom(200, 200, 500, 204, "lost" as const),
  }),
  fc.record({ kind: fc.constant("node" as const) }),
  fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(1_000, 400_000, DAY) }),
  fc.record({ kind: fc.constant("tick" as const), node: fc.nat(1) }),
);

await describeOnEachDatabase("lanes", (database) => {
  let runs = 0;

  test("a receiver has every event of an account in order, although answers fail, nodes die and two nodes deliver", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        runs += 1;
        const run = await openRun(runs);
        for (const one of steps) await run.take(one);
        await run.end();
        for (const account of run.accounts) {
          const all = Array.from({ length: run.versionOf(account) }, (_, index) => index + 1);
          expect(newOnes(run.received.get(account) ?? [])).toEqual(all);
        }
      }),
      { numRuns: 25 },
    );
  });

  test("an event whose progress cannot be stored is not sent again without a pause", async () => {
    runs += 1;
    const faults: unknown[] = [];
    const run = await openRun(runs, {
      advance: () => Promise.reject(new Error("the disk is full")),
      onFault: (cause) => faults.push(cause),
    });
    await run.take({ kind: "events", account: 0, count: 2 });
    const received = () => run.accounts.map((account) => run.received.get(account));
    await run.settled();
    expect(received()).toEqual([[1], undefined, undefined]);
    expect(faults).toContainEqual(new Error("the disk is full"));
    await run.settled();
    expect(received()).toEqual([[1, 1], undefined, undefined]);
    await run.stop();
  });

  test("all lanes are looked at once; events of other nodes are found by their transactions, and lanes that people have moved", async () => {
    runs += 1;
    const lanes = createLaneStore(database());
    const looks: (readonly unknown[] | null)[] = [];
    const run = await openRun(runs, {
      findDue(ids, now) {
        looks.push(now.queues);
        return lanes.findDue(ids, now);
      },
    });
    const tick = async (): Promise<readonly unknown[]> => {
      looks.length = 0;
      await run.tick();
      return looks.map((queues) => queues?.length ?? "all");
    };
    const received = () => run.received.get(run.accounts[0] ?? accountId("")) ?? [];
    await run.take({ kind: "events", account: 0, count: 1 });
    expect(await tick()).toContain("all");
    await eventually(() => expect(received()).toEqual([1]));
    await run.take({ kind: "events", account: 0, count: 1 });
    await run.take({ kind: "pass", ms: 5_000 });
    expect(await tick()).not.toContain("all");
    await eventually(() => expect(received()).toEqual([1, 2]));
    await run.replay();
    expect(await tick()).toContain("all");
    await eventually(() => expect(received()).toEqual([1, 2, 1, 2]));
    await run.stop();
  });

  test("lanes of a database go on while another one is away, and all are looked at when it works again", async () => {
    runs += 1;
    const lanes = createLaneStore(database());
    let looks = 0;
    const away = async (): Promise<never> => {
      looks += 1;
      throw new Error("connect ECONNREFUSED");
    };
    const beside = {
      lanes: { ...lanes, createMissingLanes: away, findDue: away },
      grown: { findSince: away },
    };
    const run = await openRun(runs, { beside, onFault: () => undefined });
    const received = () => run.received.get(run.accounts[0] ?? accountId("")) ?? [];
    run.setAway(true);
    for (const expected of [[1], [1, 2]]) {
      await run.take({ kind: "events", account: 0, count: 1 });
      await run.tick();
      await eventually(() => expect(received()).toEqual(expected));
      await run.take({ kind: "pass", ms: 5_000 });
    }
    expect(looks).toBe(0);
    run.setAway(false);
    await expect(run.tick()).rejects.toThrow("ECONNREFUSED");
    await run.stop();
  });

  test("a lane that failed with an error is looked at again, also after a search that failed", async () => {
    runs += 1;
    const [lanes, grown] = [createLaneStore(database()), createGrownQueues(database())];
    const fails = { advance: false, search: false };
    const run = await openRun(runs, {
      advance: (from, ...given) =>
        fails.advance && from.accountId === run.accounts[0]
          ? Promise.reject(new Error("away"))
          : lanes.advance(from, ...given),
      grown: {
        findSince: (place) =>
          fails.search ? Promise.reject(new Error("away")) : grown.findSince(place),
      },
      onFault: () => undefined,
    });
    const received = () => run.received.get(run.accounts[0] ?? accountId("")) ?? [];
    await run.take({ kind: "events", account: 0, count: 1 });
    fails.advance = true;
    await run.tick();
    await eventually(() => expect(received()).toEqual([1]));
    fails.advance = false;
    for (const search of [true, false]) {
      fails.search = search;
      await run.take({ kind: "pass", ms: 5_000 });
      await run.tick().catch(() => undefined);
    }
    await eventually(() => expect(received()).toEqual([1, 1]));
    await run.stop();
  });

  test("an event that is stored as delivered while lanes are read is not sent again", async () => {
    runs += 1;
    const lanes = createLaneStore(database());
    const read = Promise.withResolvers<void>();
    let isSending = false;
    const run = await openRun(runs, {
      async advance(from, ...given) {
        if (from.accountId === run.accounts[0]) {
          isSending = true;
          await read.promise;
        }
        return lanes.advance(from, ...given);
      },
      async findDue(...given) {
        const wasSending = isSending;
        const due = await lanes.findDue(...given);
        const lane = due.find(({ accountId: account }) => account === run.accounts[0]);
        if (!wasSending || lane?.accountId == null || lane.deliveredSequence > 0) return due;
        const { endpointId, accountId: account } = lane;
        read.resolve();
        await eventually(async () =>
          expect((await lanes.findByAccount(endpointId, account))?.deliveredSequence).toBe(1),
        );
        // The lane ends after its next read of the database. These reads come later, so the lane has ended after them.
        for (let count = 0; count < 20; count += 1) await lanes.findByAccount(endpointId, account);
        return due;
      },
    });
    const received = () => run.received.get(run.accounts[0] ?? accountId("")) ?? [];
    await run.take({ kind: "events", account: 0, count: 1 });
    // The first scans may begin with accounts of other tests.
    await eventually(async () => {
      await run.tick();
      expect(isSending).toBe(true);
    });
    await run.take({ kind: "tick", node: 0 });
    await run.take({ kind: "events", account: 0, count: 1 });
    await run.settled();
    expect(received()).toEqual([1, 2]);
    await run.stop();
  });

  test.each(["before", "after"] as const)(
    "an event whose line is lost while it is sent moves no lane, so the line that comes %s the answer is sent too",
    async (when) => {
      runs += 1;
      let goBack: (() => Promise<void>) | null = null;
      const account = (): AccountId => run.accounts[0] ?? accountId("");
      const addOther = async (): Promise<void> => {
        await addBareLines(database(), account(), { version: 1, events: [ENDED] });
        await database().query("update journal set hash = $2 where account_id = $1 and seq = 2", [
          account(),
          Buffer.alloc(32, 1),
        ]);
      };
      const run = await openRun(runs, {
        async whileSent() {
          const back = goBack;
          goBack = null;
          await back?.();
          if (back !== null && when === "before") await addOther();
        },
      });
      const received = () => run.received.get(account()) ?? [];
      await run.take({ kind: "events", account: 0, count: 1 });
      await run.settled();
      goBack = await keepAllRows(database());
      await run.take({ kind: "events", account: 0, count: 1 });
      await run.settled();
      if (when === "after") await addOther();
      await run.settled();
      expect(received()).toEqual([1, 2, 2]);
      await run.stop();
    },
  );

  test("all lanes are looked at when the database gives transaction ids again, after a failover without the last commits", async () => {
    runs += 1;
    const [grown, lanes] = [createGrownQueues(database()), createLaneStore(database())];
    const looks: (readonly unknown[] | null)[] = [];
    let lost = 0n;
    const run = await openRun(runs, {
      findDue(ids, now) {
        looks.push(now.queues);
        return lanes.findDue(ids, now);
      },
      grown: {
        async findSince(place) {
          const found = await grown.findSince(place === null ? null : 0n);
          return { transactionId: found.transactionId - lost, queues: [] };
        },
      },
    });
    await run.take({ kind: "events", account: 0, count: 1 });
    await run.tick();
    await run.settled();
    lost = 1_000n;
    looks.length = 0;
    await run.take({ kind: "pass", ms: 5_000 });
    await run.tick();
    expect(looks[0]).toBeNull();
    await run.stop();
  });

  const openRun = async (
    number: number,
    {
      advance,
      findDue,
      grown = createGrownQueues(database()),
      beside = null,
      whileSent = () => Promise.resolve(),
      onFault = (cause) => {
        throw cause;
      },
    }: {
      /** The stores of a second database that differ from those of the first; null when there is only one database. */
      readonly beside?: Partial<LaneDatabase> | null;
      readonly advance?: LaneStore["advance"];
      readonly findDue?: LaneStore["findDue"];
      /** Runs after the receiver has taken an event, before its answer arrives. */
      readonly whileSent?: (sequence: number) => Promise<void>;
      readonly grown?: LaneDatabase["grown"];
      readonly onFault?: (cause: unknown) => void;
    } = {},
  ) => {
    const log = { warn: () => undefined };
    const chance = createSeededChance(`lanes ${number}`);
    const endpoints = createEndpointStore(database());
    const box = createSecretBox(MASTER_KEYS, chance);
    const lanes = createLaneStore(database());
    const part = {
      lanes: {
        ...lanes,
        ...(advance === undefined ? {} : { advance }),
        ...(findDue === undefined ? {} : { findDue }),
      },
      attempts: createAttemptStore(database()),
      lines: createEventLines(database()),
      alerts: createAlertLines(database()),
      grown,
    };
    for (const { id } of await endpoints.page(null, 100)) await endpoints.remove(id);
    const id = `wh_${number}`;
    const names = sealNames(id);
    let nowMs = 1_767_571_200_000;
    const clock = { now: () => unixMs(nowMs) };
    await endpoints.insert(
      {
        id,
        ownerId: null,
        accountId: null,
        label: "",
        types: null,
        programId: null,
        payload: "event",
        signatures: ["v1"],
        shownAddress: "",
        sealed: {
          address: box.seal(names.address, "https://example.com/"),
          secret: box.seal(names.secret, "whsec_x"),
          older: null,
        },
        disabled: null,
        sinceMs: clock.now(),
        createdAtMs: clock.now(),
        revision: 0,
      },
      20,
    );
    const accounts = Array.from({ length: 3 }, () => accountId(chance.uuid()));
    const versions = new Map<AccountId, number>();
    const received = new Map<AccountId, number[]>();
    let status: number | "lost" = 200;
    let isAway = false;
    /**
     * Delivers to the receiver. It takes the event when it answers with success, and also when only its answer is lost.
     */
    const send = async ({ body }: WebhookRequest): Promise<DeliveryResult> => {
      const { data } = JSON.parse(body) as {
        readonly data: { readonly accountId: string; readonly sequence: number };
      };
      const answer = status;
      const account = accountId(data.accountId);
      if (answer !== 500) received.set(account, [...(received.get(account) ?? []), data.sequence]);
      await whileSent(data.sequence);
      const seen = { latencyMs: 1, answer: null, retryAfterMs: null };
      if (answer === "lost") return { ...seen, status: null, error: "reset" };
      return { ...seen, status: answer, error: null };
    };
    const started: WebhookLanes[] = [];
    const startNode = (): WebhookLanes => {
      const node = createWebhookLanes({
        endpoints,
        databases: beside === null ? [part] : [part, { ...part, ...beside }],
        isAtFault: (number) => number > 0 && isAway,
        delivery: createLaneDelivery({
          senderOf: () => ({ send }),
          instruments: new Map(),
          box,
          evidence: { sign: () => Promise.reject(new Error("no webhook here has v1a")) },
          clock,
          chance,
          log,
        }),
        executor: { onCommit: () => undefined },
        numberAlerts: async () => [],
        clock,
        steadyClock: { nowMs: () => nowMs },
        mayDeliver: () => true,
        log,
        onFault,
      });
      started.push(node);
      return node;
    };
    const nodes: [WebhookLanes, WebhookLanes] = [startNode(), startNode()];
    const versionOf = (account: AccountId): number => versions.get(account) ?? 0;
    const addEvents = async (account: AccountId, count: number): Promise<void> => {
      if (!versions.has(account)) await addBareAccount(database(), account, "owner");
      const version = versionOf(account);
      await addBareLines(database(), account, { version, events: Array(count).fill(ENDED) });
      versions.set(account, version + count);
    };
    const take = async (one: Step): Promise<void> => {
      switch (one.kind) {
        case "events":
          return addEvents(accounts[one.account] ?? accountId(""), one.count);
        case "answer":
          ({ status } = one);
          return;
        case "pass":
          nowMs += one.ms;
          return;
        case "node":
          // The lanes of the dead node may be in the middle of a delivery.
          [nodes[0], nodes[1]] = [nodes[1], startNode()];
          return;
        case "tick":
          return nodes[one.node === 0 ? 0 : 1].refresh();
      }
    };
    const stop = async (): Promise<void> => {
      for (const node of started) await node.stop();
    };
    return {
      accounts,
      received,
      versionOf,
      take,
      settled: () => nodes[0].waitUntilSettled(),
      tick: () => nodes[0].tick(),
      replay: async () => {
        await lanes.replay(id, null, { sequence: 1 });
        await endpoints.raiseRevision(id);
      },
      stop,
      setAway(away: boolean) {
        isAway = away;
      },
      async end() {
        status = 200;
        nowMs += 5 * DAY;
        await part.lanes.resume(id, null);
        await nodes[0].waitUntilSettled();
        await nodes[1].waitUntilSettled();
        await stop();
      },
    };
  };
});

/** The sequences without those that were sent again. */
function newOnes(sequences: readonly number[]): readonly number[] {
  return sequences.filter((one, index) => one > Math.max(0, ...sequences.slice(0, index)));
}
