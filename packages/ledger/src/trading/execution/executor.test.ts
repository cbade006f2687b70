import { randomUUID } from "node:crypto";
import { type AccountId, accountId } from "@propgate/core";
import { describe, expect, test, vi } from "vitest";
import {
  type CountingNetwork,
  countSubmission,
  createCountingNetwork,
  openSubmission,
  TEST_NOON,
} from "../../../../server/src/testing/counting-network.ts";
import {
  type DatabaseOutage,
  databaseWithOutage,
} from "../../../../server/src/testing/database-outage.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { openTestDatabase } from "../../../../server/src/testing/open-test-database.ts";
import type { Database } from "../../storage/databases/database.ts";
import { readJournal } from "../../storage/journal/journal-store.ts";
import type { Execution, VersionedState } from "../executor-port.ts";
import { verifyJournal } from "../journal/verify-journal.ts";
import { NotWritten } from "../network/not-written.ts";
import { UnknownFate } from "../network/unknown-fate.ts";

await describeOnEachDatabase("the executor", (database) => {
  test("the executor answers after the commit, with the events and the account they made", async () => {
    const network = createCountingNetwork(database());
    const id = await network.open();
    const execution = await network.count(id);
    expect(execution).toMatchObject({
      ok: true,
      events: [{ type: "trailMoved" }],
      account: { version: 2, state: { accountId: id, realized: 1 } },
    });
    const rows = await database().query(
      "select version, status, exposed from accounts where account_id = $1",
      [id],
    );
    expect(rows).toMatchObject([{ version: "2", status: "active", exposed: false }]);
  });

  test("the executor carries out 200 concurrent commands on 50 accounts as if they came one by one", async () => {
    const network = createCountingNetwork(database());
    const ids = await Promise.all(Array.from({ length: 50 }, () => network.open()));
    const executions = await Promise.all(
      Array.from({ length: 200 }, (_, index) => network.count(at(ids, index % 50))),
    );
    const versions = executions.map((one) => (one.ok ? one.account.version : null));
    // Each account was opened, which is version 1, and was then counted four times, in the order of the calls.
    expect(versions).toEqual(Array.from({ length: 200 }, (_, index) => 2 + Math.floor(index / 50)));
    for (const id of ids) expect(await verifyJournal(database(), id)).toMatchObject({ broken: [] });
  });

  test("a single command of an idle executor is committed while no timer fires", async () => {
    const network = createCountingNetwork(database());
    const id = await network.open();
    await network.executor.idle();
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    try {
      expect(await network.count(id)).toMatchObject({ ok: true, account: { version: 2 } });
    } finally {
      vi.useRealTimers();
    }
  });

  test("an account is loaded from its last snapshot and the journal after it, at each of its versions", async () => {
    const writing = createCountingNetwork(database());
    const id = await writing.open();
    for (let version = 2; version <= 20; version += 1) {
      await writing.count(id);
      const loaded = await createCountingNetwork(database()).cache.read({ accountId: id, version });
      expect(loaded).toMatchObject({ version, state: { realized: version - 1 } });
      const [row] = await database().query<{ version: string }>(
        "select version from account_states where account_id = $1",
        [id],
      );
      expect(row).toEqual({ version: String(version < 8 ? 1 : version < 16 ? 8 : 16) });
    }
  });

  test("an account whose journal misses a line is reported, and all others trade on", async () => {
    const writing = createCountingNetwork(database());
    const [torn, whole] = [await writing.open(), await writing.open()];
    await writing.count(torn);
    await writing.count(torn);
    await database().query("delete from journal where account_id = $1 and seq = 2", [torn]);
    const network = createCountingNetwork(database());
    const [failed, counted] = await Promise.allSettled([network.count(torn), network.count(whole)]);
    const reason = { message: expect.stringContaining(`account ${torn} cannot be read`) };
    expect(failed).toMatchObject({ status: "rejected", reason });
    expect(counted).toMatchObject({ value: { ok: true, account: { version: 2 } } });
    const reading = network.cache.read({ accountId: torn, version: 3 });
    await expect(reading).rejects.toMatchObject(reason);
  });

  test("a refused command writes nothing and does not affect its batch", async () => {
    const network = createCountingNetwork(database());
    const id = await network.open();
    const command = { type: "provisionAccount" } as const;
    const [before, refused, after] = await Promise.all([
      network.count(id),
      network.executor.submit({ accountId: id, command, origin: { by: "operator" } }),
      network.count(id),
    ]);
    expect(refused).toEqual({ ok: false, refusal: { code: "alreadyProvisioned" } });
    expect([before, after]).toMatchObject([
      { account: { version: 2 } },
      { account: { version: 3 } },
    ]);
    expect(await lines(database(), id)).toEqual([1, 2, 3]);
  });

  test("a fault fails its own command only", async () => {
    const network = createCountingNetwork(database());
    const id = await network.open();
    const command = { type: "eliminateAccount", reason: "impossible" } as const;
    const results = await Promise.allSettled([
      network.count(id),
      network.executor.submit({ accountId: id, command, origin: { by: "operator" } }),
      network.count(id),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await lines(database(), id)).toEqual([1, 2, 3]);
  });

  test("an account opened twice in one batch is opened once", async () => {
    const network = createCountingNetwork(database());
    const id = accountId(randomUUID());
    const both = await Promise.all([
      network.executor.submit(openSubmission(id)),
      network.executor.submit(openSubmission(id)),
    ]);
    expect(both).toMatchObject([{ ok: true }, { ok: false, refusal: { code: "accountExists" } }]);
  });

  test("two nodes on one database take turns on an account and lose no command", async () => {
    const [one, other] = [createCountingNetwork(database()), createCountingNetwork(database())];
    const ids = await Promise.all(Array.from({ length: 5 }, () => one.open()));
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? one : other).count(at(ids, index % 5)),
      ),
    );
    for (const id of ids) {
      const account = await one.cache.read({ accountId: id, version: 41 });
      expect(account).toMatchObject({ version: 41, state: { realized: 40 } });
      expect(await verifyJournal(database(), id)).toMatchObject({ broken: [], events: 41 });
    }
  });

  test("two nodes carry out batches of the same accounts in opposite orders", async () => {
    const one = createCountingNetwork(database());
    const other = createCountingNetwork(database());
    const ids = await Promise.all(Array.from({ length: 20 }, () => one.open()));
    for (let round = 0; round < 5; round += 1) {
      const forward = ids.map((id) => one.count(id));
      const backward = ids.toReversed().map((id) => other.count(id));
      const all = await Promise.all([...forward, ...backward]);
      expect(all.every(({ ok }) => ok)).toBe(true);
    }
    for (const id of ids) {
      expect(await verifyJournal(database(), id)).toMatchObject({ broken: [], events: 11 });
    }
  });

  test("a command without events is decided again when another node has changed the account", async () => {
    const [one, other] = [createCountingNetwork(database()), createCountingNetwork(database())];
    const id = await one.open();
    await other.cache.read({ accountId: id, version: 1 });
    await one.count(id);
    const command = { type: "passTime" } as const;
    const passed = await other.executor.submit({ accountId: id, command, origin: { by: "clock" } });
    expect(passed).toMatchObject({ ok: true, events: [], account: { version: 2 } });
  });

  test("an account that two nodes open at the same time is opened once", async () => {
    const nodes = [createCountingNetwork(database()), createCountingNetwork(database())];
    /**
     * Opens an account, and tries again when the batch waited too long for the other node's lock and was not written,
     * as may happen on a busy machine.
     */
    const open = async (node: CountingNetwork, id: AccountId): Promise<Execution> => {
      for (;;) {
        try {
          return await node.executor.submit(openSubmission(id));
        } catch (cause) {
          if (!(cause instanceof NotWritten)) throw cause;
        }
      }
    };
    for (let round = 0; round < 10; round += 1) {
      const id = accountId(randomUUID());
      const both = await Promise.all(nodes.map((node) => open(node, id)));
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await lines(database(), id)).toEqual([1]);
    }
  });

  test("listeners are called once a batch, in commit order, with every changed account", async () => {
    const network = createCountingNetwork(database());
    const heard: (readonly VersionedState[])[] = [];
    network.executor.onCommit((accounts) => heard.push(accounts));
    const id = await network.open();
    await Promise.all([network.count(id), network.count(id), network.count(id)]);
    await network.count(id);
    expect(heard.flat().map(({ version }) => version)).toEqual([1, 4, 5]);
    await network.executor.idle();
  });

  test("the journal records the key and nonce of a command", async () => {
    const network = createCountingNetwork(database());
    const id = await network.open();
    const origin = { by: "key", keyId: "pk_1", nonce: "n-1", admittedAtMs: TEST_NOON } as const;
    await network.executor.submit({ ...countSubmission(id), origin });
    const entries = await readJournal(database(), { accountId: id, afterSequence: 0, limit: 10 });
    expect(entries).toMatchObject([
      { sequence: 1, origin: "operator", keyId: null, command: "openAccount" },
      { sequence: 2, origin: "key", keyId: "pk_1", nonce: "n-1", command: "settlePrices" },
    ]);
  });

  test("a database that fails leaves the fate unknown, and the next command is carried out", async () => {
    const outage: DatabaseOutage = { text: "insert into journal", when: "never" };
    const network = createCountingNetwork(databaseWithOutage(database(), outage));
    const id = await network.open();
    const doubted: AccountId[] = [];
    network.executor.onUnknownFate((accounts) => doubted.push(...accounts));
    outage.when = "before";
    const lost = await Promise.allSettled([network.count(id), network.count(id)]);
    outage.when = "never";
    for (const one of lost) {
      expect(one.status === "rejected" && one.reason instanceof UnknownFate).toBe(true);
    }
    expect(doubted).toEqual([id]);
    expect(await network.count(id)).toMatchObject({ ok: true, account: { version: 2 } });
  });

  test("a cache reads an account that it lacks, and rereads one that it has in an older version", async () => {
    const [writer, reader] = [createCountingNetwork(database()), createCountingNetwork(database())];
    const id = await writer.open();
    expect(await reader.cache.read({ accountId: id, version: 1 })).toMatchObject({ version: 1 });
    await writer.count(id);
    expect(await reader.cache.read({ accountId: id, version: 1 })).toMatchObject({ version: 1 });
    expect(await reader.cache.read({ accountId: id, version: 2 })).toMatchObject({ version: 2 });
    const unknown = accountId(randomUUID());
    expect(await reader.cache.read({ accountId: unknown, version: 1 })).toBe(null);
  });
});

function at(ids: readonly AccountId[], index: number): AccountId {
  const id = ids[index];
  if (id === undefined) throw new Error(`no account ${index}`);
  return id;
}

async function lines(database: Database, id: AccountId): Promise<readonly number[]> {
  const options = { accountId: id, afterSequence: 0, limit: 1000 };
  return (await readJournal(database, options)).map(({ sequence }) => sequence);
}

describe("a batch of at most one command", () => {
  test("a batch of at most one command gives the same result in one transaction for each command", async () => {
    const database = await openTestDatabase();
    const network = createCountingNetwork(database, { batchMax: 1 });
    const id = await network.open();
    await Promise.all(Array.from({ length: 10 }, () => network.count(id)));
    expect(network.cache.get(id)).toMatchObject({ version: 11 });
    await database.close();
  });
});
