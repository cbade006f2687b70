import { CliError, EXIT, usageError } from "../../cli-error.ts";

/** Characters of a UUID. */
const WHOLE_ID = 36;
/** Minimum length of an unambiguous id prefix. */
const PREFIX_LENGTH_MIN = 4;

/** A list for looking up ids, and the text for an unknown id. */
export interface Listed<Item> {
  /** `order` or `position`. */
  readonly what: string;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  readonly missing: (id: string) => string;
  /** The command that lists the ids. */
  readonly seeThem: string;
}

/** True when every id is complete, so the list is not needed. */
export function areWhole(ids: readonly string[]): boolean {
  return ids.every((id) => id.length >= WHOLE_ID);
}

/** The complete ids for ids or prefixes of ids. */
export function wholeIds<Item>(given: readonly string[], listed: Listed<Item>): readonly string[] {
  return given.map((id) => listed.idOf(itemNamed(id, listed)));
}

/** The only item whose id begins with `id`. Throws CliError when there is none, or more than one. */
export function itemNamed<Item>(id: string, listed: Listed<Item>): Item {
  const { what, items, idOf, missing, seeThem } = listed;
  // Ids compare without case. @rule D12.idCase
  const begins = id.toLowerCase();
  const matching = items.filter((item) => idOf(item).toLowerCase().startsWith(begins));
  const [one] = matching;
  if (one === undefined) {
    const fix = `${seeThem} Nothing was sent.`;
    throw new CliError({ message: missing(id), fix, exitCode: EXIT.refused });
  }
  // The ids of legs begin with the whole id of their order.
  const whole = matching.find((item) => idOf(item).toLowerCase() === begins);
  if (whole !== undefined) return whole;
  if (matching.length === 1 && id.length >= PREFIX_LENGTH_MIN) return one;
  throw usageError(
    `${id} is too short to name one ${what}`,
    `It may be one of: ${matching.map(idOf).join(", ")}\nNothing was sent.`,
  );
}
