import { SIGNED_ENDPOINTS } from "@propgate/contract";
import { type BenchService, startBenchService } from "./bench-service.ts";
import { startChildProgram } from "./child.ts";
import { type LoadKey, type LoadResult, runLoad } from "./load.ts";
import { openDatabaseMeter } from "./performance/database-meter.ts";
import { READ_POSITIONS } from "./requests.ts";
import { median, type Row, wholeNumberText } from "./result-tables.ts";

const LARGE = 100_000;
const HUGE = 1_000_000;
const READS_OF_HISTORY = 40;
const READERS = 4;
const ACCOUNTS = 20;
const KEYS = 20;
/** Many short rounds, so that several of them end while the history is read. */
const ROUNDS = 15;
const REQUESTS = 200;
const CONNECTIONS = 4;

/**
 * The rows of long histories. The first row compares reads with other keys during forty reads of 100,000 trades with
 * such reads alone. The second row has the memory that one read of 10^6 trades needs.
 */
export async function measureTradeHistory(): Promise<readonly Row[]> {
  return [await besideHistory(), await hugeHistory()];
}

async function besideHistory(): Promise<Row> {
  const service = await startWithTrades(LARGE);
  try {
    const { history, others } = keysOf(service);
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
    let isRead = false;
    const reads = READS_OF_HISTORY;
    const done = readHistory(service, history, reads).finally(() => {
      isRead = true;
    });
    const beside: number[] = [];
    while (!isRead) beside.push((await load()).p50Ms);
    const statuses = await done;
    const [one, other] = [median(beside), median(alone)];
    return {
      what: `p50 of other keys' reads, beside ${reads} reads of ${wholeNumberText(LARGE)} trades (${statuses})`,
      one: `${one.toFixed(2)} ms`,
      other: `alone: ${other.toFixed(2)} ms`,
      ratio: one / other,
      bar: "≤ 3",
    };
  } finally {
    await service.stop();
  }
}

async function hugeHistory(): Promise<Row> {
  const service = await startWithTrades(HUGE);
  try {
    const { history } = keysOf(service);
    const before = service.peakMb();
    const startedAt = performance.now();
    const statuses = await readHistory(service, history, 1);
    const seconds = (performance.now() - startedAt) / 1000;
    const grown = service.peakMb() - before;
    return {
      what: `highest memory of a read of ${wholeNumberText(HUGE)} trades (${statuses}, ${seconds.toFixed(1)} s)`,
      one: `${wholeNumberText(grown)} MB more`,
      other: "the history of 100,000: 67 MB",
      ratio: grown / 67,
      bar: "≤ 10",
    };
  } finally {
    await service.stop();
  }
}

/**
 * Reads the whole history `reads` times in a process of its own, four at a time. Resolves with the number of answers by
 * status, as text.
 */
async function readHistory(
  { baseUrl }: BenchService,
  keys: readonly LoadKey[],
  reads: number,
): Promise<string> {
  const words = [
    baseUrl,
    SIGNED_ENDPOINTS.getTrades.path,
    String(reads),
    String(READERS),
    JSON.stringify(keys),
  ];
  const reader = await startChildProgram("read-sender.ts", words);
  return lastLineOf(await reader.ended);
}

/** The last line that `read-sender.ts` printed: the number of answers by status. */
export function lastLineOf(printed: string): string {
  return printed.trim().split("\n").at(-1) ?? "";
}

/** Starts a service whose first account has `trades` closed trades. */
function startWithTrades(trades: number): Promise<BenchService> {
  return startBenchService({
    accounts: ACCOUNTS,
    keysPerAccount: KEYS,
    batchMax: 0,
    fill: (databaseUrl, keys) => fillTrades(databaseUrl, keys[0], trades),
  });
}

/** The keys of the first account, and those of all others. */
function keysOf({ keys }: BenchService): {
  readonly history: readonly LoadKey[];
  readonly others: readonly LoadKey[];
} {
  return { history: keys.slice(0, KEYS), others: keys.slice(KEYS) };
}

async function fillTrades(
  databaseUrl: string,
  key: LoadKey | undefined,
  trades: number,
): Promise<void> {
  const meter = await openDatabaseMeter(databaseUrl);
  try {
    await meter.run(`insert into trades (account_id, seq, trade_id, closed_at_ms, trade)
      select account_id, seq, 'trade-' || seq, 1767614400000 + seq, replace($json$${SAMPLE}$json$, 'ID', 'trade-' || seq)
      from (select account_id from keys where key_id = '${key?.keyId}') one, generate_series(1, ${trades}) seq`);
    await meter.run("vacuum analyze trades");
  } finally {
    await meter.close();
  }
}

/** A trade as the executor stores it. `ID` stands for its id. */
const SAMPLE = JSON.stringify({
  id: "ID",
  pair: "BTCUSD",
  direction: "long",
  quantity: 10_000,
  cumulativeEntryValue: 5_000_000_000,
  leverage: 0.05,
  averageEntryPrice: 50_000.12,
  averageExitPrice: 50_010.34,
  realizedPnl: 1_022_000,
  returnAtClose: 1.00001022,
  fees: 3_000_613,
  status: "closed",
  openedAtMs: 1_767_614_400_000,
  closedAtMs: 1_767_614_460_000,
  stopLoss: null,
  takeProfit: null,
});
