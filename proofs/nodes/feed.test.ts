import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemTimer } from "../../packages/base/src/clock.ts";
import { systemChance } from "../../packages/base/src/random.ts";
import { parseNatsUrl } from "../../packages/base/src/settings/nats-address.ts";
import { openNatsTransport } from "../../packages/base/src/transport/nats-transport.ts";
import type { Transport } from "../../packages/base/src/transport/transport.ts";
import { decodePhrases } from "../../packages/ledger/src/storage/journal/line-text.ts";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { eventually, until } from "../../test/eventually.ts";
import type { Trader } from "../kills/kill-under-load.ts";
import { type NodeGroup, openNodeGroup, orderRequest } from "./node-group.ts";

/**
 * The servers of these tests; null when one is missing. The tests run three processes of the service. One of them, the
 * feed, makes the prices of all.
 */
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];

const BUY = orderRequest({
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 100,
});
const EVERY_MS = 50;
const EVERY_NODE = 3;

interface Published {
  readonly epoch: number;
  readonly number: number;
  readonly bid: number;
  readonly ask: number;
}

interface Line {
  readonly pair: string;
  readonly quote: Published;
}

/** A part of the line that a node logs when it becomes the feed under this epoch. */
function isFeed(epoch: number): string {
  return `"epoch":${epoch},"msg":"this node is the price feed now"`;
}

describe.skipIf(postgres === null || nats === null)("processes with one feed", () => {
  let two: NodeGroup;
  let listener: Transport;
  const published: Line[] = [];

  beforeAll(async () => {
    two = await openNodeGroup(postgres ?? "", {
      nodes: 3,
      settings: { PROPGATE_LOG_LEVEL: "info" },
    });
    const [row] = await two.database.query<{ value: string }>(
      "select value from settings where name = 'installation.id'",
      [],
    );
    const address = parseNatsUrl(nats ?? "");
    if (address === null || row === undefined) throw new Error("the nodes did not use the bus");
    const log = { warn: () => undefined, info: () => undefined } as never;
    const [timer, chance] = [systemTimer, systemChance];
    listener = await openNatsTransport({ address, timer, chance, log });
    listener.subscribe(`propgate.${row.value}.v1.quotes.*`, ({ subject, content }) => {
      const text = new TextDecoder().decode(content);
      // The first line of a message is its seal, which proves that a node of this installation sent it.
      const { epoch, number, quote } = JSON.parse(text.slice(text.indexOf("\n") + 1));
      const pair = subject.slice(subject.lastIndexOf(".") + 1);
      published.push({ pair, quote: { epoch, number, bid: quote[1], ask: quote[2] } });
    });
  });
  afterAll(async () => {
    for (const node of two?.nodes ?? []) node.resume();
    await listener?.close();
    await two?.close();
  });

  const epoch = async (): Promise<number> => {
    const [row] = await two.database.query<{ epoch: string }>(
      "select epoch from leases where name = 'feed'",
      [],
    );
    return Number(row?.epoch ?? 0);
  };
  /** The index of the node that has logged that it is the feed under the newest epoch. */
  const feed = async (): Promise<number> => {
    const newest = await epoch();
    const place = two.nodes.findIndex(({ output }) => output.includes(isFeed(newest)));
    if (place < 0) throw new Error(`no node says that it has epoch ${newest}`);
    return place;
  };
  /** Creates a trader. Tries again while the account's partition changes its owner, as it does after a restart. */
  const newTrader = (node?: number): Promise<Trader> => eventually(() => two.newTrader(node));
  const ready = async (node: number): Promise<string> => {
    const answer = await fetch(`${two.nodes[node]?.baseUrl}/ready`);
    return `${answer.status} ${await answer.text()}`;
  };
  /**
   * The quotes that decisions used, read from the inputs of their journal lines. Each quote lists its pair, bid, ask
   * and age, and then its origin: epoch, number and source.
   */
  const usedQuotes = async (): Promise<readonly Line[]> => {
    const rows = await two.database.query<{ inputs: string }>(
      "select inputs from journal where inputs is not null and nonce is not null order by at_ms, seq",
      [],
    );
    return rows.flatMap(({ inputs }) => {
      const quotes: readonly [string, number, number, number, [number, number, string]][] =
        JSON.parse(decodePhrases(inputs)).at(-1);
      return quotes.map(([pair, bid, ask, , [of, number]]) => ({
        pair,
        quote: { epoch: of, number, bid, ask },
      }));
    });
  };

  test("processes with one feed start with one feed, and all are ready", async () => {
    for (const node of [0, 1, 2])
      await until(async () => (await ready(node)) === '200 {"status":"ready"}');
    const newest = await epoch();
    const feeds = two.nodes.filter(({ output }) => output.includes(isFeed(newest)));
    expect(feeds).toHaveLength(1);
  });

  test("processes with one feed decide at the same quotes: those that were published under the number", async () => {
    const trader = await newTrader();
    for (let node = 0; node < 12; node += 1) {
      expect(await two.send(node, trader, BUY)).toMatchObject({ status: 200 });
      await setTimeout(EVERY_MS);
    }
    const used = await usedQuotes();
    const first = published[0]?.quote;
    const known = used.filter(
      ({ quote }) => quote.epoch > (first?.epoch ?? 0) || quote.number >= (first?.number ?? 0),
    );
    expect(known.length).toBeGreaterThan(EVERY_NODE);
    for (const line of known) expect(published).toContainEqual(line);
    const places = used.map(({ quote }) => [quote.epoch, quote.number] as const);
    expect(places).toEqual(places.toSorted(([a, m], [b, n]) => a - b || m - n));
  });

  test("processes with one feed go on under a greater epoch when the feed is killed", async () => {
    const killed = await feed();
    const before = await epoch();
    await two.kill(killed);
    await until(async () => (await epoch()) > before);
    const next = await epoch();
    await until(() => published.some(({ quote }) => quote.epoch === next));
    const left = [0, 1, 2].filter((node) => node !== killed);
    for (const node of left) await until(async () => (await ready(node)).startsWith("200"));
    const trader = await newTrader(left[0]);
    for (const node of left) {
      expect(await two.send(node, trader, BUY)).toMatchObject({ status: 200 });
    }
    await two.restart(killed, {});
    await until(async () => (await ready(killed)).startsWith("200"));
    expect(await two.send(killed, trader, BUY)).toMatchObject({ status: 200 });
    expect((await usedQuotes()).at(-1)?.quote.epoch).toBeGreaterThanOrEqual(next);
  });

  test("processes with one feed show nothing of a feed that was stopped and goes on", async () => {
    const stopped = await feed();
    const before = await epoch();
    const node = two.nodes[stopped];
    node?.pause();
    await until(async () => (await epoch()) > before);
    const next = await epoch();
    await until(() => published.some(({ quote }) => quote.epoch === next));
    const mark = published.length;
    node?.resume();
    await until(async () => (await ready(stopped)).startsWith("200"));
    await until(() => published.length > mark + 100);
    const after = published.slice(mark);
    expect(after.filter(({ quote }) => quote.epoch < next)).toEqual([]);
  });
});
