import { randomUUID } from "node:crypto";
import { type AccountId, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { until } from "../../../../../test/eventually.ts";
import {
  createCountingNetwork,
  keyedCountSubmission,
  storeNonce,
  TEST_NOON,
} from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { madeQuoteFlow } from "../../../../server/src/testing/made-quote-flow.ts";
import { createManualEngine } from "../../../../server/src/testing/manual-engine.ts";
import { BTCUSD, EURUSD, SMALL_CATALOGUE } from "../../../../server/src/testing/small-market.ts";
import type { Database } from "../../storage/databases/database.ts";
import { isLater, type QuotePosition } from "../../storage/rows/quote-position.ts";
import type { QuoteBarrier } from "../executor-port.ts";

/** A node on a database. The test decides when its quotes come. */
function nodeAt(database: Database) {
  let reached: QuotePosition = { epoch: 1, number: 9 };
  const waits: { readonly place: QuotePosition; readonly forMs: number; end(is: boolean): void }[] =
    [];
  const barrier: QuoteBarrier = {
    allows: ({ place }) => !isLater(place, reached),
    lostEpoch: ({ lostEpoch, isDecidedHere }) => (isDecidedHere ? lostEpoch : lostEpoch + 1),
    wait: ({ place }, forMs) => new Promise((end) => waits.push({ place, forMs, end })),
  };
  const network = createCountingNetwork(database, { barrier, instruments: SMALL_CATALOGUE });
  return {
    ...network,
    waits,
    order: async (account: AccountId) => {
      const nonce = randomUUID();
      await storeNonce(database, nonce);
      return () => network.executor.submit(keyedCountSubmission(account, nonce));
    },
    reachOnly(place: QuotePosition) {
      reached = place;
    },
    /** Ends the waits in the order of the calls, as the barrier does. */
    endWaits(isReached: boolean) {
      for (const wait of waits.splice(0)) wait.end(isReached);
    },
  };
}

/** Opens an account that another node has decided at quote 12 of the epoch. */
async function openAhead(database: Database): Promise<AccountId> {
  const id = await createCountingNetwork(database).open();
  await database.query(
    "update accounts set quote_epoch = 1, quote_number = 12 where account_id = $1",
    [id],
  );
  return id;
}

await describeOnEachDatabase("an account that was decided at newer quotes", (database) => {
  test("an account decided at newer quotes has its orders wait, in their order, while those of others are carried out [I3]", async () => {
    const node = nodeAt(database());
    const [ahead, other] = [await openAhead(database()), await node.open()];
    const orders = await Promise.all([node.order(ahead), node.order(ahead)]);
    const ends = orders.map((order) => order());
    expect(await node.count(other)).toMatchObject({ ok: true, account: { version: 2 } });
    await until(() => node.waits.length >= 2);
    expect(node.waits.map(({ place }) => place.number)).toEqual([12, 12]);
    // This order waits although the quotes have come meanwhile, because it comes after the other commands.
    const late = await node.order(ahead);
    node.reachOnly({ epoch: 1, number: 12 });
    ends.push(late());
    node.endWaits(true);
    const versions = (await Promise.all(ends)).map((one) => one.ok && one.account.version);
    expect(versions).toEqual([2, 3, 4]);
  });

  test("an account decided at newer quotes has the orders of one batch wait behind the first that waits [I3]", async () => {
    let calls = 0;
    const barrier: QuoteBarrier = {
      allows: () => {
        calls += 1;
        return calls > 1;
      },
      lostEpoch: ({ lostEpoch }) => lostEpoch,
      wait: async () => true,
    };
    const { executor } = createCountingNetwork(database(), {
      barrier,
      instruments: SMALL_CATALOGUE,
    });
    const id = await openAhead(database());
    const nonces = [randomUUID(), randomUUID()];
    for (const nonce of nonces) await storeNonce(database(), nonce);
    const ends = await Promise.all(
      nonces.map((nonce) => executor.submit(keyedCountSubmission(id, nonce))),
    );
    expect(ends.map((one) => one.ok && one.account.version)).toEqual([2, 3]);
  });

  test("an account decided at newer quotes has its orders refused like those at a stale quote when the quotes do not come in time", async () => {
    const node = nodeAt(database());
    const ahead = await openAhead(database());
    const end = (await node.order(ahead))();
    await until(() => node.waits.length >= 1);
    // This is shorter than the time that a client waits for its answer.
    expect(node.waits[0]?.forMs).toBe(5_000);
    node.endWaits(false);
    expect(await end).toMatchObject({ ok: false, refusal: { code: "noFreshQuote" } });
    await node.executor.idle();
    const rows = await database().query("select version::int from accounts where account_id = $1", [
      ahead,
    ]);
    expect(rows).toEqual([{ version: 1 }]);
  });

  test("an account decided at newer quotes has its settlements rejected immediately, so that no quote waits for them", async () => {
    const node = nodeAt(database());
    const ahead = await openAhead(database());
    const unknownFates: unknown[] = [];
    node.executor.onUnknownFate((accounts) => unknownFates.push(accounts));
    await expect(node.count(ahead)).rejects.toMatchObject({ name: "QuotesBehind" });
    const order = (await node.order(ahead))();
    await until(() => node.waits.length >= 1);
    await expect(node.count(ahead)).rejects.toMatchObject({ name: "QuotesBehind" });
    node.reachOnly({ epoch: 1, number: 12 });
    node.endWaits(true);
    await order;
    expect(await node.count(ahead)).toMatchObject({ ok: true, account: { version: 3 } });
    expect(unknownFates).toEqual([]);
  });
});

await describeOnEachDatabase("the place of an account", (database) => {
  test("the place of an account goes with the epoch of the quotes that it has lost, to the next process too", async () => {
    const node = nodeAt(database());
    const id = await createCountingNetwork(database()).open();
    for (const lost of [1, 1, 2]) {
      const deciding = lost === 2 ? nodeAt(database()) : node;
      await deciding.count(id);
      const [stored] = await createCountingNetwork(database()).cache.load([id]);
      expect([deciding.cache.get(id)?.lostEpoch, stored?.lostEpoch]).toEqual([lost, lost]);
    }
  });

  const placeOf = async (id: AccountId) => {
    const [row] = await database().query<{ epoch: number; number: number }>(
      "select quote_epoch::int as epoch, quote_number::int as number from accounts where account_id = $1",
      [id],
    );
    return [row?.epoch, row?.number];
  };

  test("the place of an account is the greatest of the quotes that its decisions have read, and never goes back", async () => {
    const node = createManualEngine(database(), { seed: randomUUID() });
    await node.quote(BTCUSD, 50_000);
    await node.quote(EURUSD, 1.1);
    const id = await node.open();
    expect(await placeOf(id)).toEqual([0, 0]);
    await node.buy(id, BTCUSD, 0.1);
    expect(await placeOf(id)).toEqual([1, 1]);
    await node.buy(id, EURUSD, 1);
    expect(await placeOf(id)).toEqual([1, 2]);
    // This decision reads the quotes of BTCUSD and EURUSD, and the newer one counts.
    await node.buy(id, BTCUSD, 0.1);
    expect(await placeOf(id)).toEqual([1, 2]);
  });

  test("the place of an account holds back a process that restored older quotes until it has newer ones [I3]", async () => {
    const former = createManualEngine(database(), { seed: randomUUID() });
    await former.quote(BTCUSD, 50_000);
    const id = await former.open();
    await former.buy(id, BTCUSD, 0.1);

    const flow = madeQuoteFlow(SMALL_CATALOGUE);
    flow.intake.beginEpoch(2);
    const quote = { pair: BTCUSD, bid: 40_000, ask: 40_000, atMs: unixMs(TEST_NOON) } as never;
    const load = async () => [{ quote, place: { epoch: 0, number: 1 }, source: "replay" }];
    await flow.board.restore({ load, save: async () => undefined }, unixMs(TEST_NOON));
    const next = createManualEngine(database(), { seed: randomUUID(), flow });
    let isBought = false;
    const buying = next.buy(id, BTCUSD, 0.1).then(() => {
      isBought = true;
    });
    // An order that is not held back takes fewer statements than these.
    for (let statement = 0; statement < 20; statement += 1) await placeOf(id);
    expect(isBought).toBe(false);
    await next.quote(BTCUSD, 50_100);
    await buying;
    expect(await placeOf(id)).toEqual([2, 1]);
    expect(next.faults).toEqual([]);
  });
});
