import { isOperatorCall, OPERATOR_CALLS, type OperatorCallName } from "@propgate/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deepenedCount } from "../../../../../test/environment/depth.ts";
import { OPERATOR_TOKEN, OWNER } from "../../testing/harness.ts";
import {
  type DatabaseWork,
  type LongHistoryService,
  openLongHistoryService,
  openLongHistoryServiceWith,
} from "../../testing/long-history-service.ts";
import { openPagedService, type PagedService } from "../../testing/page-client.ts";

/**
 * The lengths of the journals for which the work of a request is measured, in lines. The largest is 100,000 when tests
 * run at depth 1, and smaller at lower depths.
 */
const SIZES = [...new Set([10, 1_000, deepenedCount(100_000, 1_000)])];

/**
 * The maximum work of an answer in rows that the database reads: this fixed number, and one more row for every
 * `BYTES_PER_ROW` of the answer.
 */
const ROWS = 120;
const BYTES_PER_ROW = 250;
const STATEMENTS = 20;

interface Request {
  readonly path: string;
  readonly body?: object;
  /** The expected status; absent for 200. A refusal costs work, too. */
  readonly status?: number;
  /** The additional work that the request may do. */
  readonly scanned?: Partial<DatabaseWork>;
}

/**
 * The requests with which a call is measured; or, as a text, the reason why the call is not measured by requests about
 * one account.
 */
type Row = ((life: LongHistoryService) => readonly Request[]) | string;

const WHOLE = "its work is the whole journal";
/** The history of this test has copied lines, which cannot be folded. */
const FOLDED = "its first answer folds the journal, and a later one its new lines";
const OF_OPERATOR = "it does what the operator's call of that name does";
const FOR_EACH_ROW = "a call for each row of a file";
const ELSEWHERE = "its work is at a receiver, a validator or a second source";
/** A request for few types reads 5,000 lines, 500 in each statement. The client continues at `next`. */
const SCANNED: Partial<DatabaseWork> = { read: 5_000, statements: 10 };

const at =
  (...paths: readonly (string | Request)[]): Row =>
  ({ accountId }) =>
    paths.map((one) => {
      const request = typeof one === "string" ? { path: one } : one;
      return { ...request, path: request.path.replace(":id", accountId) };
    });
const list = (path: string): Row => at(path, `${path}?limit=5`);
const FAR = Date.UTC(2090, 0, 1);
const HOOK = "00000000-0000-4000-8000-000000000000";

/** A row for each call of the operator. A new call does not compile without a row. */
const OPERATOR: Readonly<Record<OperatorCallName, Row>> = {
  "accounts.open": at({ path: "/accounts", body: { size: 1e5, ownerId: "owner-9" } }),
  "accounts.bulk": FOR_EACH_ROW,
  "accounts.link": ELSEWHERE,
  "accounts.list": list("/accounts"),
  "accounts.get": at("/accounts/:id"),
  "accounts.update": at({ path: "/accounts/:id", body: { externalId: "sale-1" } }),
  "accounts.provision": at({ path: "/accounts/:id/provision", body: {}, status: 409 }),
  "accounts.positions": at("/accounts/:id/positions"),
  "accounts.orders": at("/accounts/:id/orders"),
  "accounts.orderHistory": at("/accounts/:id/order-history?limit=5"),
  "accounts.order": ({ accountId, edited, cancelled }) =>
    [edited, cancelled].map((id) => ({ path: `/accounts/${accountId}/orders/${id}` })),
  "accounts.trades": at("/accounts/:id/trades?limit=5"),
  "accounts.fills": at("/accounts/:id/fills?limit=5"),
  "accounts.payouts": at("/accounts/:id/payouts"),
  "accounts.events": at("/accounts/:id/events?after=0&limit=5", {
    path: "/accounts/:id/events?after=0&limit=5&types=account.eliminated",
    scanned: SCANNED,
  }),
  "accounts.equity": FOLDED,
  "accounts.evidence": at({ path: "/accounts/:id/evidence", status: 409 }),
  exposure: at("/exposure"),
  stress: at("/stress"),
  "keys.create": ({ accountId }) => [
    { path: "/keys", body: { accountId, scopes: ["trade:read"] } },
  ],
  "keys.bulk": FOR_EACH_ROW,
  "keys.rekey": at({ path: "/keys/rekey", body: {} }),
  "keys.list": list("/keys"),
  "keys.revoke": at({ path: "/keys/pk_none", status: 404 }),
  "people.list": list("/people"),
  "people.add": at({ path: "/people", body: { name: "zoe", role: "owner" } }),
  "people.update": at({ path: `/people/${HOOK}`, body: { externalId: "c" }, status: 404 }),
  "people.link": at({ path: `/people/${HOOK}/link`, body: {}, status: 404 }),
  "people.keys": at({ path: `/people/${HOOK}/keys`, status: 404 }),
  "people.disable": at({ path: `/people/${HOOK}/disable`, body: {}, status: 404 }),
  "people.enable": at({ path: `/people/${HOOK}/enable`, body: {}, status: 404 }),
  "tokens.list": list("/tokens"),
  "tokens.add": at({ path: "/tokens", body: { name: "new", expiresInHours: 1 } }),
  "tokens.revoke": at({ path: "/tokens/none", status: 404 }),
  "owners.update": at({ path: `/owners/${OWNER}`, body: { accountsMax: 50 } }),
  "payouts.list": list("/payouts"),
  "payouts.bulk": FOR_EACH_ROW,
  "payouts.get": at({ path: "/payouts/none", status: 404 }),
  "payouts.record": at({ path: "/payouts/none", body: { status: "processing" }, status: 404 }),
  "funding.list": list("/funding"),
  "funding.set": at({
    path: "/funding",
    body: { pair: "BTCUSD", rate: 0, atMs: FAR },
    status: 400,
  }),
  "funding.withdraw": at({ path: `/funding/BTCUSD?atMs=${FAR}`, status: 400 }),
  "corporateActions.list": list("/corporate-actions"),
  "corporateActions.announce": at({ path: "/corporate-actions", body: {}, status: 400 }),
  "corporateActions.cancel": at({ path: "/corporate-actions/none", status: 404 }),
  "programs.list": list("/programs"),
  "programs.get": at("/programs/classic"),
  "programs.add": at({ path: "/programs", body: {}, status: 400 }),
  "programs.validate": at({ path: "/programs/validate", body: {}, status: 400 }),
  "catalogue.validate": at({ path: "/catalogue/validate", body: {}, status: 400 }),
  "journal.verify": WHOLE,
  "journal.rebuild": WHOLE,
  "journal.export": WHOLE,
  "events.list": at("/events?limit=5"),
  "alerts.list": list("/alerts"),
  "unansweredOrders.list": list("/unanswered-orders"),
  backup: WHOLE,
  "restore.confirm": at({ path: "/restore/confirm", body: {}, status: 409 }),
  "webhooks.list": list("/webhooks"),
  "webhooks.create": at({
    path: "/webhooks",
    body: { url: "https://example.com/a", enabled: false },
  }),
  "webhooks.get": at({ path: `/webhooks/${HOOK}`, status: 404 }),
  "webhooks.update": at({ path: `/webhooks/${HOOK}`, body: { label: "x" }, status: 404 }),
  "webhooks.delete": at({ path: `/webhooks/${HOOK}`, status: 404 }),
  "webhooks.test": ELSEWHERE,
  "webhooks.rotate": at({ path: `/webhooks/${HOOK}/rotate`, body: { overlapMs: 0 }, status: 404 }),
  "webhooks.resume": at({ path: `/webhooks/${HOOK}/resume`, body: {}, status: 404 }),
  "webhooks.replay": at({
    path: `/webhooks/${HOOK}/replay`,
    body: { fromSequence: 1 },
    status: 404,
  }),
  "webhooks.lanes": at({ path: `/webhooks/${HOOK}/lanes`, status: 404 }),
  "webhooks.deliveries": at({ path: `/webhooks/${HOOK}/deliveries`, status: 404 }),
  "webhooks.send": ELSEWHERE,
  health: at("/health"),
  "instruments.list": list("/instruments"),
  "prices.list": list("/prices"),
  "prices.get": at("/prices/BTCUSD"),
  "prices.effect": ELSEWHERE,
  "prices.use": ELSEWHERE,
  "prices.auto": at({ path: "/prices/BTCUSD/auto", body: {} }),
  "prices.halt": at({ path: "/prices/EURUSD/halt", body: { reason: "by hand" } }),
  search: at("/search?q=owner"),
  "audit.list": list("/audit"),
  "audit.verify": at({ path: "/audit/verify", body: {} }),
  "accounts.promote": at({ path: "/accounts/:id/promote", body: { phase: "challenge" } }),
  "accounts.offerPro": at({
    path: "/accounts/:id/offer-pro",
    body: { proAccountSize: 200_000 },
  }),
  "accounts.eliminate": at({ path: "/accounts/:id/eliminate", body: { reason: "by hand" } }),
  "accounts.close": at({ path: "/accounts/:id/close", body: {} }),
};

/**
 * Calls that change the account's phase or end it. They have their own test, in this order and with its own account.
 */
const PHASE_CHANGES: readonly OperatorCallName[] = [
  "accounts.promote",
  "accounts.offerPro",
  "accounts.eliminate",
  "accounts.close",
];
const MEASURED = Object.keys(OPERATOR_CALLS)
  .filter(isOperatorCall)
  .filter((name) => typeof OPERATOR[name] !== "string" && !PHASE_CHANGES.includes(name));

/** A row for each call of an account's pages. A test compares their names with those of the pages. */
const PAGES: Readonly<Record<string, Row>> = {
  "account.choices": at("/accounts"),
  "account.state": at("/accounts/:id/state"),
  "account.live": "it is a stream of states, of which each costs as much as `account.state`",
  "account.trades": at("/accounts/:id/trades"),
  "account.fills": ({ accountId, trade }) => [
    { path: `/accounts/${accountId}/trades/${trade}/fills` },
  ],
  "account.payouts": at("/accounts/:id/payouts"),
  "account.equity": FOLDED,
  "account.cycles": FOLDED,
  "account.objectives": FOLDED,
  "journal.page": at("/accounts/:id/journal?limit=5"),
  "journal.verify": WHOLE,
  "journal.export": WHOLE,
  "account.evidence": WHOLE,
  "account.audit": at("/accounts/:id/audit"),
  "keys.list": at("/accounts/:id/keys"),
  "keys.create": OF_OPERATOR,
  "keys.revoke": OF_OPERATOR,
  "webhooks.list": at("/accounts/:id/webhooks"),
  "webhooks.create": OF_OPERATOR,
  "webhooks.get": OF_OPERATOR,
  "webhooks.update": OF_OPERATOR,
  "webhooks.delete": OF_OPERATOR,
  "webhooks.test": ELSEWHERE,
  "webhooks.rotate": OF_OPERATOR,
  "webhooks.resume": OF_OPERATOR,
  "webhooks.replay": OF_OPERATOR,
  "webhooks.lanes": OF_OPERATOR,
  "webhooks.deliveries": OF_OPERATOR,
  "webhooks.send": ELSEWHERE,
  "account.flatten": "it is the order FLAT_ALL, whose work the signed API's table has",
  candles: at("/candles?tradePair=BTCUSD&interval=1m"),
  ticks: "it reads files of quotes, and no journal",
};

describe.each(SIZES)("the work of a call with %i lines in the journal", (size) => {
  let life: LongHistoryService<PagedService>;
  beforeAll(async () => {
    life = await openLongHistoryServiceWith(size, (harness) => openPagedService({ harness }));
  });
  afterAll(() => life.service.close());

  const expectBounded = async (
    { work }: LongHistoryService,
    request: Request,
    ask: () => Promise<{ readonly status: number; readonly text: string }>,
  ): Promise<void> => {
    const before = await work();
    const { status, text } = await ask();
    const after = await work();
    const { read = 0, statements = 0 } = request.scanned ?? {};
    const what = `${request.path} ${text.slice(0, 200)}`;
    expect([status, what]).toEqual([request.status ?? 200, what]);
    expect(after.read - before.read, `rows read, ${what}`).toBeLessThan(
      ROWS + text.length / BYTES_PER_ROW + read,
    );
    expect(after.statements - before.statements, `statements, ${what}`).toBeLessThan(
      STATEMENTS + statements,
    );
  };

  const askOperator = async (life: LongHistoryService, name: OperatorCallName): Promise<void> => {
    const { method } = OPERATOR_CALLS[name];
    const row = OPERATOR[name];
    const send = async ({ path, body }: Request) => {
      const response = await fetch(`http://127.0.0.1:${life.service.port}/operator/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    };
    for (const request of typeof row === "string" ? [] : row(life)) {
      // The first read may get rows from the database that are kept in memory afterwards.
      if (method === "GET") await send(request);
      await expectBounded(life, request, () => send(request));
    }
  };

  test.each(MEASURED)(
    "the work of the operator's call %s does not grow with the history, except by what it answers [D12.boundedWork]",
    (name) => askOperator(life, name),
  );

  test("the work of the calls that end an account does not grow with its history [D12.boundedWork]", async () => {
    const ending = await openLongHistoryService(size);
    try {
      for (const name of PHASE_CHANGES) await askOperator(ending, name);
    } finally {
      await ending.service.close();
    }
  });

  test.each(Object.entries(PAGES).filter(([, row]) => typeof row !== "string"))(
    "the work of the pages' call %s does not grow with the history, except by what it answers [D12.boundedWork]",
    async (_name, row) => {
      const send = async ({ path }: Request) => {
        const { status, data, error } = await life.service.page("GET", path);
        return { status, text: JSON.stringify(data ?? error) };
      };
      for (const request of typeof row === "string" ? [] : row(life)) {
        await send(request);
        await expectBounded(life, request, () => send(request));
      }
    },
  );

  test("the pages' calls have a row each", () => {
    expect([...life.service.callNames].sort()).toEqual(Object.keys(PAGES).sort());
  });
});
