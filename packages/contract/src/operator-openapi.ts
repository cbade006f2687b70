import { OPERATOR_HEADER_COMPONENTS } from "./openapi/headers.ts";
import {
  IDEMPOTENCY_KEY,
  operatorAnswer,
  operatorRefusalComponents,
  operatorResponses,
} from "./openapi/operator-responses.ts";
import {
  createSharedSchemas,
  type NamedSchema,
  type SharedSchemas,
} from "./openapi/shared-schemas.ts";
import { OPERATOR_RESOURCES, OPERATOR_SUMMARIES, resourceOf } from "./operator/call-notes.ts";
import {
  isOperatorCall,
  OPERATOR_CALLS,
  OPERATOR_PREFIX,
  type OperatorCall,
  type OperatorCallName,
} from "./operator/calls.ts";
import { OPERATOR_FAILURE } from "./operator/error-codes.ts";
import { BULK_BYTES_MAX, BULK_ROWS_MAX, BULK_TYPES, isBulkCall } from "./operator/files.ts";
import { operatorParameters } from "./operator/parameters.ts";
import { OPERATOR_BODIES } from "./operator/shapes.ts";
import { isRecord } from "./record.ts";
import { EVENT_PAYOUT } from "./resources/events/account-events.ts";
import { EVENT_CAUSE, EVENT_PROOF } from "./resources/events/event-parts.ts";
import { EVENT, EVENT_SCHEMA_NAMES, EVENT_SCHEMAS } from "./resources/events/events.ts";
import { ORDER_IN_EVENT } from "./resources/events/order-in-event.ts";
import type { JsonSchema, Schema } from "./schema.ts";
import { API_VERSION } from "./version.ts";

/** The path of the OpenAPI document of the operator's interface. It is public. */
export const OPERATOR_OPENAPI_PATH = `${OPERATOR_PREFIX}/openapi.json`;

/** The settings of the service that the document contains. */
export interface OperatorOpenApiOptions {
  readonly brand: string;
  /** True when accounts of a validator may be linked: a figure that a validator did not send is then null. */
  readonly hasLinked: boolean;
}

const NAMES = Object.keys(OPERATOR_CALLS).filter(isOperatorCall);

/** The OpenAPI 3.1 description of the operator's interface, call by call. @rule D12.operatorOpenApi decides */
export function operatorOpenApiDocument(options: OperatorOpenApiOptions): JsonSchema {
  const bodies = strictBodies();
  const schemas = createSharedSchemas(namedSchemas(bodies), options);
  const parts = {
    brand: options.brand,
    refer: (schema: Schema<unknown>) => schemas.refer(schema),
    bodies,
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Operator's API",
      version: API_VERSION,
      description: INTRODUCTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: OPERATOR_PREFIX }],
    security: [{ token: [] }],
    tags: Object.entries(OPERATOR_RESOURCES).map(([name, description]) => ({ name, description })),
    paths: buildPaths((name) => buildOperation(name, parts)),
    components: {
      schemas: schemas.components,
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "The root token or a named operator token.",
        },
      },
      parameters: { idempotencyKey: IDEMPOTENCY_KEY },
      headers: OPERATOR_HEADER_COMPONENTS,
      responses: operatorRefusalComponents(parts),
    },
  };
}

const INTRODUCTION = [
  "The interface for the programs of a trading firm. Every call needs an operator token. Operators who are signed in to the",
  "dashboard use these calls below `/dashboard/v1/operator`. Fields of answers may be added within v1: ignore fields that",
  "you do not know. Unknown fields and parameters of requests are errors.",
].join(" ");

function buildPaths(operationOf: (name: OperatorCallName) => JsonSchema): JsonSchema {
  const byPath = new Map<string, Record<string, JsonSchema>>();
  for (const name of NAMES) {
    const { path, method } = OPERATOR_CALLS[name];
    const written = path.replace(/:(\w+)/g, "{$1}");
    const item = byPath.get(written) ?? {};
    item[method.toLowerCase()] = operationOf(name);
    byPath.set(written, item);
  }
  return Object.fromEntries(byPath);
}

function buildOperation(
  name: OperatorCallName,
  parts: Pick<SharedSchemas, "refer"> & { readonly brand: string; readonly bodies: Bodies },
): JsonSchema {
  const { method }: OperatorCall = OPERATOR_CALLS[name];
  const body = parts.bodies.get(name);
  const parameters = operatorParameters(name).map(({ schema, ...parameter }) => {
    const { description, ...rest } = parts.refer(schema);
    return { ...parameter, description, schema: rest };
  });
  return {
    operationId: name,
    summary: OPERATOR_SUMMARIES[name],
    description: CALLERS[OPERATOR_CALLS[name].namedToken],
    tags: [resourceOf(name)],
    parameters: [
      ...parameters,
      ...(method === "GET" ? [] : [{ $ref: "#/components/parameters/idempotencyKey" }]),
    ],
    ...(body === undefined ? {} : { requestBody: requestBody(body, parts) }),
    ...(isBulkCall(name) ? { requestBody: BULK_BODY } : {}),
    responses: operatorResponses(name, parts),
  };
}

const CALLERS: Readonly<Record<OperatorCall["namedToken"], string>> = {
  allowed: "Any operator token may make this call.",
  ownersOnly:
    "Any operator token may make this call; a named token only for people with the role `owner`.",
  refused: "Only the root token may make this call.",
};

const BULK_BODY: JsonSchema = {
  required: true,
  description: `One row for each call, whose columns are the fields of the call's body. At most ${BULK_ROWS_MAX} rows and ${BULK_BYTES_MAX} bytes.`,
  content: Object.fromEntries(
    Object.values(BULK_TYPES).map((type) => [type, { schema: { type: "string" } }]),
  ),
};

function requestBody(body: Schema<unknown>, { refer }: Pick<SharedSchemas, "refer">): JsonSchema {
  const { required = [] } = body.json;
  return {
    required: !("properties" in body.json) || (Array.isArray(required) && required.length > 0),
    content: { "application/json": { schema: refer(body) } },
  };
}

type Bodies = ReadonlyMap<OperatorCallName, Schema<unknown>>;

/** The schema of the body of each call that has one. It forbids unknown fields. */
function strictBodies(): Bodies {
  const bodies: Readonly<Record<string, Schema<unknown>>> = OPERATOR_BODIES;
  return new Map(
    NAMES.flatMap((name) => {
      const { [name]: body } = bodies;
      return body === undefined ? [] : [[name, { json: forbidUnknownFields(body.json) }] as const];
    }),
  );
}

function forbidUnknownFields(schema: JsonSchema): JsonSchema {
  const inner = Object.entries(schema).map(([name, value]) => [name, closedPart(value)]);
  const isObject = isRecord(schema.properties);
  return { ...Object.fromEntries(inner), ...(isObject ? { additionalProperties: false } : {}) };
}

function closedPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedPart);
  return isRecord(value) ? forbidUnknownFields(value) : value;
}

/**
 * The schemas with a name of their own: events and their parts, items of lists, answers, bodies and the refusal. A
 * schema that several calls use has one name.
 */
function namedSchemas(bodies: Bodies): readonly NamedSchema[] {
  const found = new Map<unknown, NamedSchema>();
  const add = (name: string, schema: Schema<unknown>): void => {
    if (!found.has(schema.json)) found.set(schema.json, [name, schema]);
  };
  for (const [name, schema] of EVENT_PARTS) add(name, schema);
  for (const name of NAMES) {
    const item = name.endsWith(".list") ? itemOf(operatorAnswer(name)) : null;
    if (item !== null)
      add(ITEM_NAMES[resourceOf(name)] ?? `${toPascalCase(resourceOf(name))}Item`, item);
  }
  for (const name of NAMES) {
    const [answer, body] = [operatorAnswer(name), bodies.get(name)];
    if (answer !== null) add(`${toPascalCase(name)}Answer`, answer);
    if (body !== undefined) add(`${toPascalCase(name)}Body`, body);
  }
  add("Failure", OPERATOR_FAILURE);
  return [...found.values()];
}

/** The schemas of an account's events, which several calls return, and of the parts that several events share. */
const EVENT_PARTS: readonly NamedSchema[] = [
  ["Event", EVENT],
  ...[...EVENT_SCHEMA_NAMES].map(([type, name]): NamedSchema => [name, EVENT_SCHEMAS[type]]),
  ["EventCause", EVENT_CAUSE],
  ["EventProof", EVENT_PROOF],
  ["EventOrder", ORDER_IN_EVENT],
  ["EventPayout", EVENT_PAYOUT],
];

/** The schema name of a list's item, by resource. A resource that is not here uses its own name followed by `Item`. */
const ITEM_NAMES: Readonly<Partial<Record<string, string>>> = {
  accounts: "Account",
  keys: "Key",
  people: "Person",
  tokens: "Token",
  payouts: "Payout",
  funding: "FundingRate",
  corporateActions: "CorporateAction",
  programs: "Program",
  events: "OperatorEvent",
  webhooks: "Webhook",
  instruments: "Instrument",
  prices: "Price",
  audit: "AuditLine",
};

function itemOf(answer: Schema<unknown> | null): Schema<unknown> | null {
  const { items, properties } = answer?.json ?? {};
  if (isRecord(items)) return { json: items };
  const inner = isRecord(properties) ? properties.items : undefined;
  return isRecord(inner) && isRecord(inner.items) ? { json: inner.items } : null;
}

/**
 * The beginning of a schema's name, from the name of a call or a resource: `accounts.offerPro` becomes
 * `AccountsOfferPro`.
 */
function toPascalCase(name: string): string {
  return name.replace(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase());
}
