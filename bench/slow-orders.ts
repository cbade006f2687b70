import { startStandInProcess } from "../test/stand-in-process.ts";
import { type BenchService, callOperator, startBenchService } from "./bench-service.ts";
import { type LoadKey, type LoadResult, runLoad } from "./load.ts";
import { expectAllAnswered, marketOrder, READ_POSITIONS } from "./requests.ts";
import { median, type Row } from "./result-tables.ts";

const SLOW_MS = 60_000;
const SLOW_ACCOUNTS = 50;
const READING_ACCOUNTS = 20;
const KEYS = 20;
const ROUNDS = 3;
const REQUESTS = 4_000;
const CONNECTIONS = 16;
const PAIR = "BTCUSDC";

/** The description of the load, for the page of results. */
export const LINKED_LOAD_TEXT = `## Linked accounts

50 linked accounts send an order each, which [the stand-in](../packages/stand-in/README.md) holds for 60 seconds; 20 other
linked and 20 embedded accounts read over 16 connections, without and then during these orders.`;

/**
 * Measures reads of embedded and of linked accounts, first alone and then during 50 orders of other linked accounts.
 * The validator, here the stand-in, holds each of these orders for 60 seconds.
 */
export async function measureSlowOrders(): Promise<readonly Row[]> {
  const standIn = await startStandInProcess();
  const { control, settings } = standIn;
  const service = await startBenchService({
    accounts: READING_ACCOUNTS,
    keysPerAccount: KEYS,
    batchMax: 0,
    settings,
  });
  try {
    await control.setPrices({ [PAIR]: { bid: 50_000, ask: 50_000 } });
    const link = async (keys: number): Promise<readonly LoadKey[]> => {
      const { hotkey } = await control.addSubaccount({});
      return linkedKeys(service, hotkey, keys);
    };
    const slow: LoadKey[] = [];
    const linked: LoadKey[] = [];
    for (let made = 0; made < SLOW_ACCOUNTS; made += 1) slow.push(...(await link(1)));
    for (let made = 0; made < READING_ACCOUNTS; made += 1) linked.push(...(await link(KEYS)));
    const groups = { embedded: service.keys, linked };
    const alone = await measureReads(service, groups);
    await control.addFault({ call: "submit", fault: { kind: "slow", afterMs: SLOW_MS } });
    let isHeld = true;
    const held = sendHeld(service, slow).finally(() => {
      isHeld = false;
    });
    const beside = await measureReads(service, groups);
    if (!isHeld) throw new Error("the reads took longer than the slow orders");
    const statuses = await held;
    if (statuses["200"] !== SLOW_ACCOUNTS && statuses["500"] !== SLOW_ACCOUNTS)
      throw new Error(`the slow orders: ${JSON.stringify(statuses)}`);
    return (["embedded", "linked"] as const).map((group) => ({
      what: `signed GET positions of ${group} accounts during ${SLOW_ACCOUNTS} orders of ${SLOW_MS / 1_000} s each`,
      one: figures(beside[group]),
      other: `without: ${figures(alone[group])}`,
      ratio: p99(beside[group]) / p99(alone[group]),
      bar: "≤ 2",
    }));
  } finally {
    await service.stop();
    await standIn.stop();
  }
}

type Groups = Readonly<Record<"embedded" | "linked", readonly LoadKey[]>>;
type Measured = readonly { readonly result: LoadResult; readonly microseconds: number }[];

/** Measures the reads of both groups. Their rounds alternate. The first round warms up and is left out. */
async function measureReads(
  service: BenchService,
  groups: Groups,
): Promise<Readonly<Record<"embedded" | "linked", Measured>>> {
  const measured = { embedded: [] as Measured[number][], linked: [] as Measured[number][] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const group of ["embedded", "linked"] as const) {
      const before = service.cpuMs();
      const { host, port } = service;
      const load = { connections: CONNECTIONS, keys: groups[group], requests: REQUESTS };
      const result = await runLoad({ ...READ_POSITIONS, ...load, host, port });
      expectAllAnswered(result, { ...load, what: `reads of ${group} accounts` });
      const microseconds = ((service.cpuMs() - before) * 1_000) / REQUESTS;
      if (round > 0) measured[group].push({ result, microseconds });
    }
  }
  return measured;
}

/** Sends one order with each key at the same time. Resolves with the number of answers by status. */
async function sendHeld(
  { host, port }: BenchService,
  keys: readonly LoadKey[],
): Promise<LoadResult["statuses"]> {
  const { statuses } = await runLoad({
    host,
    port,
    connections: keys.length,
    ...marketOrder(PAIR, { quantity: 0.01 }),
    keys,
    requests: keys.length,
  });
  return statuses;
}

async function linkedKeys(
  { baseUrl }: BenchService,
  subaccount: string,
  count: number,
): Promise<readonly LoadKey[]> {
  const body = { subaccount, ownerId: `bench-${subaccount}` };
  const { accountId } = await callOperator(baseUrl, "/accounts/link", body);
  const scopes = ["trade:read", "trade:place"];
  const keys: LoadKey[] = [];
  for (let made = 0; made < count; made += 1) {
    const { keyId, secret } = await callOperator(baseUrl, "/keys", { accountId, scopes });
    keys.push({ keyId: String(keyId), secret: String(secret) });
  }
  return keys;
}

function p99(runs: Measured): number {
  return median(runs.map(({ result }) => result.p99Ms));
}

function figures(runs: Measured): string {
  const microseconds = Math.round(median(runs.map((run) => run.microseconds)));
  return `p99 ${p99(runs).toFixed(1)} ms, ${microseconds} µs of processor time`;
}
