import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName, isRecord } from "@propgate/contract";
import { additiveDifferences } from "./additive-fields.ts";
import { specifiedRequest } from "./additive-parameters.ts";
import {
  type DocumentRow,
  type DocumentTable,
  readDocument,
  type SpecificationDocument,
  UnknownForm,
} from "./document.ts";
import { errorDifferences, statusDifferences } from "./error-differences.ts";
import type { Evidence } from "./evidence.ts";
import {
  answeredValuesOf,
  liveDifferences,
  schemaAt,
  schemaDifferences,
  unfoundWords,
} from "./field-differences.ts";
import { limitDifferences } from "./limit-differences.ts";
import { type Note, valueAt } from "./note.ts";
import { NOTES_OF_BEHAVIOUR } from "./notes-of-behaviour.ts";
import { NOTES_OF_RESOURCES } from "./notes-of-resources.ts";
import { requestFields } from "./request-fields.ts";
import { sentenceDifferences } from "./sentences.ts";
import { specifiedFields } from "./specified-fields.ts";

export const ALL_NOTES: readonly Note[] = [...NOTES_OF_RESOURCES, ...NOTES_OF_BEHAVIOUR];

/** The tables in their order, each with its columns and its check. A table that is not listed here is an error. */
const TABLES: readonly (readonly [
  name: string,
  columns: string,
  differences: (table: DocumentTable, evidence: Evidence) => readonly string[],
])[] = [
  // The fields of these tables are compared together, below.
  ...["2.1", "2.1.1"].map(
    (section) => [`${section} Field`, "Field,Type,Notes", notesOfTable] as const,
  ),
  ["2.1.1 key", "key,value", notesOfTable],
  ...["2.1.2", "2.1.3", "2.2", "2.3", "2.4", "2.5", "2.5", "2.6"].map(
    (section) => [`${section} Field`, "Field,Type,Notes", notesOfTable] as const,
  ),
  ["3 Field", "Field,Values", stateDifferences],
  ["3 Value", "Value,Condition", notesOfTable],
  ["3 State", "State,Trigger,Condition,Next state,Also", moveDifferences],
  ["4 #", "#,Method,Path,Scope,Query,`data`", endpointDifferences],
  ["4.1 Parameter", "Parameter,Type,Rules", parameterDifferences],
  ["4.2 Field", "Field,Type,Rules", requestDifferences],
  ["5 Header", "Header,Value", headerDifferences],
  [
    "7 Status",
    "Status,error,Cause,Retry",
    ({ rows }, { errors }) => [
      ...rows.flatMap((row) => errorDifferences(row, errors)),
      ...[...errors.keys()]
        .filter((cause) => !rows.some(({ cells }) => cells[2] === cause))
        .map((cause) => `provoked, and in no row: ${cause}`),
    ],
  ],
  ["8 Limit", "Limit,Value,Applies to", ({ rows }, { limits }) => limitDifferences(rows, limits)],
];

/** Every difference between the document and the service. */
export function specificationDifferences(markdown: string, evidence: Evidence): readonly string[] {
  try {
    return comparedWith(readDocument(markdown), { markdown, evidence });
  } catch (cause) {
    if (!(cause instanceof UnknownForm)) throw cause;
    return [cause.message];
  }
}

function comparedWith(
  document: SpecificationDocument,
  { markdown, evidence }: { readonly markdown: string; readonly evidence: Evidence },
): readonly string[] {
  const names = document.tables.map(({ name, columns }) => `${name}: ${columns.join()}`);
  const expected = TABLES.map(([name, columns]) => `${name}: ${columns}`);
  const unknown = names.filter((name, index) => name !== expected[index]);
  if (unknown.length > 0 || names.length !== expected.length)
    return unknown.map((name) => `table ${name}`);
  const fields = specifiedFields(document);
  return [
    ...unfoundWords(markdown).map((words) => `not in the document: ${words}`),
    ...schemaDifferences(fields, {
      own: schemasOf(evidence.openApi),
      linked: schemasOf(evidence.linkedOpenApi),
    }),
    ...additiveDifferences(fields, schemasOf(evidence.openApi)),
    ...liveDifferences(fields, evidence.live),
    ...document.tables.flatMap((table, index) => TABLES[index]?.[2](table, evidence) ?? []),
    ...rowlessNotes(document),
    ...sentenceDifferences(document, evidence),
    ...statusDifferences(document, evidence.replies, (endpoint) =>
      publishedStatuses(evidence, endpoint),
    ),
  ];
}

function schemasOf(openApi: Evidence["openApi"]): Readonly<Record<string, unknown>> {
  const schemas = valueAt(openApi, "components.schemas");
  return isRecord(schemas) ? schemas : {};
}

function operationOf(
  { openApi }: Evidence,
  endpoint: EndpointName,
): Readonly<Record<string, unknown>> {
  const { path, method } = ENDPOINTS[endpoint];
  const { paths } = openApi;
  const operation = isRecord(paths) ? valueAt(paths[path], method.toLowerCase()) : null;
  return isRecord(operation) ? operation : {};
}

function publishedStatuses(evidence: Evidence, endpoint: EndpointName): readonly string[] {
  const { responses } = operationOf(evidence, endpoint);
  return Object.keys(isRecord(responses) ? responses : {}).filter((status) => /^[45]/.test(status));
}

/** Checks that a row has the known remark, and that the proof of the remark holds. */
function noteDifferences(
  name: string,
  text: string,
  line: number,
  evidence: Evidence,
): readonly string[] {
  const note = ALL_NOTES.find(({ row }) => row === name);
  if ((note?.text ?? "") !== text) return [`line ${line}: ${name} says '${text}'`];
  if (note === undefined || !("seen" in note.held) || note.held.seen(evidence)) return [];
  return [`line ${line}: the service does not show '${text}'`];
}

/** Checks the remarks in the last column of a table. */
function notesOfTable(table: DocumentTable, evidence: Evidence): readonly string[] {
  return table.rows.flatMap((row) =>
    noteDifferences(nameOfRow(table, row), row.cells.at(-1) ?? "", row.line, evidence),
  );
}

/** The name of a row: its table, with the kinds of orders for a move, and with the first cell for another row. */
function nameOfRow({ name }: DocumentTable, { cells: [first, trigger] }: DocumentRow): string {
  return name === STATE_TABLE ? `${name} ${kindsOf(trigger)}` : `${name} ${first}`;
}

const STATE_TABLE = "3 State";
const kindsOf = (trigger = ""): string => /^POST orders, (.+)$/.exec(trigger)?.[1] ?? "";

/** The remarks whose rows are not in the document. */
function rowlessNotes({ tables }: SpecificationDocument): readonly string[] {
  const names = new Set(tables.flatMap((table) => table.rows.map((row) => nameOfRow(table, row))));
  return ALL_NOTES.filter(({ row }) => !names.has(row)).map(({ row }) => `no row ${row}`);
}

const FIELDS_OF_STATES: Readonly<Record<string, readonly string[]>> = {
  accrualStatus: ["Payouts accrualStatus"],
  "proTrack.phase": ["Account proTrack.phase"],
  "drawdownCriteria / drawdownRules.criteria": [
    "Account challenge.drawdownCriteria",
    "Account drawdownRules.criteria",
  ],
  "order.filled": ["OrderResult order.filled"],
  "evaluation.isEliminated": ["Account evaluation.isEliminated"],
};

/** Section 3: the words of a state must be those of its field in OpenAPI, and each of them must have been answered. */
function stateDifferences({ rows }: DocumentTable, evidence: Evidence): readonly string[] {
  const known = rows.map(({ cells }) => cells[0]).join();
  if (known !== Object.keys(FIELDS_OF_STATES).join()) return [`fields of states: ${known}`];
  return rows.flatMap(({ cells: [field = "", values = ""], line }) => {
    const [, only, owner] = /\(`(\w+)` only in ([\w.]+)\)$/.exec(values) ?? [];
    const words = [...values.matchAll(/`(\w+)`/g)].map(([, word]) => word ?? "");
    const isList = /^`\w+`(?:, `\w+`)*(?: \(`\w+` only in [\w.]+\))?$/.test(values);
    if (!isList && values !== "true, false") return [`line ${line}: values '${values}'`];
    return (FIELDS_OF_STATES[field] ?? []).flatMap((name) => {
      const [schema = "", path = ""] = name.split(" ");
      const found = schemaAt(schemasOf(evidence.openApi), { schema, path });
      const own = words.filter((word) => word !== only || path === owner);
      const expected = words.length === 0 ? ["false", "true"] : own.toSorted();
      const choices = found?.schema.enum;
      const published = Array.isArray(choices) ? choices.map(String).toSorted() : ["false", "true"];
      const seen = [
        ...new Set(answeredValuesOf({ schema, path }, evidence.live).map(String)),
      ].toSorted();
      return Object.entries({ OpenAPI: published, answers: seen })
        .filter(([, all]) => all.join() !== expected.join())
        .map(([where, all]) => `line ${line}: ${name} is ${all.join()} in ${where}`);
    });
  });
}

/** Section 3: the service must have changed the state of each kind of order as the row says. */
function moveDifferences(table: DocumentTable, evidence: Evidence): readonly string[] {
  return table.rows.flatMap((row) => {
    const { cells, line } = row;
    const [state, trigger, condition, next, also = ""] = cells;
    const problems = kindsOf(trigger)
      .split(/, | or /)
      .flatMap((kind) => {
        const move = evidence.moves[kind];
        const filled = move?.to === "filled" || move?.to === "resting";
        const to = filled ? `${move.to} (\`order.filled\` ${move.filled})` : move?.to;
        return move?.from === state && to === next && condition === "accepted"
          ? []
          : [`line ${line}: ${kind} goes from ${move?.from} to ${to}`];
      });
    return [...problems, ...noteDifferences(nameOfRow(table, row), also, line, evidence)];
  });
}

const RESOURCES: Readonly<Record<string, string>> = {
  "object, 2.1": "Account",
  "array of 2.2": "Position",
  "array of 2.3": "PendingOrder",
  "array of 2.4": "Trade",
  "object, 2.5": "Payouts",
  "object, 2.6": "OrderResult",
};

/**
 * Section 4: the endpoints must be those of the contract and of OpenAPI, and each must have refused a key without its
 * scope.
 */
function endpointDifferences({ rows }: DocumentTable, evidence: Evidence): readonly string[] {
  const count = rows.length === ENDPOINT_NAMES.length ? [] : [`${rows.length} endpoints`];
  const forScope = evidence.errors.get(
    "key lacks the endpoint's scope; response has `required_scope`",
  );
  return [
    ...count,
    ...ENDPOINT_NAMES.flatMap((name, index) => {
      const { method, path, scope } = ENDPOINTS[name];
      const { query } = specifiedRequest(name);
      const reply = forScope?.find(({ endpoint }) => endpoint === name);
      const operation = operationOf(evidence, name);
      const parameters = query.map((one) => (one === "accountId" ? "accountId (optional)" : one));
      const data = valueAt(operation, "responses.200.content");
      const published = JSON.stringify(data).match(
        /"data":(?:\{"type":"array","items":)?\{"\$ref":"[^"]+/,
      );
      const row = [
        String(index + 1),
        method,
        path,
        String(valueAt(reply?.json(), "required_scope")),
        parameters.length === 0 ? "none" : parameters.join(", "),
      ];
      const [cells, line] = [rows[index]?.cells ?? [], rows[index]?.line];
      const resource = RESOURCES[cells[5] ?? ""];
      const isList = cells[5]?.startsWith("array") === true;
      const problems = row.filter((cell, at) => cell !== cells[at]);
      if (operation["x-propgate-scope"] !== scope) problems.push(scope);
      if (
        resource === undefined ||
        !published?.[0].endsWith(`/${resource}`) ||
        published[0].includes("array") !== isList
      ) {
        problems.push(`data ${published?.[0]}`);
      }
      return problems.map((problem) => `line ${line}: ${name} has ${problem}`);
    }),
  ];
}

/** Section 4.1: the type and the meaning of the parameters of GET payouts. */
function parameterDifferences(table: DocumentTable, evidence: Evidence): readonly string[] {
  const { parameters } = operationOf(evidence, "getPayouts");
  const published = (Array.isArray(parameters) ? parameters : []).map((one) => [
    valueAt(one, "name"),
    valueAt(one, "schema.type"),
  ]);
  const types = table.rows
    .filter(({ cells: [name, type] }) => !published.some((one) => one.join() === `${name},${type}`))
    .map(({ line }) => `line ${line}: the parameter in OpenAPI`);
  return [...types, ...notesOfTable(table, evidence)];
}

/** Section 4.2: the type and the meaning of the fields of an order. */
function requestDifferences(table: DocumentTable, evidence: Evidence): readonly string[] {
  const reached = requestFields(schemasOf(evidence.openApi), "OrderRequest");
  const types = table.rows.flatMap(({ cells: [names = "", type = ""], line }) => {
    const published = names
      .split(", ")
      .map((path) => [...(reached.get(path.replace(/^trade\./, "")) ?? [])].join(" or "));
    const [, base = "", format] = /^(\w*)(?: \((\w+)\))?$/.exec(type) ?? [];
    const expected = format === undefined ? base : `${base} ${format}`;
    // Only a row whose fields have different types has no type.
    const isSo =
      type === ""
        ? new Set(published).size > 1 && !published.includes("")
        : published.every((one) => one === expected);
    return isSo ? [] : [`line ${line}: ${names} is ${published.join(", ")} in OpenAPI`];
  });
  return [...types, ...notesOfTable(table, evidence)];
}

/** Section 5: OpenAPI must name the same headers. */
function headerDifferences(table: DocumentTable, evidence: Evidence): readonly string[] {
  const schemes = valueAt(evidence.openApi, "components.securitySchemes");
  const names = Object.values(isRecord(schemes) ? schemes : {}).map((one) => valueAt(one, "name"));
  const own = table.rows.map(({ cells }) => cells[0]);
  const problems = names.join() === own.join() ? [] : [`OpenAPI has the headers ${names.join()}`];
  return [...problems, ...notesOfTable(table, evidence)];
}
