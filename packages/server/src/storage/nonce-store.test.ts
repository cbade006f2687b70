import { unixMs } from "@propgate/core";
import { beforeAll, expect, test } from "vitest";
import { createKeyStore } from "../../../access/src/storage/key-store.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { createNonceStore } from "../../../ledger/src/storage/stores/nonce-store.ts";
import { createReceiptStore } from "../../../ledger/src/storage/stores/receipt-store.ts";
import { createNonceMerger } from "../../../ledger/src/trading/receipts/nonce-merger.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { madeStoredKey } from "../testing/made-stored-key.ts";
import { createAdmissionStore } from "./admission-store.ts";

const START = 1_767_614_400_000;
const DAY = 86_400_000;
const KEYS = ["model-a", "model-b", "raced", "killed", "orders"];

function read(keyId: string, nonce: string, isWrite = false) {
  const budget = isWrite ? null : ("receipts" as const);
  return {
    keyId,
    nonce,
    budget,
    isWrite,
    isPlacement: isWrite,
    address: "::1",
    signedAtMs: START,
    hasScope: true,
  };
}

/** A repeatable series of numbers below `limit`. */
function seriesOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

function seenBy(used: ReadonlyMap<string, Set<string>>, keyId: string): Set<string> {
  const seen = used.get(keyId);
  if (seen === undefined) throw new Error(`the model has no key ${keyId}`);
  return seen;
}

/**
 * The stored hashes of a key. Each block must be sorted, have no hash outside of its bounds, and have at most 64
 * hashes.
 */
async function hashesOf(database: Database, keyId: string): Promise<readonly string[]> {
  const blocks = await database.query<{ first: string; hashes: readonly string[] }>(
    "select first::text, hashes::text[] from nonce_blocks where key_id = $1 order by first",
    [keyId],
  );
  for (const [index, { first, hashes }] of blocks.entries()) {
    const end = blocks[index + 1]?.first ?? "g";
    expect(hashes.length).toBeLessThanOrEqual(64);
    expect(hashes).toEqual([...hashes].sort());
    expect(hashes.filter((hash) => hash < first || hash >= end)).toEqual([]);
  }
  return blocks.flatMap(({ hashes }) => hashes);
}

await describeOnEachDatabase("merged nonces", (database) => {
  beforeAll(async () => {
    for (const keyId of KEYS) {
      await createKeyStore(database()).insert(madeStoredKey(keyId, START), {
        activeMax: 50,
        by: "test",
      });
    }
  });

  const admit = async (
    keyId: string,
    nonces: readonly string[],
    now: number,
    isWrite = false,
  ): Promise<readonly string[]> => {
    const windowStartMs = now - (now % 60_000);
    const refused = { hourStartMs: now - (now % 3_600_000), storedMax: 1_000_000 };
    const requests = nonces.map((nonce) => read(keyId, nonce, isWrite));
    const moment = { now: unixMs(now), windowStartMs, refused };
    const keys = await createAdmissionStore(database()).admit(requests, moment);
    return [...(keys.get(keyId)?.freshNonces ?? [])].sort();
  };
  const merge = (keyId: string, beforeMs: number, limit = 100_000) =>
    createNonceStore(database()).merge([keyId], { beforeMs, limit });

  const checkAll = async (used: ReadonlyMap<string, ReadonlySet<string>>, now: number) => {
    for (const [keyId, nonces] of used) {
      await merge(keyId, now + 1);
      expect((await hashesOf(database(), keyId)).length).toBe(nonces.size);
      expect(await admit(keyId, [...nonces], now)).toEqual([]);
    }
  };

  test("every reuse is refused and every new nonce accepted over many days, whenever merges happen and are killed [S5.R2]", async () => {
    const below = seriesOf(20_260_105);
    const kill = (keyId: string, beforeMs: number) =>
      database().transaction(async (transaction) => {
        await transaction.query("select merge_nonces($1, $2, $3)", [[keyId], beforeMs, 100]);
        throw new Error("killed before its commit");
      });
    const used = new Map(["model-a", "model-b"].map((keyId) => [keyId, new Set<string>()]));
    let now = START;
    for (let turn = 0; turn < 240; turn += 1) {
      now += below(DAY / 2);
      const keyId = below(3) === 0 ? "model-a" : "model-b";
      const before = seenBy(used, keyId);
      const drawn = new Set(Array.from({ length: 1 + below(40) }, () => `n${below(4_000)}`));
      const fresh = [...drawn].filter((nonce) => !before.has(nonce)).sort();
      expect(await admit(keyId, [...drawn], now)).toEqual(fresh);
      for (const nonce of fresh) before.add(nonce);
      const beforeMs = now - below(2 * DAY);
      if (below(3) === 0) await merge(keyId, beforeMs, 1 + below(100));
      if (below(5) === 0) {
        await expect(kill(keyId, beforeMs)).rejects.toThrow("killed before its commit");
      }
    }
    await checkAll(used, now);
  });

  test("the merger moves all reads of former days within a limit a call, and a second merger finds nothing", async () => {
    const nonces = Array.from({ length: 3_000 }, (_, index) => `old-${index}`);
    await admit("killed", nonces, START + 5);
    await admit("killed", ["today"], START + DAY);
    const clock = { now: () => unixMs(START + DAY + 1) };
    const store = createNonceStore(database());
    await createNonceMerger({ store, clock }).tick();
    await createNonceMerger({ store, clock }).tick();
    expect((await hashesOf(database(), "killed")).length).toBe(3_000);
    const left = await database().query("select nonce from nonces where key_id = 'killed'", []);
    expect(left).toEqual([{ nonce: "today" }]);
    expect(await admit("killed", ["old-0", "old-2999", "today", "new"], START + DAY)).toEqual([
      "new",
    ]);
  });

  test("the nonces of orders with a receipt are merged a day after those of reads, and no receipt changes [D9.receipts]", async () => {
    const receipts = createReceiptStore(database());
    const merged = ["rejected", "accepted"];
    const nonces = [...merged, "pending", "paused"];
    const fates = () =>
      Promise.all(nonces.map((nonce) => receipts.read({ keyId: "orders", nonce })));
    await admit("orders", nonces.slice(0, -1), START, true);
    await database().query("update key_usage set cooldown_until_ms = $1 where key_id = 'orders'", [
      START + 600_000,
    ]);
    await admit("orders", ["paused"], START + 1, true);
    const ended = { keyId: "orders", status: 400, error: "no", refusalCode: null };
    const end = (nonce: string) => receipts.closeWrites([{ ...ended, nonce }], unixMs(START + 2));
    await end("rejected");
    await database().query(
      `insert into receipts (key_id, nonce, decided_at_ms, received_at_ms, status, result)
       values ('orders', 'accepted', $1, $2, 200, 'text')`,
      [START + 2, START],
    );
    const before = await fates();
    expect(before.map((fate) => [fate?.fate, fate?.receivedAtMs])).toEqual([
      ["rejected", START],
      ["accepted", START],
      ["pending", START],
      ["rejected", START + 1],
    ]);

    expect(await merge("orders", START + DAY)).toBe(0);
    const clock = { now: () => unixMs(START + 2 * DAY) };
    await createNonceMerger({ store: createNonceStore(database()), clock }).tick();
    const left = await database().query<{ nonce: string }>(
      "select nonce from nonces where key_id = 'orders' order by nonce",
      [],
    );
    expect(left.map(({ nonce }) => nonce)).toEqual(["paused", "pending"]);
    expect((await hashesOf(database(), "orders")).length).toBe(merged.length);
    expect(await fates()).toEqual(before);
    expect(await admit("orders", nonces, START + 2 * DAY, true)).toEqual([]);

    await end("pending");
    expect(await merge("orders", START + 3 * DAY)).toBe(1);
    expect(await receipts.read({ keyId: "orders", nonce: "pending" })).toMatchObject({
      fate: "rejected",
      receivedAtMs: START,
    });
  });

  test("an admission whose snapshot is older than a merge refuses the merged nonces [S5.R2] [D2.race]", async () => {
    // The embedded database runs one statement after the other, so no two of them can race.
    if (database().kind === "pglite") return;
    for (let round = 0; round < 10; round += 1) {
      const now = START + round * DAY;
      const old = [`a${round}`, `b${round}`];
      expect(await admit("raced", old, now)).toEqual(old);
      const waiting = await database().transaction(async (holder) => {
        await holder.query("select from key_usage where key_id = 'raced' for no key update", []);
        const admitted = admit("raced", [...old, `c${round}`], now + DAY);
        await untilOneWaits(database());
        await holder.query("select merge_nonces(array['raced'], $1, 100)", [now + 1]);
        return { admitted };
      });
      expect(await waiting.admitted).toEqual([`c${round}`]);
    }
  });
});

/** Waits until a session of this database waits for the lock of another. */
async function untilOneWaits(database: Database): Promise<void> {
  for (;;) {
    const [found] = await database.query<{ waits: boolean }>(
      `select exists (select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock') as waits`,
      [],
    );
    if (found?.waits === true) return;
  }
}
