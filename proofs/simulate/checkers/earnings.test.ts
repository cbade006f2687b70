import { type CycleClosed, type Event, microUsd, type Payout } from "@propgate/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Observation } from "../checker.ts";
import { Earnings } from "./earnings.ts";
import { JournalReader } from "./journal-reader.ts";
import { WatchedService } from "./watched-service.ts";

const WEEK_MS = 7 * 86_400_000;
const BUY = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 };
const watched = await WatchedService.open();
let at: Observation;
afterAll(() => watched.service.close());

async function closeAt(bid: number): Promise<void> {
  await watched.quote("BTCUSD", 50_000);
  await watched.trade(BUY);
  await watched.quote("BTCUSD", bid);
  await watched.trade({ execution_type: "FLAT_ALL" });
  await watched.service.pass(WEEK_MS);
}

/** Makes the account funded, lets it earn a payout in its first week, and lets its second week end below its size. */
beforeAll(async () => {
  await watched.service.accounts.promote(watched.accountId);
  await closeAt(51_000);
  await closeAt(47_500);
  at = watched.observe();
});

/** The messages about the journal when `change` replaces its closed cycles. */
async function messagesOf(change: (cycle: CycleClosed) => Event): Promise<readonly string[]> {
  const journal = new JournalReader();
  const checker = new Earnings({
    async news(given) {
      const news = await journal.news(given);
      const moved = news.moved.map(({ head, lines }) => ({
        head,
        lines: lines.map((line) => {
          const { event } = line;
          return { ...line, event: event.type === "cycleClosed" ? change(event) : event };
        }),
      }));
      return { ...news, moved };
    },
  });
  return (await checker.check(at)).map(({ message }) => message);
}

test("a correct service causes no finding", async () => {
  let cycles = 0;
  const same = (cycle: CycleClosed): Event => {
    cycles += 1;
    return cycle;
  };
  expect(await messagesOf(same)).toEqual([]);
  expect(cycles).toBe(2);
});

test("a profit that is paid twice is found", async () => {
  const twice = (cycle: CycleClosed): Event => ({ ...cycle, gross: microUsd(2 * cycle.gross) });
  expect(await messagesOf(twice)).toEqual([
    expect.stringContaining("earned, and no cycle had more than"),
    expect.stringContaining("earned, and no cycle had more than"),
  ]);
});

test("a cycle with another profit than the account's is found", async () => {
  const more = (cycle: CycleClosed): Event => ({ ...cycle, profit: microUsd(cycle.profit + 1) });
  expect(await messagesOf(more)).toHaveLength(2);
});

test("a payout while the account is below its size is found", async () => {
  let first: Payout | null = null;
  const paid = (cycle: CycleClosed): Event => {
    first ??= cycle.payout;
    return { ...cycle, payout: first };
  };
  expect(await messagesOf(paid)).toEqual([expect.stringContaining("a payout of")]);
});
