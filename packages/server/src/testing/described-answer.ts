import { openApiDocument, SIGNED_ENDPOINTS, type SignedEndpointName } from "@propgate/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect } from "vitest";
import type { Reply } from "./signed-request.ts";

interface Described {
  readonly headers?: object;
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, Described>> }>>
    >
  >;
}

/** Headers that this service defines. */
const HELPING = /^(x-service-|x-ratelimit-|retry-after$|allow$)/;

const DOCUMENT: Document = JSON.parse(
  JSON.stringify(openApiDocument({ brand: "Service", networkName: "Propgate", baseUrl: null })),
);

/** Compares an answer with the published document: status, body and help headers. @rule D10.openapi */
export function expectDescribed(name: SignedEndpointName, reply: Reply): void {
  const { path, method } = SIGNED_ENDPOINTS[name];
  const described = DOCUMENT.paths[path]?.[method.toLowerCase()]?.responses[String(reply.status)];
  expect(described, `${name} describes ${reply.status}`).toBeDefined();
  const known = new Set(Object.keys(described?.headers ?? {}).map((one) => one.toLowerCase()));
  const helping = Object.keys(reply.headers).filter((one) => HELPING.test(one));
  expect(helping.filter((one) => !known.has(one))).toEqual([]);
  const shape = shapeOf(name, reply.status);
  expect(shape(reply.json()), JSON.stringify(shape.errors)).toBe(true);
}

const ajv = new Ajv2020({ strict: false });
formats.default(ajv, ["date", "uuid", "int64"]);
ajv.addSchema({ $id: "doc", ...DOCUMENT });

function shapeOf(name: SignedEndpointName, status: number): ValidateFunction {
  const { path, method } = SIGNED_ENDPOINTS[name];
  const place = `${path.replaceAll("/", "~1").replace("{", "%7B").replace("}", "%7D")}/${method.toLowerCase()}`;
  const $ref = `doc#/paths/${place}/responses/${status}/content/application~1json/schema`;
  return ajv.getSchema($ref) ?? ajv.compile({ $ref });
}
