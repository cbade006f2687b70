import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from "./examples/examples.ts";
import { TRADES } from "./examples/listings.ts";
import { openApiDocument } from "./openapi.ts";
import { REFUSAL_CODES } from "./refusals.ts";
import { parsePlaceOrder } from "./requests/place-order.ts";
import { EXECUTION_TYPES } from "./words.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly schema: object }[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, Answer>>;
  readonly "x-propgate-scope"?: string;
  readonly "x-additive"?: boolean;
  readonly description?: string;
}
interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content: {
    readonly "application/json": {
      readonly schema: object;
      readonly examples: Readonly<Record<string, { readonly value: { readonly error: string } }>>;
    };
  };
}
interface Discriminated {
  readonly oneOf: readonly { readonly $ref: string }[];
  readonly discriminator: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

function built(brand = "Service"): Document {
  const document = openApiDocument({
    brand,
    networkName: "Propgate",
    baseUrl: null,
    hasLinked: false,
  });
  return JSON.parse(JSON.stringify(document));
}

const document = built();

/** The same schema without additional properties, so that an answer with an extra field fails. */
function withoutAdditionalProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAdditionalProperties);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    withoutAdditionalProperties(value),
  ]);
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  if (copy.type === "object" || "properties" in copy) copy.additionalProperties = false;
  return copy;
}

function validator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv, ["date", "uuid", "int64"]);
  ajv.addSchema({
    $id: "doc",
    components: { schemas: withoutAdditionalProperties(document.components.schemas) },
  });
  return ajv;
}

/** `default` describes every status that an operation does not list. */
const GET_STATUSES = ["200", "401", "403", "404", "409", "429", "500", "502", "503", "default"];
const EXPECTED = [
  ["get", "/api/v1/trading/account", "getAccount", "trade:read", GET_STATUSES, ["accountId"]],
  ["get", "/api/v1/trading/positions", "getPositions", "trade:read", GET_STATUSES, ["accountId"]],
  ["get", "/api/v1/trading/orders", "getOrders", "trade:read", GET_STATUSES, ["accountId"]],
  [
    "post",
    "/api/v1/trading/orders",
    "placeOrder",
    "trade:place",
    ["200", "400", "401", "403", "404", "409", "429", "500", "default"],
    ["accountId"],
  ],
  // 400 is only for the additive parameters `after` and `limit`.
  [
    "get",
    "/api/v1/trading/trades",
    "getTrades",
    "trade:read",
    ["200", "400", ...GET_STATUSES.slice(1)],
    ["accountId", "after", "limit"],
  ],
  [
    "get",
    "/api/v1/trading/payouts",
    "getPayouts",
    "trade:read",
    ["200", "400", ...GET_STATUSES.slice(1)],
    ["accountId", "limit", "cursor"],
  ],
];

const ADDED_STATUSES = ["200", "401", "403", "404", "409", "429", "500", "503", "default"];
const ADDED_WITH_400 = ["200", "400", ...ADDED_STATUSES.slice(1)];
/** The additive endpoints, listed apart from the six of the specification. */
const ADDED = [
  [
    "get",
    "/api/v1/trading/instruments",
    "getInstruments",
    "trade:read",
    ADDED_STATUSES,
    ["accountId"],
  ],
  [
    "get",
    "/api/v1/trading/quotes",
    "getQuotes",
    "trade:read",
    ADDED_WITH_400,
    ["accountId", "pairs"],
  ],
  [
    "get",
    "/api/v1/trading/candles",
    "getCandles",
    "trade:read",
    ADDED_WITH_400,
    ["accountId", "tradePair", "interval", "after", "limit"],
  ],
  [
    "get",
    "/api/v1/trading/receipts/{nonce}",
    "getReceipt",
    "trade:read",
    ADDED_WITH_400,
    ["nonce", "accountId"],
  ],
  [
    "get",
    "/api/v1/trading/events",
    "getEvents",
    "trade:read",
    ADDED_WITH_400,
    ["accountId", "after", "limit", "types", "wait", "proof"],
  ],
  [
    "get",
    "/api/v1/trading/events/stream",
    "getEventStream",
    "trade:read",
    ADDED_WITH_400,
    ["accountId", "after", "types", "proof", "quotes", "every"],
  ],
  [
    "get",
    "/api/v1/trading/orders/{orderUuid}",
    "getOrder",
    "trade:read",
    ADDED_WITH_400,
    ["orderUuid", "accountId", "after"],
  ],
  [
    "get",
    "/api/v1/trading/order-history",
    "getOrderHistory",
    "trade:read",
    ADDED_WITH_400,
    ["accountId", "after", "limit", "tradePair", "since"],
  ],
  [
    "get",
    "/api/v1/trading/fills",
    "getFills",
    "trade:read",
    ADDED_WITH_400,
    ["accountId", "after", "limit", "tradePair", "since"],
  ],
  ["post", "/api/v1/trading/preview", "previewOrder", "trade:read", ADDED_WITH_400, ["accountId"]],
  [
    "post",
    "/api/v1/trading/cancel-all-after",
    "cancelAllAfter",
    "trade:place",
    ["200", "400", "401", "403", "404", "409", "429", "500", "default"],
    ["accountId"],
  ],
  ["get", "/api/v1/time", "getTime", undefined, ["200", "default"], []],
  ["get", "/api/v1/evidence-keys", "getEvidenceKeys", undefined, ["200", "default"], []],
];

const REQUEST_ID = "X-Service-Request-Id";
const VERSION = "X-Service-Account-Version";

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

describe("OpenAPI document [S9.openapi]", () => {
  const rowsOf = (some: typeof operations) =>
    some.map(({ path, method, operation }) => [
      method,
      path,
      operation.operationId,
      operation["x-propgate-scope"],
      Object.keys(operation.responses),
      operation.parameters.map(({ name }) => name),
    ]);

  test("the document has every endpoint, status, scope and query of the specification, and nothing else", () => {
    const six = operations.filter(({ operation }) => operation["x-additive"] === undefined);
    expect(rowsOf(six)).toEqual(EXPECTED);
  });

  test("the additive endpoints are described as additive [D9.additive] [D9.additiveMarked]", () => {
    const added = operations.filter(({ operation }) => operation["x-additive"] !== undefined);
    expect(rowsOf(added)).toEqual(ADDED);
    for (const { operation } of added) {
      expect(operation["x-additive"]).toBe(true);
      expect(operation.description).toContain("outside the six endpoints of the specification");
    }
  });

  test("every signed operation requires the four headers together, named by the brand word [D10.openapi S5.headers]", () => {
    const four = { keyId: [], timestamp: [], nonce: [], signature: [] };
    expect(document.security).toEqual([four]);
    for (const { operation } of operations) {
      const isPublic = ["getTime", "getEvidenceKeys"].includes(String(operation.operationId));
      expect(operation.security).toEqual(isPublic ? [] : undefined);
    }
    expect(built("Acme").components.securitySchemes).toMatchObject({
      keyId: { type: "apiKey", in: "header", name: "X-Acme-Key-Id" },
      timestamp: { type: "apiKey", in: "header", name: "X-Acme-Timestamp" },
      nonce: { type: "apiKey", in: "header", name: "X-Acme-Nonce" },
      signature: { type: "apiKey", in: "header", name: "X-Acme-Signature" },
    });
  });

  test("a default that a generated client sends changes no answer, so trades and streams have none [D13.tradesPage]", () => {
    const withDefault = operations.flatMap(({ operation }) =>
      operation.parameters
        .filter(({ schema }) => "default" in schema)
        .map(({ name }) => `${operation.operationId} ${name}`),
    );
    // `limit` of GET trades has no default, because without `limit` the answer has all trades. `every` has none,
    // because the service rejects `every` without `quotes`.
    expect(withDefault).toEqual([
      "getPayouts limit",
      "getCandles limit",
      "getEvents limit",
      "getEvents wait",
      "getEvents proof",
      "getEventStream proof",
      "getOrderHistory limit",
      "getFills limit",
    ]);
  });

  const headersOf = (operationId: string, status: string): readonly string[] => {
    const found = operations.find(({ operation }) => operation.operationId === operationId);
    return Object.keys(found?.operation.responses[status]?.headers ?? {});
  };

  test("only the read budget's 429 has the three X-RateLimit headers [S8.headers]", () => {
    for (const { operation } of operations) {
      if (operation.responses["429"] === undefined) continue;
      const { examples } = operation.responses["429"].content["application/json"];
      const helping = [REQUEST_ID, "Retry-After", VERSION];
      expect(headersOf(operation.operationId, "429")).toEqual(
        "rateLimited" in examples
          ? [...helping, "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]
          : helping,
      );
    }
  });

  test.each([
    ["placeOrder", "200", [REQUEST_ID, VERSION, "X-Service-Ignored-Fields"]],
    ["previewOrder", "200", [REQUEST_ID, VERSION, "X-Service-Ignored-Fields"]],
    ["getAccount", "200", [REQUEST_ID, VERSION]],
    ["placeOrder", "400", [REQUEST_ID, VERSION, "X-Service-Refusal-Code"]],
    ["previewOrder", "400", [REQUEST_ID, VERSION, "X-Service-Refusal-Code"]],
    ["getPayouts", "400", [REQUEST_ID, VERSION]],
    [
      "placeOrder",
      "401",
      [
        REQUEST_ID,
        "X-Service-Server-Time-Ms",
        "X-Service-Seen-Target",
        "X-Service-Seen-Body-Sha256",
      ],
    ],
    ["getAccount", "503", [REQUEST_ID, "Retry-After", VERSION]],
  ])("%s describes the helping headers of %s [D10.openapi D2.help]", (id, status, names) => {
    expect(headersOf(id, status)).toEqual(names);
  });

  test("the header of a refused order lists every code [D10.refusalCodes]", () => {
    expect(document.components.headers.refusalCode).toMatchObject({
      schema: { type: "string", enum: [...REFUSAL_CODES] },
    });
  });

  test("the answers that come before an operation are described once for all operations [D10.openapi]", () => {
    const shared = document.components.responses.BeforeOperation;
    const texts = Object.values(shared?.content["application/json"].examples ?? {});
    expect(texts.map(({ value }) => value.error)).toEqual([
      "Method not allowed",
      "Malformed request",
      "Request not complete in time; nothing was carried out",
      "Request headers too large; nothing was carried out",
      "Too many connections",
      "Too many large requests at a time; nothing was carried out",
      "Too many unanswered requests on one connection; nothing was carried out",
    ]);
    for (const status of [400, 405, 408, 431, 503]) {
      expect(shared?.description).toContain(String(status));
    }
    expect(Object.keys(shared?.headers ?? {})).toEqual([
      "X-Service-Request-Id",
      "Allow",
      "Retry-After",
    ]);
    for (const { operation } of operations) {
      expect(operation.responses.default?.$ref).toBe("#/components/responses/BeforeOperation");
    }
  });

  test("the discriminator maps each execution type to a schema that requires it [D10.openapi]", () => {
    const { oneOf, discriminator } = document.components.schemas.OrderTrade as Discriminated;
    expect(Object.keys(discriminator.mapping)).toEqual([...EXECUTION_TYPES]);
    expect(new Set(Object.values(discriminator.mapping))).toEqual(
      new Set(oneOf.map(({ $ref }) => $ref)),
    );
    for (const [word, $ref] of Object.entries(discriminator.mapping)) {
      expect(document.components.schemas[$ref.split("/").at(-1) ?? ""]).toMatchObject({
        properties: { execution_type: { const: word } },
        required: expect.arrayContaining(["execution_type"]),
      });
    }
  });

  test("a validator that follows the discriminator takes every kind of order [D10.openapi]", () => {
    const ajv = new Ajv2020({ strict: false, discriminator: true });
    formats.default(ajv, ["uuid"]);
    // Ajv finds a discriminated shape by its constant, but knows no mapping.
    const schemas = JSON.parse(JSON.stringify(document.components.schemas), (key, value) =>
      key === "mapping" ? undefined : value,
    );
    ajv.addSchema({ $id: "doc", components: { schemas } });
    const matches = ajv.compile({ $ref: "doc#/components/schemas/OrderRequest" });
    for (const body of Object.values(REQUEST_EXAMPLES)) expect(matches(body)).toBe(true);
    expect(matches({ trade: { execution_type: "TELEPORT" } })).toBe(false);
  });

  test("every reference has a target and every component is used", () => {
    const text = JSON.stringify(document);
    const used = new Set(
      [...text.matchAll(/"#\/components\/([\w-]+)\/([\w-]+)"/g)].map((one) => one[0]),
    );
    const { schemas, headers, responses } = document.components;
    const defined = Object.entries({ schemas, headers, responses }).flatMap(([kind, components]) =>
      Object.keys(components).map((name) => `"#/components/${kind}/${name}"`),
    );
    expect([...used].toSorted()).toEqual(defined.toSorted());
  });

  test.each(Object.keys(document.components.schemas))("%s is a valid JSON Schema", (name) => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
    formats.default(ajv, ["date", "uuid", "int64"]);
    expect(ajv.validateSchema(document.components.schemas[name] ?? {})).toBe(true);
  });
});

describe("every example has exactly the fields of its schema", () => {
  test.each(Object.entries(RESPONSE_EXAMPLES))(
    "the answer example %s has them",
    (_, { endpoint, data }) => {
      const found = operations.find(({ operation }) => operation.operationId === endpoint);
      const schema = found?.operation.responses["200"]?.content["application/json"].schema ?? {};
      const text = JSON.stringify(withoutAdditionalProperties(schema)).replaceAll('"#/', '"doc#/');
      const ajv = validator();
      const valid = ajv.validate(JSON.parse(text), { success: true, data });
      expect(ajv.errors ?? []).toEqual([]);
      expect(valid).toBe(true);
    },
  );

  test("an extra field and a missing field are both detected", () => {
    const ajv = validator();
    const check = (trade: object): boolean =>
      ajv.validate({ type: "array", items: { $ref: "doc#/components/schemas/Trade" } }, [trade]);
    const [trade] = TRADES;
    expect(check({ ...trade })).toBe(true);
    expect(check({ ...trade, more: 1 })).toBe(false);
    expect(check({ ...trade, quantity: undefined })).toBe(false);
    expect(check({ ...trade, status: "OPEN" })).toBe(false);
  });

  test("the published schemas accept a new field, so it breaks no client [S9.additive]", () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv, ["int64"]);
    const schema = document.components.schemas.Trade ?? {};
    expect(ajv.validate(schema, { ...TRADES[0], more: 1 })).toBe(true);
  });

  test.each(Object.entries(REQUEST_EXAMPLES))(
    "the request example %s matches its schema",
    (_, body) => {
      const ajv = new Ajv2020({ strict: false });
      formats.default(ajv, ["uuid"]);
      ajv.addSchema({ $id: "doc", components: document.components });
      expect(ajv.validate({ $ref: "doc#/components/schemas/OrderRequest" }, body)).toBe(true);
      expect(parsePlaceOrder(body)).toMatchObject({ ok: true, ignoredFields: [] });
    },
  );
});
