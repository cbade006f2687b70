/** The fields of a JSON Schema as rows of a table, nested ones by their path. */

/** As much of JSON Schema as the contract uses. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
}

export type Schemas = Readonly<Record<string, SchemaNode>>;

/** Field, type, what it is. Variants of an object are listed together, a field with all its types. */
export function fieldRows(node: SchemaNode, schemas: Schemas): readonly (readonly string[])[] {
  const found = new Map<string, Found>();
  collect({ node, prefix: "", schemas, found });
  return [...found].map(([path, { types, what, isOptional }]) => [
    `\`${path}\``,
    [...types].join(", ") + (isOptional ? ", optional" : ""),
    what,
  ]);
}

interface Found {
  readonly types: ReadonlySet<string>;
  readonly what: string;
  readonly isOptional: boolean;
}

interface Collecting {
  readonly node: SchemaNode;
  /** `evaluation.`, or empty at the top. */
  readonly prefix: string;
  readonly schemas: Schemas;
  readonly found: Map<string, Found>;
}

function collect({ node, prefix, schemas, found }: Collecting): void {
  const { properties = {}, required = [], items, anyOf = [] } = resolved(node, schemas);
  if (items !== undefined) collect({ node: items, prefix: arrayPrefix(prefix), schemas, found });
  for (const variant of anyOf) collect({ node: variant, prefix, schemas, found });
  for (const [name, field] of Object.entries(properties)) {
    const path = `${prefix}${name}`;
    const before = found.get(path);
    found.set(path, {
      types: new Set([...(before?.types ?? []), typeText(field, schemas)]),
      what: before?.what ?? descriptionOf(field, schemas),
      isOptional: (before?.isOptional ?? false) || !required.includes(name),
    });
    collect({ node: field, prefix: `${path}.`, schemas, found });
  }
}

/** `legs.` becomes `legs[].`; a list at the top needs no mark. */
function arrayPrefix(prefix: string): string {
  return prefix === "" ? "" : `${prefix.slice(0, -1)}[].`;
}

function resolved(node: SchemaNode, schemas: Schemas): SchemaNode {
  const name = node.$ref?.split("/").at(-1);
  return name === undefined ? node : (schemas[name] ?? node);
}

function descriptionOf(node: SchemaNode, schemas: Schemas): string {
  const { description, anyOf = [] } = resolved(node, schemas);
  return (
    description ??
    anyOf
      .map((one) => descriptionOf(one, schemas))
      .join(" ")
      .trim()
  );
}

/** `number or null`, `list of objects`, `LONG or SHORT`. */
export function typeText(given: SchemaNode, schemas: Schemas): string {
  const node = resolved(given, schemas);
  if (node.const !== undefined) return `\`${String(node.const)}\``;
  if (node.enum !== undefined) return node.enum.map((one) => `\`${one}\``).join(", ");
  if (node.anyOf !== undefined) {
    return [...new Set(node.anyOf.map((one) => typeText(one, schemas)))].join(" or ");
  }
  const types = [node.type ?? []].flat();
  return types.map((type) => (type === "array" ? listText(node, schemas) : type)).join(" or ");
}

function listText({ items }: SchemaNode, schemas: Schemas): string {
  return `list of ${items === undefined ? "values" : typeText(items, schemas)}`;
}
