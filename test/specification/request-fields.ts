import { isNullOnly, isRecord } from "@propgate/contract";

type Schemas = Readonly<Record<string, unknown>>;

/**
 * The types of every field of a request, by the field's name. A field that a shape forbids does not count in that
 * shape.
 */
export function requestFields(
  schemas: Schemas,
  root: string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (!isRecord(one) || seen.has(one)) continue;
      seen.add(one);
      for (const [name, field] of propertiesOf(one)) {
        found.set(name, new Set([...(found.get(name) ?? []), ...typeNames(field, schemas)]));
      }
      visit(referred(one, schemas));
      Object.values(one).forEach(visit);
    }
  };
  visit(schemas[root]);
  return found;
}

function propertiesOf({ properties }: Readonly<Record<string, unknown>>) {
  return Object.entries(isRecord(properties) ? properties : {});
}

function referred({ $ref }: Readonly<Record<string, unknown>>, schemas: Schemas): unknown {
  return typeof $ref === "string" ? schemas[$ref.split("/").at(-1) ?? ""] : null;
}

/** The types of a field, each with its format, such as `string uuid`. Null is left out. */
function typeNames(field: unknown, schemas: Schemas): readonly string[] {
  if (!isRecord(field) || isNullOnly(field)) return [];
  if (field.$ref !== undefined) return typeNames(referred(field, schemas), schemas);
  if (Array.isArray(field.oneOf)) return ["object"];
  const choices = Array.isArray(field.enum) ? field.enum : [field.const];
  const ofChoices = choices.filter((one) => one !== null).map((one) => typeof one);
  const { type = ofChoices, format } = field;
  return (Array.isArray(type) ? type : [type])
    .map(String)
    .filter((one) => one !== "null" && one !== "undefined")
    .map((one) => (typeof format === "string" ? `${one} ${format}` : one));
}
