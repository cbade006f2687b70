import { createHash } from "node:crypto";
import { type AccountId, accountId, unixMs } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { SEED, scaledCount } from "../../../../test/environment/depth.ts";
import { eventually } from "../../../../test/eventually.ts";
import { systemTimer } from "../../../base/src/clock.ts";
import { createSeededChance, systemChance } from "../../../base/src/random.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { encodeParameter } from "../../../ledger/src/storage/stores/column-text.ts";
import { createRestoreStore } from "../../../ledger/src/storage/stores/restore-store.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import {
  openScratchPostgres,
  openTestDatabase,
  testPostgresUrl,
} from "../../../server/src/testing/open-test-database.ts";
import { addBareAccount, addBareLines } from "../../../server/src/testing/raw-journal.ts";
import type { OwnedLine } from "../storage/transaction-lines.ts";
import type { Firehose, FirehoseRequest } from "./firehose.ts";
import { openFirehose } from "./open-firehose.ts";

const OPENED = (program: string): string =>
  `{"type":"accountOpened","terms":{"programId":"${program}"}}`;
const STARTED = (program: string): string =>
  `{"type":"proStarted","terms":{"programId":"${program}"}}`;
const ENDED = '{"type":"dayEnded"}';
const FILLED = '{"type":"orderFilled"}';

const EVERYTHING: FirehoseRequest = {
  after: "0",
  limit: 500,
  types: null,
  accountId: null,
  programId: null,
  waitMs: 0,
};
const NEVER = () => () => undefined;
const IDLE = { idleMs: 60_000 };

const idOf = (number: number): AccountId =>
  accountId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);

const throwing = (cause: unknown): void => {
  throw cause;
};

const firehoseOf = (...databases: readonly [Database, ...Database[]]): Firehose =>
  firehoseWith(throwing, databases);

const firehoseWith = (
  onFault: (cause: unknown) => void,
  databases: readonly [Database, ...Database[]],
): Firehose => {
  const partOf = (database: Database) => ({ database, executor: { onCommit() {} } });
  const [first, ...others] = databases;
  return openFirehose({
    shards: [partOf(first), ...others.map(partOf)],
    timer: systemTimer,
    chance: systemChance,
    onFault,
  });
};

const page = async (firehose: Firehose, given: Partial<FirehoseRequest> = {}) => {
  const read = await firehose.read({ ...EVERYTHING, ...given }, NEVER);
  if (!read.ok) throw new Error(read.problem);
  return read;
};
const problem = async (firehose: Firehose, after: string) => {
  const read = await firehose.read({ ...EVERYTHING, after }, NEVER);
  return read.ok ? null : read.problem;
};
const nameOf = ({ line }: OwnedLine): string => `${Number(line.accountId.slice(-12))}/${line.seq}`;

/** Reads pages of this size until the last one. Returns the names of all lines and the last cursor. */
const readAll = async (firehose: Firehose, given: Partial<FirehoseRequest> = {}) => {
  const names: string[] = [];
  let after = given.after ?? "0";
  for (;;) {
    const { lines, next } = await page(firehose, { ...given, after });
    names.push(...lines.map(nameOf));
    if (next === after) return { names, next };
    after = next;
  }
};

/**
 * The cursor of the head, read when no line is hidden by an open transaction. A readable line stays readable, so a page
 * that is read afterwards has all lines.
 */
const headOf = async (database: Database, firehose: Firehose): Promise<string> => {
  await eventually(async () => {
    const [row] = await database.query<{ readonly hidden: string }>(
      "select count(*) as hidden from journal where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())",
      [],
    );
    expect(row?.hidden).toBe("0");
  });
  return (await page(firehose, { after: null })).next;
};

await describeOnEachDatabase("the firehose", (database) => {
  let firehose: Firehose;
  const number = { next: 1 };
  /** Makes an account with these events, each written by a transaction of its own. */
  const account = async (...events: readonly string[]): Promise<AccountId> => {
    const id = idOf(number.next);
    number.next += 1;
    await addBareAccount(database(), id, `owner of ${Number(id.slice(-12))}`);
    for (const [version, event] of events.entries()) {
      await addBareLines(database(), id, { version, events: [event] });
    }
    return id;
  };
  /** The head, when no transaction of another database on the server hides lines. */
  const head = (): Promise<string> => headOf(database(), firehose);
  beforeAll(() => {
    firehose = firehoseOf(database());
  });

  test("a request that waits while a failover loses its place is refused, because lines of lost numbers may come before it [D9.firehoseCursor]", async () => {
    await account(ENDED);
    const id = await account(ENDED);
    const after = await head();
    const read = Promise.withResolvers<void>();
    const watched: Database = {
      ...database(),
      async query(text, parameters, use) {
        const rows = await database().query<never>(text, parameters, use);
        if (text.includes("limit $4")) read.resolve();
        return rows;
      },
    };
    // The last read of the database may come after the test's end.
    const waiting = firehoseWith(() => undefined, [watched]).read(
      { ...EVERYTHING, after, waitMs: 20_000 },
      NEVER,
    );
    await read.promise;
    await database().query("delete from journal where account_id = $1", [id]);
    expect(await waiting).toEqual({ ok: false, problem: "historyDiffers" });
  });

  test("the firehose gives every line once at any limit, with its owner, also of one transaction [D9.firehose] [D9.firehoseOnce]", async () => {
    const [one, other] = [await account(), await account()];
    const after = (await page(firehose, { after: null })).next;
    await database().transaction(async (on) => {
      await addBareLines(on, other, { version: 0, events: [OPENED("a"), ENDED] });
      await addBareLines(on, one, { version: 0, events: [OPENED("a"), ENDED, ENDED] });
    });
    await addBareLines(database(), other, { version: 2, events: [FILLED] });
    await head();
    const [a, b] = [one, other].map((id) => Number(id.slice(-12)));
    const expected = [`${a}/1`, `${a}/2`, `${a}/3`, `${b}/1`, `${b}/2`, `${b}/3`];
    for (const limit of [1, 2, 3, 4, 500]) {
      expect((await readAll(firehose, { after, limit })).names).toEqual(expected);
    }
    const { lines } = await page(firehose, { after });
    expect(lines.map(({ ownerId }) => ownerId)).toEqual(
      [a, a, a, b, b, b].map((id) => `owner of ${id}`),
    );
  });

  test("the firehose without `after` begins at the head, which stays the same until there is a line [D9.firehoseCursor]", async () => {
    await account(OPENED("a"));
    const first = await head();
    expect(await page(firehose, { after: first })).toMatchObject({ lines: [], next: first });
    const id = await account(OPENED("a"));
    await head();
    const { lines, next } = await page(firehose, { after: first });
    expect([lines.map(({ line }) => line.accountId), next === first]).toEqual([[id], false]);
  });

  test("the firehose filters by type, account and program; `next` moves past what they leave out [D9.firehose]", async () => {
    await account();
    const after = await head();
    const moved = await account(OPENED("standard"), ENDED, STARTED("pro"), ENDED);
    const stayed = await account(OPENED("standard"), FILLED);
    const [a, b] = [moved, stayed].map((id) => Number(id.slice(-12)));
    const end = await head();
    const found = async (given: Partial<FirehoseRequest>) => {
      const { names, next } = await readAll(firehose, { after, ...given });
      expect(next).toBe(end);
      for (const limit of [1, 2]) {
        expect((await readAll(firehose, { after, ...given, limit })).names).toEqual(names);
      }
      return names;
    };
    expect(await found({ programId: "standard" })).toEqual([
      `${a}/1`,
      `${a}/2`,
      `${b}/1`,
      `${b}/2`,
    ]);
    expect(await found({ programId: "pro" })).toEqual([`${a}/3`, `${a}/4`]);
    expect(await found({ programId: "pr%" })).toEqual([]);
    expect(await found({ accountId: stayed })).toEqual([`${b}/1`, `${b}/2`]);
    expect(await found({ accountId: moved, programId: "pro" })).toEqual([`${a}/3`, `${a}/4`]);
    expect(await found({ types: new Set(["dayEnded", "orderFilled"]) })).toEqual([
      `${a}/2`,
      `${a}/4`,
      `${b}/2`,
    ]);
    expect(await found({ types: new Set(["dayEnded"]), programId: "pro" })).toEqual([`${a}/4`]);
  });

  test("the firehose refuses a cursor that was cut, changed or forged, and one of another place [D9.firehoseCursor]", async () => {
    const id = await account(OPENED("a"), ENDED);
    const cursor = await head();
    for (let length = 0; length < cursor.length; length += 1) {
      const cut = cursor.slice(0, length);
      expect([cut, await problem(firehose, cut)]).toEqual([cut, "cursorInvalid"]);
    }
    for (const text of [
      `${cursor}A`,
      ` ${cursor}`,
      `${cursor}=`,
      "1",
      "00",
      "-1",
      "418-9f2c41ab",
    ]) {
      expect([text, await problem(firehose, text)]).toEqual([text, "cursorInvalid"]);
    }
    const forged = (change: (bytes: Buffer) => void, cut = 0): string => {
      const bytes = Buffer.from(cursor, "base64url").subarray(0, -4 - cut);
      change(bytes);
      const check = createHash("sha256").update(bytes).digest().subarray(0, 4);
      return Buffer.concat([bytes, check]).toString("base64url");
    };
    expect(forged(() => undefined)).toBe(cursor);
    const [identity, transaction, accountAt, sequence, hash] = [2, 10, 18, 34, 42];
    for (const at of [identity, transaction, transaction + 7, accountAt + 15, sequence + 7, hash]) {
      const other = forged((bytes) => bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at));
      expect([at, await problem(firehose, other)]).toEqual([at, "historyDiffers"]);
    }
    const beyond = forged((bytes) => bytes.writeUInt8(0x80, sequence));
    expect(await problem(firehose, beyond)).toBe("cursorInvalid");
    expect(
      await problem(
        firehose,
        forged((bytes) => bytes.writeUInt8(2, 0)),
      ),
    ).toBe("cursorInvalid");
    expect(
      await problem(
        firehose,
        forged(() => undefined, 1),
      ),
    ).toBe("cursorInvalid");

    const elsewhere = await openTestDatabase();
    expect(await problem(firehoseOf(elsewhere), cursor)).toBe("historyDiffers");
    const empty = await page(firehoseOf(elsewhere), { after: null });
    expect(await problem(firehose, empty.next)).toBe("historyDiffers");
    expect(await problem(firehose, (await page(firehoseOf(database(), elsewhere))).next)).toBe(
      "historyDiffers",
    );
    await elsewhere.close();

    // The database was restored without this service, so it lacks a line.
    await database().query("delete from journal where account_id = $1 and seq = 2", [id]);
    expect(await problem(firehose, cursor)).toBe("historyDiffers");
  });

  test("the firehose refuses the cursors of before a restore, also of an empty database [D9.firehoseCursor]", async () => {
    const restored = await openTestDatabase();
    const its = firehoseOf(restored);
    const { next } = await page(its);
    expect(await problem(its, next)).toBeNull();
    const restore = { asOfMs: unixMs(0), restoredAtMs: unixMs(0) };
    await createRestoreStore(restored).begin("11111111-1111-4111-8111-111111111111", restore);
    expect(await problem(its, next)).toBe("historyDiffers");
    await restored.close();
  });

  test("every database of several has its turn in the firehose, and each line comes once [D9.firehose]", async () => {
    const others = [await openTestDatabase(), await openTestDatabase()] as const;
    const all = firehoseOf(database(), ...others);
    const { next: after } = await page(all, { after: null });
    const expected: string[] = [];
    for (const [at, one] of [database(), ...others].entries()) {
      const id = idOf(900 + at);
      await addBareAccount(one, id, "owner");
      await addBareLines(one, id, { version: 0, events: [OPENED("a"), ENDED, FILLED] });
      expected.push(...[1, 2, 3].map((sequence) => `${900 + at}/${sequence}`));
    }
    await head();
    for (const limit of [1, 2, 4, 500]) {
      const { names, next } = await readAll(all, { after, limit });
      expect(names.toSorted()).toEqual(expected);
      expect(await page(all, { after: next })).toMatchObject({ lines: [], next });
      if (limit === 1) expect(names.slice(0, 3).toSorted()).toEqual(["900/1", "901/1", "902/1"]);
    }
    // This cursor is from before the third database was added.
    const two = await page(firehoseOf(database(), others[0]), { after: null });
    expect((await readAll(all, { after: two.next })).names).toEqual(expected.slice(6));
    for (const one of others) await one.close();
  });

  test("a file has the lines between two cursors, by account and sequence [D9.firehose] [D9.firehoseFile]", async () => {
    const [one, other] = [await account(OPENED("a")), await account(OPENED("a"))];
    const after = await head();
    const [a, b] = [one, other].map((id) => Number(id.slice(-12)));
    const versions = new Map([one, other].map((id) => [id, 1]));
    for (let round = 0; round < 4; round += 1) {
      for (const id of [other, one]) {
        const version = versions.get(id) ?? 0;
        await addBareLines(database(), id, { version, events: [ENDED, FILLED] });
        versions.set(id, version + 2);
      }
    }
    const end = await head();
    const names = async (given: Partial<FirehoseRequest>) => {
      const file = await firehose.file({ ...EVERYTHING, ...given });
      if (!file.ok) throw new Error(file.problem);
      const found: string[] = [];
      for await (const line of file.lines) found.push(nameOf(line));
      return { found, next: file.next };
    };
    const lines = [2, 3, 4, 5, 6, 7, 8, 9];
    expect(await names({ after })).toEqual({
      found: [...lines.map((line) => `${a}/${line}`), ...lines.map((line) => `${b}/${line}`)],
      next: end,
    });
    const fills = { after, accountId: other, types: new Set(["orderFilled"]) };
    expect((await names(fills)).found).toEqual([3, 5, 7, 9].map((line) => `${b}/${line}`));
    expect((await names({ after, programId: "b" })).found).toEqual([]);
    expect(await names({ after: end })).toEqual({ found: [], next: end });
  });

  test("a page of a long journal reads a bounded number of rows [D9.firehose]", async () => {
    const statements: { readonly text: string; readonly parameters: readonly unknown[] }[] = [];
    const recorded: Database = {
      ...database(),
      query(text, parameters = []) {
        statements.push({ text, parameters });
        return database().query(text, parameters);
      },
    };
    const after = await head();
    await database().query(LONG, [LINES]);
    await database().query("analyze journal", []);
    const end = await head();
    const its = firehoseOf(recorded);
    const rowsOf = async (given: Partial<FirehoseRequest>): Promise<number> => {
      statements.length = 0;
      await page(its, given);
      let rows = 0;
      for (const { text, parameters } of statements.splice(0)) {
        if (!text.includes("from journal")) continue;
        const literal = text.replaceAll(/\$(\d+)/g, (_, at: string) => {
          const value = encodeParameter(parameters[Number(at) - 1]);
          return value === null ? "null" : `'${value}'`;
        });
        const plans = await database().query<{ readonly "QUERY PLAN": string }>(
          `explain (analyze, format json) ${literal}`,
        );
        rows += rowsIn(JSON.parse(plans[0]?.["QUERY PLAN"] ?? "[]"));
      }
      return rows;
    };
    const cheap = [
      await rowsOf({ after, limit: 50 }),
      await rowsOf({ after: end, limit: 50 }),
      await rowsOf({ after: null, limit: 50 }),
    ];
    // For each line of the page a query reads up to three rows: the line, its account, and its row in the sort. The
    // bound of five leaves some slack.
    expect(cheap.filter((rows) => rows > 5 * 50)).toEqual([]);
    const rare = { after, limit: 50, types: new Set(["orderFilled"]) };
    expect(await rowsOf(rare)).toBeLessThan(5 * 5_000);
    expect(await rowsOf({ ...rare, types: null, programId: "none" })).toBeLessThan(10 * 5_000);
    const { lines, next } = await page(firehose, rare);
    expect([lines, next === after, next === end]).toEqual([[], false, false]);
    expect((await readAll(firehose, rare)).next).toBe(end);
  });
});

const postgres = await testPostgresUrl();

describe.skipIf(postgres === null)("lines that commit late, on PostgreSQL", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openScratchPostgres(postgres ?? "");
    return () => database.close();
  });

  test("lines that commit late come after the lines that were read before them, all of them and none twice [D9.firehose] [D9.firehoseOnce]", async () => {
    const [late, early, other] = [idOf(1), idOf(2), idOf(3)];
    for (const id of [late, early, other]) await addBareAccount(database, id, "owner");
    const firehose = firehoseOf(database);
    const seen: string[] = [];
    let after = "0";
    const read = async (): Promise<void> => {
      const more = await readAll(firehose, { after, limit: 1 });
      seen.push(...more.names);
      after = more.next;
    };
    await addBareLines(database, early, { version: 0, events: [OPENED("a")] });
    await headOf(database, firehose);
    await read();
    await database.transaction(async (open) => {
      await addBareLines(open, late, { version: 0, events: [OPENED("a"), ENDED] });
      await addBareLines(database, early, { version: 1, events: [ENDED] });
      await read();
      await addBareLines(database, other, { version: 0, events: [OPENED("a")] });
      await read();
      expect(seen).toEqual(["2/1"]);
    }, IDLE);
    await headOf(database, firehose);
    await read();
    expect(seen).toEqual(["2/1", "1/1", "1/2", "2/2", "3/1"]);
  });

  test("lines that commit late are given once to each of several readers while writers commit, wait and roll back [D9.firehose]", async () => {
    const chance = createSeededChance(`firehose ${SEED}`);
    const below = (max: number): number => (chance.bytes(1)[0] ?? 0) % max;
    const ids = Array.from({ length: 6 }, (_, index) => idOf(100 + index));
    for (const id of ids) await addBareAccount(database, id, "owner");
    const firehose = firehoseOf(database);
    const after = await headOf(database, firehose);
    let isWriting = true;
    const write = async (): Promise<void> => {
      const rows = await database.query<{ readonly account_id: string; readonly version: string }>(
        "select account_id, version from accounts where account_id = any ($1::uuid[]) order by account_id",
        [ids.filter(() => below(3) === 0)],
      );
      await database
        .transaction(async (on) => {
          for (const row of rows) {
            const events = Array.from({ length: 1 + below(3) }, () => ENDED);
            const lines = { version: Number(row.version), events };
            rollBackIf(!(await addBareLines(on, accountId(row.account_id), lines)));
            if (below(8) === 0) await delay(below(20));
          }
          rollBackIf(below(5) === 0);
        }, IDLE)
        .catch((cause: unknown) => {
          if (!(cause instanceof RolledBack)) throw cause;
        });
    };
    const writers = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < scaledCount(250, 20); round += 1) await write();
    });
    const reader = async (): Promise<readonly string[]> => {
      const seen: string[] = [];
      let place = after;
      for (;;) {
        const wasWriting = isWriting;
        const { lines, next } = await page(firehose, { after: place, limit: 1 + below(7) });
        seen.push(...lines.map(nameOf));
        if (!wasWriting && next === place) return seen;
        place = next;
      }
    };
    const readers = [reader(), reader(), reader()];
    await Promise.all(writers);
    await headOf(database, firehose);
    isWriting = false;
    const rows = await database.query<{ readonly account_id: string; readonly seq: string }>(
      "select account_id, seq from journal where account_id = any ($1::uuid[]) order by account_id, seq",
      [ids],
    );
    const written = rows.map((row) => `${Number(row.account_id.slice(-12))}/${row.seq}`);
    expect(written.length).toBeGreaterThan(20);
    const byAccount = (names: readonly string[]) =>
      ids.flatMap((id) => names.filter((name) => name.startsWith(`${Number(id.slice(-12))}/`)));
    for (const seen of await Promise.all(readers)) expect(byAccount(seen)).toEqual(written);
  });

  test("lines of another server's transactions are a fault, not a silence [D9.firehoseCursor]", async () => {
    const foreign = await openScratchPostgres(postgres ?? "");
    await addBareAccount(foreign, idOf(1), "owner");
    await addBareLines(foreign, idOf(1), { version: 0, events: [OPENED("a")] });
    await foreign.query("update journal set transaction_id = '9000000000000000000'", []);
    await expect(page(firehoseOf(foreign), { after: null })).rejects.toThrow("another server");
    await foreign.close();
  });
});

class RolledBack extends Error {}

function rollBackIf(isSo: boolean): void {
  if (isSo) throw new RolledBack();
}

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    systemTimer.after(ms, resolve);
  });

const LINES = 100_000;

/** SQL that makes one account with this many lines, in one transaction. */
const LONG = `
with opened as (
  insert into accounts (account_id, owner_id, status, version, head_hash, exposed, due_at_ms, created_at_ms)
  values ('00000000-0000-4000-8000-000000000500', 'long', 'active', $1::bigint, '\\x00', false, null, 0)
)
insert into journal (account_id, seq, at_ms, origin, command, event, hash)
select '00000000-0000-4000-8000-000000000500', n, 0, 'clock', 'passTime',
  case when n = 1 then '${OPENED("long")}' else '${ENDED}' end, sha256(convert_to(n::text, 'UTF8'))
from generate_series(1, $1::bigint) n`;

interface Plan {
  readonly "Node Type"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plan?: Plan;
  readonly Plans?: readonly Plan[];
}

/** The number of rows that all scans of the plan have read. */
function rowsIn(plans: readonly Plan[]): number {
  return plans.reduce((sum, { Plan: inner, Plans: parts = [], ...node }) => {
    const isScan = node["Node Type"]?.includes("Scan") === true;
    const each = (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0);
    const own = isScan ? each * (node["Actual Loops"] ?? 0) : 0;
    return sum + own + rowsIn(inner === undefined ? parts : [inner, ...parts]);
  }, 0);
}
