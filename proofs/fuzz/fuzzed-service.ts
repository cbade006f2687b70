import assert from "node:assert/strict";
import { evolve } from "@propgate/core";
import { loadCatalogue } from "@propgate/server";
import { rebuildJournal } from "../../packages/ledger/src/trading/journal/rebuild-journal.ts";
import { verifyJournal } from "../../packages/ledger/src/trading/journal/verify-journal.ts";
import {
  type Harness,
  OPERATOR_TOKEN,
  openHarness,
  TEST_MASTER_KEY,
} from "../../packages/server/src/testing/harness.ts";
import { type Signer, signedHeaders } from "../../packages/server/src/testing/signed-request.ts";
import { createOutputChecker, type OutputChecker } from "./output-checker.ts";
import { type RawAnswer, sendRawBytes } from "./send-raw-bytes.ts";

/** A request that is not signed yet. The body has one latin-1 character per byte. */
export interface UnsignedRequest {
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly nonce: string;
}

/** A real service on a socket, and keys whose budgets are not used up. */
export interface FuzzedService {
  readonly service: Harness;
  readonly checker: OutputChecker;
  /** A key that has calls left and whose account can trade. */
  trader(): Promise<Signer>;
  /** Creates an account and returns a new key of it. */
  freshTrader(): Promise<Signer>;
  /** Quotes every pair of `START_PRICES` at the present time. */
  quoteAll(): Promise<void>;
  nextNonce(): string;
  headers(signer: Signer, request: UnsignedRequest): Record<string, string>;
  exchange(bytes: string): Promise<RawAnswer>;
  /** Sends a valid request. @throws when the answer is not 200 */
  expectAnswer(): Promise<void>;
  expectSound(): Promise<void>;
  close(): Promise<void>;
}

/** Start prices of two crypto pairs, a forex pair in USD and one in another currency. */
export const START_PRICES: Readonly<Record<string, number>> = {
  BTCUSD: 90_000,
  ETHUSD: 3_000,
  EURUSD: 1.1,
  USDJPY: 150,
};
/** Fewer than the 30 rejected orders after which the failure guard answers every order of the key with 429. */
const CALLS_PER_TRADER = 25;
const REQUEST_TIMEOUT_MS = 1_000;
/** Sixty timeouts: a busy machine may be slow, and only a longer wait is a hang. */
const PATIENCE_MS = 60 * REQUEST_TIMEOUT_MS;
const LOG_ERROR = 50;
const ACCOUNT = "/api/v1/trading/account";

/** Starts the service and a checker that knows its secrets. */
export async function openFuzzedService(): Promise<FuzzedService> {
  // Random prices are almost never multiples of a price step. With price steps every order of a play would be refused,
  // and the play would find no mistake.
  const own = [...(await loadCatalogue(null)).instruments];
  const instruments = new Map(own.map(([id, one]) => [id, { ...one, priceStep: null }]));
  const service = await openHarness({
    instruments,
    edge: { requestTimeoutMs: REQUEST_TIMEOUT_MS },
  });
  const quoteAll = async (): Promise<void> => {
    for (const [pair, price] of Object.entries(START_PRICES))
      await service.quote(pair, price, price);
  };
  const secrets = new Set([OPERATOR_TOKEN, TEST_MASTER_KEY, service.signer.secret]);
  const checker = createOutputChecker(secrets);
  let calls = 0;
  let nonces = 0;
  let current = service.signer;
  const freshTrader = async (): Promise<Signer> => {
    const signer = await service.newKey({ accountId: await service.newAccount() });
    secrets.add(signer.secret);
    return signer;
  };
  const trader = async (): Promise<Signer> => {
    if (calls % CALLS_PER_TRADER === 0) current = await freshTrader();
    calls += 1;
    return current;
  };
  return {
    service,
    checker,
    trader,
    freshTrader,
    quoteAll,
    nextNonce() {
      nonces += 1;
      return `fuzz-${nonces}`;
    },
    headers: (signer, { body, ...request }) =>
      signedHeaders(signer, {
        ...request,
        body: Buffer.from(body, "latin1"),
        timestamp: String(service.time.clock.now()),
      }),
    async exchange(bytes) {
      const [answer] = await sendRawBytes(bytes, { port: service.port, patienceMs: PATIENCE_MS });
      assert.ok(answer !== undefined, "the connection was closed without an answer");
      checker.clean([...answer.headers.values()].join("\n"));
      return answer;
    },
    async expectAnswer() {
      const { status, text } = await service.call(ACCOUNT, { signer: await trader() });
      assert.equal(status, 200, text);
    },
    async expectSound() {
      const faults = service.logged.filter((line) => JSON.parse(line).level >= LOG_ERROR);
      assert.deepEqual(faults, []);
      createOutputChecker([...secrets]).clean(service.logged.join(""));
      await expectProved(service, instruments);
    },
    close: () => service.close(),
  };
}

/** Expects every chain to be intact, and every stored state to equal its journal. */
async function expectProved(
  { database }: Harness,
  instruments: Awaited<ReturnType<typeof loadCatalogue>>["instruments"],
): Promise<void> {
  const { broken } = await verifyJournal(database, "all");
  assert.deepEqual(broken, []);
  const { different } = await rebuildJournal({
    database,
    evolve,
    instruments,
    which: "all",
    write: false,
  });
  assert.deepEqual(different, []);
}
