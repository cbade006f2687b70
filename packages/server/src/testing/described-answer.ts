import { openApiDocument, SIGNED_ENDPOINTS, type SignedEndpointName } from "@propgate/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect } from "vitest";
import type { NetworkName } from "../../../ledger/src/storage/rows/network-name.ts";
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

/** Matches the names of the headers that help a client of this service. */
const HELP_HEADERS = /^(x-service-|x-ratelimit-|retry-after$|allow$)/;

const BRAND = { brand: "Service", networkName: "Propgate", baseUrl: null } as const;

const DOCUMENTS: Readonly<Record<NetworkName, Document>> = {
  embedded: JSON.parse(JSON.stringify(openApiDocument({ ...BRAND, hasLinked: false }))),
  vanta: JSON.parse(JSON.stringify(openApiDocument({ ...BRAND, hasLinked: true }))),
};

/**
 * Compares an answer with the OpenAPI document of a service that has accounts of this network: its status, its body and
 * the headers that help a client. @rule D10.openapi D13.types
 */
export function expectDescribedAnswer(
  name: SignedEndpointName,
  reply: Reply,
  network: NetworkName = "embedded",
): void {
  const { path, method } = SIGNED_ENDPOINTS[name];
  const described =
    DOCUMENTS[network].paths[path]?.[method.toLowerCase()]?.responses[String(reply.status)];
  expect(described, `${name} describes ${reply.status}`).toBeDefined();
  const known = new Set(Object.keys(described?.headers ?? {}).map((one) => one.toLowerCase()));
  const helping = Object.keys(reply.headers).filter((one) => HELP_HEADERS.test(one));
  expect(helping.filter((one) => !known.has(one))).toEqual([]);
  // A stream answers with frames, not with JSON.
  if (name === "getEventStream" && reply.status === 200) return;
  const shape = shapeOf(name, reply.status, network);
  expect(shape(reply.json()), JSON.stringify(shape.errors)).toBe(true);
}

const ajv = new Ajv2020({ strict: false, code: { optimize: false } });
formats.default(ajv, ["date", "uuid", "int64"]);
for (const [network, document] of Object.entries(DOCUMENTS)) {
  ajv.addSchema({ $id: network, ...document });
}

function shapeOf(name: SignedEndpointName, status: number, network: NetworkName): ValidateFunction {
  const { path, method } = SIGNED_ENDPOINTS[name];
  const place = `${path.replaceAll("/", "~1").replace("{", "%7B").replace("}", "%7D")}/${method.toLowerCase()}`;
  const $ref = `${network}#/paths/${place}/responses/${status}/content/application~1json/schema`;
  return ajv.getSchema($ref) ?? ajv.compile({ $ref });
}
