import {
  DEFAULT_BRAND,
  DEFAULT_NETWORK_NAME,
  type JsonSchema,
  openApiDocument,
} from "@propgate/contract";
import { fateBlocks } from "./fates.ts";
import { codeBlock, markdownPage, markdownTable, type ReferencePage } from "./markdown.ts";
import { fieldRows, type SchemaNode, typeText } from "./schema-fields.ts";

interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

interface Content {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: {
    readonly "application/json"?: {
      readonly schema: SchemaNode;
      readonly examples?: Readonly<Record<string, Example>>;
    };
  };
}

interface Operation {
  readonly summary: string;
  readonly "x-propgate-scope"?: string;
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly description?: string;
    readonly schema?: SchemaNode;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaNode>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

/** The page of every endpoint, from the published description, with answers that tests check. */
export function endpointsPage(): ReferencePage {
  const options = {
    brand: DEFAULT_BRAND,
    networkName: DEFAULT_NETWORK_NAME,
    baseUrl: null,
    hasLinked: false,
  };
  const described = asDescribed(openApiDocument(options));
  const sections = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      section({ title: `${method.toUpperCase()} ${path}`, operation, described }),
    ),
  );
  return {
    path: "docs/reference/endpoints.md",
    content: markdownPage({
      title: "Endpoints",
      source: "packages/contract",
      blocks: [
        'The request and the answer of each endpoint. A success has `success` and `data`; the tables list the fields of `data`. Every number that is unknown is null. A field that is null "when the network did not send it" is never null for an account of the service\'s own network. Fields may be added: ignore those you do not know. [Sign a request](../guides/sign-a-request.md), [what each error means](errors.md).',
        ...sections,
        ...answerHeaders(described),
        ...beforeEndpoints(described),
      ],
    }),
  };
}

interface SectionOf {
  readonly title: string;
  readonly operation: Operation;
  readonly described: Described;
}

const ORDER_KINDS =
  "The kind of an order decides which fields it needs. The requests below show one of each kind; [order types](../guides/order-types.md) says when they fill.";

function section({ title, operation, described }: SectionOf): readonly string[] {
  const scope = operation["x-propgate-scope"];
  const body = operation.requestBody?.content?.["application/json"];
  const answer = operation.responses["200"]?.content?.["application/json"];
  return [
    `## ${title}`,
    `${operation.summary}. ${scope === undefined ? "Unsigned." : `Scope \`${scope}\`.`}`,
    ...parameters(operation),
    ...(body === undefined ? [] : [operation.requestBody?.description ?? ""]),
    ...(body === undefined
      ? []
      : [
          ...fieldsOf("Body", body.schema, described),
          // The dead man's switch has one kind of body.
          title.endsWith("/cancel-all-after") ? "" : ORDER_KINDS,
          ...(title.endsWith("/orders") ? fateBlocks() : []),
        ]),
    ...examples("Request", body?.examples),
    ...dataFields(answer?.schema, described),
    ...examples("Answer", answer?.examples),
    ...failures(operation),
  ].filter((block) => block !== "");
}

function parameters({ parameters: all = [] }: Operation): readonly string[] {
  const named = all.filter((one) => one.in === "query" || one.in === "path");
  if (named.length === 0) return [];
  const rows = named.map(({ name = "", in: where = "", description = "", schema = {} }) => [
    `\`${name}\``,
    where,
    typeText(schema, {}),
    description,
  ]);
  return [markdownTable(["Parameter", "In", "Type", "What"], rows)];
}

function dataFields(schema: SchemaNode | undefined, described: Described): readonly string[] {
  const data = schema?.properties?.data ?? schema;
  return data === undefined ? [] : fieldsOf("Data", data, described);
}

function fieldsOf(title: string, schema: SchemaNode, { components }: Described): readonly string[] {
  const rows = fieldRows(schema, components.schemas).filter(([field = ""]) => !isOfOneType(field));
  if (rows.length === 0) return [];
  return [`**${title}**`, markdownTable(["Field", "Type", "What"], rows)];
}

/** Whether a field belongs to one type of event. The page of events has those fields. */
function isOfOneType(field: string): boolean {
  return field.startsWith("`items[].data.");
}

function examples(
  title: string,
  all: Readonly<Record<string, Example>> | undefined,
): readonly string[] {
  return Object.entries(all ?? {}).flatMap(([name, { summary, value }]) => [
    `**${title}**, ${summary ?? name}:`,
    codeBlock("json", JSON.stringify(value, null, 2)),
  ]);
}

function failures({ responses }: Operation): readonly string[] {
  const rows = Object.entries(responses)
    .filter(([status]) => status !== "200" && status !== OTHERWISE)
    .map(([status, { content, description = "" }]) => [
      status,
      Object.values(content?.["application/json"]?.examples ?? {})
        .map(({ value }) => `\`${errorOf(value)}\``)
        .join(", "),
      description,
    ]);
  return rows.length === 0
    ? []
    : ["**Errors**", markdownTable(["Status", "`error`", "Cause"], rows)];
}

/**
 * The status of the answers that the service gives before a request reaches an endpoint. The page describes them once,
 * after all operations.
 */
const OTHERWISE = "default";

/** The section about the headers of answers, with the statuses that may have each header. */
function answerHeaders({ paths, components }: Described): readonly string[] {
  const answers = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => status !== OTHERWISE);
  const others = Object.values(components.responses).map((one) => ["others", one] as const);
  const found = new Map<string, { readonly what: string; readonly statuses: Set<string> }>();
  for (const [status, { headers = {} }] of [...answers, ...others]) {
    for (const [name, { $ref }] of Object.entries(headers)) {
      const what = components.headers[$ref.split("/").at(-1) ?? ""]?.description ?? "";
      const known = found.get(name) ?? { what, statuses: new Set() };
      found.set(name, known);
      known.statuses.add(status);
    }
  }
  const rows = [...found].map(([name, { what, statuses }]) => [
    `\`${name}\``,
    [...statuses].toSorted().join(", "),
    what,
  ]);
  return [
    "## Answer headers",
    "`Service` stands for the brand word of your firm. A client may ignore all of them.",
    markdownTable(["Header", "Statuses that may have it", "What"], rows),
  ];
}

function beforeEndpoints({ components }: Described): readonly string[] {
  const descriptions = Object.values(components.responses).map(
    ({ description = "" }) => description,
  );
  return ["## Before any endpoint", ...descriptions, "[The list](errors.md#before-any-endpoint)."];
}

function errorOf(value: unknown): string {
  return typeof value === "object" && value !== null && "error" in value ? String(value.error) : "";
}

/** Reads the document as JSON data of the shape that the page needs. */
function asDescribed(document: JsonSchema): Described {
  return JSON.parse(JSON.stringify(document)) as Described;
}
