import { ENDPOINT_NAMES, type EndpointName } from "@propgate/contract";
import { accountId } from "@propgate/core";
import type { CallOptions } from "../../packages/server/src/testing/harness.ts";
import {
  failingNetwork,
  unreachableNetwork,
} from "../../packages/server/src/testing/unreachable-network.ts";
import { type EndpointReply, READ_ENDPOINTS, type ServiceUnderTest } from "./service-under-test.ts";

/** The replies to requests that provoke a cause of section 7, by the words that the document has for the cause. */
export type ProvokedErrors = ReadonlyMap<string, readonly EndpointReply[]>;

export const UPSTREAM_MESSAGE = "history is closed";
/** The id of an account that the suite does not have. */
const UNKNOWN_ACCOUNT_ID = "d2c5b6e4-0000-4000-8000-000000000000";
const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
const READ_BUDGET = 120;
const REJECTIONS = 30;

type Provocation = (service: ServiceUnderTest) => Promise<readonly EndpointReply[]>;

/** Sends the same request to several endpoints, one after the other. */
const requestEach =
  (
    endpoints: readonly EndpointName[],
    options: () => CallOptions & { query?: string },
  ): Provocation =>
  async (service) => {
    const replies: EndpointReply[] = [];
    for (const endpoint of endpoints) replies.push(await service.call(endpoint, options()));
    return replies;
  };

const everyWay =
  (ways: readonly Provocation[]): Provocation =>
  async (service) => {
    const replies: EndpointReply[] = [];
    for (const provoke of ways) replies.push(...(await provoke(service)));
    return replies;
  };

const payouts = (...queries: readonly string[]): Provocation =>
  everyWay(queries.map((query) => requestEach(["getPayouts"], () => ({ query }))));

/** Places orders that are rejected. A new key signs them, so that no other key gets a cooldown. */
const placeRejected =
  (...bodies: readonly object[]): Provocation =>
  async (service) => {
    const signer = await service.newSigner();
    const replies: EndpointReply[] = [];
    for (const body of bodies) {
      replies.push(await service.call("placeOrder", { signer, body: JSON.stringify(body) }));
    }
    return replies;
  };

const HEADERS = ["Key-Id", "Timestamp", "Nonce", "Signature"];

const PROVOCATIONS: Readonly<Record<string, Provocation>> = {
  "account not yet provisioned on the trading network (POST orders)": async (service) => {
    const accountId = await service.harness.newAccount({ provisioned: false });
    const signer = await service.harness.newKey({ accountId });
    return [await service.call("placeOrder", { signer })];
  },
  "payouts `limit` not a positive integer": payouts(
    "?limit=0",
    "?limit=-1",
    "?limit=1.5",
    "?limit=x",
  ),
  "payouts `cursor` was not returned by the API": payouts("?cursor=", "?cursor=abc"),
  "order body failed validation (unknown execution_type, malformed accountId, wrong field type); names the first problem":
    placeRejected(
      { trade: { ...MARKET, execution_type: "TWAP", value: 1 } },
      { accountId: "no-uuid", trade: MARKET },
      { trade: { ...MARKET, value: "1" } },
    ),
  "zero or two sizing fields on MARKET or LIMIT": placeRejected(
    { trade: MARKET },
    { trade: { ...MARKET, value: 1_000, leverage: 1 } },
    { trade: { ...MARKET, execution_type: "LIMIT", limit_price: 45_000 } },
    { trade: { ...MARKET, execution_type: "LIMIT", limit_price: 45_000, value: 1, quantity: 1 } },
  ),
  "one or more auth headers absent or empty": everyWay([
    ...HEADERS.map((name) =>
      requestEach(ENDPOINT_NAMES, () => ({ headers: { [`X-Service-${name}`]: "" } })),
    ),
    requestEach(ENDPOINT_NAMES, () => ({ signer: null })),
  ]),
  "timestamp not a positive finite number (seconds, ISO string, float)": everyWay(
    ["1767614400", "2026-01-05T12:00:00Z", "1767614400000.5", "-1", "0", "Infinity"].map(
      (timestamp) => requestEach(ENDPOINT_NAMES, () => ({ timestamp })),
    ),
  ),
  "timestamp more than 5 minutes from server time": everyWay(
    [-300_001, 300_001].map(
      (offMs): Provocation =>
        (service) => {
          const timestamp = String(service.harness.time.clock.now() + offMs);
          return requestEach(ENDPOINT_NAMES, () => ({ timestamp }))(service);
        },
    ),
  ),
  "no active key matches the key id": async (service) => {
    const revoked = await service.newSigner();
    await service.harness.keys.revoke(revoked.keyId);
    const unknown = { keyId: "pk_00000000000000000000", secret: "propgate_sk_any" };
    return everyWay(
      [revoked, unknown].map((signer) => requestEach(ENDPOINT_NAMES, () => ({ signer }))),
    )(service);
  },
  "HMAC mismatch with a recognised key": (service) => {
    const signer = { ...service.harness.signer, secret: "propgate_sk_wrong" };
    return requestEach(ENDPOINT_NAMES, () => ({ signer }))(service);
  },
  "key lacks the endpoint's scope; response has `required_scope`": async (service) => {
    const accountId = await service.harness.newAccount();
    const places = await service.harness.newKey({ accountId, scopes: ["place"] });
    const reads = await service.harness.newKey({ accountId, scopes: ["read"] });
    return [
      ...(await requestEach(READ_ENDPOINTS, () => ({ signer: places }))(service)),
      await service.call("placeOrder", { signer: reads }),
    ];
  },
  "accountId in query or body names another account": everyWay([
    requestEach(ENDPOINT_NAMES, () => ({ query: `?accountId=${UNKNOWN_ACCOUNT_ID}` })),
    placeRejected({ accountId: UNKNOWN_ACCOUNT_ID, trade: MARKET }),
  ]),
  "bound account no longer resolves (deleted, transferred, never provisioned)": async (service) => {
    const { harness } = service;
    const signer = await harness.newKey({ accountId: accountId(UNKNOWN_ACCOUNT_ID) });
    return requestEach(ENDPOINT_NAMES, () => ({ signer }))(service);
  },
  "nonce already used by this key": async (service) => {
    const signer = await service.newSigner();
    await service.call("getAccount", { signer, nonce: "used" });
    return requestEach(ENDPOINT_NAMES, () => ({ signer, nonce: "used" }))(service);
  },
  "per-key read budget for the minute exhausted; carries Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset":
    async (service) => {
      const signer = await service.newSigner();
      await Promise.all(
        Array.from({ length: READ_BUDGET }, () => service.call("getPositions", { signer })),
      );
      return requestEach(READ_ENDPOINTS, () => ({ signer }))(service);
    },
  "30 rejected requests in 10 minutes; order placement paused for 15 minutes; carries Retry-After":
    async (service) => {
      const signer = await service.newSigner();
      for (let count = 0; count < REJECTIONS; count += 1) {
        await service.order({}, { signer });
      }
      return [await service.call("placeOrder", { signer })];
    },
  "the stored key secret could not be decrypted; platform fault": async (service) => {
    const { faults } = service.harness;
    faults.set({ secrets: "undecryptable" });
    const replies = await requestEach(ENDPOINT_NAMES, () => ({}))(service);
    faults.set({ secrets: "ok" });
    return replies;
  },
  "upstream trade-history service answered with an error": (service) =>
    service.during(
      failingNetwork({ ok: false, error: "upstream", message: UPSTREAM_MESSAGE }),
      () => requestEach(READ_ENDPOINTS, () => ({}))(service),
    ),
  "the upstream validator was unreachable on a read": (service) =>
    service.during(unreachableNetwork, () => requestEach(READ_ENDPOINTS, () => ({}))(service)),
};

/** Provokes every error of section 7, at every endpoint that can answer it. */
export async function provokeErrors(service: ServiceUnderTest): Promise<ProvokedErrors> {
  const provoked = new Map<string, readonly EndpointReply[]>();
  for (const [cause, provoke] of Object.entries(PROVOCATIONS)) {
    provoked.set(cause, await provoke(service));
  }
  return provoked;
}
