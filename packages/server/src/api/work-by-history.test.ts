import {
  orderPath,
  receiptPath,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
} from "@propgate/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deepenedCount } from "../../../../test/environment/depth.ts";
import {
  BUY_TRADE,
  type DatabaseWork,
  LIMIT_TRADE,
  type LongHistoryService,
  openLongHistoryService,
} from "../testing/long-history-service.ts";
import type { Reply } from "../testing/signed-request.ts";

/** The numbers of lines of the journal; 100,000 at depth 1. */
const SIZES = [10, 1_000, deepenedCount(100_000, 4_000)];

/**
 * The maximum work of a request: `ROWS` rows, one more row for every `BYTES_PER_ROW` bytes of the answer, and
 * `STATEMENTS` statements.
 */
const ROWS = 90;
const BYTES_PER_ROW = { received: 500, read: 250 };
const STATEMENTS = 6;
/** A request for few types reads 5,000 lines, 500 in each statement; the client continues at `next`. */
const SCANNED: Partial<DatabaseWork> = { read: 5_000, received: 20, statements: 10 };

interface Request {
  /** The endpoint's own path unless given. */
  readonly path?: string;
  readonly query?: string;
  readonly body?: object;
  /** The additional work that the request may do. */
  readonly scanned?: Partial<DatabaseWork>;
}

/** Requests of every endpoint, with the parameters by which a request may read far back in the history. */
const REQUESTS: Readonly<
  Record<SignedEndpointName, (life: LongHistoryService) => readonly Request[]>
> = {
  getAccount: () => [{}],
  getPositions: () => [{}],
  getOrders: () => [{}],
  getTrades: ({ trade }) => [{}, { query: "?limit=5" }, { query: `?limit=5&after=${trade}` }],
  getPayouts: () => [{}, { query: "?limit=1" }],
  placeOrder: ({ edited }) => [
    { body: { trade: LIMIT_TRADE } },
    { body: { trade: { ...LIMIT_TRADE, execution_type: "LIMIT_EDIT", order_uuid: edited } } },
    { body: { trade: BUY_TRADE } },
    { body: { trade: { execution_type: "FLAT_ALL" } } },
  ],
  getInstruments: () => [{}],
  getQuotes: () => [{}],
  getCandles: () => [{ query: "?tradePair=BTCUSD&interval=1m" }],
  getReceipt: () => [{ path: receiptPath("buy") }, { path: receiptPath("never used") }],
  getEvents: ({ lines }) => [
    { query: "?after=0&limit=5" },
    { query: `?after=${lines - 2}&limit=5&proof=1` },
    { query: "?after=0&limit=5&types=account.eliminated", scanned: SCANNED },
  ],
  getEventStream: ({ lines }) => [{ query: `?after=${lines - 5}` }, { query: "?types=none" }],
  getOrder: ({ edited, cancelled, lines }) => [
    { path: orderPath(edited) },
    { path: orderPath(edited), query: `?after=${lines - 5}` },
    { path: orderPath(cancelled) },
  ],
  getOrderHistory: pagesOfHistory,
  getFills: pagesOfHistory,
  previewOrder: () => [{ body: { trade: LIMIT_TRADE } }],
  cancelAllAfter: () => [{ body: { seconds: 60 } }, { body: { seconds: 0 } }],
};

/**
 * Requests for the newest page, the first page, a page of a pair that was never traded, and the pages since a time one
 * second before and one second after now.
 */
function pagesOfHistory({ service }: LongHistoryService): readonly Request[] {
  const now = service.time.clock.now();
  const since = [now - 1_000, now + 1_000].map((ms) => `&since=${ms}`);
  return ["", "&after=0", "&tradePair=EURUSD", ...since].map((more) => ({
    query: `?limit=5${more}`,
  }));
}

/** Work is counted in rows and statements, not in time. */
describe.each(SIZES)("the work of a request with %i lines in the journal", (size) => {
  let life: LongHistoryService;
  let nonces = 0;

  beforeAll(async () => {
    life = await openLongHistoryService(size);
  });
  afterAll(() => life.service.close());

  const ask = (name: SignedEndpointName, { path, query = "", body }: Request): Promise<Reply> => {
    nonces += 1;
    const { method, path: own } = SIGNED_ENDPOINTS[name];
    return life.service.call((path ?? own) + query, {
      signer: life.signer,
      nonce: `asked-${nonces}`,
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };

  test.each(SIGNED_ENDPOINT_NAMES)(
    "the work of %s does not grow with the history, except by what it answers [D12.boundedWork]",
    async (name) => {
      for (const request of REQUESTS[name](life)) {
        // The first request may read rows that are kept in memory after it.
        await ask(name, request);
        const before = await life.work();
        const reply = await ask(name, request);
        const after = await life.work();
        const { read = 0, received = 0, statements = 0 } = request.scanned ?? {};
        const bytes = reply.text.length;
        const what = JSON.stringify(request);
        expect([reply.status, what]).toEqual([200, what]);
        expect(after.read - before.read, `rows read, ${what}`).toBeLessThan(
          ROWS + bytes / BYTES_PER_ROW.read + read,
        );
        expect(after.received - before.received, `rows got, ${what}`).toBeLessThan(
          ROWS + bytes / BYTES_PER_ROW.received + received,
        );
        expect(after.statements - before.statements, `statements, ${what}`).toBeLessThan(
          STATEMENTS + statements,
        );
      }
    },
  );
});
