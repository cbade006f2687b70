import { type DocumentTable, type SpecificationDocument, UnknownForm } from "./document.ts";

/**
 * The type of a field. `stated elsewhere` means that the document names the field, and gives its type in another row or
 * nowhere.
 */
export type FieldType = "string" | "number" | "boolean" | "object" | "array" | "stated elsewhere";

/** A field of an answer, as the specification describes it. */
export interface SpecifiedField {
  /** The name of the OpenAPI schema that has the field. */
  readonly schema: string;
  /** The path in the schema, such as `performance.dailyReturns[].date`. */
  readonly path: string;
  readonly type: FieldType;
  readonly isNullable: boolean;
}

interface Subject {
  readonly schema: string;
  /** The path of the object whose fields are listed; empty for the schema itself. */
  readonly base: string;
}

/** The tables of fields, in the order of the document. */
const SUBJECTS: readonly (readonly [table: string, subject: Subject])[] = [
  ["2.1 Field", { schema: "Account", base: "" }],
  ["2.1.1 Field", { schema: "Account", base: "proTrack." }],
  ["2.1.2 Field", { schema: "Account", base: "drawdownRules." }],
  ["2.1.3 Field", { schema: "Account", base: "elimination." }],
  ["2.2 Field", { schema: "Position", base: "" }],
  ["2.3 Field", { schema: "PendingOrder", base: "" }],
  ["2.4 Field", { schema: "Trade", base: "" }],
  ["2.5 Field", { schema: "Payouts", base: "" }],
  ["2.5 Field", { schema: "Payouts", base: "items[]." }],
  ["2.6 Field", { schema: "OrderResult", base: "" }],
];

const TYPES: Readonly<Record<string, Pick<SpecifiedField, "type" | "isNullable">>> = {
  string: { type: "string", isNullable: false },
  number: { type: "number", isNullable: false },
  boolean: { type: "boolean", isNullable: false },
  object: { type: "object", isNullable: false },
  array: { type: "array", isNullable: false },
  "string or null": { type: "string", isNullable: true },
  "number or null": { type: "number", isNullable: true },
  "object or null": { type: "object", isNullable: true },
  nullable: { type: "stated elsewhere", isNullable: true },
};

const NAME = /^[A-Za-z_]+$/;

/** Every field of section 2. @throws UnknownForm when a row has a form that is not known */
export function specifiedFields(document: SpecificationDocument): readonly SpecifiedField[] {
  const tables = document.tables.filter(({ name }) => /^2\.[\d.]+ Field$/.test(name));
  if (tables.length !== SUBJECTS.length) throw new UnknownForm(`${tables.length} tables of fields`);
  const rows = tables.flatMap((table, index) => {
    const [name, subject] = SUBJECTS[index] ?? [];
    if (name !== table.name || subject === undefined)
      throw new UnknownForm(`a table ${table.name}`);
    return fieldsOf(table, subject);
  });
  return [...rows, ...fieldsOfSentences(document.sentences)];
}

function fieldsOf(table: DocumentTable, { schema, base }: Subject): readonly SpecifiedField[] {
  if (table.columns.join() !== "Field,Type,Notes")
    throw new UnknownForm(`columns of ${table.name}`);
  return table.rows.flatMap(({ cells, line }) => {
    const [names = "", type = "", notes = ""] = cells;
    const known = TYPES[type];
    if (known === undefined) throw new UnknownForm(`line ${line}: a type '${type}'`);
    const [first = "", ...more] = names.split(", ");
    const prefix = base + first.slice(0, first.lastIndexOf(".") + 1);
    const paths = [base + first, ...more.map((name) => prefix + name)];
    for (const name of [first.slice(first.lastIndexOf(".") + 1), ...more]) {
      if (!NAME.test(name)) throw new UnknownForm(`line ${line}: a field '${name}'`);
    }
    const own = paths.map((path) => ({ schema, path, ...known }));
    return [...own, ...own.flatMap((field) => innerFields(field, notes))];
  });
}

/** The fields of an object, or of an array's items, that the notes of a row list. */
function innerFields(field: SpecifiedField, notes: string): readonly SpecifiedField[] {
  const { schema, path, type } = field;
  if (type !== "object" && type !== "array") return [];
  const base = type === "array" ? `${path}[].` : `${path}.`;
  const inner = (name: string, one: string | undefined): SpecifiedField => {
    const known = TYPES[one ?? ""] ?? { type: "stated elsewhere", isNullable: false };
    return { schema, path: base + name, ...known };
  };
  const [, numbers] = /^([\w, ]+) \(all number\)/.exec(notes) ?? [];
  if (numbers !== undefined) return numbers.split(", ").map((name) => inner(name, "number"));
  const [, shape] = /`\{([^}]+)\}`/.exec(notes) ?? [];
  if (shape !== undefined) {
    return shape.split(", ").map((one) => {
      const [name = "", of] = one.split(": ");
      return inner(name, of);
    });
  }
  const [, list] = /Fields: (.+)$/.exec(notes) ?? [];
  return list === undefined ? [] : listedFields(list).map(({ name }) => inner(name, undefined));
}

interface Listed {
  readonly name: string;
  /** The text in brackets after the name, or after the last name of its group. */
  readonly remark: string;
}

/**
 * The names and remarks of a list such as `usedPct, limitPct (percents), dayStartEquity (USD)`. Groups may be separated
 * by `;` or `and`.
 */
function listedFields(text: string): readonly Listed[] {
  const found: Listed[] = [];
  let group: string[] = [];
  for (const [, name, remark] of text.matchAll(/(\w+)(?: \(([^)]*)\))?(?:[,;.]|$)/g)) {
    group.push(name ?? "");
    if (remark === undefined) continue;
    found.push(...group.map((one) => ({ name: one, remark })));
    group = [];
  }
  return [...found, ...group.map((name) => ({ name, remark: "" }))];
}

const REMARKS: readonly (readonly [
  RegExp,
  Pick<SpecifiedField, "type"> & Partial<SpecifiedField>,
])[] = [
  [/^strings$/, { type: "string" }],
  [/^numbers$/, { type: "number" }],
  [/^boolean$/, { type: "boolean" }],
  [/^array or null$/, { type: "array", isNullable: true }],
  [/\bnull\b/, { type: "stated elsewhere", isNullable: true }],
  [/^nullable$/, { type: "stated elsewhere", isNullable: true }],
];

/** The sentences that list fields instead of a table: the texts around the list, and its subject. */
const SENTENCES: readonly (readonly [start: string, end: string, subject: Subject])[] = [
  ["Accrual fields: ", ".", { schema: "Payouts", base: "accrual." }],
  ["`order` fields: ", ".", { schema: "OrderResult", base: "order." }],
  ["Each leg has ", "; unused", { schema: "OrderResult", base: "order.bracketOrders[]." }],
];

function fieldsOfSentences(
  sentences: SpecificationDocument["sentences"],
): readonly SpecifiedField[] {
  return SENTENCES.flatMap(([start, end, { schema, base }]) => {
    const sentence = sentences.find(({ text }) => text.includes(start))?.text;
    if (sentence === undefined) throw new UnknownForm(`no sentence '${start}'`);
    const from = sentence.indexOf(start) + start.length;
    const text = sentence.slice(from, sentence.indexOf(end, sentence.lastIndexOf(")")));
    return listedFields(text).map(({ name, remark }) => {
      const known = REMARKS.find(([form]) => form.test(remark))?.[1];
      const type = known?.type ?? "stated elsewhere";
      return { schema, path: base + name, type, isNullable: known?.isNullable ?? false };
    });
  });
}
