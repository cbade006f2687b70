import { type UnixMs, unixMs } from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import type { Database } from "../databases/database.ts";
import type { AuditHead } from "../rows/audit-chain.ts";
import { createAuditStore, type NewAuditLine } from "./audit-store.ts";

const NOON: UnixMs = unixMs(1_767_614_400_000);

const lineOf = (detail: string): NewAuditLine => ({
  atMs: NOON,
  personId: null,
  by: "Ann",
  role: "operator",
  address: "::1",
  deed: "payouts.record",
  subject: 'a "quoted" é \u2028 日本',
  accountId: null,
  detail,
  succeeded: true,
});

await describeOnEachDatabase("the audit's chain [D10.auditChained]", (database) => {
  const store = () => createAuditStore(database());
  const sql = (text: string) => database().query(text, []);
  const written = async (count: number): Promise<AuditHead> => {
    for (let n = 1; n <= count; n += 1) await store().append(lineOf(`line ${n}`));
    const head = await store().head();
    if (head === null) throw new Error("there is no head");
    return head;
  };

  beforeEach(async () => {
    await sql("delete from audit");
  });

  test("an empty audit is verified and has no head", async () => {
    const nothing = { lines: 0, head: null, broken: null };
    expect(await store().prove(null)).toEqual(nothing);
    expect(await store().head()).toBe(null);
  });

  test("lines of all kinds of text are verified, and an earlier head is still found", async () => {
    const noted = await written(3);
    const head = await written(2);
    expect(head.auditId).toBe(5);
    expect(await store().prove(noted)).toEqual({ lines: 5, head, broken: null });
  });

  test.each([
    ["a detail", "update audit set detail = 'less' where audit_id = 3", 3, /not as it was/],
    [
      "a failure made a success",
      "update audit set succeeded = false where audit_id = 3",
      3,
      /not as/,
    ],
    ["a time", "update audit set at_ms = at_ms + 1 where audit_id = 1", 1, /not as it was/],
    ["null made an empty text", "update audit set account_id = '' where audit_id = 2", 2, /not as/],
    ["a hash", "update audit set hash = sha256('x') where audit_id = 4", 4, /not as it was/],
    ["a removed line", "delete from audit where audit_id = 3", 3, /is missing/],
    ["the first line removed", "delete from audit where audit_id = 1", 1, /is missing/],
    [
      "a removed line, and the later ones renumbered",
      // Lines get negative numbers first, because the database may renumber a line before the line whose number it
      // takes.
      `delete from audit where audit_id = 3;
       update audit set audit_id = -audit_id where audit_id > 3;
       update audit set audit_id = -audit_id - 1 where audit_id < 0`,
      3,
      /not as it was/,
    ],
    [
      "two lines in each other's place",
      `update audit set audit_id = -audit_id where audit_id in (2, 3);
       update audit set audit_id = 5 + audit_id where audit_id < 0`,
      2,
      /not as it was/,
    ],
    [
      "a line that was added with another hash",
      `insert into audit (audit_id, at_ms, by_name, role, address, deed, succeeded, hash)
       values (6, 1, 'x', 'x', 'x', 'x', true, sha256('x'))`,
      6,
      /not as it was/,
    ],
  ])("%s is found at its line [D10.auditProved]", async (...given) => {
    const [, change, auditId, why] = given;
    await written(5);
    for (const statement of change.split(";")) await sql(statement);
    const { broken } = await store().prove(null);
    expect(broken).toEqual({ auditId, why: expect.stringMatching(why) });
  });

  test("lines removed from the end show against a noted head", async () => {
    const noted = await written(5);
    await sql("delete from audit where audit_id > 3");
    expect((await store().prove(null)).broken).toBe(null);
    expect((await store().prove(noted)).broken).toEqual({ auditId: 4, why: "the line is missing" });
    await written(4);
    expect((await store().prove(noted)).broken).toMatchObject({ auditId: 5 });
  });

  test("two nodes that append concurrently make one chain without a gap, and wait for no lock", async () => {
    const impatient: Database = {
      ...database(),
      transaction: (work) => database().transaction(work, { lockWaitMs: 1 }),
    };
    const nodes = [createAuditStore(impatient), createAuditStore(impatient)];
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => nodes[n % 2]?.append(lineOf(`at once ${n}`))),
    );
    expect(await store().prove(null)).toMatchObject({ lines: 30, broken: null });
  });
});
