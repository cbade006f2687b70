import { isNullOnly } from "@propgate/contract";
import { queryOptions } from "@tanstack/react-query";
import { CallFailed } from "../../api/call.ts";

/** The parts of JSON Schema that the service's OpenAPI document uses. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: unknown;
  readonly default?: string | number | boolean;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  /** The rules between the fields. */
  readonly allOf?: readonly SchemaNode[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: SchemaNode;
}

/** A header that signs a request. */
export interface SigningHeader {
  readonly name: string;
  readonly description: string;
}

/** A header of an answer. */
export interface AnswerHeader {
  readonly $ref?: string;
  readonly description?: string;
}

/** The body and the headers of a request or of one answer. */
export interface Content {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, AnswerHeader>>;
  readonly content?: Readonly<
    Record<
      string,
      {
        readonly schema?: SchemaNode;
        readonly examples?: Readonly<
          Record<string, { readonly summary?: string; readonly value: unknown }>
        >;
      }
    >
  >;
}

/** One call of the API, as the document describes it. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly "x-propgate-scope"?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The parts of the OpenAPI document that the page shows. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaNode>>;
    readonly securitySchemes: Readonly<Record<string, SigningHeader>>;
    readonly responses: Readonly<Record<string, Content>>;
    readonly headers: Readonly<Record<string, AnswerHeader>>;
  };
}

export const OPENAPI_PATH = "/api/v1/openapi.json";

/** The service's public OpenAPI document. */
export const openApiQuery = queryOptions({
  queryKey: ["openapi"],
  queryFn: async ({ signal }): Promise<OpenApi> => {
    const response = await fetch(OPENAPI_PATH, { signal });
    if (!response.ok) {
      throw new CallFailed(`The service answered ${response.status}.`, { status: response.status });
    }
    const document: OpenApi = await response.json();
    return document;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** A call of the API with its method and path. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function endpointsOf({ paths }: OpenApi): readonly Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      operation,
      method: method.toUpperCase(),
    })),
  );
}

/** The path without the prefix that all endpoints share: `receipts/{nonce}`. */
export function shortPath(path: string): string {
  return path.replace(/^\/api\/v1\/(trading\/)?/, "");
}

/**
 * The target of a sample request: the path with example values for its parameters, and with the query parameters that
 * the endpoint requires.
 */
export function sampleTarget(endpoint: Pick<Endpoint, "path" | "operation">): string {
  const parameters = endpoint.operation.parameters ?? [];
  const path = parameters
    .filter((one) => one.in === "path")
    .reduce(
      (filled, { name, schema }) => filled.replace(`{${name}}`, exampleText(schema)),
      endpoint.path,
    );
  const required = parameters.filter((one) => one.in === "query" && one.required === true);
  const query = new URLSearchParams(
    required.map(({ name, schema }) => [name, exampleText(schema)]),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

function exampleText(schema: SchemaNode | undefined): string {
  const [example = ""] = schema?.examples ?? [];
  return typeof example === "string" ? example : JSON.stringify(example);
}

/** The schema to which a reference leads. A schema that is not a reference is returned unchanged. */
export function resolvedSchema(document: OpenApi, node: SchemaNode): SchemaNode {
  const name = nameOf(node.$ref);
  return name === null ? node : (document.components.schemas[name] ?? node);
}

/** The possible shapes of a field. A group of shapes is expanded, and null is left out. */
export function variantsOf(document: OpenApi, node: SchemaNode): readonly SchemaNode[] {
  const variants = node.anyOf ?? node.oneOf ?? [];
  return variants
    .map((variant) => resolvedSchema(document, variant))
    .filter(({ type }) => type !== "null")
    .flatMap((variant) => {
      const inner = variantsOf(document, variant);
      return inner.length === 0 ? [variant] : inner;
    });
}

/** The fields of a shape. A field that the shape forbids is left out. */
export function fieldsOf({
  properties = {},
}: SchemaNode): readonly (readonly [name: string, field: SchemaNode])[] {
  return Object.entries(properties).filter(([, field]) => !isNullOnly({ ...field }));
}

/** The rules between the fields, each as a sentence. */
export function rulesOf(document: OpenApi, { allOf = [] }: SchemaNode): string {
  return allOf.map((rule) => resolvedSchema(document, rule).description ?? "").join(" ");
}

function nameOf(reference: string | undefined): string | null {
  return reference?.split("/").at(-1) ?? null;
}

/** The headers of answers, by name, without those that HTTP itself defines. */
export function answerHeadersOf(
  document: OpenApi,
): readonly (readonly [name: string, description: string])[] {
  const answers = endpointsOf(document).flatMap(({ operation }) =>
    Object.values(operation.responses),
  );
  const all = [...answers, ...Object.values(document.components.responses)];
  const found = all.flatMap(({ headers = {} }) =>
    Object.entries(headers).map(([name, { $ref }]): [string, string] => [
      name,
      document.components.headers[nameOf($ref) ?? ""]?.description ?? "",
    ]),
  );
  return [...new Map(found)];
}

/** The brand word in the names of the headers; null when it cannot be found. */
export function brandOf({ components }: OpenApi): string | null {
  return /^X-(.+)-Key-Id$/.exec(components.securitySchemes.keyId?.name ?? "")?.[1] ?? null;
}

/** True when the schema allows null. */
export function isNullable({ type, anyOf, oneOf, ...node }: SchemaNode): boolean {
  if (Array.isArray(type)) return type.includes("null");
  const variants = anyOf ?? oneOf ?? [];
  return node.const === null || type === "null" || variants.some(isNullable);
}

/**
 * The type of a field in words, such as `number`, `list of object` or `LONG | SHORT`. Null is left out, because it is
 * shown separately.
 */
export function typeText(document: OpenApi, given: SchemaNode): string {
  const node = resolvedSchema(document, given);
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.filter((one) => one !== null).join(" | ");
  const types = typeof node.type === "string" ? [node.type] : (node.type ?? []);
  const type = types.find((one) => one !== "null");
  if (type === "array" && node.items !== undefined) {
    return `list of ${typeText(document, node.items)}`;
  }
  if (type !== undefined) return node.format === undefined ? type : `${type}, ${node.format}`;
  return (node.anyOf ?? node.oneOf) === undefined ? "any" : "one of several";
}
