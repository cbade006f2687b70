import {
  DEFAULT_BRAND,
  DEFAULT_NETWORK_NAME,
  openApiDocument,
  SIGNED_ENDPOINTS,
  TIME_PATH,
} from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { brandOf, endpointsOf, isNullable, type OpenApi, resolved, typeText } from "./openapi.ts";

const DOCUMENT: OpenApi = JSON.parse(
  JSON.stringify(
    openApiDocument({ brand: DEFAULT_BRAND, networkName: DEFAULT_NETWORK_NAME, baseUrl: null }),
  ),
);

describe("the description of the API", () => {
  test("has every endpoint", () => {
    const found = endpointsOf(DOCUMENT).map(({ method, path }) => `${method} ${path}`);
    const signed = Object.values(SIGNED_ENDPOINTS).map(({ method, path }) => `${method} ${path}`);
    const wanted = [...signed, `GET ${TIME_PATH}`];
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });

  test("tells the brand word", () => {
    expect(brandOf(DOCUMENT)).toBe("Service");
  });

  test.each([
    [{ type: "number" }, "number", false],
    [{ type: ["number", "null"] }, "number", true],
    [{ type: "string", format: "uuid" }, "string, uuid", false],
    [{ type: "string", enum: ["LONG", "SHORT"] }, "LONG | SHORT", false],
    [{ const: "MARKET" }, '"MARKET"', false],
    [{ type: "array", items: { type: "object" } }, "list of object", false],
    [{ anyOf: [{ type: "object" }, { type: "null" }] }, "one of several", true],
    [{ $ref: "#/components/schemas/Account" }, "object", false],
  ])("%j reads %s", (node, text, nullable) => {
    expect([typeText(DOCUMENT, node), isNullable(resolved(DOCUMENT, node))]).toEqual([
      text,
      nullable,
    ]);
  });
});
