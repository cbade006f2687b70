import type { Database } from "../../packages/ledger/src/storage/databases/database.ts";
import { createJournalDesk } from "../../packages/ledger/src/trading/journal/journal-desk.ts";
import { CATALOGUE, type Harness } from "../../packages/server/src/testing/harness.ts";

/** An order so small that thousands of them stay below every cap. */
export const SMALL_BUY = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 20,
} as const;

/** The part of the error text of a 500 that tells the client that the fate of the order is unknown. */
export const UNKNOWN_FATE_TEXT = "the order may or may not have been accepted";

/** The answer to one order. */
export interface OrderAnswer {
  readonly nonce: string;
  readonly status: number;
  /** The order's id after a 200; null otherwise. */
  readonly orderUuid: string | null;
  readonly text: string;
}

/** Clients that place orders until `stop`. */
export interface OrderLoad {
  /** All answers so far. */
  readonly answers: readonly OrderAnswer[];
  /** Resolves when this many further orders have been answered with 200. */
  placed(more: number): Promise<void>;
  stop(): Promise<readonly OrderAnswer[]>;
}

const CLIENTS = 4;
const PAUSE_MS = 5;

/** Starts clients that each place one order after the other, and go on after any answer. */
export function startOrderLoad(service: Harness, name: string): OrderLoad {
  const answers: OrderAnswer[] = [];
  let isOn = true;
  let count = 0;
  const client = async (): Promise<void> => {
    while (isOn) {
      count += 1;
      answers.push(await placeSmallBuy(service, `${name}-${count}`));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  const accepted = (): number => answers.filter(({ status }) => status === 200).length;
  return {
    answers,
    async placed(more) {
      const enough = accepted() + more;
      while (accepted() < enough) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    },
    async stop() {
      isOn = false;
      await clients;
      return answers;
    },
  };
}

/** Places one small buy under this nonce. */
export async function placeSmallBuy(service: Harness, nonce: string): Promise<OrderAnswer> {
  const reply = await service.order(SMALL_BUY, { nonce });
  const { status, text } = reply;
  const uuid = status === 200 ? orderUuidOf(reply.json()) : null;
  return { nonce, status, orderUuid: uuid, text };
}

function orderUuidOf(answer: unknown): string {
  return (answer as { readonly data: { readonly order_uuid: string } }).data.order_uuid;
}

/** The differences between the answers and the journal; every list must be empty. */
export interface OrderLoadFindings {
  /** Nonces answered with 200 whose order the journal does not have. */
  readonly lost: readonly string[];
  /** Nonces with more than one filled order in the journal. */
  readonly doubled: readonly string[];
  /**
   * Filled orders in the journal whose answer was neither 200 nor the 5xx of an unknown fate, with the answer's text.
   */
  readonly unreported: readonly string[];
  readonly brokenChains: readonly unknown[];
  readonly differentStates: readonly unknown[];
}

/** The findings when the service lost no order, doubled none and broke no journal. */
export const NO_FINDINGS: OrderLoadFindings = {
  lost: [],
  doubled: [],
  unreported: [],
  brokenChains: [],
  differentStates: [],
};

/** Compares the answers with the journal, whose chains and states it checks too. */
export async function inspectAnswers(
  database: Database,
  answers: readonly OrderAnswer[],
): Promise<OrderLoadFindings> {
  const rows = await database.query<{ readonly nonce: string; readonly event: string }>(
    "select nonce, journal_text(event) as event from journal where nonce is not null",
    [],
  );
  const filled = new Map<string, string[]>();
  for (const { nonce, event } of rows) {
    if (!event.includes('"type":"orderFilled"')) continue;
    filled.set(nonce, [...(filled.get(nonce) ?? []), event]);
  }
  const isInJournal = ({ nonce, orderUuid }: OrderAnswer): boolean =>
    filled.get(nonce)?.some((event) => orderUuid === null || event.includes(orderUuid)) ?? false;
  const journal = createJournalDesk(database, CATALOGUE);
  return {
    lost: answers
      .filter((one) => one.status === 200 && !isInJournal(one))
      .map(({ nonce }) => nonce),
    doubled: [...filled].filter(([, events]) => events.length > 1).map(([nonce]) => nonce),
    unreported: answers
      .filter(
        (one) => one.status !== 200 && !one.text.includes(UNKNOWN_FATE_TEXT) && isInJournal(one),
      )
      .map(({ nonce, text }) => `${nonce}: ${text}`),
    brokenChains: (await journal.verify("all")).broken,
    differentStates: (await journal.rebuild("all", false)).different,
  };
}

/** The health of the service as a client without credentials sees it. */
export interface PublicHealth {
  /** The status of the answer of `/ready`. */
  readonly status: number;
  readonly body: unknown;
}

/** The status of `/ready` and the body of `/health`, both read without credentials. */
export async function readPublicHealth(service: Harness): Promise<PublicHealth> {
  const [ready, health] = await Promise.all(
    ["/ready", "/health"].map((path) => service.call(path, { signer: null })),
  );
  // `/health` answers 200 while the process runs, even without a database.
  if (health?.status !== 200) throw new Error(`/health answered ${health?.status}`);
  return { status: ready?.status ?? 0, body: health.json() };
}
