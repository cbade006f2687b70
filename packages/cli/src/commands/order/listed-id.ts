import { CliError, EXIT, usageError } from "../../cli-error.ts";

/** The length of a UUID in characters. */
const UUID_LENGTH = 36;
/** The minimum length of an id's prefix that is accepted. */
const PREFIX_LENGTH_MIN = 4;

/** A list in which ids are looked up, and the text for an id that it does not have. */
export interface IdList<Item> {
  /** The word for an item: `order` or `position`. */
  readonly itemName: string;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  readonly notFoundText: (id: string) => string;
  /** The sentence that names the command that lists the ids. */
  readonly listHint: string;
}

/** True when every id is at least as long as a UUID, so that no list is needed. */
export function areCompleteIds(ids: readonly string[]): boolean {
  return ids.every((id) => id.length >= UUID_LENGTH);
}

/** The complete ids for ids or their prefixes. */
export function completeIds<Item>(
  given: readonly string[],
  listed: IdList<Item>,
): readonly string[] {
  return given.map((id) => listed.idOf(findItem(id, listed)));
}

/**
 * The item whose id is `id`, or else the only one whose id begins with it. Throws CliError when there is none, when
 * there are several, and when the prefix is too short.
 */
export function findItem<Item>(id: string, listed: IdList<Item>): Item {
  const { itemName, items, idOf, notFoundText, listHint } = listed;
  // Ids are compared without case. @rule D12.idCase
  const begins = id.toLowerCase();
  const matching = items.filter((item) => idOf(item).toLowerCase().startsWith(begins));
  const [one] = matching;
  if (one === undefined) {
    const fix = `${listHint} Nothing was sent.`;
    throw new CliError({ message: notFoundText(id), fix, exitCode: EXIT.refused });
  }
  // A complete id that matches exactly is preferred, because the ids of legs begin with the id of their order.
  const whole = matching.find((item) => idOf(item).toLowerCase() === begins);
  if (whole !== undefined) return whole;
  if (matching.length === 1 && id.length >= PREFIX_LENGTH_MIN) return one;
  throw usageError(
    `${id} is too short to name one ${itemName}`,
    `It may be one of: ${matching.map(idOf).join(", ")}\nNothing was sent.`,
  );
}
