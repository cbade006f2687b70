import { randomUUID } from "node:crypto";
import { orderPath, SIGNED_ENDPOINTS } from "@propgate/contract";
import { accountId } from "@propgate/core";
import { openDatabase } from "@propgate/ledger";
import { lengthenHistory } from "../packages/server/src/testing/long-history.ts";
import { sendRequest, signedHeaders } from "../packages/server/src/testing/signed-request.ts";
import { type BenchService, type ServiceAddress, startBenchService } from "./bench-service.ts";
import { startChildProgram } from "./child.ts";
import { type LoadKey, type LoadResult, runLoad } from "./load.ts";
import { marketOrder, READ_POSITIONS, type RequestForm } from "./requests.ts";
import { median, type Row } from "./result-tables.ts";
import { lastLineOf } from "./trade-history.ts";

const LINES = 100_000;
const QUICK_LINES = 5_000;
const ACCOUNTS = 20;
const KEYS = 20;
/** The number of concurrent requests of the greedy account, which `GREEDY_KEYS` keys send. */
const CONCURRENT = 240;
const GREEDY_KEYS = 12;
/** Short rounds, so that several of them end while the expensive answers are made. */
const ROUNDS = 15;
const REQUESTS = 100;
const CONNECTIONS = 4;

/**
 * The latency of other accounts' reads during 240 concurrent expensive requests of one account, against the same reads
 * just before. There is a row for each kind of expensive request. The journal of that account has 100,000 lines, most
 * of them edits of one order; a quick run makes 5,000.
 */
export async function measureGreedyAccount(isQuick: boolean): Promise<readonly Row[]> {
  const lines = isQuick ? QUICK_LINES : LINES;
  let edited = "";
  const service = await startBenchService({
    accounts: ACCOUNTS,
    keysPerAccount: KEYS,
    batchMax: 0,
    async prepare(made) {
      edited = await trade(made);
    },
    fill: (databaseUrl, [key]) => lengthenJournal(databaseUrl, key, lines),
  });
  try {
    const rows: Row[] = [];
    for (const target of [
      `${SIGNED_ENDPOINTS.getEvents.path}?after=0&limit=500&proof=1`,
      `${SIGNED_ENDPOINTS.getEvents.path}?after=0&limit=500&types=account.eliminated`,
      `${SIGNED_ENDPOINTS.getOrderHistory.path}?after=0&limit=500`,
      `${SIGNED_ENDPOINTS.getFills.path}?after=0&limit=500`,
      SIGNED_ENDPOINTS.getTrades.path,
      orderPath(edited),
    ]) {
      rows.push(await compareBeside(service, target.replace(edited, "{orderUuid}"), target));
    }
    return rows;
  } finally {
    await service.stop();
  }
}

async function compareBeside(service: BenchService, name: string, target: string): Promise<Row> {
  const [greedyKeys, others] = [service.keys.slice(0, GREEDY_KEYS), service.keys.slice(KEYS)];
  const load = (): Promise<LoadResult> =>
    runLoad({
      ...service,
      ...READ_POSITIONS,
      keys: others,
      requests: REQUESTS,
      connections: CONNECTIONS,
    });
  await load();
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) alone.push((await load()).p50Ms);
  const words = [
    service.baseUrl,
    target,
    String(CONCURRENT),
    String(CONCURRENT),
    JSON.stringify(greedyKeys),
  ];
  const reader = await startChildProgram("read-sender.ts", words);
  let isOver = false;
  const ended = reader.ended.finally(() => {
    isOver = true;
  });
  const during: number[] = [];
  while (!isOver) during.push((await load()).p50Ms);
  const [one, other] = [median(during), median(alone)];
  return {
    what: `p50 of other accounts' reads beside ${CONCURRENT} concurrent requests of one account: ${name} (${lastLineOf(await ended)})`,
    one: `${one.toFixed(2)} ms`,
    other: `alone: ${other.toFixed(2)} ms`,
    ratio: one / other,
    bar: "≤ 3",
  };
}

/**
 * Places and edits a pending order with the first key, then buys, and closes all positions. Resolves with the id of the
 * edited order.
 */
async function trade(service: ServiceAddress): Promise<string> {
  const place = (form: RequestForm) => placeOrder(service, form);
  const limit = { execution_type: "LIMIT", quantity: 0.01, limit_price: 1_000 };
  const edited = await place(marketOrder("BTCUSD", limit));
  const edit = { ...limit, execution_type: "LIMIT_EDIT", order_uuid: edited };
  for (const limit_price of [1_001, 1_002])
    await place(marketOrder("BTCUSD", { ...edit, limit_price }));
  await place(marketOrder("BTCUSD", { value: 100 }));
  await place({
    ...marketOrder("BTCUSD", {}),
    body: JSON.stringify({ trade: { execution_type: "FLAT_ALL" } }),
  });
  return edited;
}

/** Sends an order with the first key. Resolves with the id of the order; throws unless it is accepted. */
async function placeOrder(
  { host, port, keys }: ServiceAddress,
  form: RequestForm,
): Promise<string> {
  const [key] = keys;
  if (key === undefined) throw new Error("a trader needs a key");
  const { method, target: path, body } = form;
  const signed = { method, target: path, body, timestamp: String(Date.now()), nonce: randomUUID() };
  const headers = { ...signedHeaders(key, signed), "Content-Type": "application/json" };
  const reply = await sendRequest({ host, port, method, path, headers }, body);
  if (reply.status !== 200)
    throw new Error(`an order was answered with ${reply.status}: ${reply.text}`);
  return (reply.json() as { readonly data: { readonly order_uuid: string } }).data.order_uuid;
}

async function lengthenJournal(
  databaseUrl: string,
  key: LoadKey | undefined,
  lines: number,
): Promise<void> {
  const database = await openDatabase({ databaseUrl, dataDir: null });
  try {
    const [row] = await database.query<{ readonly account_id: string }>(
      "select account_id from keys where key_id = $1",
      [key?.keyId],
    );
    await lengthenHistory(database, accountId(row?.account_id ?? ""), lines);
  } finally {
    await database.close();
  }
}
