import {
  eventCursor,
  type JsonSchema,
  LIMITS,
  normalizePairName,
  type OrderFields,
  parseCandlesQuery,
  parseEventsQuery,
  parsePlaceOrder,
  queryNotes,
  REQUIRED_PARAMETERS,
  type SignedEndpointName,
} from "@propgate/contract";
import {
  type CandlesQuery,
  type EventsQuery,
  type OrderRequest,
  type PayoutsQuery,
  readOrder,
} from "@propgate/sdk";
import { type Failure, unsentFailure } from "./failure.ts";

/** The arguments of a call after they were read, or the text about their problem. */
export type ReadArguments<Read> = { readonly read: Read } | { readonly wrong: string };

/** The failure of a call with invalid arguments. */
export function wrongArguments(problem: string): Failure {
  return unsentFailure(problem, {
    cause: "The arguments do not match the tool's schema.",
    fix: "Nothing was sent. Fix the field that the error names, then call again.",
  });
}

/** The schema of a call without arguments. */
export const NO_ARGUMENTS: JsonSchema = {
  type: "object",
  properties: {},
  additionalProperties: false,
};

/**
 * The problem of an argument that the tool does not have; null when there is none. A misspelt argument would otherwise
 * be ignored, and the call would read other data than the agent meant.
 */
export function unknownArgumentProblem({ properties }: JsonSchema, given: unknown): string | null {
  const read = fieldsOf(properties);
  const unread = Object.keys(fieldsOf(given)).find((name) => !Object.hasOwn(read, name));
  return unread === undefined ? null : `'${unread}' is an argument that this tool does not have`;
}

/** Query parameters of an endpoint as arguments, each as the contract describes it. */
export function queryArguments(endpoint: SignedEndpointName, names: readonly string[]): JsonSchema {
  const all = queryNotes(endpoint);
  const properties = names.map((name) => {
    const { schema, ...notes } = all[name] ?? {};
    return [name, { ...fieldsOf(schema), ...notes }];
  });
  const required = names.filter((name) => REQUIRED_PARAMETERS.has(name));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The schema of a call whose only argument is the nonce of an order. */
export const NONCE_ARGUMENTS: JsonSchema = {
  type: "object",
  properties: {
    nonce: {
      type: "string",
      minLength: LIMITS.nonceCharactersMin,
      maxLength: LIMITS.nonceCharactersMax,
      description: "`nonce` from the answer of a trading tool.",
    },
  },
  required: ["nonce"],
  additionalProperties: false,
};

/** The schema of an optional nonce. Without it, the tool takes the nonce of the last request with an unknown fate. */
export const LOST_NONCE_ARGUMENTS: JsonSchema = {
  type: "object",
  properties: NONCE_ARGUMENTS.properties,
  additionalProperties: false,
};

/** Reads the arguments of get_payouts, and checks their types. */
export function readPayoutsQuery(given: unknown): ReadArguments<PayoutsQuery> {
  const { limit = null, cursor = null } = fieldsOf(given);
  if (limit !== null && !isPageSize(limit)) {
    return { wrong: `'limit' must be a whole number of at least ${LIMITS.payoutsLimitMin}` };
  }
  if (cursor !== null && !isText(cursor)) {
    return { wrong: "'cursor' must be the `nextCursor` of the previous page" };
  }
  return {
    read: { ...(limit === null ? {} : { limit }), ...(cursor === null ? {} : { cursor }) },
  };
}

/** The pairs of `pairs`; null requests every pair. */
export function readQuotedPairs(given: unknown): ReadArguments<readonly string[] | null> {
  const { pairs = null } = fieldsOf(given);
  if (pairs === null) return { read: null };
  const names = isText(pairs) ? pairs.split(",").map(normalizePairName) : [null];
  const read = names.filter((name) => name !== null);
  if (read.length === names.length) return { read };
  return { wrong: "'pairs' must be comma-separated pair identifiers" };
}

/** The arguments of get_candles. They are checked by the parser of the service's query. */
export function readCandlesQuery(given: unknown): ReadArguments<CandlesQuery> {
  const sent = Object.entries(fieldsOf(given)).filter(([, value]) => value !== null);
  const query = parseCandlesQuery(new Map(sent.map(([name, value]) => [name, [String(value)]])));
  if (!query.ok) return { wrong: query.message };
  const { pair: tradePair, interval, afterMs, limit } = query;
  return { read: { tradePair, interval, limit, ...(afterMs === null ? {} : { after: afterMs }) } };
}

/**
 * The arguments of get_events. They are checked by the parser of the service's query. An agent does not wait for
 * events.
 */
export function readEventsQuery(given: unknown): ReadArguments<EventsQuery> {
  const { after = null, limit = null, types = null } = fieldsOf(given);
  const sent = Object.entries({ after, limit, types }).filter(([, value]) => value !== null);
  const query = parseEventsQuery(new Map(sent.map(([name, value]) => [name, [String(value)]])));
  if (!query.ok) return { wrong: query.message };
  const { sequence, hash } = query.after;
  return {
    read: {
      after: hash === null ? sequence : eventCursor(sequence, hash),
      limit: query.limit,
      ...(query.types === null ? {} : { types: [...query.types] }),
    },
  };
}

/** The nonce of the call, which is required. */
export function readNonce(given: unknown): ReadArguments<string> {
  const { nonce } = fieldsOf(given);
  if (isText(nonce) && nonce.length <= LIMITS.nonceCharactersMax) return { read: nonce };
  return { wrong: `'nonce' must be a string of 1 to ${LIMITS.nonceCharactersMax} characters` };
}

/** The nonce of the call; null requests the last request with an unknown fate. */
export function readLostNonce(given: unknown): ReadArguments<string | null> {
  const { nonce = null } = fieldsOf(given);
  return nonce === null ? { read: null } : readNonce(given);
}

/** An order's body, and the order that the contract's parser reads from it. */
export interface GivenOrder {
  readonly body: OrderRequest;
  readonly order: OrderFields;
}

export function readOrderArguments(given: unknown): ReadArguments<GivenOrder> {
  const parsed = parsePlaceOrder(given);
  if (!parsed.ok) return { wrong: parsed.message };
  // The service ignores unknown fields, but an agent that misspells `stop_loss` must not trade without one.
  const [ignored] = parsed.ignoredFields;
  if (ignored !== undefined) {
    return { wrong: `'${ignored}' is a field that this order does not have` };
  }
  const read = readOrder(given);
  if ("problem" in read) return { wrong: read.problem };
  return { read: { body: read.order, order: parsed.order } };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isPageSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= LIMITS.payoutsLimitMin;
}

/** The fields of a value that is an object; none for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { ...value } : {};
}
