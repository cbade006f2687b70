import { IDEMPOTENCY_HEADER, LIMITS } from "@propgate/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { type DatabaseOutage, databaseWithOutage } from "../../../testing/database-outage.ts";
import { openEarningTrader } from "../../../testing/earning-trader.ts";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../../testing/harness.ts";
import { openTestDatabase } from "../../../testing/open-test-database.ts";
import { createOperatorClient } from "../../../testing/operator-client.ts";

let service: Harness;
let outage: DatabaseOutage;

beforeEach(async () => {
  outage = { text: "set state = 'ended'", when: "never" };
  service = await openHarness({ database: databaseWithOutage(await openTestDatabase(), outage) });
  return () => service.close();
});

interface Sent {
  readonly type?: string;
  readonly key?: string;
}

interface Line extends Record<string, unknown> {
  readonly row: number;
  readonly status: number;
  readonly data?: { readonly accountId: string; readonly secret?: string } | null;
}

async function send(
  path: string,
  text: string | Uint8Array<ArrayBuffer>,
  { type = "text/csv", key }: Sent = {},
) {
  const response = await fetch(`http://127.0.0.1:${service.port}/operator/v1${path}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${OPERATOR_TOKEN}`,
      "Content-Type": type,
      ...(key === undefined ? {} : { [IDEMPOTENCY_HEADER]: key }),
    },
    body: text,
  });
  const body = await response.text();
  const isBulk = response.status === 200;
  const lines = isBulk
    ? body
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line)
    : [];
  return {
    status: response.status,
    lines,
    refusal: isBulk ? null : (JSON.parse(body) as Record<string, unknown>),
    type: response.headers.get("content-type"),
    isReplayed: response.headers.get("idempotent-replayed") === "true",
  };
}

const accounts = async (): Promise<number> =>
  ((await createOperatorClient(service).data("GET", "/accounts?limit=500")).items as unknown[])
    .length;

describe("a bulk of accounts [D12.bulk]", () => {
  test("each row is a call of its own, and its line has the answer or the refusal", async () => {
    const csv = [
      "\ufeffownerId,externalId,size,provisioned,dailyLossPct",
      "ann,a-1,100000,true,",
      'ben,"a-2",1e5,false,',
      'cleo,a-3,"100000,5",true,',
      "dan,a-1,100000,,",
      "eve,a-5,100000,yes,",
      "fay,a 6,100000,,",
      "gus,a-7,7,,",
      "hal,a-8",
      'ida,"a"-9,100000,,',
      "ann,a-10,100000,,5",
    ].join("\r\n");
    const { lines, type } = await send("/accounts/bulk", csv);
    expect(type).toBe("application/x-ndjson");
    expect(lines).toEqual([
      { row: 1, status: 200, data: expect.objectContaining({ newOwner: true }) },
      { row: 2, status: 200, data: expect.objectContaining({ newOwner: true }) },
      {
        row: 3,
        status: 400,
        error: 'size: must be a number with a point, such as 1000.5, not "100000,5"',
        code: "invalid",
        field: "size",
      },
      {
        row: 4,
        status: 409,
        error: 'externalId: "a-1" is in row 1 of this file',
        code: "external_id_taken",
        field: "externalId",
        details: { row: 1 },
      },
      expect.objectContaining({ row: 5, status: 400, field: "provisioned" }),
      expect.objectContaining({ row: 6, status: 400, field: "externalId" }),
      expect.objectContaining({ row: 7, status: 400, field: "size" }),
      expect.objectContaining({ row: 8, status: 400, field: "row" }),
      expect.objectContaining({ row: 9, status: 400, field: "row" }),
      expect.objectContaining({ row: 10, status: 200 }),
    ]);
    const opened = await createOperatorClient(service).data(
      "GET",
      "/audit?deed=accounts.open&limit=50",
    );
    expect(opened.items).toHaveLength(5);
  });

  test("rows can be lines of JSON", async () => {
    const text = '{"size":100000}\n[]\n{"size":"x"}\n{\n{"sise":1,"size":1}\n\n{"size":100000}\n';
    const { lines } = await send("/accounts/bulk", text, {
      type: "application/x-ndjson; charset=utf-8",
    });
    expect(lines.map(({ status, field }) => [status, field])).toEqual([
      [200, undefined],
      [400, "row"],
      [400, "size"],
      [400, "row"],
      [400, "sise"],
      [400, "row"],
      [200, undefined],
    ]);
  });

  test.each([
    ["size,sise\n1,1\n", "sise", "unknown_field"],
    ["ownerId\nann\n", "size", "invalid"],
    ["size,size\n1,1\n", "size", "invalid"],
    ["size\n", "body", "invalid"],
    ["", "body", "invalid"],
    ['"size\n', "body", "invalid"],
    [Uint8Array.of(0x73, 0x69, 0x7a, 0x65, 0x0a, 0xff), "body", "invalid"],
  ])("a file that begins with %j is refused as a whole", async (text, field, code) => {
    const { status, refusal } = await send("/accounts/bulk", text);
    expect([status, refusal?.field, refusal?.code]).toEqual([400, field, code]);
  });

  test("another type, too many rows and too many bytes are refused [D12.bulkFile]", async () => {
    const json = await send("/accounts/bulk", "{}", { type: "application/json" });
    expect([json.status, json.refusal?.field]).toEqual([400, "Content-Type"]);
    const rows = await send("/accounts/bulk", `size\n${"1\n".repeat(10_001)}`);
    expect([rows.status, rows.refusal?.code, rows.refusal?.details]).toMatchObject([
      413,
      "too_large",
      { rowsMax: 10_000 },
    ]);
    const bytes = await send("/accounts/bulk", "x".repeat(8 * 1024 * 1024 + 1));
    expect([bytes.status, bytes.refusal?.details]).toEqual([413, { bytesMax: 8 * 1024 * 1024 }]);
    expect((await send("/accounts/bulk?dryRun=yes", "size\n1\n")).refusal?.field).toBe("dryRun");
  });

  test("a dry run answers the status of each row and does nothing [D12.dryRun]", async () => {
    await createOperatorClient(service).data("POST", "/accounts", {
      size: 1e5,
      externalId: "taken",
    });
    const before = await accounts();
    const csv = "size,externalId\n100000,free\n100000,taken\n7,other\n100000,free\n";
    const { lines, isReplayed } = await send("/accounts/bulk?dryRun=1", csv, { key: "k" });
    expect(lines.map(({ status, data }) => [status, data])).toEqual([
      [200, null],
      [409, undefined],
      [400, undefined],
      [409, undefined],
    ]);
    expect([await accounts(), isReplayed]).toEqual([before, false]);
    expect((await send("/accounts/bulk?dryRun=1", csv, { key: "k" })).lines).toEqual(lines);
    expect((await send("/accounts/bulk", csv, { key: "k" })).lines[0]?.status).toBe(200);
  });

  test("a dry run keeps no key, so the act may have the same key and file [D12.dryRun]", async () => {
    const csv = "size\n100000\n";
    await send("/accounts/bulk?dryRun=1", csv, { key: "k" });
    const acted = await send("/accounts/bulk", csv, { key: "k" });
    expect([acted.status, acted.lines[0]?.status, acted.isReplayed]).toEqual([200, 200, false]);
    const checked = await send("/accounts/bulk?dryRun=1", csv, { key: "k" });
    expect(checked.lines).toEqual([{ row: 1, status: 200, data: null }]);
  });

  test.each([
    ["/accounts/bulk", "sise\n1\n"],
    ["/accounts/bulk", "size\n"],
    ["/accounts/bulk?dryRun=yes", "size\n1\n"],
    ["/accounts/bulk?sise=1", "size\n1\n"],
  ])("a file to %s with %j that is refused as a whole keeps no key", async (path, text) => {
    expect((await send(path, text, { key: "k" })).status).toBe(400);
    const acted = await send("/accounts/bulk", "size\n100000\n", { key: "k" });
    expect([acted.status, acted.lines[0]?.status]).toEqual([200, 200]);
  });

  test("a refused file keeps the key of rows that were carried out [D12.rowKeys]", async () => {
    const csv = "size\n100000\n";
    const first = await send("/accounts/bulk", csv, { key: "k" });
    expect((await send("/accounts/bulk", "sise\n1\n", { key: "k" })).status).toBe(400);
    const again = await send("/accounts/bulk", csv, { key: "k" });
    expect([again.lines, again.isReplayed]).toEqual([first.lines, true]);
    const other = await send("/keys/bulk", "accountId\nx\n", { key: "k" });
    expect(other.refusal?.code).toBe("idempotency_mismatch");
  });

  test("the audit tells a dry run from an act", async () => {
    await send("/accounts/bulk?dryRun=1", "size\n100000\n");
    await send("/accounts/bulk?dryRun=1", "sise\n1\n");
    await send("/accounts/bulk", "size\n100000\n");
    const audit = await createOperatorClient(service).data(
      "GET",
      "/audit?deed=accounts.bulk&sort=atMs",
    );
    const lines = audit.items as { readonly detail: string | null; readonly succeeded: boolean }[];
    expect(lines.map(({ detail, succeeded }) => [detail, succeeded])).toEqual([
      ["dry run", true],
      [expect.stringMatching(/^dry run: sise: no such column/), false],
      [null, true],
    ]);
  });

  test("a dry run counts the rows before each, as the act does [D13.accountLimit]", async () => {
    await createOperatorClient(service).data("PATCH", "/owners/ann", { accountsMax: 2 });
    const csv =
      "size,ownerId,override\n100000,ann,\n7,ann,\n100000,ann,true\n100000,ann,\n100000,ben,\n100000,ann,true\n";
    const statuses = [200, 400, 200, 409, 200, 200];
    const dry = await send("/accounts/bulk?dryRun=1", csv);
    expect(dry.lines.map(({ status }) => status)).toEqual(statuses);
    expect(dry.lines[3]).toMatchObject({ code: "account_limit", details: { active: 2, max: 2 } });
    const { lines } = await send("/accounts/bulk", csv);
    expect(lines.map(({ status }) => status)).toEqual(statuses);
  });

  test("a repeated file gets the same lines, and changed rows are refused in theirs [D12.rowKeys]", async () => {
    const first = await send("/accounts/bulk", "size,ownerId\n100000,ann\n7,ben\n", { key: "k" });
    expect(first.isReplayed).toBe(false);
    const before = await accounts();
    const again = await send("/accounts/bulk", "ownerId,size\nann,1e5\nben,7\n", { key: "k" });
    expect([again.isReplayed, again.lines]).toEqual([true, first.lines]);
    const other = await send("/accounts/bulk", "size\n200000\n", { key: "k" });
    expect([other.isReplayed, other.lines]).toMatchObject([
      true,
      [{ row: 1, status: 409, code: "idempotency_mismatch" }],
    ]);
    expect(await accounts()).toBe(before);
    const longer = "size,ownerId\n100000,ann\n100000,ben\n100000,cleo\n";
    const more = await send("/accounts/bulk", longer, { key: "k" });
    expect([more.isReplayed, more.lines.map(({ status }) => status)]).toEqual([
      false,
      [200, 200, 200],
    ]);
    expect(more.lines[0]).toEqual(first.lines[0]);
    expect(await accounts()).toBe(before + 2);
    const single = await createOperatorClient(service).call("POST", "/accounts", {
      key: "k",
      body: { size: 1e5 },
    });
    expect([single.status, single.body.code]).toEqual([409, "idempotency_mismatch"]);
  });

  test("a bulk is under way for as long as one of its rows, and then carried on [D12.repeatedWrites]", async () => {
    const csv = "size\n100000\n100000\n";
    const before = await accounts();
    outage.when = "before";
    await send("/accounts/bulk", csv, { key: "k" });
    outage.when = "never";
    const began = (seconds: number, row: number) =>
      service.database.query(
        `update idempotency_keys set state = 'running',
           running_since = clock_timestamp() - $1 * interval '1 second' where row_number = $2`,
        [seconds, row],
      );
    await began(40, 0);
    await began(20, 2);
    const early = await send("/accounts/bulk", csv, { key: "k" });
    expect([early.status, early.refusal?.code]).toEqual([409, "idempotency_in_progress"]);
    await began(40, 2);
    const late = await send("/accounts/bulk", csv, { key: "k" });
    expect(late.lines.map(({ status }) => status)).toEqual([200, 200]);
    expect(await accounts()).toBe(before + 2);
  });

  test("rows whose answers were lost are found out, and act once", async () => {
    const csv = `size\n${"100000\n".repeat(20)}`;
    const before = await accounts();
    outage.when = "before";
    const lost = await send("/accounts/bulk", csv, { key: "k" });
    expect(new Set(lost.lines.map(({ status, code }) => `${status} ${String(code)}`))).toEqual(
      new Set(["503 unknown_fate"]),
    );
    outage.when = "never";
    const again = await send("/accounts/bulk", csv, { key: "k" });
    expect(again.lines.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await accounts()).toBe(before + 20);
  });
});

test("a bulk of keys answers each secret once more with its key [D12.bulk]", async () => {
  const { accountId } = service;
  const csv = `accountId,scopes,addresses,label\n${accountId},trade:read|trade:place,10.0.0.0/8|::1,a\n${accountId},trade,,b\n`;
  const first = await send("/keys/bulk", csv, { key: "k" });
  expect(first.lines).toMatchObject([
    {
      row: 1,
      status: 200,
      data: { accountId, scopes: ["trade:read", "trade:place"], addresses: ["10.0.0.0/8", "::1"] },
    },
    { row: 2, status: 400, field: "scopes[0]" },
  ]);
  expect((await send("/keys/bulk", csv, { key: "k" })).lines).toEqual(first.lines);
});

test("a date in a column of times is refused with the unit that it must have [D12.bulk]", async () => {
  const csv = `accountId,scopes,expiresAtMs\n${service.accountId},trade,2026-12-31\n`;
  const { lines } = await send("/keys/bulk", csv);
  const must = "must be whole Unix milliseconds, such as 1767225600000";
  expect(lines).toMatchObject([
    { status: 400, field: "expiresAtMs", error: `expiresAtMs: ${must}, not "2026-12-31"` },
  ]);
});

test("a dry run of keys knows how many an account may have [D12.bulk] [D12.activeKeys]", async () => {
  const { accountId } = service;
  const rows = LIMITS.activeKeysMax;
  const csv = `accountId,scopes\n${`${accountId},trade:read\n`.repeat(rows)}`;
  const dry = await send("/keys/bulk?dryRun=1", csv);
  const { lines } = await send("/keys/bulk", csv);
  for (const each of [dry.lines, lines]) {
    expect(each.map(({ status }) => status)).toEqual([...Array(rows - 1).fill(200), 409]);
    expect(each.at(-1)?.code).toBe("key_limit");
  }
  expect((await send("/keys/bulk?dryRun=1", csv)).lines[0]?.code).toBe("key_limit");
});

test("rows that write the id of an account in different cases share its maximum of keys [D12.bulk] [D12.dryRun]", async () => {
  const { accountId } = service;
  const rows = LIMITS.activeKeysMax;
  const ids = Array.from({ length: rows }, (_, at) =>
    at % 2 === 0 ? accountId : accountId.toUpperCase(),
  );
  const csv = `accountId,scopes\n${ids.map((id) => `${id},trade:read\n`).join("")}`;
  for (const query of ["?dryRun=1", ""]) {
    const { lines } = await send(`/keys/bulk${query}`, csv);
    expect(lines.map(({ status }) => status)).toEqual([...Array(rows - 1).fill(200), 409]);
  }
});

test("a payout twice in a file is a mistake of the later row [D12.bulk] [D12.bulkTwins]", async () => {
  await openEarningTrader(service, 1);
  const { items } = await createOperatorClient(service).data("GET", "/payouts");
  const [one] = items as { readonly id: string }[];
  const csv = `id,status\n${one?.id},processing\n${one?.id},paid\n`;
  for (const query of ["?dryRun=1", ""]) {
    const { lines } = await send(`/payouts/bulk${query}`, csv);
    expect(lines.map(({ status }) => status)).toEqual([200, 409]);
    expect(lines[1]).toEqual({
      row: 2,
      status: 409,
      error: `id: "${one?.id}" is in row 1 of this file`,
      code: "conflict",
      field: "id",
      details: { row: 1 },
    });
  }
  expect((await createOperatorClient(service).data("GET", `/payouts/${one?.id}`)).status).toBe(
    "processing",
  );
});

test("a bulk of payouts names each payout in its column id [D12.bulk]", async () => {
  await openEarningTrader(service, 2);
  const { items } = await createOperatorClient(service).data("GET", "/payouts?sort=periodEndMs");
  const [one, two] = items as { readonly id: string }[];
  const csv = `id,status,reference\n${one?.id},paid,wire 7\n${two?.id},processing,\npo_x,paid,\n,paid,\n`;
  const dry = await send("/payouts/bulk?dryRun=1", csv);
  expect(dry.lines.map(({ status }) => status)).toEqual([200, 200, 404, 400]);
  const { lines } = await send("/payouts/bulk", csv);
  expect(lines).toMatchObject([
    { status: 200, data: { id: one?.id, status: "paid", reference: "wire 7" } },
    { status: 200, data: { id: two?.id, status: "processing" } },
    { status: 404 },
    { status: 400, field: "id" },
  ]);
  const { items: noted } = await createOperatorClient(service).data(
    "GET",
    "/audit?deed=payouts.record",
  );
  const subjects = (noted as { readonly subject: string }[]).map(({ subject }) => subject);
  expect(subjects.toSorted()).toEqual([one?.id, two?.id, "po_x"].toSorted());
  const again = await send("/payouts/bulk?dryRun=1", csv);
  expect(again.lines.map(({ status }) => status)).toEqual([409, 200, 404, 400]);
  const unmade = `id,status,paidAmount\n${two?.id},failed,1\n`;
  for (const query of ["", "?dryRun=1"]) {
    expect((await send(`/payouts/bulk${query}`, unmade)).lines).toMatchObject([
      { status: 400, field: "paidAmount", error: expect.stringContaining("is failed has none") },
    ]);
  }
});
