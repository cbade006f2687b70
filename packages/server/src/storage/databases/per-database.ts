import type { AccountId } from "@propgate/core";
import { databaseOf, databaseOfKey } from "../rows/database-number.ts";

/** One part for each database, by its number. */
export type PerDatabase<Part> = readonly [Part, ...Part[]];

/** The part of that database; of the first for a number without a database, which has no such account or key. */
export function partAt<Part>(parts: PerDatabase<Part>, database: number): Part {
  return parts[database] ?? parts[0];
}

/** A part made from each part, with the number of its database. */
export function eachPart<From, To>(
  [first, ...others]: PerDatabase<From>,
  make: (part: From, number: number) => To,
): PerDatabase<To> {
  return [make(first, 0), ...others.map((part, index) => make(part, index + 1))];
}

/** A single part itself, or several as one. */
export function asOne<One, Part extends One>(
  parts: PerDatabase<Part>,
  several: (parts: PerDatabase<Part>) => One,
): One {
  return parts.length === 1 ? parts[0] : several(parts);
}

/** The part of the account's database. */
export function partOf<Part>(parts: PerDatabase<Part>, account: AccountId): Part {
  return partAt(parts, databaseOf(account));
}

/** The part of the key's database, which is the one of its account. */
export function partOfKey<Part>(parts: PerDatabase<Part>, keyId: string): Part {
  return partAt(parts, databaseOfKey(keyId));
}
