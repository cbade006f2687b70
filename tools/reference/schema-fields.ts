import { isNullOnly } from "@propgate/contract";

/** As much of JSON Schema as the contract uses. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | boolean;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}

export type Schemas = Readonly<Record<string, SchemaNode>>;

/**
 * The fields of a JSON Schema as rows of a table: path, types and description. The fields of all variants of an object
 * are listed together, each with all its types. The rows do not say which variant needs which field.
 */
export function fieldRows(node: SchemaNode, schemas: Schemas): readonly (readonly string[])[] {
  const found = new Map<string, Found>();
  collect({ node, prefix: "", isVariant: false, schemas, found });
  return [...found].map(([path, { types, whats, isOptional }]) => [
    `\`${path}\``,
    typeList(types) + (isOptional ? ", optional" : ""),
    [...whats].filter((what) => what !== "").join(" "),
  ]);
}

/** The types as one text. `string` is omitted beside `string or null`, and `null` beside any nullable type. */
function typeList(types: ReadonlySet<string>): string {
  const allowsNull = [...types].some((type) => type.endsWith(" or null"));
  return [...types]
    .filter((type) => !types.has(`${type} or null`) && !(allowsNull && type === "null"))
    .join(", ");
}

interface Found {
  readonly types: ReadonlySet<string>;
  readonly whats: ReadonlySet<string>;
  readonly isOptional: boolean;
}

interface Collecting {
  readonly node: SchemaNode;
  /** The path of the object with a dot at its end, such as `evaluation.`; empty at the top. */
  readonly prefix: string;
  readonly isVariant: boolean;
  readonly schemas: Schemas;
  readonly found: Map<string, Found>;
}

function collect(collecting: Collecting): void {
  const { node, prefix, isVariant, schemas, found } = collecting;
  const { properties = {}, required = [], items, ...composed } = resolved(node, schemas);
  if (items !== undefined) collect({ ...collecting, node: items, prefix: arrayPrefix(prefix) });
  const variants = variantsOf(composed).filter(({ type }) => type !== "null");
  for (const variant of variants) {
    collect({ ...collecting, node: variant, isVariant: isVariant || variants.length > 1 });
  }
  for (const [name, field] of Object.entries(properties)) {
    // This variant forbids the field.
    if (isNullOnly({ ...field })) continue;
    const path = `${prefix}${name}`;
    const before = found.get(path);
    found.set(path, {
      types: new Set([...(before?.types ?? []), ...typesOf(field, schemas)]),
      whats: new Set([...(before?.whats ?? []), whatOf(field, schemas)]),
      isOptional: !isVariant && !required.includes(name),
    });
    collect({ ...collecting, node: field, prefix: `${path}.` });
  }
}

function variantsOf({ anyOf, oneOf }: SchemaNode): readonly SchemaNode[] {
  return anyOf ?? oneOf ?? [];
}

function whatOf(field: SchemaNode, schemas: Schemas): string {
  const what = descriptionOf(field, schemas);
  return typeof field.const === "string" ? `\`${field.const}\`: ${what}` : what;
}

/** `legs.` becomes `legs[].`; a list at the top gets no `[]`. */
function arrayPrefix(prefix: string): string {
  return prefix === "" ? "" : `${prefix.slice(0, -1)}[].`;
}

function resolved(node: SchemaNode, schemas: Schemas): SchemaNode {
  const name = node.$ref?.split("/").at(-1);
  return name === undefined ? node : (schemas[name] ?? node);
}

function descriptionOf(node: SchemaNode, schemas: Schemas): string {
  const { description, ...composed } = resolved(node, schemas);
  return (
    description ??
    variantsOf(composed)
      .map((one) => descriptionOf(one, schemas))
      .join(" ")
      .trim()
  );
}

/** The type of a node as text: `number or null`, `list of object`, or the words that it can be. */
export function typeText(given: SchemaNode, schemas: Schemas): string {
  return typesOf(given, schemas).join(", ");
}

function literalText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function typesOf(given: SchemaNode, schemas: Schemas): readonly string[] {
  const node = resolved(given, schemas);
  if (node.const !== undefined) return [`\`${literalText(node.const)}\``];
  if (node.enum !== undefined)
    return node.enum.map((one) => (one === null ? "null" : `\`${one}\``));
  const variants = variantsOf(node);
  if (variants.length > 0) {
    const types = new Set(variants.flatMap((one) => typesOf(one, schemas)));
    return types.size === 0 ? [] : [[...types].join(" or ")];
  }
  const types = [node.type ?? []].flat();
  if (types.length === 0) return [];
  return [types.map((type) => (type === "array" ? listText(node, schemas) : type)).join(" or ")];
}

function listText({ items }: SchemaNode, schemas: Schemas): string {
  const item = items === undefined ? "" : typeText(items, schemas);
  return item === "" ? "list" : `list of ${item}`;
}
