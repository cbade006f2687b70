import { Agent } from "node:http";
import type { Role } from "@propgate/contract";
import {
  type AccountId,
  type Instruments,
  leverage,
  type OwnerId,
  ownerId,
  ratio,
  type Terms,
} from "@propgate/core";
import type { KeyRequest } from "../../../access/src/keys/create-key.ts";
import type { KeyCache } from "../../../access/src/keys/key-cache.ts";
import type { KeyDesk } from "../../../access/src/keys/manage-keys.ts";
import type { PasswordCost } from "../../../access/src/people/passwords/password.ts";
import type { PeopleDesk } from "../../../access/src/people/people-desk.ts";
import type { KeyScope } from "../../../access/src/storage/api-key.ts";
import type { Clock } from "../../../base/src/clock.ts";
import type { Job } from "../../../base/src/housekeeping.ts";
import { parseMasterKeys } from "../../../base/src/keys/master-key.ts";
import { listenerPort } from "../../../base/src/listener-port.ts";
import { openLog } from "../../../base/src/log.ts";
import { createSeededChance } from "../../../base/src/random.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import type { StorageWatch } from "../../../ledger/src/storage/databases/storage-watch.ts";
import { createShards } from "../../../ledger/src/storage/shards/shards.ts";
import type { AccountOperations } from "../../../ledger/src/trading/account-operations.ts";
import type { TradingNetwork } from "../../../ledger/src/trading/network/port.ts";
import { storePrograms } from "../../../market/src/catalogue/program-desk.ts";
import { loadPrograms } from "../../../market/src/catalogue/programs.ts";
import type { CandleReader } from "../../../market/src/prices/candles/candle-reader.ts";
import { boardCandles } from "../../../market/src/prices/candles/memory-candles.ts";
import type { QuoteBus } from "../../../market/src/prices/quotes/quote-bus.ts";
import type { EdgeLimits } from "../api/edge/limits.ts";
import { createFaultBoard, type FaultBoard } from "../sandbox/faults.ts";
import { withFaults } from "../sandbox/faulty-network.ts";
import { withFaultySecrets } from "../sandbox/faulty-secrets.ts";
import type { WebhookOptions } from "../start/compose-webhooks.ts";
import { logSecretsOf } from "../start/log-secrets.ts";
import { openVanta } from "../start/networks/open-vanta.ts";
import type { VantaSettings } from "../start/networks/vanta-settings.ts";
import { type ComposedService, composeService } from "../start/service.ts";
import { TEST_TERMS } from "./counting-decider.ts";
import {
  addTestPerson,
  createDashboardClient,
  type SignedInClient,
  TEST_PASSWORD,
} from "./dashboard-client.ts";
import { madeCatalogue, madeInstrument } from "./made-instrument.ts";
import { madeQuote } from "./made-quote.ts";
import { madeQuoteFlow } from "./made-quote-flow.ts";
import { createManualTime, type ManualTime } from "./manual-time.ts";
import { openTestDatabase } from "./open-test-database.ts";
import { type Reply, type Signer, sendRequest, signedHeaders } from "./signed-request.ts";

/** 2026-01-05, a Monday, 12:00 UTC. */
export const START_MS = 1_767_614_400_000;

export const OWNER: OwnerId = ownerId("owner-1");

/** BTCUSD with a fee of 0.03 % and a cap of 1.5, EURUSD in lots of 100,000. */
export const CATALOGUE: Instruments = madeCatalogue(
  madeInstrument("BTCUSD", {
    feeRatio: ratio(0.0003),
    leverageCaps: {
      tier1: leverage(1.5),
      tier2: leverage(1.5),
      tier3: leverage(1.5),
      pro: leverage(10),
    },
  }),
  madeInstrument("EURUSD", { assetClass: "forex", lotSize: 100_000 }),
);

export interface CallOptions {
  readonly method?: string;
  readonly signer?: Signer | null;
  readonly body?: string | Buffer;
  /** Overrides the default headers; an empty value omits a header. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly nonce?: string;
  readonly timestamp?: string;
}

/** A whole service in this process, composed of the real parts, on a real socket. */
export interface Harness {
  readonly port: number;
  /** The port of the operator's own listener; null when there is none. */
  readonly operatorPort: number | null;
  readonly database: Database;
  /** Observes the calls of `database` and knows its present fault. */
  readonly storage: StorageWatch;
  readonly time: ManualTime;
  readonly faults: FaultBoard;
  readonly keys: KeyDesk;
  readonly cache: KeyCache;
  readonly accounts: AccountOperations;
  readonly people: PeopleDesk;
  /** The jobs of linked accounts; empty without a validator. */
  readonly linkedJobs: readonly Job[];
  /** An account with `TEST_TERMS`; `signer` is its key, with both scopes. */
  readonly accountId: AccountId;
  readonly signer: Signer;
  /** Every line of the log, from its lowest level `trace` on. */
  readonly logged: readonly string[];
  /** Sends a request. It is signed with a fresh nonce at the service's time unless others are given. */
  call(target: string, options?: CallOptions): Promise<Reply>;
  get(endpoint: string, options?: CallOptions): Promise<Reply>;
  /** Sends POST orders with this `trade`. */
  order(trade: unknown, options?: CallOptions): Promise<Reply>;
  quote(pair: string, bid: number, ask: number): Promise<void>;
  /** Moves time and does all due work. */
  pass(ms: number): Promise<void>;
  newAccount(options?: {
    /** The owner of the account; `OWNER` unless given. */
    readonly ownerId?: OwnerId;
    readonly provisioned?: boolean;
    readonly terms?: Terms;
  }): Promise<AccountId>;
  newKey(request?: Partial<KeyRequest>): Promise<Signer>;
  /**
   * A browser with a signed-in operator, or with an owner of `OWNER`'s accounts unless another owner is given. The
   * first use of a name adds the person; the name is the role's unless given.
   */
  signIn(
    role: Role,
    given?: { readonly name?: string; readonly ownerId?: OwnerId },
  ): Promise<SignedInClient>;
  close(): Promise<void>;
}

/** The parts of a service from which a test makes its reader of candles. */
export interface CandleParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly bus: QuoteBus;
}

export interface HarnessOptions {
  readonly database?: Database;
  /** The further databases of the service, after `database`; none unless given. */
  readonly otherDatabases?: readonly Database[];
  /** The maximum number of accounts of an owner; 5 unless given. */
  readonly accountsPerOwner?: number | null;
  /** The database URL of the settings; only its password matters, for the log. */
  readonly databaseUrl?: string;
  readonly seed?: string;
  /** Makes the network that replaces the trading network, such as one whose orders fail. */
  readonly wrap?: (network: TradingNetwork) => TradingNetwork;
  /** The catalogue; two pairs unless given. */
  readonly instruments?: Instruments;
  /** Limits of the edge that replace the usual ones. */
  readonly edge?: Partial<EdgeLimits>;
  readonly hstsMaxAgeSeconds?: number;
  readonly publicUrl?: string;
  /** Adds routes to the listener before it listens. */
  readonly mount?: (service: ComposedService) => void;
  readonly trustedProxies?: readonly string[];
  readonly isOperatorApart?: boolean;
  /** Makes the reader of candles. Unless given, the candles are counted from the quotes in memory. */
  readonly candles?: (parts: CandleParts) => CandleReader;
  /** A validator for linked accounts; none unless given. */
  readonly vanta?: VantaSettings;
  /** Why the clock is wrong; when absent, the clock is right. */
  readonly clockProblem?: () => string | null;
  /** The addresses to which webhooks may go; only public ones unless given. */
  readonly webhooks?: WebhookOptions;
}

/**
 * Much less than `PASSWORD_COST`, because tests sign in often: a sixty-fourth of the memory, and one pass instead of
 * three.
 */
export const TEST_PASSWORD_WORK: PasswordCost = { memoryKib: 1024, passes: 1 };

export const NETWORK_TIMEOUT_MS = 15_000;
export const OPERATOR_TOKEN = "op_harness_0123456789abcdef0123456789";
export const TEST_MASTER_KEY: string = Buffer.alloc(32, 7).toString("base64");
const BOTH: readonly KeyScope[] = ["read", "place"];
const ORDERS = "/api/v1/trading/orders";

export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  const database = options.database ?? (await openTestDatabase());
  const time = createManualTime(START_MS);
  const { clock, timer } = time;
  const chance = createSeededChance(options.seed ?? "harness");
  const logged: string[] = [];
  const faults = createFaultBoard();
  const wrap = options.wrap ?? ((network) => network);
  const instruments = options.instruments ?? CATALOGUE;
  const { board, bus, intake } = madeQuoteFlow(instruments);
  await storePrograms(await loadPrograms(null), { database, clock });
  const masterKeys = parseMasterKeys(TEST_MASTER_KEY);
  const { databaseUrl = null, vanta: network } = options;
  const secrets = logSecretsOf({
    databaseUrls: [databaseUrl],
    masterKeys,
    operatorToken: OPERATOR_TOKEN,
  });
  const upstream = network === undefined ? null : openVanta(network, time);
  const databases = createShards([database, ...(options.otherDatabases ?? [])]);
  const service = composeService({
    databases,
    clock,
    chance,
    timer,
    webhooks: options.webhooks,
    board,
    candles: options.candles?.({ database, clock, bus }) ?? boardCandles(board),
    intake,
    networkTimeoutMs: NETWORK_TIMEOUT_MS,
    catalogue: { instruments, simulated: [], symbols: new Map() },
    masterKeys,
    operatorToken: OPERATOR_TOKEN,
    hasOperatorListener: options.isOperatorApart ?? false,
    brand: "Service",
    networkName: "Propgate",
    publicUrl: options.publicUrl ?? null,
    trustedProxies: options.trustedProxies ?? [],
    passwordWork: TEST_PASSWORD_WORK,
    accountsPerOwner: options.accountsPerOwner === undefined ? 5 : options.accountsPerOwner,
    prices: { name: "by hand", warnings: () => [] },
    edge: { refusalHoldMs: 0, ...options.edge },
    hstsMaxAgeSeconds: options.hstsMaxAgeSeconds ?? 0,
    vanta: upstream,
    ...(options.clockProblem === undefined ? {} : { clockProblem: options.clockProblem }),
    wrapNetwork: (own) => wrap(withFaults(own, faults)),
    wrapSecrets: (box) => withFaultySecrets(box, faults),
    log: openLog("trace", { secrets, write: (line) => void logged.push(line) }),
  });
  const { engine, keyring, people, app, operatorApp } = service;
  options.mount?.(service);
  faults.onChange(() => keyring.cache.clear());
  await engine.restore();
  await app.listen({ host: "127.0.0.1", port: 0 });
  const port = listenerPort(app.server.address());
  await operatorApp?.listen({ host: "127.0.0.1", port: 0 });
  const operatorPort = operatorApp === null ? null : listenerPort(operatorApp.server.address());
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  const newAccount: Harness["newAccount"] = (account = {}) =>
    engine.accounts.open({
      ownerId: account.ownerId ?? OWNER,
      terms: account.terms ?? TEST_TERMS,
      provisioned: account.provisioned ?? true,
    });
  const accountId = await newAccount();
  const newKey = async (request: Partial<KeyRequest> = {}): Promise<Signer> => {
    const wanted = { accountId, scopes: BOTH, ...request };
    const made = await keyring.desk.create(wanted);
    if (made !== null) return { keyId: made.key.keyId, secret: made.secret };
    // The account has its maximum of keys. A test that takes a new key for each request does not need the oldest one.
    const active = (await keyring.desk.list(wanted.accountId)).filter(
      ({ revokedAtMs }) => revokedAtMs === null,
    );
    await keyring.desk.revoke(active.at(-1)?.keyId ?? "");
    return newKey(request);
  };
  const signer = await newKey();
  let nonces = 0;
  const call: Harness["call"] = (target, given = {}) => {
    nonces += 1;
    const method = given.method ?? "GET";
    const body = given.body ?? "";
    const timestamp = given.timestamp ?? String(clock.now());
    const nonce = given.nonce ?? `nonce-${nonces}`;
    const by = given.signer === undefined ? signer : given.signer;
    const headers = {
      ...(by === null ? {} : signedHeaders(by, { method, target, body, timestamp, nonce })),
      ...(body.length === 0 ? {} : bodyHeaders(body)),
      ...given.headers,
    };
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
    return sendRequest(
      { port, agent, host: "127.0.0.1", method, path: target, headers: sent },
      body,
    );
  };
  return {
    port,
    operatorPort,
    database,
    storage: service.storage[0],
    time,
    faults,
    keys: keyring.desk,
    cache: keyring.cache,
    accounts: engine.accounts,
    people,
    linkedJobs: service.vanta?.jobs ?? [],
    accountId,
    signer,
    logged,
    call,
    get: (endpoint, options) => call(`/api/v1/trading/${endpoint}`, options),
    order: (trade, options) =>
      call(ORDERS, { method: "POST", body: JSON.stringify({ trade }), ...options }),
    async quote(pair, bid, ask) {
      await engine.market.publishOperatorQuotes([madeQuote(pair, bid, ask, clock.now())]);
      await engine.market.whenSettled();
    },
    async pass(ms) {
      await time.pass(ms);
      await engine.due.runDue();
    },
    newAccount,
    newKey,
    async signIn(role, { name = role, ownerId: owner = OWNER } = {}) {
      const person =
        (await people.roster.findByName(name)) ??
        (await addTestPerson(people, { name, role, ownerId: owner }));
      const origin = options.publicUrl === undefined ? {} : { origin: options.publicUrl };
      const browser = createDashboardClient({ port, ...origin });
      await browser.data("POST", "/sign-in", { name, password: TEST_PASSWORD });
      return { ...browser, person };
    },
    async close() {
      agent.destroy();
      await Promise.all([app.close(), operatorApp?.close(), service.vanta?.stop()]);
      await engine.market.whenSettled();
      await engine.executor.idle();
      await databases.close();
    },
  };
}

/** Node does not send the length of a GET's body by itself. */
function bodyHeaders(body: string | Buffer): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
  };
}
