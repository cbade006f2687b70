import { type UnixMs, unixMs } from "@propgate/core";
import { beforeEach, describe, expect, test } from "vitest";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import {
  createIdempotencyStore,
  type IdempotencyStore,
  type KeptAnswer,
  type WriteAttempt,
  type WriteKey,
} from "./idempotency-store.ts";

const NOON = 1_767_614_400_000;
const KEY: WriteKey = { caller: "token root", key: "sale 1", row: 0 };
const ATTEMPTS = ["one", "two", "three", "four"].map(
  (_, index) => `00000000-0000-4000-8000-00000000000${index}`,
);
const [FIRST = "", SECOND = ""] = ATTEMPTS;

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const at = (afterMs: number): UnixMs => unixMs(NOON + afterMs);
const ANSWER: KeptAnswer = {
  status: 200,
  answer: '{"success":true}',
  sealed: null,
  made: null,
  endedAtMs: at(5),
};
const SECRET: KeptAnswer = { ...ANSWER, answer: null, sealed: bytes("secret"), made: "{}" };

await describeOnEachDatabase("the keys of repeatable writes [D12.repeatedWrites]", (database) => {
  let store: IdempotencyStore;
  beforeEach(async () => {
    store = createIdempotencyStore(database());
    await database().query("delete from idempotency_keys", []);
  });

  const write = (attempt: string, other: Partial<WriteAttempt> = {}): WriteAttempt => ({
    ...KEY,
    method: "POST",
    target: "/operator/v1/accounts",
    bodyHash: bytes("body"),
    attempt,
    sealedSeed: bytes(`seed of ${attempt}`),
    atMs: at(0),
    expiredAtMs: at(-1_000),
    running: [attempt],
    ...other,
  });
  const begin = async (attempt: string, other: Partial<WriteAttempt> = {}) => {
    const begun = await store.begin(write(attempt, other));
    return begun.is === "begun"
      ? [begun.is, Buffer.from(begun.sealedSeed).toString(), begun.isRepeat]
      : [begun.is];
  };
  /** Sets the start of the attempts to this many seconds ago, by the database's clock. */
  const age = (seconds: number) =>
    database().query(
      "update idempotency_keys set running_since = clock_timestamp() - make_interval(secs => $1)",
      [seconds],
    );

  test("the first attempt begins, and a second one finds it under way", async () => {
    expect(await begin(FIRST)).toEqual(["begun", `seed of ${FIRST}`, false]);
    expect(await begin(SECOND)).toEqual(["underWay"]);
  });

  test("one of four attempts at the same moment begins", async () => {
    const begun = await Promise.all(ATTEMPTS.map((attempt) => begin(attempt)));
    const others = begun.filter(([is]) => is === "underWay");
    expect([begun.length - others.length, others.length]).toEqual([1, 3]);
    expect(begun.some(([is]) => is === "begun")).toBe(true);
  });

  test("a dead attempt is carried on with its seed after 30 seconds, and one of this process never", async () => {
    await begin(FIRST);
    await age(29);
    expect(await begin(SECOND)).toEqual(["underWay"]);
    await age(31);
    expect(await begin(SECOND, { running: [FIRST, SECOND] })).toEqual(["underWay"]);
    expect(await begin(SECOND)).toEqual(["begun", `seed of ${FIRST}`, true]);
    // The first attempt was not dead, only slow: it must not end the write that the second attempt carries out.
    await store.end(FIRST, KEY, ANSWER);
    await store.release(FIRST, KEY);
    await store.reopen(FIRST, KEY);
    expect(await begin(FIRST)).toEqual(["underWay"]);
    await store.end(SECOND, KEY, ANSWER);
    expect(await begin(FIRST)).toEqual(["ended"]);
  });

  test("an attempt of unknown fate is carried on immediately, and one that tried nothing frees its key", async () => {
    await begin(FIRST);
    await store.reopen(FIRST, KEY);
    expect(await begin(SECOND)).toEqual(["begun", `seed of ${FIRST}`, true]);
    await store.release(SECOND, KEY);
    expect(await begin(FIRST)).toEqual(["begun", `seed of ${FIRST}`, false]);
  });

  test("a kept answer is found with every field, and no seed stays beside it", async () => {
    for (const [row, kept] of [ANSWER, SECRET].entries()) {
      await begin(FIRST, { row });
      await store.end(FIRST, { ...KEY, row }, kept);
      const found = await store.begin(write(SECOND, { row }));
      expect(found.is === "ended" && { ...found, sealed: found.sealed?.length ?? null }).toEqual({
        is: "ended",
        ...kept,
        sealed: kept.sealed?.length ?? null,
      });
    }
    expect(
      await database().query("select key from idempotency_keys where sealed_seed is not null", []),
    ).toEqual([]);
  });

  test("another method, target or body is another request, also after the end", async () => {
    await begin(FIRST);
    const others: readonly Partial<WriteAttempt>[] = [
      { method: "PATCH" },
      { target: "/operator/v1/accounts?x=1" },
      { bodyHash: bytes("another") },
    ];
    for (const other of others) expect(await begin(SECOND, other)).toEqual(["otherRequest"]);
    await store.end(FIRST, KEY, ANSWER);
    for (const other of others) expect(await begin(SECOND, other)).toEqual(["otherRequest"]);
  });

  test("callers, keys and rows are apart, and rows that ended are listed", async () => {
    await begin(FIRST);
    expect(await begin(SECOND, { caller: "token other" })).toContain("begun");
    expect(await begin(SECOND, { key: "sale 2" })).toContain("begun");
    for (const row of [1, 2, 3]) expect(await begin(SECOND, { row })).toContain("begun");
    await store.end(FIRST, KEY, ANSWER);
    for (const row of [1, 3]) await store.end(SECOND, { ...KEY, row }, ANSWER);
    expect(await store.keptRows(KEY)).toEqual(new Set([1, 3]));
  });

  test("an expired key is free for another request, and begins with a seed of its own", async () => {
    await begin(FIRST);
    await store.end(FIRST, KEY, ANSWER);
    const other = { bodyHash: bytes("another"), atMs: at(2_000) };
    expect(await begin(SECOND, { ...other, expiredAtMs: at(0) })).toEqual(["otherRequest"]);
    expect(await begin(SECOND, { ...other, expiredAtMs: at(1) })).toEqual([
      "begun",
      `seed of ${SECOND}`,
      false,
    ]);
  });

  test("old keys and old secrets are forgotten, and the answer that had the secret stays ended", async () => {
    await begin(FIRST);
    await begin(FIRST, { key: "later", atMs: at(10) });
    await store.end(FIRST, { ...KEY, key: "later" }, { ...SECRET, endedAtMs: at(20) });
    await store.deleteExpired({ beganMs: at(1), secretsMs: at(20) });
    expect(await store.sealedPage(null, 10)).toMatchObject([{ of: { key: "later" } }]);
    await store.deleteExpired({ beganMs: at(1), secretsMs: at(21) });
    expect(await store.sealedPage(null, 10)).toEqual([]);
    const later = await store.begin(write(SECOND, { key: "later" }));
    expect(later).toMatchObject({ is: "ended", sealed: null, answer: null, made: "{}" });
  });

  describe("all that is sealed [D8.rekey]", () => {
    test("what is sealed comes page by page in the order of the keys", async () => {
      for (const row of [0, 1, 2]) await begin(FIRST, { row });
      await begin(FIRST, { key: "a key before" });
      await store.end(FIRST, { ...KEY, row: 1 }, SECRET);
      await store.end(FIRST, { ...KEY, row: 2 }, ANSWER);
      const first = await store.sealedPage(null, 2);
      expect(first.map(({ of }) => [of.key, of.row])).toEqual([
        ["a key before", 0],
        ["sale 1", 0],
      ]);
      const rest = await store.sealedPage(first.at(-1)?.of ?? null, 2);
      expect(rest.map(({ of, seed, answer }) => [of.row, seed, answer?.length])).toEqual([
        [1, null, SECRET.sealed?.length],
      ]);
    });

    test("what was sealed anew is written, unless the key has changed since it was read", async () => {
      await begin(FIRST);
      const [read] = await store.sealedPage(null, 1);
      if (read === undefined) throw new Error("nothing is sealed");
      const anew = { seed: bytes("anew"), answer: null };
      expect(await store.reseal(read, anew)).toBe(true);
      expect(await store.reseal(read, anew)).toBe(false);
      await store.reopen(FIRST, KEY);
      expect(await begin(SECOND)).toEqual(["begun", "anew", true]);
      const [again] = await store.sealedPage(null, 1);
      await store.end(SECOND, KEY, SECRET);
      expect(again === undefined || (await store.reseal(again, anew))).toBe(false);
    });
  });
});
