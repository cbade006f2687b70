/**
 * A firm's rehearsal: its own program, its own prices, 200 accounts, ten breaches and two weeks of payouts, in a
 * sandbox with a held clock. It reads everything from the operator's interface, and sends every write twice. From a
 * checkout:
 *
 *   node --conditions=@propgate/source examples/firm/firm.ts [ACCOUNTS [FOLDER]]
 *
 * The payouts of each week are written to FOLDER as CSV. The index SPX pays no fee and no carry, so every sum can be
 * checked without a calculator: a point is 10 USD on 10 lots.
 */
import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox } from "./firm-sandbox.ts";
import { createOperator } from "./operator.ts";
import { openReceiver } from "./receiver.ts";
import { createTrader, each, type Trader } from "./traders.ts";

const PAIR = "SPX";
const SIZE = 50_000;
/** One account in this many breaches its daily limit. */
const BREACHES_ONE_OF = 20;
/** The size of a page of payouts, and the maximum number of accounts, so that one page has all payouts of a week. */
const PAGE_MAX = 500;
const EVENTS = [
  "account.opened",
  "challenge.passed",
  "account.eliminated",
  "payout.cycle_closed",
  "payout.updated",
];

const [accounts = "200", folder = await mkdtemp(join(tmpdir(), "firm-"))] = process.argv.slice(2);
const count = Number(accounts);
assert(
  Number.isInteger(count) && count >= BREACHES_ONE_OF && count <= PAGE_MAX,
  "ACCOUNTS: a whole number from 20 to 500",
);
const breaches = Math.floor(count / BREACHES_ONE_OF);

const sandbox = await openSandbox("2026-01-05T15:00:00Z");
const operator = createOperator(sandbox);
const receiver = await openReceiver();
try {
  await subscribe();
  const traders = await sell();
  await pass(traders);
  await tradeOn("2026-01-06", traders, [5_400, 5_450]);
  await pay("2026-01-12", { payouts: count, each: 400 });
  await breach("2026-01-13", traders.slice(0, breaches));
  await tradeOn("2026-01-14", traders.slice(breaches), [5_400, 5_440]);
  await pay("2026-01-19", { payouts: count - breaches, each: 320 });
  await compareDeliveries();
  say(`${operator.repeated()} writes were sent twice and acted once`);
} finally {
  await sandbox.stop();
  await receiver.close();
}

function say(line: string): void {
  console.log(`${new Date(sandbox.now()).toISOString().slice(0, "2026-01-05".length)}  ${line}`);
}

async function subscribe(): Promise<void> {
  const { secret } = await operator.write<{ readonly secret: string }>("/webhooks", {
    key: "webhook",
    body: { url: receiver.url, label: "firm", types: EVENTS },
  });
  receiver.useSecret(secret);
}

/** Opens the accounts of all sales and makes a key for each trader. */
async function sell(): Promise<readonly Trader[]> {
  const sales = Array.from({ length: count }, (_, index) => ({
    externalId: `sale-${index + 1}`,
    ownerId: `customer-${index + 1}`,
    programId: "firm-one",
    size: SIZE,
  }));
  const opened = await operator.bulk<Account>("/accounts/bulk", sales, "sales of January");
  const scopes = ["trade:read", "trade:place"];
  const keys = await operator.bulk<{ readonly keyId: string; readonly secret: string }>(
    "/keys/bulk",
    opened.map(({ accountId }) => ({ accountId, scopes })),
    "keys of January",
  );
  const { total } = await operator.read<Page<Account>>("/accounts?programId=firm-one&limit=1");
  // The sandbox itself opened one account with the same program.
  assert.equal(total, count + 1);
  say(`sold: ${count} accounts of ${SIZE}`);
  const { baseUrl, now } = sandbox;
  return keys.map((key) => createTrader({ ...key, baseUrl, now }));
}

/** All traders reach the target: 400 points on 10 lots are 4,000, which are 8 % of the size. */
async function pass(traders: readonly Trader[]): Promise<void> {
  await sandbox.push(PAIR, 5_000);
  await each(traders, (trader) => trader.buy(PAIR, 10));
  await sandbox.push(PAIR, 5_400);
  await each(traders, (trader) => trader.sell(PAIR));
  const { total } = await operator.read<Page<Account>>("/accounts?phase=funded&limit=1");
  assert.equal(total, count);
  say("passed: every account is funded");
}

/** Each trader buys ten lots at the first price and sells them at the second. */
async function tradeOn(
  day: string,
  traders: readonly Trader[],
  [from, to]: readonly [number, number],
): Promise<void> {
  await sandbox.at(`${day}T15:00:00Z`);
  await sandbox.push(PAIR, from);
  await each(traders, (trader) => trader.buy(PAIR, 10));
  await sandbox.push(PAIR, to);
  await each(traders, (trader) => trader.sell(PAIR));
}

/**
 * Moves the clock to the Monday on which a week ends. Every payout that is due is paid, and all are written to a file.
 */
async function pay(
  monday: string,
  expected: { readonly payouts: number; readonly each: number },
): Promise<void> {
  await sandbox.at(`${monday}T00:00:00Z`);
  const due = `status=pending&sort=id&limit=${PAGE_MAX}`;
  const { items, next, sums } = await operator.read<Payouts>(`/payouts?${due}`);
  assert.equal(next, null, "more payouts than a page has");
  const amount = expected.payouts * expected.each;
  const dueNow = sums.find(({ status }) => status === "pending");
  assert.deepEqual(dueNow, { status: "pending", count: expected.payouts, amount, paidAmount: 0 });

  // The answer of the next call is lost. The repeated call with the same key then shows that the payouts were recorded.
  await sandbox.loseNextAnswer();
  await operator.bulk(
    "/payouts/bulk",
    items.map(({ id, amount: owed }, index) => ({
      id,
      status: "paid",
      rail: "bank",
      reference: `${monday}/${index + 1}`,
      paidAmount: Math.round(owed * 100) / 100,
    })),
    `payouts of ${monday}`,
  );
  const week = `periodEndMsMin=${sandbox.now()}&periodEndMsMax=${sandbox.now()}`;
  const fields = "externalId,ownerId,amount,paidAmount,status,reference,paidAtMs";
  const file = join(folder, `payouts-${monday}.csv`);
  const csv = await operator.file(`/payouts?${week}&sort=id&format=csv&fields=${fields}`);
  await writeFile(file, csv);
  const rows = csv.trimEnd().split("\r\n").slice(1);
  assert.equal(rows.length, expected.payouts);
  assert(rows.every((row) => row.includes(`,${expected.each},${expected.each},paid,${monday}/`)));
  say(`paid: ${amount} USD in ${rows.length} payouts, listed in ${file}`);
}

/** The reckless traders lose more than 5 % of the equity at the start of the day: 150 points on 20 lots are 3,000. */
async function breach(day: string, reckless: readonly Trader[]): Promise<void> {
  await sandbox.at(`${day}T15:00:00Z`);
  await sandbox.push(PAIR, 5_450);
  await each(reckless, (trader) => trader.buy(PAIR, 20));
  await sandbox.push(PAIR, 5_300);
  const { items } = await operator.read<Page<Account>>(
    `/accounts?endedAtMsMin=${sandbox.now()}&sort=-endedAtMs&fields=accountId,externalId,endReason`,
  );
  assert.equal(items.length, breaches);
  for (const { accountId, endReason } of items) {
    assert.equal(endReason, "FAILED_FUNDED_PERIOD_INTRADAY_DRAWDOWN");
    const { end } = await operator.read<{ readonly end: End }>(`/accounts/${accountId}`);
    assert.equal(end.limit, "dailyLoss");
    assert.deepEqual(
      end.quotes.map(({ pair, bid, source }) => [pair, bid, source]),
      [[PAIR, 5_300, "push"]],
    );
    const text = await operator.file(`/accounts/${accountId}/evidence`);
    const { figures }: { readonly figures: Figures } = JSON.parse(text);
    const [position] = figures.positions;
    assert.deepEqual(
      [position?.quantity, position?.averageEntryPrice, position?.mark, position?.unrealizedPnl],
      [20, 5_450, 5_300, -3_000],
    );
    // The balance has been 50,500 since the first week, and 5 % of it may be lost in a day.
    assert.deepEqual([figures.balance, figures.equity, figures.floor], [50_500, 47_500, 47_975]);
    assert.deepEqual([end.equity, end.floor], [47_500, 47_975]);
  }
  say(`breached: ${breaches} accounts, each with the price and the sum that ended it`);
}

/** The receiver must have every event of the subscribed types, those of an account in their order. */
async function compareDeliveries(): Promise<void> {
  await sandbox.at(new Date(sandbox.now()).toISOString());
  const recorded = new Map<string, string[]>();
  let after = "0";
  for (;;) {
    const page = await operator.read<Events>(
      `/events?after=${after}&limit=500&types=${EVENTS.join(",")}`,
    );
    for (const { accountId, type, sequence } of page.items) {
      recorded.set(accountId, [...(recorded.get(accountId) ?? []), `${type} ${sequence}`]);
    }
    if (page.items.length === 0 && page.next === after) break;
    after = page.next;
  }
  const first = [...recorded.keys()].filter((id) => !receiver.received.has(id));
  // The sandbox opened its first account before the webhook was made, so the receiver has no event of it.
  assert.equal(first.length, 1);
  for (const id of first) recorded.delete(id);
  assert.deepEqual(sorted(receiver.received), sorted(recorded));
  assert.equal(receiver.refused(), 0);
  const events = [...recorded.values()].flat().length;
  say(`received: ${events} events of ${recorded.size} accounts, each account's in order`);
}

function sorted(events: ReadonlyMap<string, readonly string[]>) {
  return [...events].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly total: number;
}

interface Account {
  readonly accountId: string;
  readonly externalId: string;
  readonly endReason: string | null;
}

interface Payouts extends Page<{ readonly id: string; readonly amount: number }> {
  readonly sums: readonly { readonly status: string }[];
}

interface End {
  readonly limit: string;
  readonly equity: number;
  readonly floor: number;
  readonly quotes: readonly {
    readonly pair: string;
    readonly bid: number;
    readonly source: string;
  }[];
}

interface Figures {
  readonly balance: number;
  readonly equity: number;
  readonly floor: number;
  readonly positions: readonly {
    readonly quantity: number;
    readonly averageEntryPrice: number;
    readonly mark: number;
    readonly unrealizedPnl: number;
  }[];
}

interface Events {
  readonly items: readonly {
    readonly accountId: string;
    readonly type: string;
    readonly sequence: number;
  }[];
  readonly next: string;
}
