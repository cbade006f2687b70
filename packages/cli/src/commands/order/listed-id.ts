import { CliError, EXIT, usageError } from "../../cli-error.ts";

/** Characters of a UUID. */
const WHOLE_ID = 36;
/** Characters of an id that are enough when no other listed id begins with them. */
const LEAST_CHARACTERS = 4;

/** A list in which an id is looked up, and the words for an id that it lacks. */
export interface Listed<Item> {
  /** `order` or `position`. */
  readonly what: string;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  readonly missing: (id: string) => string;
  /** Where the ids can be seen. */
  readonly seeThem: string;
}

/** True when every id is whole, so that no list has to be read. */
export function areWhole(ids: readonly string[]): boolean {
  return ids.every((id) => id.length >= WHOLE_ID);
}

/** The whole ids for what may be their first characters only. */
export function wholeIds<Item>(given: readonly string[], listed: Listed<Item>): readonly string[] {
  return given.map((id) => listed.idOf(itemNamed(id, listed)));
}

/** The one item whose id begins with `id`; a CliError when there is none, or more than one. */
export function itemNamed<Item>(id: string, listed: Listed<Item>): Item {
  const { what, items, idOf, missing, seeThem } = listed;
  const fitting = items.filter((item) => idOf(item).startsWith(id));
  const [one] = fitting;
  if (one === undefined) {
    const fix = `${seeThem} Nothing was sent.`;
    throw new CliError({ message: missing(id), fix, exitCode: EXIT.refused });
  }
  // The ids of legs begin with the whole id of their order.
  const whole = fitting.find((item) => idOf(item) === id);
  if (whole !== undefined) return whole;
  if (fitting.length === 1 && id.length >= LEAST_CHARACTERS) return one;
  throw usageError(
    `${id} is too short to name one ${what}`,
    `It may be one of: ${fitting.map(idOf).join(", ")}\nNothing was sent.`,
  );
}
