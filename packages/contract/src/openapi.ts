import { type AuthHeaders, authHeaders } from "./brand.ts";
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName, type ErrorStatus } from "./endpoints.ts";
import { FAILURE, successOf } from "./envelope.ts";
import { ERRORS, type ErrorName, errorsOf, errorText } from "./errors.ts";
import { REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from "./examples/examples.ts";
import { LIMITS } from "./limits.ts";
import { ORDER_REQUEST } from "./requests/order-request.ts";
import { ACCOUNT } from "./resources/account.ts";
import { ORDER_RESULT } from "./resources/order-result.ts";
import { PAYOUTS } from "./resources/payout.ts";
import { PENDING_ORDER } from "./resources/pending-order.ts";
import { POSITION } from "./resources/position.ts";
import { TRADE } from "./resources/trade.ts";
import type { JsonSchema, Schema } from "./schema.ts";
import { API_VERSION } from "./version.ts";

/** What an operator decides about the document. */
export interface OpenApiOptions {
  readonly brand: string;
  readonly networkName: string;
  /** Where the API is reached; null: wherever the document was fetched from. */
  readonly baseUrl: string | null;
}

const COMPONENTS = {
  Account: ACCOUNT,
  Position: POSITION,
  PendingOrder: PENDING_ORDER,
  Trade: TRADE,
  Payouts: PAYOUTS,
  OrderResult: ORDER_RESULT,
  OrderRequest: ORDER_REQUEST,
  Failure: FAILURE,
} as const;
type ComponentName = keyof typeof COMPONENTS;

const reference = (name: ComponentName): Schema<unknown> => ({
  json: { $ref: `#/components/schemas/${name}` },
});
const rows = (name: ComponentName): Schema<unknown> => ({
  json: { type: "array", items: reference(name).json },
});

/** What `data` of each endpoint's success is. */
const DATA: Readonly<Record<EndpointName, Schema<unknown>>> = {
  getAccount: reference("Account"),
  getPositions: rows("Position"),
  getOrders: rows("PendingOrder"),
  getTrades: rows("Trade"),
  getPayouts: reference("Payouts"),
  placeOrder: reference("OrderResult"),
};

/** The OpenAPI 3.1 description of the public API: six operations, nothing else. @rule S9.openapi */
export function openApiDocument(options: OpenApiOptions): JsonSchema {
  const schemas = Object.entries(COMPONENTS).map(([name, schema]) => [name, schema.json]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Proprietary trading account API",
      version: API_VERSION,
      description: INTRODUCTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: options.baseUrl ?? "/" }],
    security: [],
    tags: [
      { name: "reads", description: "What the account is, holds, waits for and has done." },
      { name: "orders", description: "Placing, editing, cancelling and flattening." },
    ],
    paths: paths(options),
    components: {
      schemas: Object.fromEntries(schemas),
      parameters: headerParameters(authHeaders(options.brand)),
    },
  };
}

const INTRODUCTION = [
  "Every request carries four headers and is signed by the caller: HMAC-SHA256, with the key's",
  "secret, over six lines: `v1`, the method, the request target as sent, the timestamp, the nonce",
  "and the SHA-256 of the body in lower-case hex. The signature goes out as `v1=` and its base64.",
  "Fields may be added within v1: tolerate those you do not know.",
].join(" ");

function paths(options: OpenApiOptions): JsonSchema {
  const byPath = new Map<string, Record<string, JsonSchema>>();
  for (const name of ENDPOINT_NAMES) {
    const { path, method } = ENDPOINTS[name];
    const item = byPath.get(path) ?? {};
    item[method.toLowerCase()] = operation(name, options);
    byPath.set(path, item);
  }
  return Object.fromEntries(byPath);
}

function operation(name: EndpointName, options: OpenApiOptions): JsonSchema {
  const endpoint = ENDPOINTS[name];
  const query: readonly string[] = endpoint.query;
  const headers = Object.keys(authHeaders(options.brand));
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.method === "GET" ? "reads" : "orders"],
    "x-propgate-scope": endpoint.scope,
    parameters: [
      ...headers.map((header) => ({ $ref: `#/components/parameters/${header}` })),
      ...query.map(queryParameter),
    ],
    ...(endpoint.method === "POST" ? { requestBody: requestBody() } : {}),
    responses: responses(name, options),
  };
}

const HEADER_NOTES: Readonly<Record<keyof AuthHeaders, JsonSchema>> = {
  keyId: { description: "The key's id.", schema: { type: "string", minLength: 1 } },
  timestamp: {
    description: `Unix milliseconds, within ${LIMITS.timestampSkewMs / 60_000} minutes of the server's clock.`,
    schema: {
      type: "string",
      pattern: `^[0-9]{${LIMITS.timestampDigitsMin},${LIMITS.timestampDigitsMax}}$`,
    },
  },
  nonce: {
    description: "Good for one request in the life of the key.",
    schema: {
      type: "string",
      minLength: LIMITS.nonceCharactersMin,
      maxLength: LIMITS.nonceCharactersMax,
    },
  },
  signature: {
    description: "`v1=` and the base64 of the HMAC.",
    schema: { type: "string", pattern: "^v1=[A-Za-z0-9+/]{43}=$" },
  },
};

function headerParameters(names: AuthHeaders): JsonSchema {
  return Object.fromEntries(
    Object.entries(HEADER_NOTES).map(([part, note]) => [
      part,
      { name: new Map(Object.entries(names)).get(part), in: "header", required: true, ...note },
    ]),
  );
}

function queryParameter(name: string): JsonSchema {
  return { name, in: "query", required: false, ...QUERY_NOTES[name] };
}

/** What each query parameter means, and its schema. */
export const QUERY_NOTES: Readonly<Record<string, JsonSchema>> = {
  accountId: {
    description: "Never needed; anything but the bound account is refused.",
    schema: { type: "string", format: "uuid" },
  },
  limit: {
    description: `Rows of the page; more than ${LIMITS.payoutsLimitMax} are treated as ${LIMITS.payoutsLimitMax}.`,
    schema: {
      type: "integer",
      minimum: LIMITS.payoutsLimitMin,
      default: LIMITS.payoutsLimitDefault,
    },
  },
  cursor: {
    description: "`nextCursor` of the page before, unchanged; not given: the first page.",
    schema: { type: "string" },
  },
};

function requestBody(): JsonSchema {
  const examples = Object.entries(REQUEST_EXAMPLES).map(([key, value]) => [key, { value }]);
  return {
    required: true,
    description: `At most ${LIMITS.bodyBytesMax} bytes. Exactly these bytes are signed.`,
    content: {
      "application/json": {
        schema: reference("OrderRequest").json,
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function responses(name: EndpointName, options: OpenApiOptions): JsonSchema {
  const statuses: readonly ErrorStatus[] = ENDPOINTS[name].errorStatuses;
  const failures = statuses.map((status) => [String(status), failure(name, status, options)]);
  return { "200": okResponse(name), ...Object.fromEntries(failures) };
}

function okResponse(name: EndpointName): JsonSchema {
  const examples = Object.entries(RESPONSE_EXAMPLES)
    .filter(([, example]) => example.endpoint === name)
    .map(([key, { summary, data }]) => [key, { summary, value: { success: true, data } }]);
  return {
    description: "Success.",
    content: {
      "application/json": {
        schema: successOf(DATA[name]).json,
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function failure(name: EndpointName, status: ErrorStatus, options: OpenApiOptions): JsonSchema {
  const errors = errorsOf(name).filter((error) => ERRORS[error].status === status);
  return {
    description: errors.map((error) => ERRORS[error].cause).join(" "),
    ...(status === 429 ? { headers: budgetHeaders(name) } : {}),
    content: {
      "application/json": {
        schema: reference("Failure").json,
        examples: Object.fromEntries(
          errors.map((error) => [error, { value: failureExample(error, name, options) }]),
        ),
      },
    },
  };
}

const MESSAGES: Readonly<Partial<Record<ErrorName, string>>> = {
  invalidBody: "'limit_price' is required",
  orderRefused: "The market for BTC/USD is closed",
  upstreamFailed: "trade history is being rebuilt",
};

function failureExample(
  error: ErrorName,
  endpoint: EndpointName,
  { networkName }: OpenApiOptions,
): JsonSchema {
  const body = { error: errorText(error, { networkName, message: MESSAGES[error] ?? "" }) };
  return error === "insufficientScope"
    ? { ...body, required_scope: ENDPOINTS[endpoint].scope }
    : body;
}

function budgetHeaders(name: EndpointName): JsonSchema {
  const whole = (description: string): JsonSchema => ({
    description,
    schema: { type: "integer" },
  });
  const retryAfter = { "Retry-After": whole("Whole seconds to wait.") };
  if (name === "placeOrder") return retryAfter;
  return {
    ...retryAfter,
    "X-RateLimit-Limit": whole("Reads in one window."),
    "X-RateLimit-Remaining": whole("Reads left in this window."),
    "X-RateLimit-Reset": whole("When the next window starts, Unix seconds."),
  };
}
