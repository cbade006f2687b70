import {
  DEFAULT_BRAND,
  DEFAULT_NETWORK_NAME,
  EVIDENCE_KEYS_PATH,
  openApiDocument,
  SIGNED_ENDPOINTS,
  TIME_PATH,
} from "@propgate/contract";
import { describe, expect, test } from "vitest";
import {
  answerHeadersOf,
  brandOf,
  endpointsOf,
  fieldsOf,
  isNullable,
  type OpenApi,
  resolvedSchema,
  rulesOf,
  sampleTarget,
  shortPath,
  typeText,
  variantsOf,
} from "./openapi.ts";

const DOCUMENT: OpenApi = JSON.parse(
  JSON.stringify(
    openApiDocument({
      brand: DEFAULT_BRAND,
      networkName: DEFAULT_NETWORK_NAME,
      baseUrl: null,
      hasLinked: false,
    }),
  ),
);

describe("the description of the API", () => {
  test("the description has every endpoint", () => {
    const found = endpointsOf(DOCUMENT).map(({ method, path }) => `${method} ${path}`);
    const signed = Object.values(SIGNED_ENDPOINTS).map(({ method, path }) => `${method} ${path}`);
    const wanted = [...signed, `GET ${TIME_PATH}`, `GET ${EVIDENCE_KEYS_PATH}`];
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });

  test("the contents name each endpoint by the path that distinguishes it", () => {
    const names = endpointsOf(DOCUMENT).map(({ method, path }) => `${method} ${shortPath(path)}`);
    expect(names).toContain("GET receipts/{nonce}");
    expect(names).toContain("GET events/stream");
    expect(names).toContain("GET orders/{orderUuid}");
    expect(names).toContain("GET time");
    expect(new Set(names).size).toBe(names.length);
  });

  test("a sample has the parameters that its endpoint requires, and no other", () => {
    const targets = endpointsOf(DOCUMENT).map(sampleTarget);
    const path = "/api/v1/trading";
    expect(targets.filter((target) => target.includes("?"))).toEqual([
      `${path}/candles?tradePair=BTCUSD&interval=5m`,
    ]);
    expect(targets).toContain(`${path}/quotes`);
  });

  test("a sample fills the place of an id in its path, because a URL escapes braces after they were signed", () => {
    const targets = endpointsOf(DOCUMENT).map(sampleTarget);
    const path = "/api/v1/trading";
    expect(targets).toContain(`${path}/receipts/5f0d8a1c7e3b49a2b6c4d8e0f1a2b3c4`);
    expect(targets).toContain(`${path}/orders/7e1f0a34-52b6-4d8c-a9e0-3c5d7f9b1a24`);
    expect(targets.filter((target) => /[{}]/.test(target))).toEqual([]);
  });

  test("the description contains the brand word", () => {
    expect(brandOf(DOCUMENT)).toBe("Service");
  });

  test("the description lists the four headers that sign a request and the headers of answers [D10.openapi]", () => {
    const signing = Object.values(DOCUMENT.components.securitySchemes).map(({ name }) => name);
    expect(signing).toEqual([
      "X-Service-Key-Id",
      "X-Service-Timestamp",
      "X-Service-Nonce",
      "X-Service-Signature",
    ]);
    const answers = new Map(answerHeadersOf(DOCUMENT));
    expect([...answers.keys()]).toEqual(
      expect.arrayContaining(["X-Service-Request-Id", "X-Service-Ignored-Fields", "Allow"]),
    );
    expect([...answers.values()].filter((text) => text === "")).toEqual([]);
  });

  test("the description shows every order kind with its fields [D10.openapi]", () => {
    const trade = DOCUMENT.components.schemas.OrderTrade ?? {};
    const kinds = variantsOf(DOCUMENT, trade).map((kind) => {
      const word = fieldsOf(kind).find(([name]) => name === "execution_type")?.[1].const;
      return [word, fieldsOf(kind).some(([name]) => name === "quantity")];
    });
    expect(kinds).toEqual([
      ["MARKET", true],
      // This is the shape with `FLAT`, which has no size.
      ["MARKET", false],
      ["LIMIT", true],
      ["STOP_LIMIT", true],
      ["BRACKET", true],
      ["LIMIT_CANCEL", false],
      ["LIMIT_EDIT", true],
      ["LIMIT_EDIT", true],
      ["LIMIT_EDIT", true],
      ["FLAT_ALL", false],
    ]);
  });

  test("the description shows the rules between the fields of an order [D10.openapi]", () => {
    const { MarketOrder = {}, FlatOrder = {} } = DOCUMENT.components.schemas;
    expect(rulesOf(DOCUMENT, MarketOrder)).toBe(
      "Exactly one of `leverage`, `value` and `quantity`.",
    );
    expect(rulesOf(DOCUMENT, FlatOrder)).toBe("");
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
  ])("the type of %j reads %s", (node, text, nullable) => {
    expect([typeText(DOCUMENT, node), isNullable(resolvedSchema(DOCUMENT, node))]).toEqual([
      text,
      nullable,
    ]);
  });
});
