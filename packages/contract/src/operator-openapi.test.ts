import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { schemaProblemOf } from "./conforms.ts";
import { EVENTS } from "./examples/events.ts";
import { OPERATOR_CALLS } from "./operator/calls.ts";
import { OPERATOR_ERRORS, OPERATOR_STATUSES } from "./operator/error-codes.ts";
import { OPERATOR_EVENTS } from "./operator/events.ts";
import type { ListDescription } from "./operator/lists/list-description.ts";
import { OPERATOR_LISTS } from "./operator/lists/operator-lists.ts";
import { queryParametersOf } from "./operator/queries.ts";
import { operatorOpenApiDocument } from "./operator-openapi.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name?: string; readonly in?: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const document: Document = JSON.parse(
  JSON.stringify(operatorOpenApiDocument({ brand: "Service", hasLinked: false })),
);
const text = JSON.stringify(document);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const schemas = Object.entries(document.components.schemas ?? {});

describe("the operator's OpenAPI document [D12.operatorOpenApi]", () => {
  test("the document has every call with its method, path and query, and nothing else", () => {
    const found = operations.map(({ path, method, operation }) => [
      operation.operationId,
      method.toUpperCase(),
      path.replace(/\{(\w+)\}/g, ":$1"),
      operation.parameters.filter((one) => one.in === "query").map(({ name }) => name),
    ]);
    const calls = Object.entries(OPERATOR_CALLS).map(([name, { method, path }]) => [
      name,
      method,
      path,
      [...queryParametersOf(name)],
    ]);
    expect(found).toHaveLength(calls.length);
    expect(found).toEqual(expect.arrayContaining(calls));
    expect(document.servers).toEqual([{ url: "/operator/v1" }]);
  });

  test("a list has a q where it searches a field, and no list else", () => {
    for (const [name, list] of Object.entries<ListDescription>(OPERATOR_LISTS)) {
      const isSearched = [...list.searchedParts, ...list.searchedBeginnings].length > 0;
      expect([name, queryParametersOf(name).includes("q")]).toEqual([name, isSearched]);
    }
    expect(queryParametersOf("accounts.equity")).not.toContain("q");
  });

  test("every write takes an Idempotency-Key, and no read does", () => {
    for (const { method, operation } of operations) {
      const takes = JSON.stringify(operation.parameters).includes("idempotencyKey");
      expect([operation.operationId, takes]).toEqual([operation.operationId, method !== "get"]);
    }
  });

  test("every code of a refusal belongs to a status", () => {
    const listed = new Set<string>(Object.values(OPERATOR_STATUSES).flat());
    expect([...listed].toSorted()).toEqual(Object.keys(OPERATOR_ERRORS).toSorted());
  });

  test("every reference has a target, and every component is used", () => {
    const used = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)].map(([one]) => one),
    );
    const { securitySchemes: _, ...referred } = document.components;
    const defined = Object.entries(referred).flatMap(([kind, components]) =>
      Object.keys(components).map((name) => `"#/components/${kind}/${name}"`),
    );
    expect([...used].toSorted()).toEqual(defined.toSorted());
  });

  test("every type of event has one schema, which the calls that answer events refer to", () => {
    const declared = text.match(/"const":"order\.filled"/g);
    expect(declared).toHaveLength(1);
    for (const name of ["Event", "OperatorEvent"]) {
      const { anyOf } = Object(document.components.schemas?.[name]);
      expect(anyOf).toContainEqual({ $ref: "#/components/schemas/OrderFilledEvent" });
    }
  });

  test("an event of all accounts needs the fields of its account", () => {
    const { items } = Object(OPERATOR_EVENTS.json.properties);
    const event = { ...EVENTS.items[0] };
    const account = { accountId: "a1", ownerId: "o1", externalId: null };
    expect(schemaProblemOf(items.items, { ...event, ...account }, "event")).toBeNull();
    expect(schemaProblemOf(items.items, event, "event")).toBe("event.accountId is missing");
  });

  test.each(schemas)("%s is a valid JSON Schema", (_, schema) => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
    formats.default(ajv, ["date", "uuid", "int64"]);
    expect(ajv.validateSchema(schema)).toBe(true);
  });

  test("a body with a field that the call does not have is against its schema", () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv, ["uuid", "int64"]);
    ajv.addSchema({ $id: "doc", components: document.components });
    const takes = (body: object) =>
      ajv.validate({ $ref: "doc#/components/schemas/PayoutsRecordBody" }, body);
    expect(takes({ status: "paid" })).toBe(true);
    expect(takes({ status: "paid", state: "paid" })).toBe(false);
  });
});
