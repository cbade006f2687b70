import type { AccountId } from "@propgate/core";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type CountingNetwork,
  createCountingNetwork,
} from "../../../../server/src/testing/counting-network.ts";
import {
  openScratchPostgres,
  type ScratchDatabase,
  testPostgresUrl,
} from "../../../../server/src/testing/open-test-database.ts";
import { watchStorage } from "../../storage/databases/storage-watch.ts";
import { verifyJournal } from "../journal/verify-journal.ts";

const url = await testPostgresUrl();

/** Row locks held by another session, such as a stopped node or a person with psql. */
describe.skipIf(url === null)("accounts that another session holds", () => {
  let database: ScratchDatabase;
  let network: CountingNetwork;
  let holder: pg.Client;
  beforeAll(async () => {
    database = await openScratchPostgres(url ?? "");
    network = createCountingNetwork(database);
    holder = new pg.Client({ connectionString: database.url });
    holder.on("error", () => undefined);
    await holder.connect();
  });
  afterAll(async () => {
    await holder?.end();
    await database?.close();
  });

  test("accounts that another session holds wait, while commands of other accounts are carried out and answered", async () => {
    const [held, free] = [await network.open(), await network.open()];
    await holder.query("begin");
    await holder.query("select 1 from accounts where account_id = $1 for update", [held]);

    let isDone = false;
    const waiting = Promise.all([network.count(held), network.count(held)]).then((both) => {
      isDone = true;
      return both;
    });
    // These commands are in one batch with the held account, then in batches of their own, and one opens a new account.
    const first = await network.count(free);
    const second = await network.count(free);
    const late = network.count(held);
    const opened = await network.open();
    await network.count(opened);
    expect([first, second].map((one) => one.ok && one.account.version)).toEqual([2, 3]);
    expect(isDone).toBe(false);

    await holder.query("commit");
    const versions = [...(await waiting), await late].map((one) => one.ok && one.account.version);
    expect(versions).toEqual([2, 3, 4]);
    await network.executor.idle();
    expect(await verifyJournal(database, held)).toMatchObject({ events: 4, broken: [] });
  });

  test("accounts that another session holds are free again when the server has ended a transaction that was idle for too long", async () => {
    const account = await network.open();
    const begun = Promise.withResolvers<void>();
    const stalled = database.transaction(
      async (transaction) => {
        await transaction.query("select 1 from accounts where account_id = $1 for update", [
          account,
        ]);
        begun.resolve();
        await network.count(account);
        return transaction.query("select 1", []);
      },
      { idleMs: 100 },
    );
    await begun.promise;
    // The error has the server's own reason, not the broken connection after it.
    await expect(stalled).rejects.toMatchObject({ code: "25P03" });
    expect(await verifyJournal(database, account)).toMatchObject({ events: 2, broken: [] });
  });

  test("accounts that are never freed have their commands rejected after 200 pauses, and nothing is carried out", async () => {
    const pauses: number[] = [];
    const after = (ms: number, call: () => void): (() => void) => {
      pauses.push(ms);
      setImmediate(call);
      return () => undefined;
    };
    const waiting = createCountingNetwork(database, { timer: { after } });
    const [held, free] = [await waiting.open(), await waiting.open()];
    const unknown: AccountId[] = [];
    waiting.executor.onUnknownFate((accounts) => unknown.push(...accounts));
    await holder.query("begin");
    await holder.query("select 1 from accounts where account_id = $1 for update", [held]);
    const ends = Promise.allSettled([waiting.count(held), waiting.count(held)]);
    // The commands of other accounts are decided meanwhile.
    expect(await waiting.count(free)).toMatchObject({ ok: true });
    for (const end of await ends) expect(end).toMatchObject({ reason: { name: "UnknownFate" } });
    await holder.query("commit");
    expect(pauses).toEqual(Array.from({ length: 400 }, () => 50));
    expect(unknown).toEqual([held]);
    await waiting.executor.idle();
    expect(await waiting.count(held)).toMatchObject({ ok: true, account: { version: 2 } });
  });
});

describe.skipIf(url === null)("a lock timeout", () => {
  test("a lock timeout does not count as a storage failure", async () => {
    const database = await openScratchPostgres(url ?? "");
    const network = createCountingNetwork(database);
    const account = await network.open();
    const errors: unknown[] = [];
    const storage = watchStorage({
      database,
      number: 0,
      clock: { now: () => network.now },
      log: { error: (about: unknown) => void errors.push(about), info: () => undefined },
    });
    const lock = "select 1 from accounts where account_id = $1 for update";
    await database.transaction(async (holder) => {
      await holder.query(lock, [account]);
      const waiting = storage.database.transaction((on) => on.query(lock, [account]), {
        lockWaitMs: 50,
      });
      await expect(waiting).rejects.toMatchObject({ code: "55P03" });
    });
    expect([storage.fault(), errors]).toEqual([null, []]);
    await database.close();
  });
});
