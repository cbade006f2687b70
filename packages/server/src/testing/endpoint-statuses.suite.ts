import {
  type ErrorStatus,
  orderPath,
  receiptPath,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
} from "@propgate/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TradingNetwork } from "../../../ledger/src/trading/network/port.ts";
import { expectDescribedAnswer } from "./described-answer.ts";
import { type CallOptions, type Harness, type HarnessOptions, openHarness } from "./harness.ts";
import type { Reply } from "./signed-request.ts";
import { failingNetwork, unreachableNetwork } from "./unreachable-network.ts";

/** An endpoint of a service that is open while the tests of its `describe` run. */
export interface EndpointUnderTest {
  readonly name: SignedEndpointName;
  readonly service: () => Harness;
  /** The path and query of a valid request. */
  readonly path: () => string;
  /** Sends a valid request, changed as the options say. Its answer must agree with the published document. */
  readonly call: (options?: CallOptions) => Promise<Reply>;
  /** Replaces the trading network; null restores it. */
  readonly replaceNetwork: (network: TradingNetwork | null) => void;
}

const SOUND_ORDER = JSON.stringify({ trade: { execution_type: "FLAT_ALL" } });
const SOUND_PREVIEW = JSON.stringify({
  trade: {
    execution_type: "LIMIT",
    trade_pair: "BTCUSD",
    order_type: "LONG",
    value: 1000,
    limit_price: 40_000,
  },
});

const SOUND_BODIES: Readonly<Partial<Record<SignedEndpointName, string>>> = {
  placeOrder: SOUND_ORDER,
  cancelAllAfter: JSON.stringify({ seconds: 60 }),
};

/** The path and the options of a valid request of the endpoint. */
function validRequest(name: SignedEndpointName): {
  readonly path: string;
  readonly options: CallOptions;
} {
  const { method, path } = SIGNED_ENDPOINTS[name];
  if (name === "getReceipt") return { path: receiptPath("never-seen"), options: { method } };
  if (name === "getCandles") {
    return { path: `${path}?tradePair=BTCUSD&interval=1m`, options: { method } };
  }
  if (method === "GET") return { path, options: { method } };
  return { path, options: { method, body: SOUND_BODIES[name] ?? SOUND_PREVIEW } };
}

export function openEndpointUnderTest(
  name: SignedEndpointName,
  options: HarnessOptions = {},
): EndpointUnderTest {
  let open: Harness | null = null;
  let replacement: TradingNetwork | null = null;
  /** The id of an order whose history can be read; null for endpoints that need none. */
  let order: string | null = null;
  beforeAll(async () => {
    const wrap = (network: TradingNetwork) => createSwitchedNetwork(() => replacement ?? network);
    open = await openHarness({ wrap, ...options });
    await open.quote("BTCUSD", 50_000, 50_000);
    if (name === "getOrder") order = await placedOrder(open);
  });
  afterAll(async () => {
    await open?.close();
  });
  const service = (): Harness => {
    if (open === null) throw new Error("a test asks for its service before it is open");
    return open;
  };
  const { options: soundOptions } = validRequest(name);
  const path = (): string => (order === null ? validRequest(name).path : orderPath(order));
  return {
    path,
    name,
    service,
    replaceNetwork: (network) => {
      replacement = network;
    },
    async call(options) {
      const reply = await service().call(path(), { ...soundOptions, ...options });
      expectDescribedAnswer(name, reply);
      return reply;
    },
  };
}

async function placedOrder(service: Harness): Promise<string> {
  const { trade } = JSON.parse(SOUND_PREVIEW) as { readonly trade: unknown };
  const placed = (await service.order(trade)).json() as { data: { order_uuid: string } };
  return placed.data.order_uuid;
}

/** A network that passes each call to the network that `present` returns at that moment. */
export const createSwitchedNetwork = (present: () => TradingNetwork): TradingNetwork => ({
  account: (at) => present().account(at),
  positions: (at) => present().positions(at),
  pendingOrders: (at) => present().pendingOrders(at),
  trades: (at, page) => present().trades(at, page),
  payouts: (at, page) => present().payouts(at, page),
  market: (at) => present().market(at),
  preview: (at, command) => present().preview(at, command),
  carryOut: (accountId, command, origin) => present().carryOut(accountId, command, origin),
});

/** Tests the 401 of the checks 1 to 4 and 6 of a signed request. @rule D2.1 D2.2 D2.3 D2.4 D2.6 */
function unauthorizedSuite({ name, path, service, call }: EndpointUnderTest): void {
  test.each(["Key-Id", "Timestamp", "Nonce", "Signature"])(
    "a request without X-Service-%s is refused: Missing credentials [D2.1] [S5.headers]",
    async (header) => {
      const reply = await call({ headers: { [`X-Service-${header}`]: "" } });
      expect([reply.status, reply.text]).toEqual([401, '{"error":"Missing credentials"}']);
    },
  );

  test.each(["1767614400", "2026-01-05T12:00:00Z", "1767614400000.5", "+1767614400000", "1e12"])(
    "the timestamp %s is refused: Invalid timestamp [D2.2]",
    async (timestamp) => {
      const reply = await call({ timestamp });
      expect([reply.status, reply.text]).toEqual([401, '{"error":"Invalid timestamp"}']);
    },
  );

  test.each([
    [-300_000, 200],
    [300_000, 200],
    [-300_001, 401],
    [300_001, 401],
  ])(
    "five minutes of skew pass, a millisecond more does not: %i [D2.3]",
    async (skewMs, status) => {
      const reply = await call({ timestamp: String(service().time.clock.now() + skewMs) });
      expect(reply.status).toBe(status);
      if (status === 401) expect(reply.text).toBe('{"error":"Timestamp invalid"}');
    },
  );

  test("unknown, revoked and expired keys get the same answer [D2.4]", async () => {
    const revoked = await service().newKey();
    await service().keys.revoke(revoked.keyId);
    const expired = await service().newKey({ expiresAtMs: service().time.clock.now() });
    const unknown = { keyId: "pk_00000000000000000000", secret: "sk_any" };
    for (const signer of [unknown, revoked, expired]) {
      const reply = await call({ signer });
      expect([reply.status, reply.text]).toEqual([401, '{"error":"Invalid key"}']);
      expect(reply.headers["x-service-seen-target"]).toBeUndefined();
    }
  });

  test("a signature with another secret is refused with what the server saw: Bad signature [D2.6] [D2.help]", async () => {
    const reply = await call({ signer: { ...service().signer, secret: "sk_wrong" } });
    expect([reply.status, reply.text]).toEqual([401, '{"error":"Bad signature"}']);
    expect(reply.headers["x-service-seen-target"]).toBe(path());
    expect(reply.headers["x-service-seen-body-sha256"]).toMatch(/^[0-9a-f]{64}$/);
    expect(reply.headers["x-service-server-time-ms"]).toBe(String(service().time.clock.now()));
  });

  if (SIGNED_ENDPOINTS[name].method === "GET")
    test("a body too large to be hashed is not a signed one, for reads have no 400 [D2.body] [S7.statuses]", async () => {
      const reply = await call({ body: "x".repeat(65_537) });
      expect([reply.status, reply.text]).toEqual([401, '{"error":"Bad signature"}']);
    });

  test("no refusal of a stranger stores anything [D2.order]", async () => {
    await call({ signer: { ...service().signer, secret: "sk_wrong" }, nonce: "not-burnt" });
    expect((await call({ nonce: "not-burnt" })).status).toBe(200);
  });
}

/** Tests the 403 of the checks 8 and 10 of a signed request. @rule D2.8 D2.10 */
function forbiddenSuite({ name, path, service, call }: EndpointUnderTest): void {
  const { scope } = SIGNED_ENDPOINTS[name];
  const { options: sound } = validRequest(name);

  test("a key without the scope is told which one it lacks, and not how far the account is [S5.R4] [D2.8] [D12.scopeShowsNothing]", async () => {
    const signer = await service().newKey({ scopes: [scope === "trade:read" ? "place" : "read"] });
    const reply = await call({ signer });
    expect(reply.status).toBe(403);
    expect(reply.text).toBe(`{"error":"insufficient_scope","required_scope":"${scope}"}`);
    expect(reply.headers["x-service-account-version"]).toBeUndefined();
  });

  test.each(["d2c5b6e4-0000-4000-8000-000000000000", "not-a-uuid", ""])(
    "accountId=%s in the query is refused as another account [S5.R5] [D2.10]",
    async (accountId) => {
      const reply = await service().call(withAccount(path(), accountId), sound);
      expect(reply.status).toBe(403);
      expect(reply.text).toBe('{"error":"This API key is only valid for a different account"}');
    },
  );

  test("the bound account may be named [S5.R5]", async () => {
    const reply = await service().call(withAccount(path(), service().accountId), sound);
    expect(reply.status).toBe(200);
  });
}

function withAccount(path: string, accountId: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}accountId=${accountId}`;
}

/** Tests the 404 of check 11 of a signed request: its account is closed. GET payouts still answers. @rule D2.11 */
function notFoundSuite({ name, service, call }: EndpointUnderTest): void {
  const answer = name === "getPayouts" ? "still has its payouts" : "no longer resolves";
  test(`a closed account ${answer} [D2.11] [D13.closing]`, async () => {
    const accountId = await service().newAccount();
    const signer = await service().newKey({ accountId });
    await service().accounts.close(accountId);
    const { status, text } = await call({ signer });
    if (name === "getPayouts") expect(status).toBe(200);
    else expect([status, text]).toEqual([404, '{"error":"Account not found"}']);
  });
}

/** Tests the 409 of check 7 of a signed request: its key has used the nonce before. @rule D2.7 */
function conflictSuite({ service, call }: EndpointUnderTest): void {
  test("a nonce works once, for every outcome of its request [S5.R2] [D2.7]", async () => {
    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await call({ nonce: "used" })).status);
    expect(statuses).toEqual([200, 409]);
    const reply = await call({ nonce: "used" });
    expect(reply.text).toBe('{"error":"Nonce"}');
  });

  test("nonces are counted for each key apart [S5.R2]", async () => {
    const signer = await service().newKey();
    expect((await call({ nonce: "shared" })).status).toBe(200);
    expect((await call({ nonce: "shared", signer })).status).toBe(200);
  });
}

/** Tests the 500 of check 5 of a signed request, and of a fault after the checks. @rule D2.5 */
export function faultSuite({ service, call }: EndpointUnderTest): void {
  test("a secret that does not open is a fault: Decrypt failed [D2.5]", async () => {
    service().faults.set({ secrets: "undecryptable" });
    service().cache.clear();
    const reply = await call();
    service().faults.set({ secrets: "ok" });
    expect([reply.status, reply.text]).toEqual([500, '{"error":"Decrypt failed"}']);
    expect((await call()).status).toBe(200);
  });

  test("a fault says nothing but an id that the log has too [S7.500]", async () => {
    await call();
    await service().database.query("alter table nonces rename to hidden");
    const reply = await call();
    await service().database.query("alter table hidden rename to nonces");
    expect([reply.status, reply.text]).toEqual([500, '{"error":"Internal error"}']);
    expect(reply.headers["x-service-request-id"]).toMatch(/^[\w-]+$/);
    expect(service().logged.length).toBeGreaterThan(0);
  });
}

/** Tests the 429 of check 9 of a signed request, for reads: the budget of the minute is used up. @rule D2.9 */
function readBudgetSuite({ service, call }: EndpointUnderTest): void {
  test("read 121 of a clock minute is refused, the next minute is fresh [S8.read] [S8.headers] [D2.9]", async () => {
    const signer = await service().newKey();
    await service().time.pass(15_000);
    const replies = await Promise.all(Array.from({ length: 121 }, () => call({ signer })));
    const refused = replies.filter((reply) => reply.status === 429);
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(120);
    expect(refused.map((reply) => reply.text)).toEqual(['{"error":"rate_limited"}']);
    expect(refused[0]?.headers).toMatchObject({
      "retry-after": "45",
      "x-ratelimit-limit": "120",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "1767614460",
    });
    await service().time.pass(45_000);
    await service().quote("BTCUSD", 50_000, 50_000);
    const fresh = await call({ signer });
    expect(fresh.status).toBe(200);
    expect(fresh.headers["x-ratelimit-limit"]).toBeUndefined();
  });
}

/** Tests the 502 of an endpoint whose source behind the network answers with an error. @rule S7.502 */
function upstreamSuite({ call, replaceNetwork }: EndpointUnderTest): void {
  test("an error of the service behind it is passed on as 502 [S7.502]", async () => {
    replaceNetwork(failingNetwork({ ok: false, error: "upstream", message: "history is closed" }));
    const reply = await call();
    replaceNetwork(null);
    expect([reply.status, reply.text]).toEqual([502, '{"error":"history is closed"}']);
  });
}

/** Tests the 503 of an endpoint while the network cannot be reached. @rule S7.R1 */
function unreachableSuite({ call, replaceNetwork }: EndpointUnderTest): void {
  test("an unreachable network is a 503 that names it, without data [S7.R1]", async () => {
    replaceNetwork(unreachableNetwork);
    const reply = await call();
    replaceNetwork(null);
    expect(reply.status).toBe(503);
    expect(reply.text).toBe(
      '{"error":"Account snapshot temporarily unavailable (Propgate validator unreachable); retry shortly"}',
    );
  });
}

/** For each status, the tests that all endpoints with this status share. */
export const SHARED_SUITES: Readonly<
  Record<Exclude<ErrorStatus, 400 | 405>, (endpoint: EndpointUnderTest) => void>
> = {
  401: unauthorizedSuite,
  403: forbiddenSuite,
  404: notFoundSuite,
  409: conflictSuite,
  429: readBudgetSuite,
  500: faultSuite,
  502: upstreamSuite,
  503: unreachableSuite,
};
