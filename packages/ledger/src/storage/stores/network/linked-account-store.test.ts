import { randomUUID } from "node:crypto";
import { type AccountId, accountId, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { until } from "../../../../../../test/eventually.ts";
import { describeOnEachDatabase } from "../../../../../server/src/testing/each-database.ts";
import {
  linkMadeSubaccount,
  madeAccountLink,
  madeClosingLine,
  madeOpeningLine,
} from "../../../../../server/src/testing/made-account-link.ts";
import type { LinkedRecord, ReadingWrite } from "../../rows/linked-account.ts";
import { createAccountStore } from "../account-store.ts";
import { createLinkedAccountStore } from "./linked-account-store.ts";

const NOON = 1_767_614_400_000;
const LEASE_MS = 60_000;
/** The duration of a lease that has already ended when it is taken. */
const NO_TIME = 0;

const reading = (account: AccountId, given: Partial<ReadingWrite> = {}): ReadingWrite => ({
  accountId: account,
  holder: "one",
  readings: '{"balance":1}',
  pairs: [],
  readAtMs: unixMs(NOON + 1_000),
  behindSinceMs: null,
  status: "active",
  records: [],
  lines: null,
  ...given,
});

const trade = (id: string, atMs: number, body = "{}"): LinkedRecord => ({
  kind: "closedPosition",
  id,
  atMs,
  body,
});

await describeOnEachDatabase("linked accounts", (database) => {
  const store = () => createLinkedAccountStore(database());
  /** Stores a reading and returns the revision after it. */
  const read = async (account: AccountId, given: Partial<ReadingWrite> = {}) => {
    await store().takeLease(account, given.holder ?? "one", LEASE_MS);
    expect(await store().storeReading(reading(account, given))).toBe(true);
    return (await store().find(account))?.revision;
  };
  const close = (account: AccountId) => store().close(account, madeClosingLine());

  test("a subaccount is linked once, also after its account was closed", async () => {
    const link = madeAccountLink({ profitSplit: 0.1 + 0.2 });
    expect(await store().link(link, madeOpeningLine())).toBe("linked");
    const again = { ...link, accountId: accountId(randomUUID()) };
    expect(await store().link(again, madeOpeningLine())).toBe("linkedBefore");
    expect(await store().isLinked(link.hotkey)).toBe(true);
    expect(await store().isLinked(`${link.hotkey}1`)).toBe(false);
    expect(await store().find(link.accountId)).toEqual({
      ...link,
      version: 1,
      headHash: expect.any(Uint8Array),
      revision: 1,
      readings: null,
      pairs: [],
      readAtMs: null,
      behindSinceMs: null,
      failingSinceMs: null,
    });
    expect(await close(link.accountId)).toBe(true);
    expect(await close(link.accountId)).toBe(false);
    expect(await store().link(again, madeOpeningLine())).toBe("linkedBefore");
    expect(await store().isLinked(link.hotkey)).toBe(true);
    expect(await store().find(again.accountId)).toBeNull();
    expect(await createAccountStore(database()).find(again.accountId)).toBeNull();
    expect(await createAccountStore(database()).find(link.accountId)).toMatchObject({
      status: "closed",
      version: 2,
      network: "vanta",
    });
  });

  test("ten processes that link one subaccount at once make one account", async () => {
    const link = madeAccountLink();
    const tries = Array.from({ length: 10 }, () => ({
      ...link,
      accountId: accountId(randomUUID()),
    }));
    const ends = await Promise.all(tries.map((one) => store().link(one, madeOpeningLine())));
    expect(ends.filter((end) => end === "linked")).toHaveLength(1);
  });

  test("an id that is no uuid, or an embedded account's, finds nothing", async () => {
    expect(await store().find(accountId("'; drop table accounts"))).toBeNull();
    expect(await store().find(accountId(randomUUID()))).toBeNull();
    expect(await store().takeLease(accountId(randomUUID()), "one", LEASE_MS)).toBeNull();
  });

  test("one of many concurrent processes gets the lease", async () => {
    const id = await linkMadeSubaccount(database());
    const holders = Array.from({ length: 20 }, (_, index) => `process-${index}`);
    const taken = await Promise.all(holders.map((one) => store().takeLease(id, one, LEASE_MS)));
    expect(taken.filter((one) => one !== null)).toHaveLength(1);
    const holder = holders[taken.findIndex((one) => one !== null)] ?? "";
    expect(await store().takeLease(id, holder, LEASE_MS)).toMatchObject({ accountId: id });
    await store().releaseLease(id, "another");
    expect(await store().takeLease(id, "another", LEASE_MS)).toBeNull();
    await store().releaseLease(id, holder);
    expect(await store().takeLease(id, "another", LEASE_MS)).not.toBeNull();
  });

  test("a lease ends by the database's clock", async () => {
    const id = await linkMadeSubaccount(database());
    await store().takeLease(id, "one", LEASE_MS);
    expect(await store().takeLease(id, "two", LEASE_MS)).toBeNull();
    await store().takeLease(id, "one", 300);
    await until(async () => (await store().takeLease(id, "two", LEASE_MS)) !== null);
  });

  test("the reading of a holder that is replaced has failed, and of one that ended its lease it has not", async () => {
    const id = await linkMadeSubaccount(database());
    await store().takeLease(id, "one", LEASE_MS);
    expect(await store().takeLease(id, "one", NO_TIME)).toMatchObject({ failingSinceMs: null });
    expect(await store().takeLease(id, "two", LEASE_MS)).toMatchObject({
      failingSinceMs: expect.any(Number),
    });
    await store().storeReading(reading(id, { holder: "two" }));
    expect(await store().takeLease(id, "one", LEASE_MS)).toMatchObject({ failingSinceMs: null });
    await store().releaseLease(id, "one");
    expect(await store().takeLease(id, "two", LEASE_MS)).toMatchObject({ failingSinceMs: null });
  });

  test("a holder that was replaced stores no reading", async () => {
    const id = await linkMadeSubaccount(database());
    await store().takeLease(id, "one", NO_TIME);
    await store().takeLease(id, "two", LEASE_MS);
    const late = reading(id, { status: "eliminated" });
    expect(await store().storeReading(late)).toBe(false);
    expect(await store().find(id)).toMatchObject({ revision: 1, status: "active", readings: null });
    expect(await store().storeReading({ ...late, holder: "two" })).toBe(true);
    // The holder's first write has ended its lease, so a second one is refused.
    expect(await store().storeReading({ ...late, readings: "{}", holder: "two" })).toBe(false);
    expect(await store().find(id)).toMatchObject({ revision: 2, readings: late.readings });
  });

  test("records of a replaced holder that have new ids are stored and replace none", async () => {
    const id = await linkMadeSubaccount(database());
    await store().takeLease(id, "one", NO_TIME);
    await read(id, { holder: "two", records: [trade("t1", NOON, "new")] });
    const records = [trade("t1", NOON, "old"), trade("t2", NOON - 1, "once")];
    expect(await store().storeReading(reading(id, { records }))).toBe(false);
    expect(await store().records(id, "closedPosition", 10)).toEqual([
      trade("t1", NOON, "new"),
      trade("t2", NOON - 1, "once"),
    ]);
    expect(await store().find(id)).toMatchObject({ revision: 3 });
    expect(await store().storeReading(reading(id, { records }))).toBe(false);
    expect(await store().find(id)).toMatchObject({ revision: 3 });
  });

  test("a holder whose time is over keeps its lease until another process takes it", async () => {
    const id = await linkMadeSubaccount(database());
    await store().takeLease(id, "one", NO_TIME);
    expect(await store().storeReading(reading(id))).toBe(true);
    expect(await store().find(id)).toMatchObject({ revision: 2 });
  });

  test("the revision increases exactly when readings, status or a record differ", async () => {
    const id = await linkMadeSubaccount(database());
    const records = [trade("t1", NOON)];
    expect(await read(id, { records })).toBe(2);
    expect(await read(id, { records, readAtMs: unixMs(NOON + 2_000) })).toBe(2);
    expect(await store().find(id)).toMatchObject({
      readAtMs: NOON + 2_000,
      revision: 2,
      version: 1,
    });
    expect(await read(id, { readings: '{"balance":2}' })).toBe(3);
    expect(await read(id, { readings: '{"balance":2}', status: "eliminated" })).toBe(4);
    const changed = [trade("t1", NOON, '{"changed":true}')];
    const eliminated = { readings: '{"balance":2}', status: "eliminated" } as const;
    expect(await read(id, { ...eliminated, records: changed })).toBe(5);
    expect(await read(id, { ...eliminated, records: changed })).toBe(5);
    expect(await createAccountStore(database()).find(id)).toMatchObject({
      version: 1,
      status: "eliminated",
    });
  });

  test("a reading of a closed account does not open it again", async () => {
    const id = await linkMadeSubaccount(database());
    await store().takeLease(id, "one", LEASE_MS);
    await close(id);
    expect(await store().storeReading(reading(id))).toBe(true);
    expect(await store().find(id)).toMatchObject({ status: "closed", version: 2 });
  });

  test("records are read newest first, and a later one of the same id replaces the former", async () => {
    const id = await linkMadeSubaccount(database());
    const records = [trade("a", NOON + 1), trade("b", NOON + 3), trade("c", NOON + 2)];
    await read(id, { records: [...records, { ...trade("a", NOON), kind: "checkpoint" }] });
    await read(id, { records: [trade("a", NOON + 9, "first"), trade("a", NOON + 4, "last")] });
    expect(await store().records(id, "closedPosition", 2)).toEqual([
      trade("a", NOON + 4, "last"),
      trade("b", NOON + 3),
    ]);
    expect(await store().records(id, "checkpoint", 10)).toHaveLength(1);
    expect(await store().records(id, "payout", 10)).toEqual([]);
  });

  test("ten thousand records are one write", async () => {
    const id = await linkMadeSubaccount(database());
    const records = Array.from({ length: 10_000 }, (_, index) => trade(`t${index}`, NOON + index));
    expect(await read(id, { records })).toBe(2);
    expect(await read(id, { records })).toBe(2);
    const newest = await store().records(id, "closedPosition", 20_000);
    expect(newest).toHaveLength(10_000);
    expect(newest[0]).toEqual(trade("t9999", NOON + 9_999));
  });

  test("hostile texts are stored, and a NUL character becomes a replacement character", async () => {
    const hostile = `"\\{},'\u0001\u2028\ud800 \u{1f600}; drop table accounts; --`;
    const id = await linkMadeSubaccount(database(), { subaccountUuid: `\0${randomUUID()}` });
    const body = JSON.stringify({ text: `\0${hostile}` });
    await read(id, { readings: body, records: [trade(`\0${hostile}`, NOON, body)] });
    const [record] = await store().records(id, "closedPosition", 10);
    expect(record?.body).toBe(body);
    expect(record?.id).toBe(`\ufffd${hostile.replace("\ud800", "\ufffd")}`);
    expect((await store().find(id))?.readings).toBe(body);
    expect(await read(id, { readings: "raw \0 text" })).toBe(3);
  });

  test("accounts that were read or tried longest ago come first, and closed ones never", async () => {
    await database().query("delete from linked_accounts");
    const [never, old, failing, fresh, held] = [
      await linkMadeSubaccount(database()),
      await linkMadeSubaccount(database()),
      await linkMadeSubaccount(database()),
      await linkMadeSubaccount(database()),
      await linkMadeSubaccount(database()),
    ];
    const [closed, eliminated] = [
      await linkMadeSubaccount(database()),
      await linkMadeSubaccount(database(), { status: "eliminated" }),
    ];
    await close(closed);
    await read(old, { readAtMs: unixMs(NOON + 10) });
    await read(failing, { readAtMs: unixMs(NOON) });
    await store().recordFailure(failing, unixMs(NOON + 20));
    await read(fresh, { readAtMs: unixMs(NOON + 1_000) });
    await store().takeLease(held, "two", LEASE_MS);
    const before = unixMs(NOON + 1_000);
    expect(await store().unreadSince(before, 10)).toEqual([never, old, failing]);
    expect(await store().unreadSince(before, 2)).toEqual([never, old]);
    expect(await store().summary()).toEqual({
      linked: 5,
      failing: 1,
      oldestReadAtMs: NOON + 10,
    });
    expect(eliminated).not.toBe(closed);
  });

  test("pairs are counted by the accounts that are read, as of the newest readings", async () => {
    await database().query("delete from linked_accounts");
    const [one, other, closed] = [
      await linkMadeSubaccount(database()),
      await linkMadeSubaccount(database()),
      await linkMadeSubaccount(database()),
    ];
    await read(one, { pairs: ["BTC/USDC", "NEW/USDC"] });
    await read(other, { pairs: ["NEW/USDC"] });
    await read(closed, { pairs: ["NEW/USDC"] });
    await close(closed);
    expect(await store().find(one)).toMatchObject({ pairs: ["BTC/USDC", "NEW/USDC"] });
    expect(await store().openPairs()).toEqual([
      { pair: "BTC/USDC", accounts: 1 },
      { pair: "NEW/USDC", accounts: 2 },
    ]);
    await read(one, { readings: '{"balance":2}', pairs: [] });
    expect(await store().openPairs()).toEqual([{ pair: "NEW/USDC", accounts: 1 }]);
  });

  test("a failure is noted since the first one, until a reading succeeds", async () => {
    const id = await linkMadeSubaccount(database());
    await store().recordFailure(id, unixMs(NOON + 5));
    await store().recordFailure(id, unixMs(NOON + 9));
    expect(await store().find(id)).toMatchObject({ failingSinceMs: NOON + 5 });
    await read(id, { readAtMs: unixMs(NOON + 50) });
    expect(await store().find(id)).toMatchObject({ failingSinceMs: null });
    // A process that read earlier and failed notes its failure after the successful reading.
    await store().recordFailure(id, unixMs(NOON + 40));
    expect(await store().find(id)).toMatchObject({ failingSinceMs: null });
  });
});
