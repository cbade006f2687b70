import { isRecord, type JsonSchema } from "@propgate/contract";
import { ALLOWED_NULLS, FIGURES_UNSENT_BY_VALIDATOR, NEVER_SEEN_VALUES } from "./allowed-nulls.ts";
import type { LiveStates, StateAnswers } from "./eight-states.ts";
import { isUnixMs } from "./note.ts";
import type { FieldType, SpecifiedField } from "./specified-fields.ts";

const ALLOWED: ReadonlySet<string> = new Set(ALLOWED_NULLS.flatMap(({ fields }) => fields));

const nameOf = ({ schema, path }: SpecifiedField): string => `${schema} ${path}`;

/** The words in `ALLOWED_NULLS` that the document does not contain. */
export function unfoundWords(markdown: string): readonly string[] {
  return ALLOWED_NULLS.flatMap(({ because }) =>
    "words" in because && !markdown.includes(because.words) ? [because.words] : [],
  );
}

export type PublishedSchemas = Readonly<Record<string, unknown>>;

/**
 * The differences between the fields of the specification and the published schemas: those of a service with its own
 * network alone, and those of one with a validator.
 */
export function schemaDifferences(
  fields: readonly SpecifiedField[],
  schemas: { readonly own: PublishedSchemas; readonly linked: PublishedSchemas },
): readonly string[] {
  const known = new Set(fields.map(nameOf));
  const unknown = [...ALLOWED].filter((name) => !known.has(name));
  return [
    ...unknown.map((name) => `${name}: allowed to be null, and in no row`),
    ...fields.flatMap((field) =>
      schemaProblems(field, schemaAt(schemas.own, field)).map(
        (problem) => `${nameOf(field)}: ${problem} in OpenAPI`,
      ),
    ),
    ...fields.flatMap((field) =>
      schemaProblems(field, schemaAt(schemas.linked, field))
        // A field that a validator need not send may be null.
        .filter((problem) => problem !== MAY_BE_NULL)
        .map((problem) => `${nameOf(field)}: ${problem} in OpenAPI with a validator`),
    ),
  ];
}

const MAY_BE_NULL = "may be null";

function schemaProblems(field: SpecifiedField, found: Found | null): readonly string[] {
  if (found === null) return ["is not"];
  const { schema, isRequired } = found;
  const { types, isNullable } = typesOf(schema);
  const isAllowed = ALLOWED.has(nameOf(field));
  const mayBeNull = field.isNullable || isAllowed;
  const problems: readonly (readonly [boolean, string])[] = [
    [!isRequired, "may be absent"],
    [!fits(field.type, types), `is ${types.join(" or ")}, not ${field.type}`],
    [field.isNullable && isAllowed, "needs no allowance"],
    [mayBeNull && !isNullable, "is never null"],
    [!mayBeNull && isNullable, MAY_BE_NULL],
  ];
  return problems.filter(([isSo]) => isSo).map(([, problem]) => problem);
}

interface Found {
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** The schema of a field in the published document, and whether it is required. Null when the field is not there. */
export function schemaAt(
  schemas: PublishedSchemas,
  { schema, path }: Pick<SpecifiedField, "schema" | "path">,
): Found | null {
  const resolved = (value: unknown): JsonSchema | null => resolvedSchema(value, schemas);
  let at: Found = { schema: { $ref: schema }, isRequired: true };
  for (const [name, index] of stepsOf(path)) {
    const parent = resolved(at.schema);
    const properties = parent?.properties;
    const next = isRecord(properties) ? properties[name] : undefined;
    if (parent === null || !isRecord(next)) return null;
    const { required } = parent;
    at = { schema: next, isRequired: Array.isArray(required) && required.includes(name) };
    if (index) {
      const items = resolved(next)?.items;
      if (!isRecord(items)) return null;
      at = { schema: items, isRequired: at.isRequired };
    }
  }
  return at;
}

/** The schema itself, with references followed and without the null beside it. Null when there is none. */
export function resolvedSchema(value: unknown, schemas: PublishedSchemas): JsonSchema | null {
  if (!isRecord(value)) return null;
  const { $ref, anyOf } = value;
  if (typeof $ref === "string")
    return resolvedSchema(schemas[$ref.split("/").at(-1) ?? ""], schemas);
  if (!Array.isArray(anyOf)) return value;
  return resolvedSchema(
    anyOf.find((one) => isRecord(one) && one.type !== "null"),
    schemas,
  );
}

/** The steps of a path such as `a.b[].c`: each name, and whether the next name belongs to the items of a list. */
function stepsOf(path: string): readonly (readonly [name: string, isList: boolean])[] {
  return path.split(".").map((one) => [one.replace("[]", ""), one.endsWith("[]")]);
}

function typesOf(schema: JsonSchema): {
  readonly types: readonly string[];
  readonly isNullable: boolean;
} {
  const { type, anyOf, $ref } = schema;
  if (typeof $ref === "string") return { types: ["object"], isNullable: false };
  if (Array.isArray(anyOf)) {
    const parts = anyOf.filter(isRecord).map(typesOf);
    return {
      types: parts.flatMap(({ types }) => types),
      isNullable: parts.some(({ isNullable }) => isNullable),
    };
  }
  const all = (Array.isArray(type) ? type : [type]).map(String);
  return { types: all.filter((one) => one !== "null"), isNullable: all.includes("null") };
}

function fits(type: FieldType, types: readonly string[]): boolean {
  if (type === "stated elsewhere") return true;
  const expected = type === "number" ? ["number", "integer"] : [type];
  return types.every((one) => expected.includes(one));
}

/** The differences between the fields of the specification and the values in the answers about accounts. */
export function liveDifferences(
  fields: readonly SpecifiedField[],
  live: LiveStates,
): readonly string[] {
  return fields.flatMap((field) => {
    const name = nameOf(field);
    const values = answeredValuesOf(field, live);
    const mayBeNull = field.isNullable || ALLOWED.has(name) || isUnsent(field, live);
    const isSeen = (what: "null" | "value"): boolean =>
      `${name} ${what}` in NEVER_SEEN_VALUES ||
      values.some((value) => (value === null) === (what === "null"));
    const problems = new Set(values.flatMap((value) => valueProblems(value, field, mayBeNull)));
    if (!isSeen("value")) problems.add("has never a value");
    if (field.isNullable && !isSeen("null")) problems.add("is never null");
    return [...problems].map((problem) => `${name}: ${problem} in an answer`);
  });
}

function valueProblems(
  value: unknown,
  { type, path }: SpecifiedField,
  mayBeNull: boolean,
): readonly string[] {
  if (value === undefined) return ["is absent"];
  if (value === null) return mayBeNull ? [] : ["is null"];
  const isSo = fits(type, [typeOf(value)]) && (!path.endsWith("Ms") || isUnixMs(value));
  return isSo ? [] : [`is ${JSON.stringify(value)}`];
}

/** Whether a null of the field comes from the linked account alone, whose validator does not send it. */
function isUnsent(field: SpecifiedField, live: LiveStates): boolean {
  if (!(nameOf(field) in FIGURES_UNSENT_BY_VALIDATOR)) return false;
  const states = { ...live.states, linked: live.states.new };
  return !answeredValuesOf(field, { ...live, states }).includes(null);
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

/** The values of a field in all answers. A field inside of a null has no value. */
export function answeredValuesOf(
  { schema, path }: Pick<SpecifiedField, "schema" | "path">,
  { states, orderResults, payoutsWithoutNetwork }: LiveStates,
): readonly unknown[] {
  const roots = Object.values(states).flatMap(ROOTS[schema] ?? none);
  if (schema === "OrderResult") roots.push(...orderResults);
  if (schema === "Payouts") roots.push(payoutsWithoutNetwork);
  let values: readonly unknown[] = roots;
  for (const [name, isList] of stepsOf(path)) {
    const inside = values.filter(isRecord).map((value) => value[name]);
    values = isList ? inside.flatMap((value) => (Array.isArray(value) ? value : [])) : inside;
  }
  return values;
}

const none = (): readonly unknown[] => [];
const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects of each schema in the answers about one account. */
const ROOTS: Readonly<Record<string, (answers: StateAnswers) => readonly unknown[]>> = {
  Account: ({ account }) => [account],
  Position: ({ positions }) => itemsOf(positions),
  PendingOrder: ({ orders }) => itemsOf(orders),
  Trade: ({ trades }) => itemsOf(trades),
  Payouts: ({ payouts, laterPayouts }) => [payouts, ...laterPayouts],
};
