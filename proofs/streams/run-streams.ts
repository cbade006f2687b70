import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { LIMITS } from "@propgate/contract";
import { type AccountEvent, createClient } from "@propgate/sdk";
import { type CuttingProxy, startCuttingProxy } from "../../test/cutting-proxy.ts";
import type { Trader } from "../kills/kill-under-load.ts";
import { type NodeGroup, openNodeGroup, orderRequest } from "../nodes/node-group.ts";
import { READER_KINDS, type ReaderKind, StreamReader } from "./stream-reader.ts";

/** The result of a run of `runStreams`: its counts, and the readers that failed or have wrong events. */
export interface StreamsResult {
  readonly cuts: number;
  readonly kills: number;
  /** The number of events that the readers got, by the kind of reader. */
  readonly eventsOf: Readonly<Record<string, number>>;
  /** The number of times that a consumer failed while it handled an event, and handled the event again. */
  readonly crashes: number;
  /** Readers whose events differ from the account's events of `GET events`. Must be empty. */
  readonly different: readonly string[];
  /** Readers that ended with an error. Must be empty. */
  readonly failed: readonly string[];
}

interface Plan {
  /** The PostgreSQL server on which the nodes get a new database. */
  readonly serverUrl: string;
  readonly cuts: number;
  readonly kills: number;
  /** Called every second with the number of cut connections. */
  readonly onCuts?: (count: number) => void;
}

const ACCOUNTS = 12;
/**
 * The maximum number of bytes on a connection before its cut. The head of an answer has about 300 bytes, and an event
 * about 700.
 */
const CUT_AFTER_MAX_BYTES = 6_000;
const ACT_EVERY_MS = 400;
const POLL_EVERY_MS = 1_000;

const LIMIT = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.01,
  limit_price: 1_000,
};

/**
 * Reads the events of accounts with every kind of reader through a proxy. The proxy spreads connections over two nodes
 * and cuts each connection after a random number of bytes. Meanwhile the accounts trade, and the nodes are killed one
 * after the other. At the end, each reader's events are compared with those of `GET events`.
 */
export async function runStreams(plan: Plan): Promise<StreamsResult> {
  const two = await openNodeGroup(plan.serverUrl, { settings: { PROPGATE_PRICES: "simulated" } });
  let isCutting = true;
  const proxy = await startCuttingProxy(
    () => Number(new URL(two.nodes[randomInt(2)]?.baseUrl ?? "").port),
    () => (isCutting ? randomInt(CUT_AFTER_MAX_BYTES) : null),
  );
  try {
    const accounts: Account[] = [];
    // One after the other, because an operator token may have only few concurrent calls.
    while (accounts.length < ACCOUNTS) accounts.push(await openAccount(two));
    const readers = accounts.flatMap(({ keys }) =>
      keys.map(([kind, key]) => new StreamReader(key, kind, proxy.baseUrl)),
    );
    const reading = Promise.all(readers.map((reader) => reader.run()));
    const kills = await tradeUntilCut({ two, proxy, plan, accounts });
    isCutting = false;
    const different = await compareReaders(two, accounts, readers);
    for (const reader of readers) reader.stop();
    await reading;
    return {
      ...countsOf(readers),
      cuts: proxy.cuts(),
      kills,
      different,
      failed: readers.flatMap(({ name, failure }) =>
        failure === null ? [] : [`${name}: ${failure}`],
      ),
    };
  } finally {
    await proxy.close();
    await two.close();
  }
}

interface Account {
  readonly trader: Trader;
  /** One key for each kind of reader. */
  readonly keys: readonly (readonly [ReaderKind, Trader])[];
}

async function openAccount(two: NodeGroup): Promise<Account> {
  const trader = await two.newTrader();
  const body = { accountId: trader.accountId, scopes: ["trade:read"] };
  const keys = await Promise.all(
    READER_KINDS.map(async (kind): Promise<readonly [ReaderKind, Trader]> => {
      const made = await two.operate(0, "POST /keys", body);
      const { keyId, secret } = Object(Object(made.body).data);
      return [kind, { ...trader, keyId: String(keyId), secret: String(secret) }];
    }),
  );
  return { trader, keys };
}

/**
 * Trades and kills nodes until the planned numbers of cuts and kills are reached. Resolves with the number of kills,
 * which are spread over the cuts.
 */
async function tradeUntilCut({
  two,
  proxy,
  plan,
  accounts,
}: {
  readonly two: NodeGroup;
  readonly proxy: CuttingProxy;
  readonly plan: Plan;
  readonly accounts: readonly Account[];
}): Promise<number> {
  const isOver = (): boolean => proxy.cuts() >= plan.cuts && kills >= plan.kills;
  let kills = 0;
  const trade = async ({ trader }: Account): Promise<void> => {
    while (!isOver()) {
      // An order whose node is killed may be carried out or not. The comparison with `GET events` does not depend on
      // it.
      await placeAndCancel(two, trader).catch(() => undefined);
      await setTimeout(ACT_EVERY_MS);
    }
  };
  const kill = async (): Promise<void> => {
    while (!isOver()) {
      await setTimeout(POLL_EVERY_MS);
      plan.onCuts?.(proxy.cuts());
      if (kills >= plan.kills || proxy.cuts() * plan.kills < plan.cuts * kills) continue;
      await two.restart(kills % 2, {});
      kills += 1;
    }
  };
  await Promise.all([kill(), ...accounts.map(trade)]);
  return kills;
}

/** Places an order that stays pending, and cancels it. */
async function placeAndCancel(two: NodeGroup, trader: Trader): Promise<void> {
  const node = randomInt(2);
  const placed = await two.send(node, trader, orderRequest(LIMIT));
  const { order_uuid } = Object(Object(placed.body).data);
  if (order_uuid === undefined) return;
  await two.send(node, trader, orderRequest({ execution_type: "LIMIT_CANCEL", order_uuid }));
}

/**
 * Waits until each reader has the newest event that it can get, or has failed. Resolves with the readers whose events
 * differ from those of `GET events`.
 */
async function compareReaders(
  two: NodeGroup,
  accounts: readonly Account[],
  readers: readonly StreamReader[],
): Promise<readonly string[]> {
  const different: string[] = [];
  for (const { trader } of accounts) {
    const all = await eventsOf(two, trader);
    for (const reader of readers.filter(({ key }) => key.accountId === trader.accountId)) {
      const expected = all.filter((event) => reader.matches(event));
      const last = expected.at(-1)?.sequence ?? 0;
      while (reader.failure === null && reader.lastSequence < last) await setTimeout(POLL_EVERY_MS);
      if (JSON.stringify(reader.events) === JSON.stringify(expected)) continue;
      different.push(`${reader.name}: ${reader.events.length} events, not ${expected.length}`);
    }
  }
  return different;
}

/** All events of the account, read in pages from the first node without the proxy. */
async function eventsOf(two: NodeGroup, key: Trader): Promise<readonly AccountEvent[]> {
  const client = createClient({ ...key, baseUrl: two.nodes[0].baseUrl });
  const events: AccountEvent[] = [];
  for (let after: string | number = 0; ; ) {
    const { items, next } = await client.eventsPage({ after, limit: LIMITS.eventsLimitMax });
    if (items.length === 0) return events;
    events.push(...items);
    after = next;
  }
}

function countsOf(readers: readonly StreamReader[]) {
  const eventsOf = Object.fromEntries(
    READER_KINDS.map((kind): [string, number] => {
      const own = readers.filter((reader) => reader.kind === kind);
      return [kind, own.reduce((sum, { events }) => sum + events.length, 0)];
    }),
  );
  return {
    eventsOf,
    crashes: readers.reduce((sum, { crashes }) => sum + crashes, 0),
  };
}
