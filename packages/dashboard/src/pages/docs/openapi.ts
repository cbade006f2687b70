import { queryOptions } from "@tanstack/react-query";
import { CallFailed } from "../../api/call.ts";

/** As much of JSON Schema as the service's description of itself uses. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number | null)[];
  readonly const?: unknown;
  readonly default?: string | number | boolean;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: SchemaNode;
}

export interface Content {
  readonly description?: string;
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

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly "x-propgate-scope"?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaNode>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

export const OPENAPI_PATH = "/api/v1/openapi.json";

/** The public description of the API, by the service that these pages belong to. */
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

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function endpointsOf({ paths }: OpenApi): readonly Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ path, operation },
      method: method.toUpperCase(),
    })),
  );
}

/** What a reference stands for; anything else stands for itself. */
export function resolved(document: OpenApi, node: SchemaNode): SchemaNode {
  const name = nameOf(node.$ref);
  return name === null ? node : (document.components.schemas[name] ?? node);
}

export function resolvedParameter(document: OpenApi, parameter: Parameter): Parameter {
  const name = nameOf(parameter.$ref);
  return name === null ? parameter : (document.components.parameters[name] ?? parameter);
}

function nameOf(reference: string | undefined): string | null {
  return reference?.split("/").at(-1) ?? null;
}

/** The brand word in the names of the headers. */
export function brandOf({ components }: OpenApi): string | null {
  return /^X-(.+)-Key-Id$/.exec(components.parameters.keyId?.name ?? "")?.[1] ?? null;
}

export function isNullable({ type, anyOf, oneOf, ...node }: SchemaNode): boolean {
  if (Array.isArray(type)) return type.includes("null");
  const variants = anyOf ?? oneOf ?? [];
  return node.const === null || type === "null" || variants.some(isNullable);
}

/** `number`, `list of objects`, `LONG | SHORT`; null is told apart. */
export function typeText(document: OpenApi, given: SchemaNode): string {
  const node = resolved(document, given);
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
