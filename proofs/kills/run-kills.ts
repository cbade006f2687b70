import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { accountId as toId } from "@propgate/core";
import { createShardedJournalDesk, loadCatalogue, openServiceDatabase } from "@propgate/server";
import { shardNumberOf } from "../../packages/ledger/src/storage/rows/shard-number.ts";
import { freePort } from "../../test/environment/free-port.ts";
import { type DeliveryWatch, deliveryProblem, startDeliveryWatch } from "./delivery-watch.ts";
import {
  createCredentials,
  type KillsUnderLoad,
  killUnderLoad,
  type Trader,
} from "./kill-under-load.ts";
import { Victim } from "./victim.ts";

export interface KillsResult extends Omit<KillsUnderLoad, "answered"> {
  readonly answeredOrders: number;
  /** The number of answered orders on each database. */
  readonly answeredOn: readonly number[];
  /** Answered orders that are not in the journal under their own nonce. Must be empty. */
  readonly lost: readonly string[];
  /** Nonces with more than one new order in the journal. Must be empty. */
  readonly carriedOutTwice: readonly string[];
  /** Accounts with a broken chain. Must be empty. */
  readonly brokenChains: readonly string[];
  /** Accounts whose stored state differs from the state that their journal makes. Must be empty. */
  readonly differentStates: readonly string[];
  /** Deliveries of events, repetitions included. `repeatedDeliveries` counts the repetitions of events and alerts. */
  readonly deliveries: number;
  readonly repeatedDeliveries: number;
  /** Deliveries of alerts, repetitions included. */
  readonly alerts: number;
  /** Accounts and owners whose events or alerts came out of order or with a gap. Must be empty. */
  readonly wrongDeliveries: readonly string[];
}

const TRADERS = 8;

/**
 * Kills a service repeatedly under load, then inspects its databases: the embedded one in a temporary folder, or the
 * given PostgreSQL databases, which must be empty. The traders' accounts are spread over all of them.
 */
export async function runKills(plan: {
  readonly kills: number;
  /** Empty for the embedded database. */
  readonly databaseUrls: readonly string[];
  /** Called after each kill with its number. */
  readonly onKill?: (kill: number) => void;
}): Promise<KillsResult> {
  const dataDir = await mkdtemp(join(tmpdir(), "propgate-kills-"));
  const { databaseUrls } = plan;
  const credentials = createCredentials();
  const port = await freePort();
  const settings = { PROPGATE_WEBHOOKS_PRIVATE: "1" };
  const victim = new Victim({ port, dataDir, databaseUrls, settings, ...credentials });
  const watch = await startDeliveryWatch(victim, credentials.operatorToken);
  try {
    await victim.start();
    await watch.begin();
    const traders = await Promise.all(
      Array.from({ length: TRADERS }, () => openTrader(victim, credentials.operatorToken)),
    );
    const { answered, ...report } = await killUnderLoad(victim, traders, {
      ...plan,
      otherCalls: (stop) => changeKeys(victim, { token: credentials.operatorToken, traders, stop }),
    });
    await watch.idle();
    await victim.kill();
    return {
      ...report,
      answeredOrders: answered.length,
      ...(await inspectAll({ databaseUrls, dataDir, watch }, answered)),
    };
  } finally {
    await victim.kill();
    await watch.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Inspection = Omit<KillsResult, keyof KillsUnderLoad | "answeredOrders">;

async function inspectAll(
  place: {
    readonly databaseUrls: readonly string[];
    readonly dataDir: string;
    readonly watch: DeliveryWatch;
  },
  answered: KillsUnderLoad["answered"],
): Promise<Inspection> {
  const urls = place.databaseUrls.length === 0 ? [null] : place.databaseUrls;
  const all: Inspection[] = [];
  for (const [number, databaseUrl] of urls.entries()) {
    const own = answered.filter(({ accountId }) => shardNumberOf(toId(accountId)) === number);
    const { dataDir, watch } = place;
    all.push(await inspectDatabase({ databaseUrl, dataDir, watch }, own));
  }
  return {
    answeredOn: all.flatMap((one) => one.answeredOn),
    lost: all.flatMap((one) => one.lost),
    carriedOutTwice: all.flatMap((one) => one.carriedOutTwice),
    brokenChains: all.flatMap((one) => one.brokenChains),
    differentStates: all.flatMap((one) => one.differentStates),
    deliveries: all.reduce((sum, one) => sum + one.deliveries, 0),
    alerts: all.reduce((sum, one) => sum + one.alerts, 0),
    repeatedDeliveries: all.reduce((sum, one) => sum + one.repeatedDeliveries, 0),
    wrongDeliveries: all.flatMap((one) => one.wrongDeliveries),
  };
}

async function inspectDatabase(
  place: {
    readonly databaseUrl: string | null;
    readonly dataDir: string;
    readonly watch: DeliveryWatch;
  },
  answered: KillsUnderLoad["answered"],
): Promise<Inspection> {
  const database = await openServiceDatabase(place);
  try {
    const rows = await database.query<{
      readonly key_id: string;
      readonly nonce: string;
      readonly event: string;
      readonly commands: string;
    }>(
      `select key_id, nonce, string_agg(journal_text(event), ' ') as event, count(distinct command) as commands
       from journal where nonce is not null group by key_id, nonce`,
    );
    const byNonce = new Map(rows.map((row) => [`${row.key_id} ${row.nonce}`, row]));
    const lost = answered.filter((order) => {
      const found = byNonce.get(`${order.keyId} ${order.nonce}`);
      return found === undefined || !found.event.includes(order.orderUuid);
    });
    const { instruments } = await loadCatalogue(null);
    const journal = createShardedJournalDesk([database], instruments);
    return {
      answeredOn: [answered.length],
      lost: lost.map((order) => order.orderUuid),
      carriedOutTwice: await carriedOutTwice(database),
      brokenChains: (await journal.verify("all")).broken.map((one) => one.accountId),
      differentStates: (await journal.rebuild("all", false)).different,
      ...(await deliveriesOf(database, place.watch)),
    };
  } finally {
    await database.close();
  }
}

async function deliveriesOf(
  database: { query<Row>(text: string): Promise<readonly Row[]> },
  watch: DeliveryWatch,
): Promise<Pick<KillsResult, "deliveries" | "alerts" | "repeatedDeliveries" | "wrongDeliveries">> {
  const of = async (lanes: string) => {
    const rows = await database.query<{ readonly lane: string; readonly last: string }>(lanes);
    return rows.map(({ lane, last }) => {
      const numbers = watch.of(lane);
      const wrong = deliveryProblem(numbers, Number(last));
      const count = numbers.length;
      return { count, repeated: count - new Set(numbers).size, wrong, lane };
    });
  };
  const counted = (lanes: Awaited<ReturnType<typeof of>>): number =>
    lanes.reduce((sum, { count }) => sum + count, 0);
  const events = await of("select account_id as lane, version as last from accounts");
  const alerts = await of(
    "select owner_id as lane, count(*) as last from alerts where owner_id is not null group by owner_id",
  );
  return {
    deliveries: counted(events),
    alerts: counted(alerts),
    repeatedDeliveries: [...events, ...alerts].reduce((sum, { repeated }) => sum + repeated, 0),
    wrongDeliveries: [...events, ...alerts].flatMap(({ lane, wrong }) =>
      wrong === null ? [] : [`${lane}: ${wrong}`],
    ),
  };
}

/**
 * Creates keys of the accounts and revokes them, until the service is gone. Each creation and each revocation makes an
 * alert.
 */
async function changeKeys(
  victim: Victim,
  given: {
    readonly token: string;
    readonly traders: readonly Trader[];
    readonly stop: AbortSignal;
  },
): Promise<void> {
  const { token, traders, stop } = given;
  const headers = { authorization: `Bearer ${token}` };
  for (let turn = 0; !stop.aborted; turn += 1) {
    try {
      const accountId = traders[turn % traders.length]?.accountId ?? "";
      const { keyId } = await createTraderKey(victim, token, accountId);
      const revoked = `${victim.baseUrl}/operator/v1/keys/${keyId}`;
      await (await fetch(revoked, { method: "DELETE", headers })).arrayBuffer();
    } catch {
      // The service was killed. A key change that it committed must still have its alert.
      return;
    }
  }
}

/** The nonces under which the journal has several new orders. One request may make at most one. */
async function carriedOutTwice(database: {
  query<Row>(text: string): Promise<readonly Row[]>;
}): Promise<readonly string[]> {
  const rows = await database.query<{ readonly nonce: string }>(
    `select nonce from journal where nonce is not null
       and journal_text(event)::json ->> 'type' in ('orderPlaced', 'orderFilled')
     group by key_id, nonce having count(*) > 1`,
  );
  return rows.map((row) => row.nonce);
}

/** Opens an account and creates a key of it that may read and place orders. */
export async function openTrader(victim: Victim, token: string): Promise<Trader> {
  const account = await callOperator(victim, {
    token,
    path: "/accounts",
    body: { size: 100_000, ownerId: `owner-${randomUUID()}` },
  });
  return createTraderKey(victim, token, String(account.accountId));
}

/** Creates a key of the account that may read and place orders. */
export async function createTraderKey(
  victim: Victim,
  token: string,
  accountId: string,
): Promise<Trader> {
  const body = { accountId, scopes: ["trade:read", "trade:place"] };
  const key = await callOperator(victim, { token, path: "/keys", body });
  return { accountId, keyId: String(key.keyId), secret: String(key.secret) };
}

/**
 * The wait before a call that got 503 is repeated. A node gives 503 while it takes accounts over or waits for its
 * database.
 */
const AGAIN_MS = 100;

/**
 * Posts a call of the operator's interface, repeats it after each 503, and returns its `data`. @throws when an answer
 * other than a 503 has no `data`
 */
export async function callOperator(
  victim: Victim,
  call: { readonly token: string; readonly path: string; readonly body: unknown },
): Promise<Record<string, unknown>> {
  const response = await fetch(`${victim.baseUrl}/operator/v1${call.path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${call.token}`, "content-type": "application/json" },
    body: JSON.stringify(call.body),
  });
  const answer: unknown = await response.json();
  if (typeof answer === "object" && answer !== null && "data" in answer) {
    const { data } = answer;
    if (typeof data === "object" && data !== null) return { ...data };
  }
  if (response.status === 503) {
    await setTimeout(AGAIN_MS);
    return callOperator(victim, call);
  }
  throw new Error(
    `the operator's interface answered ${response.status}: ${JSON.stringify(answer)}`,
  );
}
