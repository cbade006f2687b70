import {
  type Fields,
  mustBeNull,
  type Optional,
  omittable,
  type Schema,
  type WireObject,
} from "../schema.ts";
import type { FieldReader } from "./field-reader.ts";
import type { RequestField } from "./order-fates.ts";
import type { OrderValue } from "./order-values.ts";

/* An order is a table of parts. A part is one member of the order as the parser returns it, and the field or fields
   of the body that the member comes from. The published schema, the TypeScript types and the parser are made from
   the table. */

/** One part of an order. `Rule` is the TypeScript type that the rules between the fields add. */
export interface Part<All extends Fields = Fields, Read = unknown, Rule = unknown> {
  readonly fields: All;
  /** The rules between the fields, as the schema publishes them. */
  readonly rules: readonly Schema<Rule>[];
  /** Reads the part's member; undefined only when a problem has been reported. */
  readonly read: (trade: FieldReader) => Read | undefined;
}

/** The parts of an order by the names of its members, in the order in which they are checked. */
export type Parts = Readonly<Record<string, Part>>;

/** The value of a part that is only checked and has no member in the order. */
export interface NoMember {
  readonly isMember: false;
}
const NO_MEMBER: NoMember = { isMember: false };

/** The order as the parser returns it: the members of all parts that have one. */
export type ReadOf<All extends Parts> = {
  readonly [Name in keyof All as All[Name] extends Part<Fields, NoMember>
    ? never
    : Name]: All[Name] extends Part<Fields, infer Read> ? Read : never;
};

/** The intersection of all member types. A member that is a union stays a union. */
type Every<Members> = {
  readonly [Name in keyof Members]: (one: Members[Name]) => void;
} extends infer Takers
  ? Takers[keyof Takers] extends (one: infer All) => void
    ? All
    : never
  : never;

type FieldsOf<All extends Parts> =
  Every<{ readonly [Name in keyof All]: All[Name]["fields"] }> extends infer Found extends Fields
    ? Found
    : never;

type RuleOf<All extends Parts> = Every<{
  readonly [Name in keyof All]: All[Name] extends Part<Fields, unknown, infer Rule> ? Rule : never;
}>;

/** The order as a client sends it. */
export type SentOf<All extends Parts> = WireObject<FieldsOf<All>> & RuleOf<All>;

/**
 * The fields of a part with one field: its name, and a schema that says whether a body must, may or must not have it.
 */
type OneField<Name extends string, Kind> = { readonly [Key in Name]: Kind };

function oneField<Name extends string, Kind>(name: Name, kind: Kind): OneField<Name, Kind> {
  // TypeScript does not keep the type of a computed name.
  return { [name]: kind } as OneField<Name, Kind>;
}

/** The part of a field that the body must have. */
export function requiredField<Name extends RequestField, Sent, Read>(
  name: Name,
  value: OrderValue<Sent, Read>,
): Part<OneField<Name, Schema<Sent>>, Read> {
  return {
    fields: oneField(name, value.schema),
    rules: [],
    read: (trade) => {
      trade.requireField(name);
      return value.read(trade, name) ?? undefined;
    },
  };
}

/** The part of an optional field. Its member is `absent` when the field is absent. */
export function optionalField<Name extends RequestField, Sent, Read, const Default>(
  name: Name,
  value: OrderValue<Sent, Read>,
  absent: Default,
): Part<OneField<Name, Optional<Sent>>, Read | Default> {
  return {
    fields: oneField(name, omittable(value.schema)),
    rules: [],
    read: (trade) => value.read(trade, name) ?? absent,
  };
}

/** The part's fields and checks, without a member in the order. */
export function withoutMember<All extends Fields>(part: Part<All>): Part<All, NoMember> {
  return { ...part, read: (trade) => (part.read(trade) === undefined ? undefined : NO_MEMBER) };
}

/**
 * The part of a field that the types of the shape exclude; the table of fates rejects it. `empty` is 0 for a number and
 * "" for a text; `mustBeNull` needs it for code generators.
 */
export function forbiddenField<Name extends RequestField>(
  name: Name,
  why: string,
  empty: 0 | "" = 0,
): Part<OneField<Name, Optional<never>>, NoMember> {
  return { fields: oneField(name, mustBeNull(why, empty)), rules: [], read: () => NO_MEMBER };
}

/** The part of the field that chooses the kind of order. The field has been checked before the part is read. */
export function kindWord<Name extends "execution_type" | "order_type", const Word extends string>(
  name: Name,
  schema: Schema<Word>,
  word: Word,
): Part<OneField<Name, Schema<Word>>, Word> {
  return {
    fields: oneField(name, schema),
    rules: [],
    read: (trade) => {
      trade.take(name);
      return word;
    },
  };
}

/** A part without a field: its member always has this value. */
export function fixedMember<const Value>(value: Value): Part<Record<never, never>, Value> {
  return { fields: {}, rules: [], read: () => value };
}

/** Combines parts into one part, whose member is the object of their members. */
export function joinParts<const All extends Parts>(
  parts: All,
): Part<FieldsOf<All>, ReadOf<All>, RuleOf<All>> {
  const steps = Object.entries<Part>(parts);
  const fields = Object.assign({}, ...steps.map(([, part]) => part.fields)) as FieldsOf<All>;
  const rules = steps.flatMap(([, part]) => part.rules) as readonly Schema<RuleOf<All>>[];
  return {
    fields,
    rules,
    read: (trade) => {
      const read: Record<string, unknown> = {};
      for (const [name, part] of steps) {
        const value = part.read(trade);
        if (value === undefined) return undefined;
        if (value !== NO_MEMBER) read[name] = value;
      }
      // TypeScript does not follow the loop: every part that has a member has added it.
      return read as ReadOf<All>;
    },
  };
}
