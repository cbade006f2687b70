import { ENDPOINT_NAMES, ENDPOINTS, isRecord } from "@propgate/contract";
import type { SpecificationDocument } from "./document.ts";
import type { Evidence } from "./evidence.ts";
import { accountValue, isSoForEveryAccount, isUnixMs, type NoteProof, valueAt } from "./note.ts";
import { READ_ENDPOINTS } from "./service-under-test.ts";

const LEADS = "it leads to the table or the list below it";
const OPEN = "it leaves something open, which open-points.md settles";

/** Whether a cause of section 7 was provoked, and every answer to it had the status. */
const isAnswered = ({ errors }: Evidence, cause: string, status: number): boolean => {
  const replies = errors.get(cause) ?? [];
  return replies.length > 0 && replies.every((reply) => reply.status === status);
};
const isAnsweredAt = (
  all: Evidence,
  cause: string,
  [status, endpoints]: readonly [number, readonly string[]],
): boolean =>
  isAnswered(all, cause, status) &&
  endpoints.every((name) => all.errors.get(cause)?.some(({ endpoint }) => endpoint === name));
const isAnsweredAtReads = (all: Evidence, cause: string, status: number): boolean =>
  isAnsweredAt(all, cause, [status, READ_ENDPOINTS]);
const isAnsweredEverywhere = (all: Evidence, cause: string, status: number): boolean =>
  isAnsweredAt(all, cause, [status, ENDPOINT_NAMES]);

/** Whether every success is 200 with `success` and `data`, and every other answer is 4xx or 5xx with an error text. */
const hasEnvelope = ({ replies }: Evidence): boolean =>
  replies.every((reply) => {
    const body = reply.json();
    if (!isRecord(body)) return false;
    if (reply.status === 200) return body.success === true && body.data !== undefined;
    return reply.status >= 400 && reply.status < 600 && typeof body.error === "string";
  });

const isClose = (one: unknown, other: number): boolean => Math.abs(Number(one) - other) < 1e-6;
const headerNames = ({ openApi }: Evidence): readonly string[] =>
  Object.keys(valueAt(openApi, "components.securitySchemes") ?? {});

/** Whether the second page of payouts follows the first, and has no accrual. */
const isPaged = ({ live: { states } }: Evidence): boolean => {
  const { payouts, laterPayouts } = states.funded;
  return (
    valueAt(laterPayouts, "0.items.0.id") === valueAt(payouts, "items.1.id") &&
    valueAt(laterPayouts, "0.accrual") === null &&
    isRecord(valueAt(payouts, "accrual"))
  );
};

/** The lines of the document that are neither a heading nor a row, in their order, each with its proof. */
export const PROVED_SENTENCES: readonly { readonly text: string; readonly held: NoteProof }[] = [
  {
    text: "This document covers the whole service: a signed REST API, served at {base_url}, for reading the state of one proprietary trading account and for placing and managing orders on it. Request and response bodies are JSON.",
    held: { untried: "an introduction: every table after it says it again" },
  },
  {
    text: "- Each API key is bound to exactly one prop account. Every operation acts on that account.",
    held: { rule: "S5.R5" },
  },
  {
    text: "- Read operations return: an account snapshot (equity, evaluation status, challenge progress, drawdown, performance), open positions, pending orders, closed trades, and payouts with a live accrual estimate.",
    held: {
      seen: ({ openApi }) =>
        ["Account", "Position", "PendingOrder", "Trade", "Payouts"].every((one) =>
          isRecord(valueAt(openApi, `components.schemas.${one}`)),
        ),
    },
  },
  {
    text: "- One write operation, `POST /api/v1/trading/orders`, places market, limit and bracket orders. It also edits and cancels limit orders and flattens all positions, selected by `execution_type`.",
    held: {
      seen: ({ moves }) =>
        ["MARKET", "LIMIT", "BRACKET", "LIMIT_EDIT", "LIMIT_CANCEL", "FLAT_ALL"].every(
          (one) => moves[one] !== undefined,
        ),
    },
  },
  {
    text: "- Every request is signed (see section 5), including reads.",
    held: {
      seen: (all) => isAnsweredEverywhere(all, "one or more auth headers absent or empty", 401),
    },
  },
  {
    text: "- Success: HTTP 200 with the envelope `{success: true, data: ...}`. Failure: 4xx or 5xx with `{error: <string>}`.",
    held: { seen: hasEnvelope },
  },
  {
    text: "- Mutating calls cannot be made from a browser. They are made from a terminal or program that signs the request.",
    held: { rule: "S1.noBrowser" },
  },
  {
    text: "- Account values are the same values shown on the account owner's dashboard.",
    held: { rule: "S1.dashboard" },
  },
  {
    text: "All timestamps ending in `Ms` are Unix milliseconds (number). Money is in USD unless stated. Percent fields are plain percents (5.2 means 5.2%) unless stated as a ratio.",
    held: {
      seen: (all) =>
        isSoForEveryAccount(all, "meta.generatedAtMs", isUnixMs) &&
        isClose(
          accountValue(all, "trading", "account.totalPnLPercent"),
          Number(accountValue(all, "trading", "account.totalPnL")) / 1_000,
        ),
    },
  },
  {
    text: "proTrack, drawdownRules, elimination, isPro and tradingDays are additive fields introduced in v1.2.0; all earlier fields are unchanged.",
    held: {
      seen: (all) =>
        ["proTrack", "drawdownRules", "elimination", "isPro", "tradingDays"].every((name) =>
          isSoForEveryAccount(all, name, (value) => value !== undefined),
        ),
    },
  },
  { text: "Objective keys and the meaning of `value`:", held: { untried: LEADS } },
  {
    text: "`met` is null while either value or threshold is unknown. The calmar and consistency values (and so their `met`) are null until `evaluated` is true. return and days report `met` from the first day.",
    held: { rule: "S2.1.1.objectives" },
  },
  {
    text: "Lot unit per instrument class: base units for crypto, equities, indices and one class of commodities; lots of 100,000 units for forex; 100 oz for XAU/USD; 5,000 oz for XAG/USD.",
    held: { rule: "S2.2.lotUnit" },
  },
  {
    text: "The list contains unfilled limit orders and per-position bracket legs (TP/SL) that will execute automatically.",
    held: { rule: "S2.3" },
  },
  { text: "Item fields:", held: { untried: LEADS } },
  {
    text: "Accrual fields: estimatedAmount (USD; null while the current window is empty or the network has no payout data for the account yet, for example an account that has not traded since entering its current phase), windowStartMs, asOfMs, priorUnpaidAmount (total of closed cycles not yet paid), earliestUnpaidPeriodStartMs (nullable), deferredBalance (nullable).",
    held: { rule: "S2.5.accrual" },
  },
  {
    text: "Allowed values of evaluation.status, assetClass, variant, bucket, trade status and order type strings: not shown. Allowed values of payout status, rail and provider, the types of alphaAmount and alphaDestination, and the meaning of deferredBalance: not shown.",
    held: { untried: OPEN },
  },
  {
    text: "`order` fields: orderUuid, tradePair, tradePairDisplay, orderType, executionType (strings); filled (boolean); quantity, value, leverage, price, slippage, realizedPnl, processedMs (numbers); limitPrice, stopPrice, stopCondition, stopLoss, takeProfit, bracketPct (null when unused); bindingCap (null unless a cap limited the fill); bracketOrders (array or null).",
    held: { rule: "S2.6" },
  },
  {
    text: "`order.bracketOrders` lists the TP/SL legs the network attached from `stop_loss`, `take_profit` or `bracket_orders` on the request, or null when there are none. Each leg has orderUuid (what is passed to LIMIT_CANCEL), stopLoss, takeProfit, quantity, value, bracketPct, trailingPercent, trailingValue; unused ones are null.",
    held: { rule: "D5.legs" },
  },
  { text: "State-bearing fields:", held: { untried: LEADS } },
  { text: "accrualStatus rules:", held: { untried: LEADS } },
  { text: "Order moves that the interface shows:", held: { untried: LEADS } },
  {
    text: "The pro-track phase sequence and when `challenge` or `funded` begins: Transitions: not shown. The account's move into the eliminated state beyond what the `elimination` object reports: Transitions: not shown.",
    held: { untried: OPEN },
  },
  {
    text: "All paths are relative to {base_url}. All require the four authentication headers (section 5). Success is HTTP 200 with `{success: true, data: ...}`.",
    held: {
      seen: (all) =>
        hasEnvelope(all) &&
        isAnsweredEverywhere(all, "one or more auth headers absent or empty", 401),
    },
  },
  {
    text: "Read endpoints accept an optional query parameter `accountId` (string, uuid). It is never required. When supplied it must equal the bound account, otherwise 403. The query string is part of the signed path, so adding it changes the signature.",
    held: {
      seen: (all) =>
        isAnsweredEverywhere(all, "accountId in query or body names another account", 403),
    },
  },
  {
    text: "GET requests have no body. Other query parameters (filters, pagination) for endpoints 2 to 4: not shown.",
    held: { rule: "D2.getBody" },
  },
  {
    text: "Pagination: pass `nextCursor` back as `cursor` until `nextCursor` is null. The signed path must equal exactly what is sent, including `?limit=...&cursor=...`. `items` holds closed cycles only; the cycle in progress appears as `accrual`, on the first page only.",
    held: { seen: isPaged },
  },
  {
    text: "Request: `Content-Type: application/json`. The signature is computed over the exact body bytes sent, so the body is serialised once and those bytes are signed and sent.",
    held: { rule: "S5.bytes" },
  },
  {
    text: "Sizing rule: on MARKET and LIMIT orders exactly one of `leverage`, `value`, `quantity` must be given; none or two is rejected with 400. Unrecognised fields are ignored, not rejected, so a misspelt field surfaces as a missing-value error. `quantity` uses the lot unit described in 2.2.",
    held: { seen: (all) => isAnswered(all, "zero or two sizing fields on MARKET or LIMIT", 400) },
  },
  {
    text: "Types and formats of the optional request fields (leverage, quantity, stop_loss, take_profit, bracket_orders, limit price and stop fields): not shown. The request fields that identify the target of LIMIT_CANCEL and LIMIT_EDIT, and the parameters of FLAT_ALL: not shown. The complete lists of trade_pair and order_type values: not shown.",
    held: { untried: OPEN },
  },
  {
    text: "Response: 2.6. Order placement is not idempotent and has no idempotency key: a request that timed out may have been accepted; before retrying a write the caller reads GET positions or GET orders to check.",
    held: { rule: "S4.2.notIdempotent" },
  },
  {
    text: "Every request, GET included, carries four headers. All four are required and non-empty.",
    held: {
      seen: (all) =>
        isAnsweredEverywhere(all, "one or more auth headers absent or empty", 401) &&
        headerNames(all).length === 4,
    },
  },
  {
    text: "(In the live interface the header names use the service's own brand word in place of `Service`; the pattern is X-<brand>-Key-Id, -Timestamp, -Nonce, -Signature.)",
    held: { rule: "D1.brand" },
  },
  {
    text: "Canonical string: six parts joined by a single newline character, no trailing newline:",
    held: { rule: "S5.canonical" },
  },
  { text: "1. the literal `v1`", held: { rule: "S5.canonical" } },
  { text: "2. the HTTP method in upper case", held: { rule: "S5.canonical" } },
  {
    text: "3. the request target exactly as sent: path plus query string, if any",
    held: { rule: "S5.canonical" },
  },
  { text: "4. the timestamp string as sent", held: { rule: "S5.canonical" } },
  { text: "5. the nonce as sent", held: { rule: "S5.canonical" } },
  {
    text: "6. the SHA-256 of the request body, as lowercase hex; for an empty body (all GETs) this is the hash of the empty string",
    held: { rule: "S5.canonical" },
  },
  {
    text: "Signature = base64(HMAC-SHA256(key = the key's secret as UTF-8 text, message = canonical string as UTF-8)), sent as `v1=<signature>`.",
    held: { rule: "S5.canonical" },
  },
  { text: "Rules:", held: { untried: LEADS } },
  {
    text: "1. The timestamp must be a positive finite number (whole milliseconds) within 5 minutes of server time, in either direction.",
    held: {
      seen: (all) =>
        all.limits.skewMinutes === 5 &&
        isAnsweredEverywhere(
          all,
          "timestamp not a positive finite number (seconds, ISO string, float)",
          401,
        ),
    },
  },
  {
    text: "2. Each nonce may be used once per key, for the life of the key; nonces are stored permanently. A reused nonce returns 409.",
    held: {
      seen: (all) =>
        all.limits.noncesRefusedLater.length === ENDPOINT_NAMES.length &&
        isAnsweredEverywhere(all, "nonce already used by this key", 409),
    },
  },
  {
    text: "3. Keys are created in the owner's dashboard under key management. The secret is shown only at creation. Scopes are fixed at creation and cannot be added later.",
    held: { rule: "S5.R3" },
  },
  {
    text: "4. Scopes: `trade:read` (all GET endpoints), `trade:place` (POST orders). A key lacking the scope gets 403 `insufficient_scope` with `required_scope`.",
    held: {
      seen: (all) =>
        isAnsweredEverywhere(
          all,
          "key lacks the endpoint's scope; response has `required_scope`",
          403,
        ),
    },
  },
  {
    text: "5. A key is bound to exactly one prop account; a different accountId (query or body) gives 403.",
    held: {
      seen: (all) =>
        isAnsweredEverywhere(all, "accountId in query or body names another account", 403),
    },
  },
  {
    text: "6. A revoked or deleted key is treated as not found (401 `Invalid key`).",
    held: { seen: (all) => isAnsweredEverywhere(all, "no active key matches the key id", 401) },
  },
  {
    text: "Nonce length and character limits: not shown (a 16-byte random value in hex is used in the reference signers).",
    held: { untried: OPEN },
  },
  { text: "Events, webhooks or push notifications: not shown.", held: { untried: OPEN } },
  {
    text: "Envelope: `{error: <string>}`. For 403 insufficient scope the object also has `required_scope` (string). Wording may be clarified over time; statuses do not change under v1; clients match on the `error` string only to tell two causes of one status apart.",
    held: {
      seen: (all) =>
        isAnsweredEverywhere(
          all,
          "key lacks the endpoint's scope; response has `required_scope`",
          403,
        ),
    },
  },
  {
    text: "Statuses per endpoint: GET endpoints can return 401, 403, 404, 409, 429, 500, 502, 503 (and 400 for payouts); POST orders can return 400, 401, 403, 404, 409, 429, 500.",
    held: { untried: "`error-differences.ts` reads the lists" },
  },
  { text: "Rules:", held: { untried: LEADS } },
  {
    text: "1. A 503 on a read means no data is returned. The service does not return placeholder balances on a 503; a client must not treat it as a zeroed account.",
    held: {
      seen: (all) =>
        isAnsweredAtReads(all, "the upstream validator was unreachable on a read", 503),
    },
  },
  {
    text: "2. Re-signing with a fresh nonce and timestamp is required on every retry; replaying an identical signed request returns 409 and never creates a duplicate order.",
    held: { rule: "S7.R2" },
  },
  {
    text: "3. Any successful request resets the failed-request count behind `too_many_failed_requests`.",
    held: { seen: ({ limits }) => limits.isResetBySuccess },
  },
  { text: "Maximum request body size: not shown.", held: { untried: OPEN } },
  {
    text: "- The path prefix is `/api/v1/`. The signature scheme is tagged `v1` in the canonical string and in the signature header value.",
    held: {
      seen: ({ openApi }) =>
        ENDPOINT_NAMES.every(
          (name) =>
            ENDPOINTS[name].path.startsWith("/api/v1/") &&
            isRecord(openApi.paths) &&
            ENDPOINTS[name].path in openApi.paths,
        ),
    },
  },
  {
    text: "- Within v1, error statuses do not change; error message wording may be clarified.",
    held: { rule: "S7.statuses" },
  },
  {
    text: "- Fields are added without changing existing ones (the additive fields in 2.1 came with v1.2.0). Clients must tolerate unknown fields.",
    held: { rule: "S9.additive" },
  },
  {
    text: "- A machine-readable OpenAPI 3.1 description is published; it lists the headers but request signing is supplied by the caller.",
    held: { seen: ({ openApi }) => String(openApi.openapi).startsWith("3.1") },
  },
  { text: "Deprecation and retirement policy for versions: not shown.", held: { untried: OPEN } },
];

/**
 * The lines of the document that are not at their position in `PROVED_SENTENCES`, the missing ones, and those that the
 * service does not show.
 */
export function sentenceDifferences(
  document: SpecificationDocument,
  evidence: Evidence,
): readonly string[] {
  const texts = document.sentences.map(({ text }) => text);
  const unknown = document.sentences.filter(
    ({ text }, index) => PROVED_SENTENCES[index]?.text !== text,
  );
  return [
    ...unknown.map(({ line, text }) => `line ${line}: nothing holds '${text}'`),
    ...PROVED_SENTENCES.filter(({ text }) => !texts.includes(text)).map(
      ({ text }) => `no line '${text}'`,
    ),
    ...PROVED_SENTENCES.filter(({ held }) => "seen" in held && !held.seen(evidence)).map(
      ({ text }) => `the service does not show '${text}'`,
    ),
  ];
}
