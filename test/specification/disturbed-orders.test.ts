import { EDGE_ERRORS, ENDPOINTS } from "@propgate/contract";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Placement, TradingNetwork } from "../../packages/ledger/src/trading/network/port.ts";
import {
  type DatabaseOutage,
  databaseWithOutage,
} from "../../packages/server/src/testing/database-outage.ts";
import { createSwitchedNetwork } from "../../packages/server/src/testing/endpoint-statuses.suite.ts";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import { openTestDatabase } from "../../packages/server/src/testing/open-test-database.ts";
import { signedHeaders } from "../../packages/server/src/testing/signed-request.ts";
import { failingNetwork } from "../../packages/server/src/testing/unreachable-network.ts";
import { sendBytes } from "../e2e/send-bytes.ts";
import { propertySettings } from "../environment/depth.ts";
import { readDocument, specificationText } from "./document.ts";
import { listedStatuses } from "./error-differences.ts";

const { path: ORDERS } = ENDPOINTS.placeOrder;
const TRADE = { execution_type: "LIMIT", trade_pair: "BTCUSD", order_type: "LONG", value: 1_000 };
const BODIES = {
  sound: JSON.stringify({ trade: { ...TRADE, limit_price: 40_000 } }),
  unsized: JSON.stringify({ trade: { ...TRADE, value: null, limit_price: 40_000 } }),
  unreadable: "{",
  /** A few bodies of this size exceed the memory that all bodies share. */
  large: JSON.stringify({ note: "x".repeat(40_000), trade: TRADE }),
  tooLarge: "x".repeat(70_000),
} as const;
const PIPELINED = 5;

/** Ways in which a request arrives. */
const ARRIVALS = {
  whole: (bytes: string) => bytes,
  withoutItsEnd: (bytes: string) => bytes.slice(0, -3),
  withoutItsHeaders: (bytes: string) => bytes.slice(0, bytes.indexOf("Content-Type") + 5),
  withLargeHeaders: (bytes: string) =>
    bytes.replace("Host: x", `Host: x\r\nA: ${"a".repeat(20_000)}`),
  pipelined: (bytes: string) => bytes.repeat(2 * PIPELINED),
} as const;

const NETWORKS: Readonly<Record<string, TradingNetwork | null>> = {
  own: null,
  ...Object.fromEntries(
    (["ownerChanging", "networkDown", "notCarriedOut", "unknownFate"] as const).map((error) => [
      error,
      networkAnswering({ ok: false, error }),
    ]),
  ),
};

/** A network that answers every order with this placement. */
function networkAnswering(placement: Placement): TradingNetwork {
  const silent = failingNetwork({ ok: false, error: "unreachable" });
  return { ...silent, carryOut: async () => placement };
}

const REQUESTS = fc.array(
  fc.record({
    body: fc.constantFrom(...Object.values(BODIES)),
    arrival: fc.constantFrom(...Object.values(ARRIVALS)),
  }),
  { minLength: 1, maxLength: 12 },
);
const ROUNDS = fc.record({
  network: fc.constantFrom(...Object.keys(NETWORKS)),
  database: fc.constantFrom<DatabaseOutage>(
    { text: "", when: "never" },
    { text: "", when: "before" },
    { text: "nonces", when: "answer" },
    { text: "journal", when: "before" },
    { text: "journal", when: "answer" },
  ),
  requests: REQUESTS,
});

/** A round of requests that provokes every answer that the service gives without calling an endpoint. */
const EVERY_ARRIVAL = {
  network: "own",
  database: { text: "", when: "never" as const },
  requests: Object.values(ARRIVALS).flatMap((arrival) => [
    { arrival, body: BODIES.sound },
    ...Array.from({ length: 4 }, () => ({ arrival, body: BODIES.large })),
  ]),
};
const { requestTimeout, headersTooLarge, tooManyBodies, tooManyPipelined } = EDGE_ERRORS;
const EDGE_TEXTS = [requestTimeout, headersTooLarge, tooManyBodies, tooManyPipelined].map(
  ({ text }) => text,
);

let service: Harness;
let replacement: TradingNetwork | null = null;
const outage: DatabaseOutage = { text: "", when: "never" };
beforeAll(async () => {
  service = await openHarness({
    database: databaseWithOutage(await openTestDatabase(), outage),
    wrap: (network) => createSwitchedNetwork(() => replacement ?? network),
    edge: {
      // Longer than a busy process takes from a connection to its first bytes, because a connection without a whole
      // request line gets a 408.
      requestTimeoutMs: 5_000,
      keepAliveMs: 1_000,
      bodyBytesInFlightMax: 100_000,
      bodyBytesPerNetworkMax: 100_000,
      pipelinedMax: PIPELINED,
    },
  });
  return () => service.close();
});

test("orders that arrive in any way while anything fails get a status that the specification lists for them [S7.statuses]", async () => {
  const listed = [
    "200",
    ...listedStatuses(readDocument(specificationText())).placeOrder.split(","),
  ];
  let nonces = 0;
  const signed = (body: string): string => {
    nonces += 1;
    const request = { method: "POST", target: ORDERS, body, nonce: `order-${nonces}` };
    const timestamp = String(service.time.clock.now());
    const headers = Object.entries(signedHeaders(service.signer, { ...request, timestamp }));
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return `POST ${ORDERS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${lines}\r\n${body}`;
  };
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(ROUNDS, async ({ network, database, requests }) => {
      await service.quote("BTCUSD", 50_000, 50_000);
      replacement = NETWORKS[network] ?? null;
      Object.assign(outage, database);
      const answers = await Promise.all(
        requests.map(({ body, arrival }) =>
          sendBytes(
            service.port,
            arrival(signed(body)),
            arrival === ARRIVALS.whole ? "close" : "keepOpen",
          ),
        ),
      );
      replacement = null;
      Object.assign(outage, { when: "never" });
      for (const { status, body } of answers.flat()) {
        seen.add(body.replace(/^\{"success".*/s, "accepted"));
        expect(listed, `${status} ${body}`).toContain(String(status));
      }
    }),
    { ...propertySettings(20), examples: [[EVERY_ARRIVAL]] },
  );
  for (const text of EDGE_TEXTS) expect([...seen]).toContainEqual(JSON.stringify({ error: text }));
});
