import type { Literal, LiteralRecord } from "../python-literal.ts";
import {
  type NetworkUnit,
  type NetworkUnits,
  type Problem,
  readUnit,
  report,
} from "./network-units.ts";

/** The meaning of a key of the network, and the field that it becomes. */
export type KeyMeaning =
  | { readonly unit: NetworkUnit; readonly becomes: string; readonly required?: true }
  | {
      readonly unit: "word";
      readonly words: readonly string[];
      readonly becomes: string;
      readonly required?: true;
      /** The value for any other word; without it another word is a wrong form. */
      readonly otherwise?: string;
    }
  /** Read by a function of its own, which the note names. */
  | { readonly unit: "nested"; readonly note: string }
  /** Neither checked nor kept. */
  | { readonly unit: "unused"; readonly note: string };

export type SectionKeys = Readonly<Record<string, KeyMeaning>>;

type Kept<Keys extends SectionKeys> = {
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

/** The fields of a section; what was not sent is null. */
export type SectionFields<Keys extends SectionKeys> = {
  readonly [Key in Kept<Keys> as FieldOf<Keys[Key]>]: ValueOf<Keys[Key]> | null;
};

/**
 * Reads a section as its table says. Keys that the table does not have are ignored. Two keys of one field are two
 * names of the same figure: if both are sent they must be equal.
 */
export function readSection<const Keys extends SectionKeys>(
  section: LiteralRecord,
  keys: Keys,
  path: string,
  problem: Problem,
): SectionFields<Keys> {
  const fields = new Map<string, string | number | boolean | null>();
  for (const [key, meaning] of Object.entries(keys)) {
    if (!("becomes" in meaning)) continue;
    const place = `${path}.${key}`;
    const value = readMeaning(meaning, section[key], place, problem);
    if (value === null && meaning.required === true) report(problem, place, "sent");
    const before = fields.get(meaning.becomes) ?? null;
    if (before !== null && value !== null && before !== value) {
      report(problem, place, "equal to its other name");
    }
    fields.set(meaning.becomes, before ?? value);
  }
  // The table names each field of the type, and `readUnit` gives each its type.
  return Object.fromEntries(fields) as SectionFields<Keys>;
}

function readMeaning(
  meaning: Extract<KeyMeaning, { readonly becomes: string }>,
  value: Literal | undefined,
  path: string,
  problem: Problem,
): string | number | boolean | null {
  if (meaning.unit !== "word") return readUnit(meaning.unit, value, path, problem);
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") return report(problem, path, "a word");
  const found = meaning.words.find((word) => word.toLowerCase() === value.toLowerCase());
  return found ?? meaning.otherwise ?? report(problem, path, `one of ${meaning.words.join(", ")}`);
}
