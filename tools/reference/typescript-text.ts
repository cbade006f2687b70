/** The types of a JSON Schema as TypeScript, each field with its description above it. */

import { isIfSent } from "@propgate/contract";

/** As much of JSON Schema as the contract uses. */
export interface TypeNode {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | boolean;
  readonly properties?: Readonly<Record<string, TypeNode>>;
  readonly required?: readonly string[];
  readonly items?: TypeNode;
  readonly anyOf?: readonly TypeNode[];
  readonly oneOf?: readonly TypeNode[];
}

/**
 * The names of types, by the part of a node that identifies the type: the `properties` of an object, the `anyOf` of a
 * union of interfaces, and the words of a union of words as JSON.
 */
export type NamedTypes = ReadonlyMap<unknown, string>;

const WIDTH = 100;
const INDENT = "  ";
/**
 * The type parameter of an interface with figures that a validator need not send. It is `Linked` for a linked account.
 */
const PARAMETER = "<Unsent extends Linked = never>";

/**
 * The name by which other types refer to this one: with `<Unsent>` when it has a figure that a validator need not send.
 */
export function typeNameOf(name: string, node: TypeNode): string {
  return hasUnsent(node) ? `${name}<Unsent>` : name;
}

function hasUnsent(node: TypeNode): boolean {
  const { properties = {}, items, anyOf = [], oneOf = [] } = node;
  const parts = [...Object.values(properties), ...anyOf, ...oneOf, ...(items ? [items] : [])];
  return isIfSent(node) || parts.some(hasUnsent);
}

/** An interface or a union of interfaces, formatted as the rest of the sources. */
export function interfaceText(name: string, node: TypeNode, named: NamedTypes): string {
  if (node.properties === undefined && node.anyOf !== undefined) {
    const members = node.anyOf.map((one) => `${INDENT}| ${named.get(one.properties) ?? "unknown"}`);
    const comment = docComment(node.description ?? "", "");
    const parameter = hasUnsent(node) ? PARAMETER : "";
    return [...comment, `export type ${name}${parameter} =`, `${members.join("\n")};`].join("\n");
  }
  return [
    ...docComment(node.description ?? "", ""),
    `export interface ${name}${hasUnsent(node) ? PARAMETER : ""} {`,
    ...fieldLines(node, INDENT, named),
    "}",
  ].join("\n");
}

function fieldLines(node: TypeNode, indent: string, named: NamedTypes): readonly string[] {
  const required = new Set(node.required);
  return Object.entries(node.properties ?? {}).flatMap(([name, field]) => {
    const key = `${indent}readonly ${name}${required.has(name) ? "" : "?"}:`;
    return [
      ...docComment(descriptionOf(field), indent),
      ...propertyLines(key, typesOf(field, indent, named), indent),
    ];
  });
}

/** One line, or one line per member of a union that is too long for one line. */
function propertyLines(key: string, types: readonly string[], indent: string): readonly string[] {
  const line = `${key} ${types.join(" | ")};`;
  const widest = Math.max(...line.split("\n").map(({ length }) => length));
  if (widest <= WIDTH || types.length === 1) return line.split("\n");
  const members = types.map((type) => `${indent}${INDENT}| ${type}`);
  return [key, ...members.slice(0, -1), `${members.at(-1)};`];
}

/** The description of a field, or else of the first of its variants that has one; empty when none has. */
export function descriptionOf({ description, anyOf = [] }: TypeNode): string {
  return description ?? anyOf.map(descriptionOf).find((text) => text !== "") ?? "";
}

/** The types of a node, as the members of a union. */
function typesOf(node: TypeNode, indent: string, named: NamedTypes): readonly string[] {
  const types = sentTypesOf(node, indent, named);
  return isIfSent(node) ? [...types, "Unsent"] : types;
}

function sentTypesOf(node: TypeNode, indent: string, named: NamedTypes): readonly string[] {
  if (node.const !== undefined) return [JSON.stringify(node.const)];
  if (node.enum !== undefined) {
    const name = named.get(JSON.stringify(node.enum.filter((word) => word !== null)));
    if (name === undefined) return node.enum.map((word) => JSON.stringify(word));
    return node.enum.includes(null) ? [name, "null"] : [name];
  }
  if (node.anyOf !== undefined) {
    const name = named.get(node.anyOf);
    if (name !== undefined) return [name];
    return [...new Set(node.anyOf.flatMap((one) => typesOf(one, indent, named)))];
  }
  return [node.type ?? "unknown"].flat().map((type) => typeText(type, node, { indent, named }));
}

function typeText(
  type: string,
  node: TypeNode,
  { indent, named }: { readonly indent: string; readonly named: NamedTypes },
): string {
  if (type === "integer") return "number";
  if (type === "array") return listText(typesOf(node.items ?? {}, indent, named));
  if (type !== "object") return type;
  const name = named.get(node.properties);
  if (name !== undefined) return name;
  return ["{", ...fieldLines(node, indent + INDENT, named), `${indent}}`].join("\n");
}

function listText(items: readonly string[]): string {
  const item = items.join(" | ");
  return items.length === 1 ? `readonly ${item}[]` : `readonly (${item})[]`;
}

/** `text` as the lines of a documentation comment; no lines for an empty text. */
export function docComment(text: string, indent: string): readonly string[] {
  const safe = text.replaceAll("*/", "*\\/");
  if (safe === "") return [];
  const short = `${indent}/** ${safe} */`;
  if (short.length <= WIDTH) return [short];
  const lines: string[] = [];
  let line = "";
  for (const word of safe.split(" ")) {
    if (line !== "" && `${indent} * ${line} ${word}`.length > WIDTH) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [`${indent}/**`, ...[...lines, line].map((one) => `${indent} * ${one}`), `${indent} */`];
}
