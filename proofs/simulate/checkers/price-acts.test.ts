import { type Instrument, type Instruments, pairId } from "@propgate/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CATALOGUE } from "../../../packages/server/src/testing/harness.ts";
import type { Checker, Observation } from "../checker.ts";
import { ActionsOnce } from "./actions-once.ts";
import { BlockedPairs } from "./blocked-pairs.ts";
import { FundingCharges } from "./funding-charges.ts";
import { JournalReader } from "./journal-reader.ts";
import { PublishedQuotes } from "./published-quotes.ts";
import { WaitingAccounts } from "./waiting-accounts.ts";
import { WatchedService } from "./watched-service.ts";

const HOUR_MS = 3_600_000;
const PAIR = pairId("BTCUSD");
const BUY = { execution_type: "MARKET", trade_pair: PAIR, order_type: "LONG", quantity: 1 };
const watched = await WatchedService.open({
  instruments: catalogueWith({ carry: { kind: "everyHour", rate: null } }),
});
let at: Observation;
let openedMs: number;
afterAll(() => watched.service.close());

/** Lets the account hold a position over two hours for which no funding rate was set. */
beforeAll(async () => {
  await watched.quote(PAIR, 50_000);
  openedMs = watched.service.time.clock.now();
  await watched.trade(BUY);
  await watched.service.pass(2 * HOUR_MS);
  await watched.quote(PAIR, 50_000);
  at = watched.observe();
});

async function messagesOf(
  make: (journal: JournalReader) => Checker,
  statements: readonly string[] = [],
  over: Partial<Observation> = {},
): Promise<readonly string[]> {
  return watched.messagesWhenTampered(statements, async (database) => {
    const found = await make(new JournalReader()).check({ ...at, database, ...over });
    return found.map(({ message }) => message);
  });
}

function catalogueWith(change: Partial<Instrument>): Instruments {
  const before = CATALOGUE.get(PAIR);
  if (before === undefined) throw new Error(`the catalogue has no ${PAIR}`);
  return new Map([...CATALOGUE, [PAIR, { ...before, ...change }]]);
}

const actions = (journal: JournalReader) =>
  new ActionsOnce(journal, new WaitingAccounts(new PublishedQuotes()));
const funding = (journal: JournalReader) => new FundingCharges(journal);
const blocked = (journal: JournalReader) => new BlockedPairs(journal);

test("a correct service causes no finding", async () => {
  expect(await messagesOf(actions)).toEqual([]);
  expect(await messagesOf(funding)).toEqual([]);
  expect(await messagesOf(blocked)).toEqual([]);
});

test("a split that an account has not had is found, unless it was cancelled", async () => {
  const announced = (status: string): string =>
    `insert into corporate_actions values (gen_random_uuid(), '${PAIR}', 'split', 2, 1, null, ${openedMs + HOUR_MS}, '${status}', 'operator', ${openedMs}, ${status === "announced" ? "null" : openedMs})`;
  expect(await messagesOf(actions, [announced("cancelled")])).toEqual([]);
  const [message] = await messagesOf(actions, [announced("announced")]);
  expect(message).toMatch(/^it has not had .* of BTCUSD/);
});

test("an hour whose rate was not charged is found", async () => {
  const hourMs = Math.ceil((openedMs + 1) / HOUR_MS) * HOUR_MS;
  const rate = `insert into funding_rates values ('${PAIR}', ${hourMs}, 0.0001, 'operator', ${openedMs})`;
  const [message] = await messagesOf(funding, [rate]);
  expect(message).toMatch(/BTCUSD was charged null for \d+, whose rate is 0.0001$/);
});

test("a fill that opens on a pair which the firm has blocked is found", async () => {
  const instruments = catalogueWith({ blocked: true });
  const [message] = await messagesOf(blocked, [], { instruments });
  expect(message).toMatch(/^line \d+: a market fill of BTCUSD, which is blocked$/);
});
