import type { Database } from "../../packages/server/src/storage/databases/database.ts";
import { CATALOGUE, type Harness } from "../../packages/server/src/testing/harness.ts";
import { createJournalDesk } from "../../packages/server/src/trading/journal/journal-desk.ts";

/** Small enough that thousands of them stay below every cap. */
export const BUY = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 20,
} as const;

export const UNKNOWN_FATE = "the order may or may not have been accepted";

/** What clients were told, request by request. */
export interface Told {
  readonly nonce: string;
  readonly status: number;
  /** Of a 200. */
  readonly orderUuid: string | null;
  readonly text: string;
}

export interface Load {
  /** Everything that was answered so far. */
  readonly told: readonly Told[];
  /** Resolves when so many more orders than now were answered with 200. */
  placed(more: number): Promise<void>;
  stop(): Promise<readonly Told[]>;
}

const CLIENTS = 4;
const PAUSE_MS = 5;

/** Clients that place one order after the other, whatever the answers are. */
export function startLoad(service: Harness, name: string): Load {
  const told: Told[] = [];
  let isOn = true;
  let count = 0;
  const client = async (): Promise<void> => {
    while (isOn) {
      count += 1;
      told.push(await place(service, `${name}-${count}`));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  const accepted = (): number => told.filter(({ status }) => status === 200).length;
  return {
    told,
    async placed(more) {
      const enough = accepted() + more;
      while (accepted() < enough) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    },
    async stop() {
      isOn = false;
      await clients;
      return told;
    },
  };
}

export async function place(service: Harness, nonce: string): Promise<Told> {
  const reply = await service.order(BUY, { nonce });
  const { status, text } = reply;
  const uuid = status === 200 ? orderUuidOf(reply.json()) : null;
  return { nonce, status, orderUuid: uuid, text };
}

function orderUuidOf(answer: unknown): string {
  return (answer as { readonly data: { readonly order_uuid: string } }).data.order_uuid;
}

/** What the database says of what clients were told; every list must be empty. */
export interface Findings {
  /** Answered with 200 and not in the journal under its own nonce. */
  readonly lost: readonly string[];
  /** Nonces that made more than one order. */
  readonly doubled: readonly string[];
  /** Answered with anything but a 5xx of unknown fate, and in the journal all the same. */
  readonly unsaid: readonly string[];
  readonly brokenChains: readonly unknown[];
  readonly differentStates: readonly unknown[];
}

export const NOTHING_WRONG: Findings = {
  lost: [],
  doubled: [],
  unsaid: [],
  brokenChains: [],
  differentStates: [],
};

export async function inspect(database: Database, told: readonly Told[]): Promise<Findings> {
  const rows = await database.query<{ readonly nonce: string; readonly event: string }>(
    "select nonce, event from journal where nonce is not null",
    [],
  );
  const filled = new Map<string, string[]>();
  for (const { nonce, event } of rows) {
    if (!event.includes('"type":"orderFilled"')) continue;
    filled.set(nonce, [...(filled.get(nonce) ?? []), event]);
  }
  const isThere = ({ nonce, orderUuid }: Told): boolean =>
    filled.get(nonce)?.some((event) => orderUuid === null || event.includes(orderUuid)) ?? false;
  const journal = createJournalDesk(database, CATALOGUE);
  return {
    lost: told.filter((one) => one.status === 200 && !isThere(one)).map(({ nonce }) => nonce),
    doubled: [...filled].filter(([, events]) => events.length > 1).map(([nonce]) => nonce),
    unsaid: told
      .filter((one) => one.status !== 200 && !one.text.includes(UNKNOWN_FATE) && isThere(one))
      .map(({ nonce, text }) => `${nonce}: ${text}`),
    brokenChains: (await journal.verify("all")).broken,
    differentStates: (await journal.rebuild("all", false)).different,
  };
}

export interface HealthSaid {
  /** Of `/ready`. */
  readonly status: number;
  readonly body: unknown;
}

/** Whether the service is ready, and what anybody is told of its health. */
export async function publicHealth(service: Harness): Promise<HealthSaid> {
  const [ready, health] = await Promise.all(
    ["/ready", "/health"].map((path) => service.call(path, { signer: null })),
  );
  // The process lives, whatever the database does.
  if (health?.status !== 200) throw new Error(`/health answered ${health?.status}`);
  return { status: ready?.status ?? 0, body: health.json() };
}
