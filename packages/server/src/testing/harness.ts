import { Agent } from "node:http";
import {
  type AccountId,
  decide,
  evolve,
  type Instruments,
  leverage,
  type OwnerId,
  ownerId,
  ratio,
  type Terms,
} from "@propgate/core";
import { openApp } from "../http/app.ts";
import { cursors } from "../http/cursor.ts";
import type { KeyScope } from "../keys/api-key.ts";
import type { KeyRequest } from "../keys/create-key.ts";
import { type KeyCache, keyCache } from "../keys/key-cache.ts";
import { type KeyDesk, keyDesk } from "../keys/manage-keys.ts";
import { parseMasterKeys } from "../keys/master-key.ts";
import { type SecretBox, secretBox } from "../keys/seal-secret.ts";
import { type Accounts, createAccounts } from "../network/accounts.ts";
import { createEmbeddedNetwork } from "../network/embedded.ts";
import { createExecutor } from "../network/executor.ts";
import type { TradingNetwork } from "../network/port.ts";
import { createStateCache } from "../network/state-cache.ts";
import { createTradeHistory } from "../network/trade-history.ts";
import { createMarketLoop } from "../prices/market-loop.ts";
import { createQuoteBoard } from "../prices/quote-board.ts";
import { seededChance } from "../random.ts";
import { createFaultBoard, type FaultBoard } from "../sandbox/faults.ts";
import { withFaults } from "../sandbox/faulty-network.ts";
import type { Database } from "../storage/database.ts";
import { accountStore } from "../storage/stores/account-store.ts";
import { admissionStore } from "../storage/stores/admission-store.ts";
import { keyStore } from "../storage/stores/key-store.ts";
import { tradeStore } from "../storage/stores/trade-store.ts";
import { TEST_TERMS } from "./counting-decider.ts";
import { madeCatalogue, madeInstrument } from "./made-instrument.ts";
import { madeQuote } from "./made-quote.ts";
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
  readonly body?: string;
  /** Over those that are made here; an empty value leaves the header out. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly nonce?: string;
  readonly timestamp?: string;
}

/** A whole service in this process, on a real socket, made of the real parts. */
export interface Harness {
  readonly port: number;
  readonly database: Database;
  readonly time: ManualTime;
  readonly faults: FaultBoard;
  readonly keys: KeyDesk;
  readonly cache: KeyCache;
  readonly accounts: Accounts;
  /** A classic static account of 100,000 USD and its key with both scopes. */
  readonly accountId: AccountId;
  readonly signer: Signer;
  /** What was logged as a fault. */
  readonly logged: readonly unknown[];
  /** Signs with a fresh nonce at the service's time, unless told otherwise. */
  call(target: string, options?: CallOptions): Promise<Reply>;
  get(endpoint: string, options?: CallOptions): Promise<Reply>;
  /** POST orders with this `trade`. */
  order(trade: unknown, options?: CallOptions): Promise<Reply>;
  quote(pair: string, bid: number, ask: number): Promise<void>;
  newAccount(options?: {
    readonly provisioned?: boolean;
    readonly terms?: Terms;
  }): Promise<AccountId>;
  newKey(request?: Partial<KeyRequest>): Promise<Signer>;
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly database?: Database;
  readonly seed?: string;
  /** In front of the network, as the port allows. */
  readonly wrap?: (network: TradingNetwork) => TradingNetwork;
}

const BOTH: readonly KeyScope[] = ["read", "place"];
const ORDERS = "/api/v1/trading/orders";

export async function openHarness(options: HarnessOptions = {}): Promise<Harness> {
  const database = options.database ?? (await openTestDatabase());
  const time = createManualTime(START_MS);
  const { clock } = time;
  const chance = seededChance(options.seed ?? "harness");
  const logged: unknown[] = [];
  const onFault = (cause: unknown): void => void logged.push(cause);
  const faults = createFaultBoard();

  const board = createQuoteBoard({ outliers: null });
  const cache = createStateCache(database);
  const store = accountStore(database);
  const executor = createExecutor({
    database,
    cache,
    decider: { decide, evolve },
    clock,
    quotes: () => board.quotes,
    instruments: CATALOGUE,
  });
  const loop = createMarketLoop({ executor, board, instruments: CATALOGUE, clock, onFault });
  const embedded = createEmbeddedNetwork({
    executor,
    cache,
    trades: createTradeHistory(tradeStore(database)),
    accounts: store,
    clock,
    quotes: () => board.quotes,
    instruments: CATALOGUE,
    accountsPerOwnerMax: 5,
    onFault,
  });
  const wrap = options.wrap ?? ((network) => network);
  const box = failingBox(
    secretBox(parseMasterKeys(Buffer.alloc(32, 7).toString("base64")), chance),
    faults,
  );
  const keysAt = keyStore(database);
  const known = keyCache({ store: keysAt, box });
  const desk = keyDesk({ store: keysAt, cache: known, box, chance, clock });
  const accounts = createAccounts({ executor, store, chance });
  const app = openApp({
    brand: "Service",
    networkName: "Propgate",
    clock,
    chance,
    keys: known,
    admissionStore: admissionStore(database),
    admissionsAtOnce: database.kind === "pglite" ? 1 : 2,
    network: wrap(withFaults(embedded, faults)),
    instruments: CATALOGUE,
    cursors: cursors(Buffer.alloc(32, 9)),
    openapi: '{"openapi":"3.1.0"}',
    health: async () => ({ database: database.kind }),
    onFault,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const { port } = address;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  const newAccount: Harness["newAccount"] = (account = {}) =>
    accounts.open({
      ownerId: OWNER,
      terms: account.terms ?? TEST_TERMS,
      provisioned: account.provisioned ?? true,
    });
  const accountId = await newAccount();
  const newKey = async (request: Partial<KeyRequest> = {}): Promise<Signer> => {
    const { key, secret } = await desk.create({ accountId, scopes: BOTH, ...request });
    return { keyId: key.keyId, secret };
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
      ...(body === "" ? {} : bodyHeaders(body)),
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
    database,
    time,
    faults,
    keys: desk,
    cache: known,
    accounts,
    accountId,
    signer,
    logged,
    call,
    get: (endpoint, options) => call(`/api/v1/trading/${endpoint}`, options),
    order: (trade, options) =>
      call(ORDERS, { method: "POST", body: JSON.stringify({ trade }), ...options }),
    async quote(pair, bid, ask) {
      await loop.give([madeQuote(pair, bid, ask, clock.now())]);
    },
    newAccount,
    newKey,
    async close() {
      agent.destroy();
      await app.close();
      await database.close();
    },
  };
}

/** Node announces no length of a GET's body by itself. */
function bodyHeaders(body: string): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
  };
}

/** The same box, unless the fault board says that nothing opens. */
function failingBox(box: SecretBox, faults: FaultBoard): SecretBox {
  return {
    ...box,
    open: (keyId, sealed) => (faults.read().secrets === "ok" ? box.open(keyId, sealed) : null),
  };
}
