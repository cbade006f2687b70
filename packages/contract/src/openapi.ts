import {
  isAdditive,
  isWrite,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
} from "./endpoints.ts";
import { REQUEST_EXAMPLES } from "./examples/examples.ts";
import { LIMITS } from "./limits.ts";
import { HEADER_COMPONENTS, SIGNED_REQUIREMENT, securitySchemes } from "./openapi/headers.ts";
import { operationResponses, responseComponents, unsignedResponses } from "./openapi/responses.ts";
import { schemaComponents, schemaReference } from "./openapi/schemas.ts";
import { type JsonSchema, list } from "./schema.ts";
import { API_VERSION, EVIDENCE_KEYS_PATH, TIME_PATH } from "./version.ts";
import { CANDLE_INTERVALS } from "./words.ts";

/** The operator's settings that the document contains. */
export interface OpenApiOptions {
  readonly brand: string;
  readonly networkName: string;
  /** The API's address; null for the address from which the document is fetched. */
  readonly baseUrl: string | null;
  /** True when accounts of a validator may be linked: a figure that a validator did not send is then null. */
  readonly hasLinked: boolean;
}

/**
 * The OpenAPI 3.1 description of the public API, made from the same tables that requests and answers follow: the six
 * operations of the specification, and the additive ones, marked with `x-additive`. @rule D9.additive
 * @rule S9.openapi decides
 */
export function openApiDocument(options: OpenApiOptions): JsonSchema {
  return {
    openapi: "3.1.0",
    info: {
      title: "Proprietary trading account API",
      version: API_VERSION,
      description: options.hasLinked ? `${INTRODUCTION} ${LINKED}` : INTRODUCTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: options.baseUrl ?? "/" }],
    security: [SIGNED_REQUIREMENT],
    tags: [
      {
        name: "reads",
        description: "The account, its positions, pending orders, trades and payouts.",
      },
      { name: "orders", description: "Places, edits and cancels orders, and closes positions." },
      {
        name: "additions",
        description:
          "Additional endpoints, outside the six endpoints of the specification. A client can work without them.",
      },
    ],
    paths: buildPaths(options),
    components: {
      schemas: schemaComponents(options),
      securitySchemes: securitySchemes(options.brand),
      headers: HEADER_COMPONENTS,
      responses: responseComponents(options),
    },
  };
}

const INTRODUCTION = [
  "Every request carries four headers and is signed by the caller with HMAC-SHA256 and the key's secret.",
  "The signed string has six lines, joined by line feeds: `v1`, the method, the request target as sent, the timestamp,",
  "the nonce, and the SHA-256 of the body in lower-case hex. The signature header is `v1=` and the base64 of the HMAC.",
  "Fields may be added within v1: ignore fields that you do not know.",
].join(" ");

const LINKED =
  'A field is null "when the network did not send it" only for accounts that are linked to an external validator. For accounts of the service\'s own network it always has a value.';

function buildPaths(options: OpenApiOptions): JsonSchema {
  const byPath = new Map<string, Record<string, JsonSchema>>();
  for (const name of SIGNED_ENDPOINT_NAMES) {
    const { path, method } = SIGNED_ENDPOINTS[name];
    const item = byPath.get(path) ?? {};
    item[method.toLowerCase()] = buildOperation(name, options);
    byPath.set(path, item);
  }
  byPath.set(TIME_PATH, { get: TIME_OPERATION });
  byPath.set(EVIDENCE_KEYS_PATH, { get: EVIDENCE_KEYS_OPERATION });
  return Object.fromEntries(byPath);
}

/** The fields that mark an operation as outside the six endpoints of the specification. @rule D9.additiveMarked */
const ADDITION = {
  "x-additive": true,
  description: "An additional endpoint, outside the six endpoints of the specification.",
} as const;

/** The common parts of operations for callers without a key. */
const UNSIGNED = { ...ADDITION, tags: ["additions"], security: [], parameters: [] } as const;

/** GET time is unsigned, because a client with a wrong clock cannot sign. @rule D9.time */
const TIME_OPERATION: JsonSchema = {
  operationId: "getTime",
  summary: "The service's clock; needs no signature and uses no read budget",
  ...UNSIGNED,
  responses: unsignedResponses(schemaReference("ServiceTime"), [
    "time",
    { serverTimeMs: 1_767_780_000_000, skewAllowedMs: LIMITS.timestampSkewMs },
  ]),
};

/** GET evidence-keys is unsigned, because people without a key check evidence. @rule D13.evidenceKeys */
const EVIDENCE_KEYS_OPERATION: JsonSchema = {
  operationId: "getEvidenceKeys",
  summary: "The public keys of the service's evidence signatures, newest first; needs no signature",
  ...UNSIGNED,
  responses: unsignedResponses(list(schemaReference("EvidenceKey"), "The keys, newest first."), [
    "evidenceKeys",
    [
      {
        keyId: "ek_21fe31dfa154a261",
        alg: "Ed25519",
        publicKey: "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
        fromMs: 1_767_780_000_000,
        untilMs: null,
      },
    ],
  ]),
};

/**
 * The operation of a signed endpoint, marked as an addition when the endpoint is additive. `UNSIGNED` marks unsigned
 * operations. @rule D9.additiveMarked decides
 */
function buildOperation(name: SignedEndpointName, options: OpenApiOptions): JsonSchema {
  const endpoint = SIGNED_ENDPOINTS[name];
  // The query of every endpoint, including POST orders, may have `accountId`, which must be the key's own account.
  // @rule D2.10
  const query = new Set<string>(["accountId", ...endpoint.query]);
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(isAdditive(name) ? ADDITION : {}),
    tags: [tagOf(name)],
    "x-propgate-scope": endpoint.scope,
    parameters: [
      ...pathParameters(endpoint.path),
      ...[...query].map((one) => queryParameter(name, one)),
    ],
    ...(endpoint.method === "POST" ? { requestBody: requestBody(name) } : {}),
    responses: operationResponses(name, options),
  };
}

function tagOf(name: SignedEndpointName): string {
  if (isAdditive(name)) return "additions";
  return isWrite(name) ? "orders" : "reads";
}

function pathParameters(path: string): readonly JsonSchema[] {
  const [, name = ""] = /\{(\w+)\}$/.exec(path) ?? [];
  const note = PATH_NOTES[name];
  return note === undefined ? [] : [{ name, in: "path", required: true, ...note }];
}

const PATH_NOTES: Readonly<Record<string, JsonSchema>> = {
  nonce: {
    description: "The nonce of the order request, percent-encoded.",
    schema: {
      type: "string",
      minLength: LIMITS.nonceCharactersMin,
      maxLength: LIMITS.nonceCharactersMax,
      examples: ["5f0d8a1c7e3b49a2b6c4d8e0f1a2b3c4"],
    },
  },
  orderUuid: {
    description: "The id of the order or leg.",
    schema: { type: "string", examples: ["7e1f0a34-52b6-4d8c-a9e0-3c5d7f9b1a24"] },
  },
};

function queryParameter(endpoint: SignedEndpointName, name: string): JsonSchema {
  const note = queryNotes(endpoint)[name];
  const required = REQUIRED_PARAMETERS.has(name) && endpoint === "getCandles";
  return { name, in: "query", required, ...note };
}

/** The query parameters that a request for candles must have. */
export const REQUIRED_PARAMETERS: ReadonlySet<string> = new Set(["tradePair", "interval"]);

/**
 * The description and schema of every query parameter, by its name. A parameter that has a different meaning at the
 * endpoint has the endpoint's own.
 */
export function queryNotes(endpoint: SignedEndpointName): Readonly<Record<string, JsonSchema>> {
  return { ...QUERY_NOTES, ...OWN_NOTES[endpoint] };
}

const QUERY_NOTES: Readonly<Record<string, JsonSchema>> = {
  accountId: {
    description:
      "Never needed. If it names an account other than the key's, the request is rejected with 403.",
    schema: { type: "string", format: "uuid" },
  },
  limit: {
    description: `Maximum number of items on the page; a value above ${LIMITS.payoutsLimitMax} is treated as ${LIMITS.payoutsLimitMax}.`,
    schema: {
      type: "integer",
      minimum: LIMITS.payoutsLimitMin,
      default: LIMITS.payoutsLimitDefault,
    },
  },
  pairs: {
    description: "Comma-separated pair identifiers; every pair if omitted.",
    schema: { type: "string" },
  },
  cursor: {
    description: "`nextCursor` of the previous page; the first page if omitted.",
    schema: { type: "string" },
  },
};

const CANDLE_NOTES: Readonly<Record<string, JsonSchema>> = {
  tradePair: {
    description: "One pair identifier, such as `BTCUSD`.",
    schema: { type: "string", examples: ["BTCUSD"] },
  },
  interval: {
    description: "Length of each candle.",
    schema: { type: "string", enum: [...CANDLE_INTERVALS], examples: ["5m"] },
  },
  after: {
    description:
      "Only candles that start after this time, oldest first, in Unix milliseconds. 0 starts with the first candle, and `next` of a page continues after that page. If omitted, the newest candles.",
    schema: { type: "integer", format: "int64", minimum: 0 },
  },
  limit: {
    description: "Maximum number of candles on the page.",
    schema: {
      type: "integer",
      minimum: LIMITS.candlesLimitMin,
      maximum: LIMITS.candlesLimitMax,
      default: LIMITS.candlesLimitDefault,
    },
  },
};

const EVENT_NOTES: Readonly<Record<string, JsonSchema>> = {
  after: {
    description:
      "Only events after this cursor: `next` of the previous page, the `cursor` of an event, or a sequence number. If omitted, from the first event.",
    schema: { type: "string", pattern: "^(0|[1-9][0-9]{0,14})(-[0-9a-f]{32})?$" },
  },
  limit: {
    description: "Maximum number of events on the page.",
    schema: {
      type: "integer",
      minimum: LIMITS.eventsLimitMin,
      maximum: LIMITS.eventsLimitMax,
      default: LIMITS.eventsLimitDefault,
    },
  },
  types: {
    description: "Comma-separated types of events; every type if omitted.",
    schema: { type: "string", examples: ["order.filled,order.cancelled"] },
  },
  wait: {
    description: "Seconds to wait for a new event when there is none yet; 0 answers immediately.",
    schema: { type: "integer", minimum: 0, maximum: LIMITS.eventsWaitSecondsMax, default: 0 },
  },
  proof: {
    description:
      "`1`: each event has `proof`, its journal line with the line's hash. Not allowed together with `types`.",
    schema: { type: "integer", enum: [0, 1], default: 0 },
  },
};

const STREAM_NOTES: Readonly<Record<string, JsonSchema>> = {
  after: EVENT_NOTES.after ?? {},
  types: {
    description:
      "Comma-separated types of events; every type if omitted. `none`: only quotes and marks.",
    schema: { type: "string", examples: ["order.filled,order.cancelled"] },
  },
  proof: EVENT_NOTES.proof ?? {},
  quotes: {
    description: `Comma-separated pair identifiers, at most ${LIMITS.streamPairsMax}, whose quotes the stream also sends; no quotes if omitted.`,
    schema: { type: "string", examples: ["BTCUSD,EURUSD"] },
  },
  every: {
    description: `Interval in seconds in which the stream sends at most one quote of each pair; ${LIMITS.streamEverySecondsDefault} if omitted. Only with \`quotes\`.`,
    // There is no default: a generated client would send the default even without `quotes`, and the service rejects
    // that.
    schema: {
      type: "number",
      minimum: LIMITS.streamEverySecondsMin,
      maximum: LIMITS.streamEverySecondsMax,
    },
  },
};

const LIFE_NOTES: Readonly<Record<string, JsonSchema>> = {
  after: {
    description:
      "Only events after this cursor: `next` of the previous page, the `cursor` of an event, or a sequence number. If omitted, from the first event of the order.",
    schema: EVENT_NOTES.after?.schema,
  },
};

const HISTORY_NOTES: Readonly<Record<string, JsonSchema>> = {
  after: {
    description:
      "Only items after this cursor, oldest first: `next` of the previous page, a `cursor`, or a sequence number. If `after` and `since` are both omitted, the newest items.",
    schema: EVENT_NOTES.after?.schema,
  },
  limit: {
    description: "Maximum number of items on the page.",
    schema: EVENT_NOTES.limit?.schema,
  },
  tradePair: {
    description: "One pair identifier, such as `BTCUSD`; every pair if omitted.",
    schema: { type: "string", examples: ["BTCUSD"] },
  },
  since: {
    description:
      "Only orders that were placed, or fills that happened, at this time or later, in Unix milliseconds.",
    schema: { type: "integer", format: "int64", minimum: 0 },
  },
};

const TRADES_NOTES: Readonly<Record<string, JsonSchema>> = {
  after: {
    description:
      "Only trades that closed before the trade with this id, newest first: `next` of the previous page.",
    schema: { type: "string" },
  },
  limit: {
    description: `Maximum number of trades on the page; ${LIMITS.eventsLimitDefault} if only \`after\` is given. All trades if both \`after\` and \`limit\` are omitted.`,
    // There is no default: a generated client would always send the default, and would never get all trades.
    // @rule D13.tradesPage
    schema: {
      type: "integer",
      minimum: LIMITS.eventsLimitMin,
      maximum: LIMITS.eventsLimitMax,
    },
  },
};

/** The descriptions of parameters that have a different meaning at one endpoint, or that only one endpoint has. */
const OWN_NOTES: Readonly<
  Partial<Record<SignedEndpointName, Readonly<Record<string, JsonSchema>>>>
> = {
  getCandles: CANDLE_NOTES,
  getEvents: EVENT_NOTES,
  getEventStream: STREAM_NOTES,
  getOrder: LIFE_NOTES,
  getOrderHistory: HISTORY_NOTES,
  getFills: HISTORY_NOTES,
  getTrades: TRADES_NOTES,
};

const SWITCH_EXAMPLES = {
  armed: { value: { seconds: 60, action: "flatten" } },
  ended: { value: { seconds: 0 } },
};

function requestBody(name: SignedEndpointName): JsonSchema {
  const orders = Object.entries(REQUEST_EXAMPLES).map(([key, value]) => [key, { value }]);
  const [schema, examples] =
    name === "cancelAllAfter"
      ? [schemaReference("SwitchRequest"), SWITCH_EXAMPLES]
      : [schemaReference("OrderRequest"), Object.fromEntries(orders)];
  return {
    required: true,
    description: `At most ${LIMITS.bodyBytesMax} bytes. The signature covers exactly these bytes.`,
    content: { "application/json": { schema: schema.json, examples } },
  };
}
