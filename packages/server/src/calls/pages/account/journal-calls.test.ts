import type { JournalCheck, JournalPage } from "@propgate/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { createFileJudge } from "../../../../../ledger/src/trading/journal/journal-export.ts";
import { openPagedService, type PagedService } from "../../../testing/page-client.ts";

const LONG = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 };

describe("an account's journal", () => {
  let service: PagedService;
  let path: string;
  beforeEach(async () => {
    service = await openPagedService();
    path = `/accounts/${service.accountId}`;
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.order({ ...LONG, take_profit: 51_000 }, { nonce: "my-nonce" });
    await service.quote("BTCUSD", 51_000, 51_000);
    await service.order(LONG);
    await service.page("POST", `${path}/flatten`, { body: { confirm: service.accountId } });
    await service.pass(86_400_000);
    return () => service.close();
  });

  const page = (query = "") => service.data<JournalPage>(`${path}/journal${query}`);
  const verify = () => service.page("POST", `${path}/journal/verify`);

  test("an account's journal tells what happened and who brought it about, the newest first", async () => {
    const { entries, before } = await page();
    expect(before).toBeNull();
    const key = `key ${service.signer.keyId}`;
    expect(entries.map(({ sequence, by, summary }) => [sequence, by, summary])).toEqual([
      [9, "clock", "Day ended at 2026-01-06 00:00 UTC: equity $100,939.10, balance $100,939.10."],
      [8, "owner", "Long position in BTC/USD closed: realized $0.00, fees $30.60."],
      [
        7,
        "owner",
        "Sold 1 lot of BTC/USD at 51,000.00000 ($51,000.00) closing everything: closes the position, realized $0.00, fee $15.30.",
      ],
      [
        6,
        key,
        "Bought 1 lot of BTC/USD at 51,000.00000 ($51,000.00) at the market: opens a position, fee $15.30.",
      ],
      [5, "market", "Long position in BTC/USD closed: realized $1,000.00, fees $30.30."],
      [
        4,
        "market",
        "Sold 1 lot of BTC/USD at 51,000.00000 ($51,000.00) by a target: closes the position, realized $1,000.00, fee $15.30.",
      ],
      [3, key, "Attached: target 51,000.00000 on the long position in BTC/USD."],
      [
        2,
        key,
        "Bought 1 lot of BTC/USD at 50,000.00000 ($50,000.00) at the market: opens a position, fee $15.00.",
      ],
      [1, "operator", "Account of $100,000 opened on program classic version 1."],
    ]);
    expect(entries.at(-2)).toMatchObject({
      type: "orderFilled",
      nonce: "my-nonce",
      atMs: service.time.clock.now() - 86_400_000,
      event: { type: "orderFilled", price: 50_000, value: 50_000_000_000 },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("an account's journal is read page by page", async () => {
    const first = await page("?limit=4");
    expect([first.entries.map(({ sequence }) => sequence), first.before]).toEqual([
      [9, 8, 7, 6],
      6,
    ]);
    const second = await page(`?limit=5&before=${first.before}`);
    expect([second.entries.map(({ sequence }) => sequence), second.before]).toEqual([
      [5, 4, 3, 2, 1],
      null,
    ]);
    for (const [query, error] of [
      ["limit=0", "limit: must be a whole number from 1 to 200"],
      ["limit=201", "limit: must be a whole number from 1 to 200"],
      ["before=x", "before: must be the number of a line"],
    ] as const) {
      expect(await service.page("GET", `${path}/journal?${query}`)).toMatchObject({
        status: 400,
        error,
      });
      expect(await service.page("GET", `${path}/audit?${query}`)).toMatchObject({ status: 400 });
    }
  });

  const file = async (query: string) => {
    const answer = await service.stream(`${path}/journal/export${query}`);
    const pieces: Buffer[] = [];
    for await (const piece of answer) pieces.push(Buffer.from(piece));
    return { headers: answer.headers, texts: Buffer.concat(pieces).toString().split("\n") };
  };
  /** The lines of a file, without the catalogue, which each part has again. */
  const lines = (texts: readonly string[]): readonly string[] =>
    texts.filter((text) => text !== "" && !text.startsWith('{"catalogue"'));

  test("an account's journal is a file whose decisions can be made again, and which can be read in parts", async () => {
    const { headers, texts } = await file("");
    expect(headers).toMatchObject({
      "content-type": "application/x-ndjson",
      "content-disposition": `attachment; filename="journal-${service.accountId}.jsonl"`,
    });
    const judge = createFileJudge();
    for (const text of texts.slice(0, -1)) judge.read(text);
    expect(judge.judgement()).toMatchObject({ lines: 9, judged: 6, different: null });

    const parts: string[] = [];
    for (const after of [0, 4, 8]) parts.push(...(await file(`?after=${after}&limit=4`)).texts);
    expect(lines(parts)).toEqual(lines(texts));
    expect(lines((await file("?after=9&limit=4")).texts)).toEqual([]);
    for (const query of ["after=x", "limit=0", "limit=1001", "limit="]) {
      const refused = await service.page("GET", `${path}/journal/export?${query}`);
      expect(refused).toMatchObject({ status: 400 });
    }
  });

  test("an account's journal is proved once at a time, and the first line that was changed is found", async () => {
    // Both calls arrive while another transaction occupies the database.
    const together = Promise.withResolvers<null>();
    const held = service.database.transaction(() => together.promise);
    const calls = [verify(), verify()];
    await service.stream("/nowhere");
    together.resolve(null);
    await held;
    const both = await Promise.all(calls);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect((await verify()).data).toEqual({ events: 9, broken: null } satisfies JournalCheck);
    await service.database.query("update journal set nonce = 'other' where nonce = 'my-nonce'");
    expect((await verify()).data).toEqual({
      events: 1,
      broken: { sequence: 2, problem: "the line is not as it was written" },
    } satisfies JournalCheck);
  });

  test("an account's journal stands beside what people did, as the audit tells it", async () => {
    expect(await service.data(`${path}/audit?limit=5`)).toEqual({ lines: [], before: null });
  });
});
