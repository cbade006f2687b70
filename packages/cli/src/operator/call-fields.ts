import {
  isRecord,
  type JsonSchema,
  OPERATOR_BODIES,
  OPERATOR_CALLS,
  type OperatorCallName,
  operatorParameters,
} from "@propgate/contract";
import { TYPED_FIELDS } from "../typed-fields.ts";

/** One id, field or parameter of a call, as a person types it. */
export interface CallField {
  /** The field's name in the contract. */
  readonly name: string;
  readonly location: "id" | "body" | "query";
  /** The typed form: an option such as `--label`, or an argument such as `<name>`. */
  readonly typed: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Everything that a person types for a call, the ids first. @rule D12.lists */
export function fieldsOf(name: OperatorCallName): readonly CallField[] {
  const typed = TYPED_FIELDS[name] ?? {};
  const parameters = operatorParameters(name).map(
    ({ name: field, in: place, schema, required }): CallField => ({
      name: field,
      location: place === "path" ? "id" : "query",
      typed: place === "path" ? idWord(name, field) : (typed[field] ?? optionName(field)),
      schema: schema.json,
      isRequired: required,
    }),
  );
  return [...parameters, ...bodyFields(name, typed)];
}

/**
 * The sentence of a refusal. When it begins with the name of its field, the option or argument of the field replaces
 * the name. The fields of a document are paths in a file, so they keep their names.
 */
export function typedError(
  name: OperatorCallName,
  { error, field }: { readonly error: string; readonly field: string | null },
): string {
  const [root = ""] = field?.split(/[.[]/, 1) ?? [];
  const typed = TYPED_FIELDS[name]?.[root] ?? parameterOf(name, root)?.typed;
  const isFirst = root !== "" && error.startsWith(root);
  return typed !== undefined && isFirst ? typed + error.slice(root.length) : error;
}

function parameterOf(name: OperatorCallName, field: string): CallField | undefined {
  return fieldsOf(name).find((one) => one.name === field && one.location !== "body");
}

function bodyFields(
  name: OperatorCallName,
  typed: Readonly<Record<string, string>>,
): readonly CallField[] {
  const bodies: Readonly<Partial<Record<OperatorCallName, { readonly json: JsonSchema }>>> =
    OPERATOR_BODIES;
  const { properties, required } = bodies[name]?.json ?? {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isRecord(properties) ? properties : {}).map(
    ([field, schema]): CallField => ({
      name: field,
      location: "body",
      typed: typed[field] ?? optionName(field),
      schema: isRecord(schema) ? schema : {},
      isRequired: needed.includes(field),
    }),
  );
}

/**
 * The option of a field: `--nearest-used-of-limit-pct-min`. The option of a time is typed as a date, so it has no unit:
 * `--ended-at-min`.
 */
export function optionName(field: string): string {
  return `--${kebabCase(field.replace(/Ms(?=Min$|Max$|$)/, ""))}`;
}

/** The word in kebab case: `order-history` for `orderHistory`. */
export function kebabCase(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The argument for an id in a path: `<account-id>` for `/accounts/:id/close`. */
function idWord(name: OperatorCallName, field: string): string {
  const words = OPERATOR_CALLS[name].path.split("/");
  return `<${ID_WORDS[words[words.indexOf(`:${field}`) - 1] ?? ""] ?? field}>`;
}

const ID_WORDS: Readonly<Record<string, string>> = {
  accounts: "account-id",
  orders: "order-id",
  keys: "key-id",
  people: "name",
  tokens: "name",
  owners: "owner-id",
  payouts: "payout-id",
  funding: "pair",
  "corporate-actions": "action-id",
  programs: "program",
  webhooks: "webhook-id",
  prices: "pair",
};
