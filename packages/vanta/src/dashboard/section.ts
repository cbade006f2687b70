import type { Literal, LiteralRecord } from "../python-literal.ts";
import {
  type DecodeProblem,
  type NetworkUnit,
  type NetworkUnits,
  noteProblem,
  readUnit,
} from "./network-units.ts";

/** The meaning of a key of the network, and the field that it becomes. */
export type KeyMeaning =
  | { readonly unit: NetworkUnit; readonly becomes: string; readonly required?: true }
  | {
      readonly unit: "word";
      readonly words: readonly string[];
      readonly becomes: string;
      readonly required?: true;
      /** The value that any other word becomes. Without this field any other word is a wrong form. */
      readonly otherwise?: string;
    }
  /** A value that has a function of its own to read it; the note describes the value. */
  | { readonly unit: "nested"; readonly note: string }
  /** A key that is neither checked nor kept; the note gives the reason or the meaning. */
  | { readonly unit: "unused"; readonly note: string };

export type SectionKeys = Readonly<Record<string, KeyMeaning>>;

type KeptKeys<Keys extends SectionKeys> = {
  [Key in keyof Keys]: Keys[Key] extends { readonly becomes: string } ? Key : never;
}[keyof Keys];

type FieldOf<Meaning> = Meaning extends { readonly becomes: infer Field extends string }
  ? Field
  : never;

type ValueOf<Meaning> = Meaning extends {
  readonly unit: "word";
  readonly words: readonly (infer Word)[];
}
  ? Word
  : Meaning extends { readonly unit: infer Unit extends NetworkUnit }
    ? NetworkUnits[Unit]
    : never;

/** The fields of a section; a missing field is null. */
export type SectionFields<Keys extends SectionKeys> = {
  readonly [Key in KeptKeys<Keys> as FieldOf<Keys[Key]>]: ValueOf<Keys[Key]> | null;
};

/**
 * Reads a section by its table. Keys that the table does not have are ignored. A value of a wrong form, and a required
 * key that was not sent, is reported. Two keys that become the same field are two names of one figure: when both are
 * sent, they must be equal.
 */
export function readSection<const Keys extends SectionKeys>(
  section: LiteralRecord,
  keys: Keys,
  path: string,
  problem: DecodeProblem,
): SectionFields<Keys> {
  const fields: Record<string, FieldValue> = {};
  for (const key of Object.keys(keys)) {
    const meaning = keys[key];
    if (meaning === undefined || !("becomes" in meaning)) continue;
    const sent = section[key] ?? null;
    const before = fields[meaning.becomes] ?? null;
    // Most keys of an item are absent, so a path is only built for a value that was sent.
    const value = sent === null ? null : readMeaning(meaning, sent, `${path}.${key}`, problem);
    if (value === null && meaning.required === true) noteProblem(problem, `${path}.${key}`, "sent");
    if (before !== null && value !== null && before !== value) {
      noteProblem(problem, `${path}.${key}`, "equal to its other name");
    }
    fields[meaning.becomes] = before ?? value;
  }
  // The table names each field of the type, and `readUnit` gives each its type.
  return fields as SectionFields<Keys>;
}

type FieldValue = string | number | boolean | null;

function readMeaning(
  meaning: Extract<KeyMeaning, { readonly becomes: string }>,
  value: Literal,
  path: string,
  problem: DecodeProblem,
): FieldValue {
  if (meaning.unit !== "word") return readUnit(meaning.unit, value, path, problem);
  if (typeof value !== "string") return noteProblem(problem, path, "a word");
  const found = meaning.words.includes(value)
    ? value
    : meaning.words.find((word) => word.toLowerCase() === value.toLowerCase());
  return (
    found ?? meaning.otherwise ?? noteProblem(problem, path, `one of ${meaning.words.join(", ")}`)
  );
}
