import { accountId, type Trade } from "@propgate/core";
import { describe, expect, test } from "vitest";
import type { TradesPage, TradingNetwork } from "../../../ledger/src/trading/network/port.ts";
import { createTradeTexts } from "./trade-texts.ts";

const ID = accountId("7f1c1c9e-94a2-4f0f-9d0a-000000000001");

/** An account whose trades are numbered from 1. It counts the reads and the rendered trades. */
function account(trades: number, keptBytesMax?: number) {
  const count = { trades, rendered: 0, statements: 0, fails: false };
  const network: Pick<TradingNetwork, "trades"> = {
    trades: async (_at, { newerThan, olderThan, limit }: TradesPage) => {
      count.statements += 1;
      if (count.fails) return { ok: false, error: "upstream", message: "gone" };
      const newest = typeof olderThan === "number" ? olderThan - 1 : count.trades;
      const length = Math.max(0, Math.min(limit, newest - newerThan));
      const seqs = Array.from({ length }, (_, index) => newest - index);
      return { ok: true, value: seqs.map((seq) => ({ seq, trade: { id: String(seq) } as Trade })) };
    },
  };
  const texts = createTradeTexts({
    network,
    textOf: (page) => {
      count.rendered += page.length;
      return page.map(({ id }) => id).join(",");
    },
    ...(keptBytesMax === undefined ? {} : { keptBytesMax }),
  });
  const read = async (version: number): Promise<readonly number[]> => {
    const reading = await texts.read({ accountId: ID, version });
    if (!reading.ok) throw new Error(reading.error);
    const pieces: string[] = [];
    for await (const piece of reading.value) pieces.push(Buffer.from(piece).toString());
    return JSON.parse(`[${pieces.join(",")}]`) as readonly number[];
  };
  return { count, texts, read };
}

const newestFirst = (trades: number): readonly number[] =>
  Array.from({ length: trades }, (_, index) => trades - index);

describe("the texts of an account's trades", () => {
  test("the texts of an account's trades are made once for all reads of all versions of the account [D13.tradesOnce]", async () => {
    const { count, read } = account(100_000);
    expect(await read(5)).toEqual(newestFirst(100_000));
    expect(count.rendered).toBe(100_000);
    const { statements } = count;
    for (let reads = 0; reads < 40; reads += 1) expect(await read(5)).toHaveLength(100_000);
    expect([count.rendered, count.statements]).toEqual([100_000, statements + 40]);
    for (let version = 6; version < 40; version += 1) {
      count.trades += version % 3;
      expect(await read(version)).toEqual(newestFirst(count.trades));
    }
    expect(count.rendered).toBe(count.trades);
  });

  test("texts of trades that do not fit are rendered while they are sent, and nothing of them is kept [D13.tradesOnce]", async () => {
    const { count, read } = account(5_000, 10_000);
    expect(await read(1)).toEqual(newestFirst(5_000));
    expect(await read(1)).toEqual(newestFirst(5_000));
    expect(count.rendered).toBe(10_000);
  });

  test("texts of trades of an unfinished or failed read are not taken for the whole list", async () => {
    const { count, texts, read } = account(5_000);
    const begun = await texts.read({ accountId: ID, version: 1 });
    if (!begun.ok) throw new Error(begun.error);
    for await (const piece of begun.value) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    count.fails = true;
    await expect(read(1)).rejects.toThrow("upstream");
    count.fails = false;
    expect(await read(1)).toEqual(newestFirst(5_000));
  });

  test("the texts of an account's trades are made again when the account's history has changed, also during a read", async () => {
    const { count, texts, read } = account(600);
    expect(await read(1)).toHaveLength(600);
    count.trades = 300;
    texts.forget(ID);
    const reading = await texts.read({ accountId: ID, version: 1 });
    texts.forget(ID);
    if (reading.ok) for await (const _ of reading.value) count.trades = 200;
    expect(await read(1)).toEqual(newestFirst(200));
  });
});
