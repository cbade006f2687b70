import { type AuthHeaders, authHeaders } from "./brand.ts";
import {
  type ErrorStatus,
  isAdditive,
  isWrite,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
} from "./endpoints.ts";
import { FAILURE, successOf } from "./envelope.ts";
import { ERRORS, type ErrorName, errorsOf, errorText } from "./errors.ts";
import { REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from "./examples/examples.ts";
import { LIMITS } from "./limits.ts";
import { ORDER_REQUEST } from "./requests/order-request.ts";
import { ACCOUNT } from "./resources/account.ts";
import { INSTRUMENT, QUOTE } from "./resources/instrument.ts";
import { ORDER_RESULT } from "./resources/order-result.ts";
import { PAYOUTS } from "./resources/payout.ts";
import { PENDING_ORDER } from "./resources/pending-order.ts";
import { POSITION } from "./resources/position.ts";
import { PREVIEW } from "./resources/preview.ts";
import { RECEIPT } from "./resources/receipt.ts";
import { SERVICE_TIME } from "./resources/service-time.ts";
import { TRADE } from "./resources/trade.ts";
import type { JsonSchema, Schema } from "./schema.ts";
import { API_VERSION, TIME_PATH } from "./version.ts";

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
  Instrument: INSTRUMENT,
  Quote: QUOTE,
  Receipt: RECEIPT,
  Preview: PREVIEW,
  ServiceTime: SERVICE_TIME,
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
const DATA: Readonly<Record<SignedEndpointName, Schema<unknown>>> = {
  getAccount: reference("Account"),
  getPositions: rows("Position"),
  getOrders: rows("PendingOrder"),
  getTrades: rows("Trade"),
  getPayouts: reference("Payouts"),
  placeOrder: reference("OrderResult"),
  getInstruments: rows("Instrument"),
  getQuotes: rows("Quote"),
  getReceipt: reference("Receipt"),
  previewOrder: reference("Preview"),
};

/**
 * The OpenAPI 3.1 description of the public API: the specification's six operations, and those that
 * stand beside them, marked with `x-additive`. @rule S9.openapi D9.additive
 */
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
      { name: "additions", description: "Beside the specification's six; no client needs them." },
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
  for (const name of SIGNED_ENDPOINT_NAMES) {
    const { path, method } = SIGNED_ENDPOINTS[name];
    const item = byPath.get(path) ?? {};
    item[method.toLowerCase()] = operation(name, options);
    byPath.set(path, item);
  }
  byPath.set(TIME_PATH, { get: timeOperation() });
  return Object.fromEntries(byPath);
}

const ADDITION = {
  "x-additive": true,
  description: "Additive: outside the six endpoints of the specification.",
} as const;

/** The one operation without a signature: whoever needs it cannot sign yet. @rule D9.time */
function timeOperation(): JsonSchema {
  const schema = successOf(reference("ServiceTime")).json;
  const value = {
    success: true,
    data: { serverTimeMs: 1_767_780_000_000, skewAllowedMs: LIMITS.timestampSkewMs },
  };
  return {
    operationId: "getTime",
    summary: "The service's clock; not signed and counted nowhere",
    ...ADDITION,
    tags: ["additions"],
    parameters: [],
    responses: {
      "200": {
        description: "Success.",
        content: { "application/json": { schema, examples: { time: { value } } } },
      },
    },
  };
}

function operation(name: SignedEndpointName, options: OpenApiOptions): JsonSchema {
  const endpoint = SIGNED_ENDPOINTS[name];
  const query: readonly string[] = endpoint.query;
  const headers = Object.keys(authHeaders(options.brand));
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(isAdditive(name) ? ADDITION : {}),
    tags: [tagOf(name)],
    "x-propgate-scope": endpoint.scope,
    parameters: [
      ...headers.map((header) => ({ $ref: `#/components/parameters/${header}` })),
      ...pathParameters(endpoint.path),
      ...query.map(queryParameter),
    ],
    ...(endpoint.method === "POST" ? { requestBody: requestBody() } : {}),
    responses: responses(name, options),
  };
}

function tagOf(name: SignedEndpointName): string {
  if (isAdditive(name)) return "additions";
  return isWrite(name) ? "orders" : "reads";
}

const NONCE_SCHEMA: JsonSchema = {
  type: "string",
  minLength: LIMITS.nonceCharactersMin,
  maxLength: LIMITS.nonceCharactersMax,
};

function pathParameters(path: string): readonly JsonSchema[] {
  if (!path.endsWith("{nonce}")) return [];
  const description = "The nonce of the earlier request, escaped as a path needs it.";
  return [{ name: "nonce", in: "path", required: true, description, schema: NONCE_SCHEMA }];
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
    schema: NONCE_SCHEMA,
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
  pairs: {
    description: "Pair identifiers with commas between them; not given: every pair.",
    schema: { type: "string" },
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

function responses(name: SignedEndpointName, options: OpenApiOptions): JsonSchema {
  const statuses: readonly ErrorStatus[] = SIGNED_ENDPOINTS[name].errorStatuses;
  const failures = statuses.map((status) => [String(status), failure(name, status, options)]);
  return { "200": okResponse(name), ...Object.fromEntries(failures) };
}

function okResponse(name: SignedEndpointName): JsonSchema {
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

function failure(
  name: SignedEndpointName,
  status: ErrorStatus,
  options: OpenApiOptions,
): JsonSchema {
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
  invalidPairs: "'pairs' names XYZABC, which is not a known pair",
  upstreamFailed: "trade history is being rebuilt",
};

function failureExample(
  error: ErrorName,
  endpoint: SignedEndpointName,
  { networkName }: OpenApiOptions,
): JsonSchema {
  const body = { error: errorText(error, { networkName, message: MESSAGES[error] ?? "" }) };
  return error === "insufficientScope"
    ? { ...body, required_scope: SIGNED_ENDPOINTS[endpoint].scope }
    : body;
}

function budgetHeaders(name: SignedEndpointName): JsonSchema {
  const whole = (description: string): JsonSchema => ({
    description,
    schema: { type: "integer" },
  });
  const retryAfter = { "Retry-After": whole("Whole seconds to wait.") };
  if (isWrite(name)) return retryAfter;
  return {
    ...retryAfter,
    "X-RateLimit-Limit": whole("Reads in one window."),
    "X-RateLimit-Remaining": whole("Reads left in this window."),
    "X-RateLimit-Reset": whole("When the next window starts, Unix seconds."),
  };
}
