import { randomUUID } from "node:crypto";
import { type OrderResult, parsePlaceOrder } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type { StandIn } from "@propgate/stand-in";
import { eventually } from "../../../../test/eventually.ts";
import { systemChance } from "../../../base/src/random.ts";
import type { TraceParent } from "../../../base/src/trace-parent.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import type { LinkedAccountStore } from "../../../ledger/src/storage/rows/linked-account.ts";
import type { WriteFate } from "../../../ledger/src/storage/rows/receipt-store-port.ts";
import type { UpstreamOrderStore } from "../../../ledger/src/storage/rows/upstream-order.ts";
import { createLinkedAccountStore } from "../../../ledger/src/storage/stores/network/linked-account-store.ts";
import { createUpstreamOrderStore } from "../../../ledger/src/storage/stores/network/upstream-order-store.ts";
import { createReceiptStore } from "../../../ledger/src/storage/stores/receipt-store.ts";
import { createAccountPolls } from "../../../vanta/src/desk/account-poll.ts";
import { createFailureLog } from "../../../vanta/src/desk/failure-log.ts";
import { createLimitReader } from "../../../vanta/src/desk/limit-reader.ts";
import { createPairBook } from "../../../vanta/src/desk/pair-book.ts";
import { createParsedReadings } from "../../../vanta/src/desk/parsed-readings.ts";
import type { LinkedAccountReader } from "../../../vanta/src/orders/fate/sight.ts";
import { createOrderDesk, type OrderDesk } from "../../../vanta/src/orders/order-desk.ts";
import type { OrderTimes } from "../../../vanta/src/orders/order-times.ts";
import { createReadingDesk, type ReadingDesk } from "../../../vanta/src/reading-desk.ts";
import { createTextCleaner } from "../../../vanta/src/upstream/clean-text.ts";
import { createGatewayClient } from "../../../vanta/src/upstream/gateway-client.ts";
import type { Gateway } from "../../../vanta/src/upstream/port.ts";
import { createValidatorClient } from "../../../vanta/src/upstream/validator-client.ts";
import type { OrderAnswer } from "../../../wire/src/network/wire-network.ts";
import type { SentOrder } from "../../../wire/src/order-body.ts";
import { restoredResult } from "../../../wire/src/views/order-result.ts";
import { storeNonce, TEST_KEY } from "./counting-network.ts";
import { linkMadeSubaccount } from "./made-account-link.ts";
import type { ManualTime } from "./manual-time.ts";

/**
 * Times in seconds instead of minutes, because the test lets these times pass. Leases end by the database's clock; a
 * test that needs the end of a lease ends it in the database.
 */
const SHORT_TIMES: OrderTimes = {
  callMs: 1_500,
  resolveMs: 4_000,
  firstCheckMs: 100,
  lastCheckMs: 400,
  overdueCheckMs: 0,
  leaseMs: 600_000,
  drainMs: 1_000,
  fatesMax: 1_000,
};
/** The step by which a test moves time while it waits for an order's fate. */
const STEP_MS = 400;

export type TradeBody = Readonly<Record<string, unknown>>;

/** An account that is linked to a subaccount of the stand-in. */
export interface BenchAccount {
  readonly id: AccountId;
  readonly hotkey: string;
}

/** The order desk with the real store, clients and readings, in front of a stand-in. Only the test moves its time. */
export interface OrderBench {
  readonly desk: OrderDesk;
  readonly time: ManualTime;
  readonly faults: readonly unknown[];
  /** Admits and places an order, a millisecond after the previous request. The nonce names the order's receipt. */
  place(
    account: BenchAccount,
    trade: TradeBody,
    nonce?: string,
    trace?: TraceParent,
  ): Promise<PlacedOrder>;
  receipt(nonce: string): Promise<WriteFate | null>;
  close(): Promise<void>;
}

export interface PlacedOrder {
  readonly nonce: string;
  readonly answer: OrderAnswer;
}

export interface BenchOptions {
  readonly database: Database;
  readonly standIn: StandIn;
  /** The time of this bench, of the other benches of the stand-in, and of the stand-in itself. */
  readonly time: ManualTime;
  readonly times?: Partial<OrderTimes>;
  readonly holder?: string;
  /** Replaces the gateway's client, for example by one of a process that is killed. */
  readonly wrap?: (gateway: Gateway) => Gateway;
  readonly gatewayKey?: string;
  /** True for a process that is killed or stopped: it renews no lease. */
  readonly isDead?: boolean;
}

export function openOrderBench(options: BenchOptions): OrderBench {
  const { database, standIn, time } = options;
  const { clock, timer } = time;
  const { keys } = standIn;
  const times = { ...SHORT_TIMES, ...options.times };
  // Faults that a test causes must not pause the calls of other tests.
  const common = { clock, timer, limits: { failuresMax: 1_000_000 } };
  const key = options.gatewayKey ?? keys.gateway;
  const client = createGatewayClient({ ...common, url: standIn.gatewayUrl, key });
  const validator = createValidatorClient({
    ...common,
    url: standIn.validatorUrl,
    key: keys.validator,
  });
  const accounts = createLinkedAccountStore(database);
  const faults: unknown[] = [];
  const onFault = (cause: unknown): void => void faults.push(cause);
  const pairs = createPairBook({ validator, clock, timer, onFault });
  const reading = benchReadings({ validator, store: accounts, time, onFault });
  const cleaner = createTextCleaner({ key, hosts: ["127.0.0.1"] });
  const store = createUpstreamOrderStore(database);
  const desk = createOrderDesk({
    gateway: options.wrap?.(client) ?? client,
    store: options.isDead === true ? withoutRenewals(store) : store,
    accounts,
    readings: reading.readings,
    pairs,
    clean: (text) => cleaner.cleanUpstreamText(text),
    clock,
    timer,
    chance: systemChance,
    leaseHolder: options.holder ?? randomUUID(),
    onFault,
    times,
  });
  const receipts = createReceiptStore(database);
  return {
    desk,
    time,
    faults,
    async place(account, trade, nonce = randomUUID(), trace) {
      await storeNonce(database, nonce);
      await time.pass(1);
      const request = { keyId: TEST_KEY, nonce, trace };
      const answer = await desk.place(account.id, sentOrder(trade), request);
      return { nonce, answer };
    },
    receipt: (nonce) => receipts.read({ keyId: TEST_KEY, nonce }),
    async close() {
      const stopped = desk.stop();
      await time.pass(times.drainMs);
      await stopped;
      await reading.desk.stop();
      client.close();
      validator.close();
    },
  };
}

/** Adds a subaccount to the stand-in and links it to a new account. */
export async function linkBenchAccount(
  { database, standIn }: Pick<BenchOptions, "database" | "standIn">,
  assetClass = "all_markets",
): Promise<BenchAccount> {
  const { hotkey, number } = await standIn.control.addSubaccount({ assetClass });
  const subaccount = await standIn.control.subaccount(hotkey);
  if (subaccount === null) throw new Error("a subaccount that was just added");
  const id = await linkMadeSubaccount(database, {
    hotkey,
    subaccountId: number,
    subaccountUuid: subaccount.uuid,
  });
  return { id, hotkey };
}

function sentOrder(trade: TradeBody): SentOrder {
  const parsed = parsePlaceOrder({ trade });
  if (!parsed.ok) throw new Error(parsed.message);
  const { order, ignoredFields } = parsed;
  return { order, ignoredFields, legs: "bracket_orders" in trade ? "listed" : "topLevel" };
}

/** Reads the accounts of a bench with the service's own reading desk. */
function benchReadings({
  validator,
  store,
  time: { clock, timer },
  onFault,
}: {
  readonly validator: ReturnType<typeof createValidatorClient>;
  readonly store: LinkedAccountStore;
  readonly time: ManualTime;
  readonly onFault: (cause: unknown) => void;
}): { readonly readings: LinkedAccountReader; readonly desk: ReadingDesk } {
  const parsed = createParsedReadings();
  const polls = createAccountPolls({
    store,
    validator,
    limits: createLimitReader({ validator, clock }),
    pairs: createPairBook({ validator, clock, timer, onFault }),
    parsed,
    clock,
    holder: randomUUID(),
    failures: createFailureLog({ info: () => undefined, warn: () => undefined }),
    onFault,
    onStored: () => Promise.resolve(),
  });
  const desk = createReadingDesk({ store, startPoll: polls.start, parsed, clock, timer });
  const readings: LinkedAccountReader = {
    async after(accountId, afterMs) {
      polls.readInFull(accountId);
      return (await desk.read({ accountId }, afterMs))?.readings ?? null;
    },
  };
  return { readings, desk };
}

/** The result of an order that was accepted. Throws for a rejected order. */
export function orderResultOf({ answer }: PlacedOrder): OrderResult {
  if (!answer.ok) throw new Error(`rejected: ${JSON.stringify(answer.rejection)}`);
  return JSON.parse(answer.json) as OrderResult;
}

/** The result that an accepted order of a linked account has in its receipt. */
export function storedOrderResultOf(found: WriteFate | null): OrderResult {
  if (found?.fate !== "accepted" || typeof found.result !== "string") {
    throw new Error(`no stored result: ${JSON.stringify(found)}`);
  }
  return restoredResult(found.result);
}

type EndedReceipt = Exclude<WriteFate, { fate: "pending" }>;

/**
 * Lets time pass until the receipt is not pending any more. Orders that the desk has stopped following are taken over.
 */
export async function awaitEndedReceipt(
  bench: Pick<OrderBench, "receipt" | "time" | "desk">,
  nonce: string,
): Promise<EndedReceipt> {
  const [receipt] = await awaitEndedReceipts(bench, [nonce]);
  if (receipt === undefined) throw new Error("a receipt of each nonce");
  return receipt;
}

/** The ended receipts of many orders, in the order of their nonces. Lets time pass as `awaitEndedReceipt` does. */
export async function awaitEndedReceipts(
  bench: Pick<OrderBench, "receipt" | "time" | "desk">,
  nonces: readonly string[],
): Promise<readonly EndedReceipt[]> {
  return eventually(async () => {
    await bench.time.pass(STEP_MS);
    await bench.desk.takeOver();
    const found = await Promise.all(nonces.map((nonce) => bench.receipt(nonce)));
    return found.map((one, place) => ended(nonces[place] ?? "", one));
  });
}

function ended(nonce: string, found: WriteFate | null): EndedReceipt {
  if (found === null || found.fate === "pending") throw new Error(`${nonce} is still pending`);
  return found;
}

function withoutRenewals(store: UpstreamOrderStore): UpstreamOrderStore {
  return { ...store, extendLeases: async (orders) => new Set(orders) };
}
