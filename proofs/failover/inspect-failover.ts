import { setTimeout } from "node:timers/promises";
import { accountId, dollars, type Event, lots, parseEvent } from "@propgate/core";
import type { OrderOutcome, OrderResult, Receipt } from "@propgate/sdk";
import {
  createFileJudge,
  createShardedJournalDesk,
  exportJournal,
  loadCatalogue,
  WHOLE_JOURNAL,
} from "@propgate/server";
import type { Database } from "../../packages/ledger/src/storage/databases/database.ts";
import {
  inexcusableAnswers,
  needsReceipt,
  type OrderExchange,
  orderExchangesOf,
  orderResultOf,
} from "./client-answers.ts";
import type { ClientLoad } from "./client-load.ts";
import { decisionsAtOlderQuotes, unownedPartitions } from "./inspect-nodes.ts";

/** The differences between the clients' answers and the stored data; every list must be empty. */
export interface FailoverFindings {
  /** Answered orders whose order id the journal does not have under their nonce. */
  readonly lost: readonly string[];
  /** Answered orders whose figures differ from the journal. */
  readonly differentFigures: readonly string[];
  /** Nonces with events of two different times, and orders whose fill or placement is in the journal twice. */
  readonly doubled: readonly string[];
  /** Orders that were answered 4xx although the journal has them. */
  readonly notRejected: readonly string[];
  /** Orders without an answer, or with a 5xx, whose receipt contradicts the journal, is not final or cannot be read. */
  readonly wrongReceipts: readonly string[];
  /** Results of the SDK that contradict the journal, and orders whose fate the SDK never found. */
  readonly wrongFates: readonly string[];
  /** The answers that no failure excuses, from `inexcusableAnswers`. */
  readonly wrongStatuses: readonly string[];
  readonly brokenChains: readonly string[];
  readonly differentStates: readonly string[];
  /** Accounts whose journal gives another result when its decisions are made again. */
  readonly rejudgedDifferently: readonly string[];
  /** Partitions without a living owner; empty when the nodes own no partitions. */
  readonly unownedPartitions: readonly string[];
  /** Decisions that used an older quote of a pair than an earlier decision on the account. */
  readonly olderQuotes: readonly string[];
}

/** The counts of orders, and the differences from the stored data. */
export interface FailoverInspection extends FailoverFindings {
  readonly sent: number;
  readonly answered: number;
  readonly unanswered: number;
  /** The number of orders whose fate the SDK looked for after the load. */
  readonly settledLater: number;
}

type Effects = ReadonlyMap<string, readonly Event[]>;

/** Reads the journal and the receipts, and compares them with the answers and results of the clients. */
export async function inspectFailover(
  database: Database,
  load: ClientLoad,
): Promise<FailoverInspection> {
  const sent = orderExchangesOf(load.records);
  const unanswered = sent.filter(({ exchange }) => needsReceipt(exchange));
  const unknown = await settleUnknown(load);
  const receipts = await readReceipts(load, unanswered);
  const { effects, doubled } = await readEffects(database);
  const outcomes = [
    ...load.records.flatMap((record) => record.outcomes).filter(({ fate }) => fate !== "unknown"),
    ...unknown,
  ];
  return {
    sent: sent.length,
    answered: sent.filter(({ exchange }) => orderResultOf(exchange) !== null).length,
    unanswered: unanswered.length,
    settledLater: unknown.length,
    ...compareAnswers(sent, effects),
    doubled,
    notRejected: sent.flatMap(({ exchange: { status, error, nonce } }) => {
      const isRejected = status !== null && status >= 400 && status < 500;
      return isRejected && effects.has(nonce) ? [`${nonce}: ${status} ${error}`] : [];
    }),
    wrongReceipts: unanswered.flatMap((order) => receiptProblems(order, receipts, effects)),
    wrongFates: outcomes.flatMap((outcome) => fateProblems(outcome, effects)),
    wrongStatuses: inexcusableAnswers(load.records),
    ...(await inspectJournals(database, load)),
    unownedPartitions: await unownedPartitions(database),
    olderQuotes: await decisionsAtOlderQuotes(database),
  };
}

/** The events that a request of the load itself causes. A later fill of its order has no nonce. */
const OWN_EFFECTS: readonly Event["type"][] = ["orderFilled", "orderPlaced", "orderCancelled"];
/** An order has each of these events at most once in the journal. */
const ONCE: readonly Event["type"][] = ["orderFilled", "orderPlaced"];

async function readEffects(
  database: Database,
): Promise<{ readonly effects: Effects; readonly doubled: readonly string[] }> {
  const rows = await database.query<{
    readonly nonce: string | null;
    readonly at_ms: string;
    readonly event: string;
  }>("select nonce, at_ms, journal_text(event) as event from journal order by account_id, seq", []);
  const effects = new Map<string, Event[]>();
  const moments = new Map<string, string>();
  const seen = new Set<string>();
  const doubled: string[] = [];
  for (const { nonce, at_ms, event: text } of rows) {
    const event = parseEvent(text);
    if (ONCE.includes(event.type)) {
      const uuid = uuidOf(event);
      if (seen.has(`${event.type} ${uuid}`)) doubled.push(`${event.type} ${uuid}`);
      seen.add(`${event.type} ${uuid}`);
    }
    if (nonce === null || !OWN_EFFECTS.includes(event.type)) continue;
    // All events of a command have the same time, so a second time means that the nonce was carried out twice.
    if ((moments.get(nonce) ?? at_ms) !== at_ms) doubled.push(`nonce ${nonce}`);
    moments.set(nonce, at_ms);
    effects.set(nonce, [...(effects.get(nonce) ?? []), event]);
  }
  return { effects, doubled };
}

function uuidOf(event: Event): string | null {
  if (event.type === "orderFilled" || event.type === "orderCancelled") return event.orderUuid;
  return event.type === "orderPlaced" ? event.order.uuid : null;
}

function compareAnswers(
  sent: readonly OrderExchange[],
  effects: Effects,
): Pick<FailoverFindings, "lost" | "differentFigures"> {
  const lost: string[] = [];
  const differentFigures: string[] = [];
  for (const { exchange } of sent) {
    const result = orderResultOf(exchange);
    if (result === null) continue;
    const events = effects.get(exchange.nonce) ?? [];
    const wanted = result.order_uuid.split(",").filter((uuid) => uuid !== "");
    const uuids = events.map(uuidOf);
    if (wanted.some((uuid) => !uuids.includes(uuid))) {
      lost.push(`${exchange.nonce}: ${result.order_uuid}`);
    } else if (!hasFigures(result, events)) {
      differentFigures.push(`${exchange.nonce}: ${JSON.stringify([result.order, events])}`);
    }
  }
  return { lost, differentFigures };
}

/** The number of significant digits of a leverage in an answer. */
const WIRE_DIGITS = 12;

/**
 * True when the event of the order has the figures of the answer. A cancellation has no figures, so it always agrees.
 */
function hasFigures({ order, order_uuid }: OrderResult, events: readonly Event[]): boolean {
  if (order === null) return true;
  const event = events.find((one) => uuidOf(one) === order_uuid);
  if (event?.type === "orderPlaced") return !order.filled;
  if (event?.type !== "orderFilled") return false;
  return (
    order.filled &&
    order.price === event.price &&
    order.quantity === lots(event.quantity) &&
    order.value === dollars(event.value) &&
    order.leverage === Number(event.leverage.toPrecision(WIRE_DIGITS)) &&
    order.fee === dollars(event.fee) &&
    order.realizedPnl === dollars(event.realizedPnl)
  );
}

function receiptProblems(
  { exchange: { nonce } }: OrderExchange,
  receipts: ReadonlyMap<string, Receipt>,
  effects: Effects,
): readonly string[] {
  const receipt = receipts.get(nonce);
  if (receipt === undefined) return [`${nonce}: its receipt cannot be read`];
  const { fate, result } = receipt;
  if (fate === "accepted" && result !== null) {
    const events = effects.get(nonce) ?? [];
    const isCancelOfNothing = result.order === null && result.order_uuid === "";
    if (isCancelOfNothing && events.length === 0) return [];
    const isTrue =
      events.some((event) => result.order_uuid.includes(uuidOf(event) ?? " ")) &&
      hasFigures(result, events);
    return isTrue ? [] : [`${nonce}: accepted, the journal has ${JSON.stringify(events)}`];
  }
  const isFinal = ["rejected", "unseen", "withdrawn"].includes(fate);
  return isFinal && !effects.has(nonce) ? [] : [`${nonce}: ${fate}, ${effects.has(nonce)}`];
}

function fateProblems(outcome: OrderOutcome, effects: Effects): readonly string[] {
  const { fate, nonce } = outcome;
  const isMade = effects.has(nonce);
  if (fate === "rejected") return isMade ? [`${nonce}: rejected, and in the journal`] : [];
  if (fate === "unknown") return [`${nonce}: the client never found its fate`];
  if (isMade || outcome.result?.order_uuid === "") return [];
  return [`${nonce}: accepted, and not in the journal`];
}

/** Looks again for the fates of the orders that the client left unknown. */
async function settleUnknown({ traders }: ClientLoad): Promise<readonly OrderOutcome[]> {
  const settled: OrderOutcome[] = [];
  for (const { record, client } of traders) {
    for (const outcome of record.outcomes) {
      if (outcome.fate === "unknown")
        settled.push(await retrySettling(() => client.settle(outcome.nonce)));
    }
  }
  return settled;
}

/**
 * Forty-five attempts take ninety seconds. Reads of receipts have a budget for each minute, and a receipt is pending
 * for at most 15 seconds.
 */
const RETRY_MS = 2_000;
const ATTEMPTS = 45;

async function retrySettling(ask: () => Promise<OrderOutcome>): Promise<OrderOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await ask();
    if (outcome.fate !== "unknown" || attempt === ATTEMPTS) return outcome;
    await setTimeout(RETRY_MS);
  }
}

async function readReceipts(
  { traders }: ClientLoad,
  orders: readonly OrderExchange[],
): Promise<ReadonlyMap<string, Receipt>> {
  const read = new Map<string, Receipt>();
  for (const { keyId, exchange } of orders) {
    const client = traders.find(({ record }) => record.key.keyId === keyId)?.client;
    for (let attempt = 1; client !== undefined && attempt <= ATTEMPTS; attempt += 1) {
      const receipt = await client.receipt(exchange.nonce).catch(() => null);
      if (receipt !== null) read.set(exchange.nonce, receipt);
      if (receipt !== null && receipt.fate !== "pending") break;
      await setTimeout(RETRY_MS);
    }
  }
  return read;
}

async function inspectJournals(
  database: Database,
  { traders }: ClientLoad,
): Promise<Pick<FailoverFindings, "brokenChains" | "differentStates" | "rejudgedDifferently">> {
  const { instruments } = await loadCatalogue(null);
  const desk = createShardedJournalDesk([database], instruments);
  const rejudgedDifferently: string[] = [];
  for (const { record } of traders) {
    const judge = createFileJudge();
    for await (const text of exportJournal(
      database,
      accountId(record.key.accountId),
      WHOLE_JOURNAL,
    )) {
      for (const line of text.split("\n")) if (line !== "") judge.read(line);
    }
    const judgement = judge.judgement();
    const isSame =
      judgement !== null && judgement.different === null && judgement.otherVersions.length === 0;
    if (!isSame) rejudgedDifferently.push(`${record.key.accountId}: ${JSON.stringify(judgement)}`);
  }
  return {
    brokenChains: (await desk.verify("all")).broken.map((one) => one.accountId),
    differentStates: (await desk.rebuild("all", false)).different.map(String),
    rejudgedDifferently,
  };
}
