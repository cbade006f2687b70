import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type AccountId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { systemTimer } from "../../../../base/src/clock.ts";
import { createSeededChance } from "../../../../base/src/random.ts";
import {
  countSubmission,
  createCountingNetwork,
  keyedCountSubmission,
  storeNonce,
  TEST_KEY,
  TEST_NOON,
} from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import type { Database } from "../../storage/databases/database.ts";
import { openDatabase } from "../../storage/databases/open-database.ts";
import { createReceiptStore } from "../../storage/stores/receipt-store.ts";
import { verifyJournal } from "../journal/verify-journal.ts";
import { NotCarriedOut } from "./not-carried-out.ts";
import { createReceiptDesk, type ReceiptDesk } from "./receipt-desk.ts";

const OVERDUE_MS = 15_000;
const NEVER = {
  fate: "rejected",
  receivedAtMs: TEST_NOON,
  status: 500,
  error: "The order was not decided in time; it was not carried out and never will be",
  refusalCode: null,
};

/** The receipt of an account's first order: its one event, and the rest of its answer. */
const COUNTED = {
  events: [{ type: "trailMoved", atMs: TEST_NOON, orderUuid: "one-more", bestPrice: 1 }],
  rest: '[1,{"version":2}]',
};

/** A desk whose clock is this much later than the orders. */
function deskAfter(database: Database, laterMs: number): ReceiptDesk {
  const clock = { now: () => unixMs(TEST_NOON + laterMs) };
  return createReceiptDesk({
    store: createReceiptStore(database),
    clock,
    timer: systemTimer,
    overdueAfterMs: OVERDUE_MS,
    onFault(cause) {
      throw cause;
    },
  });
}

const ask = (database: Database, nonce: string, laterMs = OVERDUE_MS) =>
  deskAfter(database, laterMs).find({ keyId: TEST_KEY, nonce });

await describeOnEachDatabase("receipts [D9.receipts]", (database) => {
  const submit = async (
    network: ReturnType<typeof createCountingNetwork>,
    id: AccountId,
    nonce: string,
  ): Promise<"accepted" | "rejected"> => {
    try {
      await network.executor.submit(keyedCountSubmission(id, nonce));
      return "accepted";
    } catch (cause) {
      if (!(cause instanceof NotCarriedOut)) throw cause;
      return "rejected";
    }
  };

  test("an order's receipt commits with the order and never expires", async () => {
    const network = createCountingNetwork(database());
    const id = await network.open();
    await storeNonce(database(), "done");
    await network.executor.submit(keyedCountSubmission(id, "done"));
    expect(await ask(database(), "done", 100 * OVERDUE_MS)).toEqual({
      fate: "accepted",
      receivedAtMs: TEST_NOON,
      result: COUNTED,
    });
  });

  test("an order that has a receipt is answered from it, and is not carried out again", async () => {
    const [first, second] = [createCountingNetwork(database()), createCountingNetwork(database())];
    const id = await first.open();
    await storeNonce(database(), "twice");
    await first.executor.submit(keyedCountSubmission(id, "twice"));
    await first.count(id);
    expect(await second.executor.submit(keyedCountSubmission(id, "twice"))).toMatchObject({
      ok: true,
      events: COUNTED.events,
      receipt: { orderUuid: COUNTED.rest },
    });
    expect(await verifyJournal(database(), id)).toMatchObject({ events: 3, broken: [] });
  });

  test("an undecided order is pending until it is overdue, and then rejected for ever", async () => {
    const network = createCountingNetwork(database());
    const id = await network.open();
    await storeNonce(database(), "slow");
    expect(await ask(database(), "slow", OVERDUE_MS - 1)).toMatchObject({ fate: "pending" });
    expect(await ask(database(), "slow")).toEqual(NEVER);
    expect(await submit(network, id, "slow")).toBe("rejected");
    expect(await ask(database(), "slow", 0)).toEqual(NEVER);
    expect(await verifyJournal(database(), id)).toMatchObject({ events: 1, broken: [] });
  });

  test("orders with closed receipts do not affect the rest of their batch", async () => {
    const network = createCountingNetwork(database());
    const id = await network.open();
    for (const nonce of ["b1", "b2", "b3", "b4"]) await storeNonce(database(), nonce);
    await ask(database(), "b2");
    await ask(database(), "b3");
    const fates = await Promise.all([
      submit(network, id, "b1"),
      submit(network, id, "b2"),
      network.executor.submit(countSubmission(id)).then(() => "unsigned"),
      submit(network, id, "b3"),
      submit(network, id, "b4"),
    ]);
    expect(fates).toEqual(["accepted", "rejected", "unsigned", "rejected", "accepted"]);
    expect(await ask(database(), "b4")).toMatchObject({ result: { rest: '[1,{"version":4}]' } });
    expect(await verifyJournal(database(), id)).toMatchObject({ events: 4, broken: [] });
  });

  test("a receipt read while orders commit on another node always matches the order's outcome", async () => {
    const orders = 300;
    const network = createCountingNetwork(database(), { batchMax: 8 });
    const id = await network.open();
    const nonces = Array.from({ length: orders }, (_, index) => `race-${index}`);
    for (const nonce of nonces) await storeNonce(database(), nonce);
    const chance = createSeededChance("receipts");
    const raced = nonces.map(async (nonce) => {
      const [first = 0] = chance.bytes(1);
      const order = () => submit(network, id, nonce);
      // Half of the reads are sent before the order, half after it.
      if (first % 2 === 0) {
        const [found, answered] = await Promise.all([ask(database(), nonce), order()]);
        return [found, answered] as const;
      }
      const [answered, found] = await Promise.all([order(), ask(database(), nonce)]);
      return [found, answered] as const;
    });
    const seen = await Promise.all(raced);
    for (const [found, answered] of seen) expect(found?.fate).toBe(answered);
    const accepted = seen.filter(([, answered]) => answered === "accepted").length;
    const proof = await verifyJournal(database(), id);
    expect([proof.events, proof.broken]).toEqual([1 + accepted, []]);
    for (const [index, nonce] of nonces.entries())
      expect((await ask(database(), nonce))?.fate).toBe(seen[index]?.[1]);
  });

  test("the first of two rejections is kept", async () => {
    await storeNonce(database(), "refused");
    const desk = deskAfter(database(), 0);
    const refusal = {
      keyId: TEST_KEY,
      nonce: "refused",
      status: 400,
      error: "no",
      refusalCode: "noRoom",
    } as const;
    await desk.storeRejection(refusal);
    await desk.storeRejection({ ...refusal, error: "another", refusalCode: "cooldown" });
    expect(await ask(database(), "refused")).toMatchObject({
      status: 400,
      error: "no",
      refusalCode: "noRoom",
    });
  });

  test("the nonce of a read is withdrawn, and an unused nonce is unseen [D13.withdrawn]", async () => {
    await database().query(
      "insert into nonces (key_id, nonce, used_at_ms) values ($1, 'read', $2)",
      [TEST_KEY, TEST_NOON],
    );
    expect(await ask(database(), "read")).toEqual({
      fate: "withdrawn",
      receivedAtMs: null,
    });
    expect(await ask(database(), "nobody")).toBeNull();
  });
});

describe("a service that is killed while it handles an order [D9.receipts]", () => {
  test.each([
    ["decided", NEVER, 1],
    ["committed", { fate: "accepted", receivedAtMs: TEST_NOON, result: COUNTED }, 2],
  ] as const)("%s: the receipt shows the order's outcome", async (when, fate, events) => {
    const place = { databaseUrl: null, dataDir: await makeTemporaryFolder() };
    const first = await openDatabase(place);
    const id = await createCountingNetwork(first).open();
    await first.close();
    const script = fileURLToPath(
      new URL("../../../../server/src/testing/receipt-worker.ts", import.meta.url),
    );
    const given = ["--conditions=@propgate/source", script, place.dataDir, id, "killed", when];
    const child = spawn(process.execPath, given, { stdio: ["ignore", "ignore", "inherit"] });
    const [, signal] = await once(child, "close");
    expect(signal).toBe("SIGKILL");

    const database = await openDatabase(place);
    const early = when === "decided" ? { fate: "pending" } : fate;
    expect(await ask(database, "killed", 0)).toMatchObject(early);
    expect(await ask(database, "killed")).toEqual(fate);
    expect(await verifyJournal(database, id)).toMatchObject({ events, broken: [] });
    await database.close();
  });
});
