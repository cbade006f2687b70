import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { REQUEST_EXAMPLES, RESPONSE_EXAMPLES } from "./examples/examples.ts";
import { TRADES } from "./examples/listings.ts";
import { openApiDocument } from "./openapi.ts";
import { parsePlaceOrder } from "./requests/place-order.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly $ref?: string; readonly name?: string }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, Answer>>;
  readonly "x-propgate-scope"?: string;
  readonly "x-additive"?: boolean;
  readonly description?: string;
}
interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content: { readonly "application/json": { readonly schema: object } };
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly parameters: Readonly<Record<string, { readonly name: string }>>;
  };
}

function built(brand = "Service"): Document {
  const document = openApiDocument({ brand, networkName: "Propgate", baseUrl: null });
  return JSON.parse(JSON.stringify(document));
}

const document = built();

/** The same schema with every described object closed, so that a field too many fails. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)]);
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  if (copy.type === "object" || "properties" in copy) copy.additionalProperties = false;
  return copy;
}

function validator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv, ["date", "uuid", "int64"]);
  ajv.addSchema({ $id: "doc", components: { schemas: closed(document.components.schemas) } });
  return ajv;
}

const GET_STATUSES = ["200", "401", "403", "404", "409", "429", "500", "502", "503"];
const EXPECTED = [
  ["get", "/api/v1/trading/account", "getAccount", "trade:read", GET_STATUSES, ["accountId"]],
  ["get", "/api/v1/trading/positions", "getPositions", "trade:read", GET_STATUSES, ["accountId"]],
  ["get", "/api/v1/trading/orders", "getOrders", "trade:read", GET_STATUSES, ["accountId"]],
  [
    "post",
    "/api/v1/trading/orders",
    "placeOrder",
    "trade:place",
    ["200", "400", "401", "403", "404", "409", "429", "500"],
    [],
  ],
  ["get", "/api/v1/trading/trades", "getTrades", "trade:read", GET_STATUSES, ["accountId"]],
  [
    "get",
    "/api/v1/trading/payouts",
    "getPayouts",
    "trade:read",
    ["200", "400", ...GET_STATUSES.slice(1)],
    ["accountId", "limit", "cursor"],
  ],
];

const ADDED_STATUSES = ["200", "401", "403", "404", "409", "429", "500", "503"];
const ADDED_WITH_400 = ["200", "400", ...ADDED_STATUSES.slice(1)];
/** Written down beside the six, so that neither list can slip into the other. */
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
    "/api/v1/trading/receipts/{nonce}",
    "getReceipt",
    "trade:read",
    ADDED_WITH_400.slice(0, -1),
    ["nonce", "accountId"],
  ],
  ["post", "/api/v1/trading/preview", "previewOrder", "trade:read", ADDED_WITH_400, []],
  ["get", "/api/v1/time", "getTime", undefined, ["200"], []],
];

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
      operation.parameters.flatMap(({ name }) => (name === undefined ? [] : [name])),
    ]);

  test("has every endpoint, status, scope and query of the specification, and nothing else", () => {
    const six = operations.filter(({ operation }) => operation["x-additive"] === undefined);
    expect(rowsOf(six)).toEqual(EXPECTED);
  });

  test("what stands beside the six says that it does [D9.additive]", () => {
    const added = operations.filter(({ operation }) => operation["x-additive"] !== undefined);
    expect(rowsOf(added)).toEqual(ADDED);
    for (const { operation } of added) {
      expect(operation["x-additive"]).toBe(true);
      expect(operation.description).toContain("outside the six endpoints of the specification");
    }
  });

  test("every signed operation lists the four headers, named by the brand word", () => {
    for (const { operation } of operations) {
      const isSigned = operation.operationId !== "getTime";
      const four = [
        "#/components/parameters/keyId",
        "#/components/parameters/timestamp",
        "#/components/parameters/nonce",
        "#/components/parameters/signature",
      ];
      const listed = operation.parameters.flatMap(({ $ref }) => $ref ?? []);
      expect(listed).toEqual(isSigned ? four : []);
    }
    const names = Object.values(built("Acme").components.parameters).map(({ name }) => name);
    expect(names).toEqual([
      "X-Acme-Key-Id",
      "X-Acme-Timestamp",
      "X-Acme-Nonce",
      "X-Acme-Signature",
    ]);
  });

  test("only the read budget's 429 has the three X-RateLimit headers [S8.headers]", () => {
    for (const { operation } of operations) {
      if (operation.responses["429"] === undefined) continue;
      expect(Object.keys(operation.responses["429"].headers ?? {})).toEqual(
        operation.operationId === "placeOrder"
          ? ["Retry-After"]
          : ["Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
      );
    }
  });

  test("every reference leads somewhere and every component is used", () => {
    const text = JSON.stringify(document);
    const used = new Set([...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)].map((one) => one[0]));
    const there = [
      ...Object.keys(document.components.schemas).map((name) => `"#/components/schemas/${name}"`),
      ...Object.keys(document.components.parameters).map(
        (name) => `"#/components/parameters/${name}"`,
      ),
    ];
    expect([...used].toSorted()).toEqual(there.toSorted());
  });

  test.each(Object.keys(document.components.schemas))("%s is a valid JSON Schema", (name) => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
    formats.default(ajv, ["date", "uuid", "int64"]);
    expect(ajv.validateSchema(document.components.schemas[name] ?? {})).toBe(true);
  });
});

describe("examples are true to their schemas, with no field too many or too few", () => {
  test.each(Object.entries(RESPONSE_EXAMPLES))("%s", (_, { endpoint, data }) => {
    const found = operations.find(({ operation }) => operation.operationId === endpoint);
    const schema = found?.operation.responses["200"]?.content["application/json"].schema ?? {};
    const text = JSON.stringify(closed(schema)).replaceAll('"#/', '"doc#/');
    const ajv = validator();
    const valid = ajv.validate(JSON.parse(text), { success: true, data });
    expect(ajv.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  test("a field too many and a field too few are noticed", () => {
    const ajv = validator();
    const check = (trade: object): boolean =>
      ajv.validate({ type: "array", items: { $ref: "doc#/components/schemas/Trade" } }, [trade]);
    const [trade] = TRADES;
    expect(check({ ...trade })).toBe(true);
    expect(check({ ...trade, more: 1 })).toBe(false);
    expect(check({ ...trade, quantity: undefined })).toBe(false);
    expect(check({ ...trade, status: "OPEN" })).toBe(false);
  });

  test("as it is published, a field that is new breaks no client [S9.additive]", () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv, ["int64"]);
    const schema = document.components.schemas.Trade ?? {};
    expect(ajv.validate(schema, { ...TRADES[0], more: 1 })).toBe(true);
  });

  test.each(Object.entries(REQUEST_EXAMPLES))("request %s", (_, body) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv, ["uuid"]);
    expect(ajv.validate(document.components.schemas.OrderRequest ?? {}, body)).toBe(true);
    expect(parsePlaceOrder(body)).toMatchObject({ ok: true, ignoredFields: [] });
  });
});
