import {
  isOperatorCall,
  isRecord,
  OPERATOR_ANSWERS,
  OPERATOR_BODIES,
  OPERATOR_CALLS,
  OPERATOR_ERRORS,
  OPERATOR_LISTS,
  OPERATOR_RESOURCES,
  OPERATOR_STATUSES,
  OPERATOR_SUMMARIES,
  type OperatorCall,
  type OperatorCallName,
  operatorParameters,
  operatorRefusals,
  resourceOf,
  type Schema,
} from "@propgate/contract";
import { markdownPage, markdownTable, type ReferencePage } from "./markdown.ts";
import { fieldRows, type SchemaNode, typeText } from "./schema-fields.ts";

/** The page of every call of the operator's interface, from the schemas that also check the calls. */
export function operatorEndpointsPage(): ReferencePage {
  const names = Object.keys(OPERATOR_CALLS).filter(isOperatorCall);
  const sections = Object.entries(OPERATOR_RESOURCES).flatMap(([resource, note]) => [
    `## ${resource}`,
    note,
    ...names.filter((name) => resourceOf(name) === resource).flatMap(section),
  ]);
  return {
    path: "docs/reference/operator-endpoints.md",
    content: markdownPage({
      title: "Operator's endpoints",
      source: "packages/contract",
      blocks: [
        "Every call below `/operator/v1`, with `Authorization: Bearer` and an operator token. A success has `success` and `data`; a refusal has `error`, `code`, and where they help `field` and `details`. Fields of answers may be added: ignore those you do not know. The same as a file for generators: [OpenAPI](operator-openapi.json), served at `/operator/v1/openapi.json`.",
        ...sections,
        "## Refusals",
        markdownTable(["Status", "`code`", "Cause"], refusals()),
      ],
    }),
  };
}

function section(name: OperatorCallName): readonly string[] {
  const { method, path }: OperatorCall = OPERATOR_CALLS[name];
  const [body, answer] = [schemaOf(OPERATOR_BODIES, name), schemaOf(OPERATOR_ANSWERS, name)];
  return [
    `### ${name}`,
    `\`${method} ${path}\`. ${OPERATOR_SUMMARIES[name]}. Refusals: ${operatorRefusals(name).join(", ")}.`,
    ...parameters(name),
    ...fields("Body", body),
    ...fields("Data", answer),
  ];
}

/** The parameters of a call. All lists share one rule for theirs, so the page only links to it. */
function parameters(name: OperatorCallName): readonly string[] {
  if (name in OPERATOR_LISTS) {
    return [
      "A [list](../guides/programs.md#lists): its parameters follow from the fields of its items.",
    ];
  }
  const rows = operatorParameters(name).map(({ name: parameter, in: where, schema }) => {
    const node = nodeOf(schema);
    return [`\`${parameter}\``, where, typeText(node, {}), node.description ?? ""];
  });
  return rows.length === 0 ? [] : [markdownTable(["Parameter", "In", "Type", "What"], rows)];
}

function fields(title: string, schema: Schema<unknown> | null): readonly string[] {
  const rows = schema === null ? [] : fieldRows(nodeOf(schema), {}).filter(isOfEveryEvent);
  return rows.length === 0 ? [] : [`**${title}**`, markdownTable(["Field", "Type", "What"], rows)];
}

/** Whether a field belongs to all types of events. The page of events has the fields of each type. */
function isOfEveryEvent([field = ""]: readonly string[]): boolean {
  return !field.startsWith("`items[].data.");
}

function schemaOf(
  schemas: Readonly<Partial<Record<string, Schema<unknown>>>>,
  name: OperatorCallName,
): Schema<unknown> | null {
  return schemas[name] ?? null;
}

/** Reads the schema as JSON data of the shape that the page needs. */
function nodeOf({ json }: Schema<unknown>): SchemaNode {
  const node: unknown = JSON.parse(JSON.stringify(json));
  return isRecord(node) ? (node as SchemaNode) : {};
}

function refusals(): readonly (readonly string[])[] {
  return Object.entries(OPERATOR_STATUSES).flatMap(([status, codes]) =>
    codes.map((code) => [status, `\`${code}\``, OPERATOR_ERRORS[code]]),
  );
}
