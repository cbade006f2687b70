import { type AccountId, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import {
  createCountingNetwork,
  keyedCountSubmission,
  storeNonce,
  TEST_KEY,
  TEST_NOON,
} from "../../../../server/src/testing/counting-network.ts";
import {
  type DatabaseOutage,
  databaseWithOutage,
} from "../../../../server/src/testing/database-outage.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { createManualTime, type ManualTime } from "../../../../server/src/testing/manual-time.ts";
import type { Database } from "../../storage/databases/database.ts";
import type { RejectedWrite, WriteFate } from "../../storage/rows/receipt-store-port.ts";
import { createReceiptStore } from "../../storage/stores/receipt-store.ts";
import { verifyJournal } from "../journal/verify-journal.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import { createReceiptDesk, type ReceiptDesk } from "./receipt-desk.ts";

const OVERDUE_MS = 15_000;
const TRY_MS = 250;
const CLOSED = { status: 500, error: "never", refusalCode: null } as const;

interface Node {
  readonly time: ManualTime;
  readonly desk: ReceiptDesk;
  readonly faults: unknown[];
}

/** A node that abandons orders, on a database that may be unreachable. */
function nodeOn(database: Database): Node {
  const time = createManualTime(TEST_NOON);
  const faults: unknown[] = [];
  const desk = createReceiptDesk({
    ...time,
    store: createReceiptStore(database),
    overdueAfterMs: OVERDUE_MS,
    onFault: (cause) => void faults.push(cause),
  });
  return { time, desk, faults };
}

await describeOnEachDatabase("the receipts of abandoned orders [D9.receipts]", (database) => {
  const fateOf = (nonce: string): Promise<WriteFate | null> =>
    createReceiptStore(database()).read({ keyId: TEST_KEY, nonce });
  const abandon = (
    desk: ReceiptDesk,
    nonce: string,
    ended: Omit<RejectedWrite, "keyId" | "nonce">,
  ) => desk.abandon({ keyId: TEST_KEY, nonce, admittedAtMs: TEST_NOON, ...ended });
  const submit = async (
    network: ReturnType<typeof createCountingNetwork>,
    { id, nonce }: { readonly id: AccountId; readonly nonce: string },
  ): Promise<"accepted" | "rejected" | "unknown"> => {
    try {
      await network.executor.submit(keyedCountSubmission(id, nonce));
      return "accepted";
    } catch (cause) {
      return cause instanceof UnknownFate ? "unknown" : "rejected";
    }
  };

  test("receipts of given-up orders are closed as soon as the database answers again", async () => {
    const outage: DatabaseOutage = { text: "", when: "before" };
    const { time, desk, faults } = nodeOn(databaseWithOutage(database(), outage));
    await storeNonce(database(), "away");
    abandon(desk, "away", CLOSED);
    await time.pass(TRY_MS);
    expect(await fateOf("away")).toMatchObject({ fate: "pending" });
    outage.when = "never";
    await eventually(async () => {
      await time.pass(TRY_MS);
      const closed = { fate: "rejected", receivedAtMs: TEST_NOON, ...CLOSED };
      expect(await fateOf("away")).toEqual(closed);
    });
    expect(faults).toEqual([]);
  });

  test("receipts of given-up orders show the order when its commit had only lost its answer", async () => {
    const outage: DatabaseOutage = { text: "insert into receipts", when: "never" };
    const network = createCountingNetwork(databaseWithOutage(database(), outage));
    const { desk } = nodeOn(database());
    const id = await network.open();
    for (const nonce of ["answer", "request"]) await storeNonce(database(), nonce);
    outage.when = "answer";
    expect(await submit(network, { id, nonce: "answer" })).toBe("unknown");
    outage.when = "before";
    expect(await submit(network, { id, nonce: "request" })).toBe("unknown");
    for (const nonce of ["answer", "request"]) abandon(desk, nonce, CLOSED);
    await eventually(async () => {
      expect(await fateOf("request")).toMatchObject({ fate: "rejected", ...CLOSED });
    });
    expect(await fateOf("answer")).toMatchObject({ fate: "accepted" });
    expect(await verifyJournal(database(), id)).toMatchObject({ events: 2, broken: [] });
  });

  test("receipts of given-up orders match the orders that another node still has under way", async () => {
    const network = createCountingNetwork(database(), { batchMax: 16 });
    const { desk, faults } = nodeOn(database());
    const id = await network.open();
    const nonces = Array.from({ length: 400 }, (_, index) => `race-${index}`);
    for (const nonce of nonces) await storeNonce(database(), nonce);
    const underWay = nonces.map((nonce) => submit(network, { id, nonce }));
    // These receipts are closed from the last to the first, so that some are closed while their orders commit.
    for (const nonce of nonces.slice(100).toReversed()) abandon(desk, nonce, CLOSED);
    const fates = await Promise.all(underWay);
    for (const [index, nonce] of nonces.entries()) {
      expect([nonce, (await fateOf(nonce))?.fate]).toEqual([nonce, fates[index]]);
    }
    expect(new Set(fates)).toEqual(new Set(["accepted", "rejected"]));
    const accepted = fates.filter((fate) => fate === "accepted").length;
    const proof = await verifyJournal(database(), id);
    expect([proof.events, proof.broken, faults]).toEqual([1 + accepted, [], []]);
  });

  test("receipts of given-up orders leave the order of another request with the same nonce alone", async () => {
    const { desk } = nodeOn(database());
    await storeNonce(database(), "again");
    await storeNonce(database(), "own");
    const earlier = { admittedAtMs: unixMs(TEST_NOON - 1), keyId: TEST_KEY };
    desk.abandon({ ...earlier, nonce: "again", ...CLOSED });
    desk.abandon({ ...earlier, nonce: "not stored", ...CLOSED });
    abandon(desk, "own", CLOSED);
    await eventually(async () => {
      expect(await fateOf("own")).toMatchObject({ fate: "rejected" });
    });
    expect(await fateOf("again")).toMatchObject({ fate: "pending" });
    expect(await fateOf("not stored")).toBeNull();
  });

  test("receipts of given-up orders keep the rejection that came first", async () => {
    const { desk } = nodeOn(database());
    await storeNonce(database(), "refused");
    await storeNonce(database(), "last");
    await desk.storeRejection({ keyId: TEST_KEY, nonce: "refused", ...CLOSED, error: "first" });
    for (const nonce of ["refused", "last"]) abandon(desk, nonce, CLOSED);
    await eventually(async () => {
      expect(await fateOf("last")).toMatchObject({ fate: "rejected" });
    });
    expect(await fateOf("refused")).toMatchObject({ error: "first" });
  });

  test("receipts of given-up orders stay pending until they are read when the database is away for too long", async () => {
    const outage: DatabaseOutage = { text: "", when: "before" };
    const { time, desk } = nodeOn(databaseWithOutage(database(), outage));
    await storeNonce(database(), "long");
    abandon(desk, "long", CLOSED);
    await time.pass(OVERDUE_MS);
    outage.when = "never";
    await time.pass(TRY_MS);
    expect(await fateOf("long")).toMatchObject({ fate: "pending" });
    expect(await desk.find({ keyId: TEST_KEY, nonce: "long" })).toMatchObject({ fate: "rejected" });
  });
});
