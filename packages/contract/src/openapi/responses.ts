import {
  type EnvelopedName,
  type ErrorStatus,
  isWrite,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
} from "../endpoints.ts";
import { pageSchema, successSchema } from "../envelope.ts";
import {
  EDGE_ERROR_NAMES,
  EDGE_ERRORS,
  type EdgeErrorName,
  edgeStatus,
} from "../errors/edge-errors.ts";
import { ERROR_NOTES } from "../errors/error-notes.ts";
import { ERRORS, type ErrorName, errorsOf, errorText } from "../errors/errors.ts";
import { STREAM_EXAMPLE } from "../examples/events.ts";
import { RESPONSE_EXAMPLES } from "../examples/examples.ts";
import { type JsonSchema, type Schema, string, time } from "../schema.ts";
import { answerHeaders, type HeaderPart, READ_BUDGET_HEADERS } from "./headers.ts";
import { ANSWER_SCHEMAS, schemaReference } from "./schemas.ts";

/** The operator's settings that appear in the texts and header names of answers. */
export interface AnswerOptions {
  readonly brand: string;
  readonly networkName: string;
}

/** The successful answer of the event stream. @rule D9.stream */
const EVENT_FRAMES: Schema<unknown> = string(
  "Server-sent events; `data` is one line of JSON. A frame with an `id` is an event of the account: `id` is its cursor, `event` its type, `data` an `Event`. `event: mark` has a `StreamMark`, `event: quote` a `Quote`, `event: end` a `StreamEnd`. Ignore frames that you do not know.",
  {
    "x-frames": {
      event: schemaReference("Event").json,
      mark: schemaReference("StreamMark").json,
      quote: schemaReference("Quote").json,
      end: schemaReference("StreamEnd").json,
    },
  },
);

const BEFORE_OPERATION = "BeforeOperation";
/** The answer with any status that an operation does not list. @rule D10.openapi */
const DEFAULT_RESPONSE = {
  default: { $ref: `#/components/responses/${BEFORE_OPERATION}` },
} as const;

/** The responses of a signed operation by status. @rule S7.statuses */
export function operationResponses(name: SignedEndpointName, options: AnswerOptions): JsonSchema {
  const statuses: readonly ErrorStatus[] = SIGNED_ENDPOINTS[name].errorStatuses;
  const failures = statuses.map((status) => [
    String(status),
    failureResponse(name, status, options),
  ]);
  return { "200": okResponse(name, options), ...Object.fromEntries(failures), ...DEFAULT_RESPONSE };
}

/** The responses of an unsigned operation, with an example of its `data`. */
export function unsignedResponses(
  data: Schema<unknown>,
  example: readonly [name: string, data: unknown],
): JsonSchema {
  const [name, shown] = example;
  const examples = { [name]: { value: { success: true, data: shown } } };
  return {
    "200": { description: "Success.", content: jsonContent(successSchema(data).json, examples) },
    ...DEFAULT_RESPONSE,
  };
}

/** `components.responses`: the answers that the service gives before it reaches an operation. */
export function responseComponents({ brand }: AnswerOptions): JsonSchema {
  const examples = EDGE_ERROR_NAMES.map((name) => edgeExample(name, EDGE_ERRORS[name].status));
  const { text } = ERRORS.methodNotAllowed;
  const { cause } = ERROR_NOTES.methodNotAllowed;
  return {
    [BEFORE_OPERATION]: {
      description: DEFAULT_RESPONSE_TEXT,
      headers: answerHeaders(brand, ["requestId", "Allow", "Retry-After"]),
      content: jsonContent(schemaReference("Failure").json, {
        methodNotAllowed: { summary: `405: ${cause}`, value: { error: text } },
        ...Object.fromEntries(examples),
      }),
    },
  };
}

const DEFAULT_RESPONSE_TEXT = [
  "An answer from before the endpoint ran. 400, 408, 431 or 503: the service could not read",
  "the request or had no capacity for it. 405: the path does not support the method. A write gets 500",
  "instead of 408, 431 and 503. Nothing was carried out. Any other status comes from a proxy.",
].join(" ");

function edgeExample(name: EdgeErrorName, status: number): readonly [string, JsonSchema] {
  const { cause, text } = EDGE_ERRORS[name];
  return [name, { summary: `${status}: ${cause}`, value: { error: text } }];
}

function jsonContent(schema: JsonSchema, examples: JsonSchema): JsonSchema {
  return { "application/json": { schema, examples } };
}

function okResponse(name: SignedEndpointName, { brand }: AnswerOptions): JsonSchema {
  const examples = Object.entries(RESPONSE_EXAMPLES)
    .filter(([, example]) => example.endpoint === name)
    .map(([key, { summary, data }]) => [key, { summary, value: { success: true, data } }]);
  const parts: readonly HeaderPart[] = hasBody(name)
    ? ["requestId", "accountVersion", "ignoredFields"]
    : ["requestId", "accountVersion"];
  const headers = answerHeaders(brand, parts);
  if (name === "getEventStream") {
    const examples = { stream: { summary: "A fill, then a mark", value: STREAM_EXAMPLE } };
    const content = { "text/event-stream": { schema: EVENT_FRAMES.json, examples } };
    return {
      description: "Success. The response stays open until the client or the service ends it.",
      headers,
      content,
    };
  }
  return {
    description: "Success.",
    headers,
    content: jsonContent(envelopeOf(name).json, Object.fromEntries(examples)),
  };
}

/** The schema of `next`, the `after` of the next page, for the endpoints whose `data` is a list. */
const NEXT: Readonly<Partial<Record<SignedEndpointName, Schema<unknown>>>> = {
  getTrades: string(
    "With `after` or `limit`: the value of `after` for the next page of older trades; null on the last page.",
  ),
  getCandles: time(
    "The value of `after` for the next page; null when no later candle exists yet, as on the page of the newest candles.",
  ),
};

function envelopeOf(name: EnvelopedName): Schema<unknown> {
  const next = NEXT[name];
  return next === undefined
    ? successSchema(ANSWER_SCHEMAS[name])
    : pageSchema(ANSWER_SCHEMAS[name], next);
}

/**
 * The response of an operation with one error status. It also describes the errors with the same status that can occur
 * before the operation.
 */
function failureResponse(
  name: SignedEndpointName,
  status: ErrorStatus,
  options: AnswerOptions,
): JsonSchema {
  const errors = errorsOf(name).filter((error) => ERRORS[error].status === status);
  const edge = EDGE_ERROR_NAMES.filter((error) => edgeStatus(error, isWrite(name)) === status);
  const causes = [
    ...errors.map((error) => ERROR_NOTES[error].cause),
    ...edge.map((error) => EDGE_ERRORS[error].cause),
  ];
  return {
    description: causes.join(" "),
    headers: answerHeaders(options.brand, failureHeaders(name, status)),
    content: jsonContent(
      schemaReference("Failure").json,
      Object.fromEntries([
        ...errors.map((error) => [error, { value: failureExample(error, name, options) }]),
        ...edge.map((error) => edgeExample(error, status)),
      ]),
    ),
  };
}

const HELP_WITH: Readonly<Partial<Record<ErrorStatus, readonly HeaderPart[]>>> = {
  401: ["serverTimeMs", "seenTarget", "seenBodySha256"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** The headers of an answer with this error status. @rule D2.help S8.headers */
function failureHeaders(name: SignedEndpointName, status: ErrorStatus): readonly HeaderPart[] {
  const parts: HeaderPart[] = ["requestId", ...(HELP_WITH[status] ?? [])];
  // An answer to a request with a wrong signature must not reveal the account's version.
  if (status !== 401) parts.push("accountVersion");
  if (status === 500 && isWrite(name)) parts.push("Retry-After");
  if (status === 400 && hasBody(name)) parts.push("refusalCode");
  if (status === 429 && isBudgeted(name)) parts.push(...READ_BUDGET_HEADERS);
  return parts;
}

function isBudgeted(name: SignedEndpointName): boolean {
  return errorsOf(name).includes("rateLimited");
}

function hasBody(name: SignedEndpointName): boolean {
  return SIGNED_ENDPOINTS[name].method === "POST";
}

const MESSAGES: Readonly<Partial<Record<ErrorName, string>>> = {
  notOffered: "the network of this account sends no quotes",
  invalidBody: "'limit_price' is required",
  orderRefused: "The market for BTC/USD is closed",
  invalidPairs: "'pairs' names XYZABC, which is not a known pair",
  invalidCandles: "'interval' must be one of 1m, 5m, 15m, 1h, 1d",
  invalidTrades: "'after' must be the `next` of a page: the id of a trade",
  invalidHistory: "'since' must be a time in Unix milliseconds",
  invalidEvents: "'after' is ahead of the journal (417)",
  upstreamFailed: "trade history is being rebuilt",
};

/** Problems of the body of POST cancel-all-after, which has neither a price nor a pair. */
const SWITCH_MESSAGES: Readonly<Partial<Record<ErrorName, string>>> = {
  invalidBody: "'seconds' is required",
  orderRefused: "The account is eliminated and takes no orders",
};

function messageOf(error: ErrorName, endpoint: SignedEndpointName): string {
  const own = endpoint === "cancelAllAfter" ? SWITCH_MESSAGES[error] : undefined;
  return own ?? MESSAGES[error] ?? "";
}

function failureExample(
  error: ErrorName,
  endpoint: SignedEndpointName,
  { networkName }: AnswerOptions,
): JsonSchema {
  const body = { error: errorText(error, { networkName, message: messageOf(error, endpoint) }) };
  return error === "insufficientScope"
    ? { ...body, required_scope: SIGNED_ENDPOINTS[endpoint].scope }
    : body;
}
