import { otherWork } from "./clock.ts";

/** So few that they take less than the answer to a short request. */
const ITEMS = 16;

/**
 * Calls `work` with each item for as long as it returns true, and lets the event loop do its other work after every
 * few. Otherwise a long list delays all other requests by the time that it takes. @rule D12.share
 */
export async function workInTurns<Item>(
  items: Iterable<Item>,
  work: (item: Item) => boolean,
): Promise<void> {
  let done = 0;
  for (const item of items) {
    if (!work(item)) return;
    done += 1;
    if (done % ITEMS === 0) await otherWork();
  }
}

/** The results of `make`, in the order of the items. */
export async function madeInTurns<From, To>(
  items: Iterable<From>,
  make: (item: From) => To,
): Promise<readonly To[]> {
  const made: To[] = [];
  await workInTurns(items, (item) => {
    made.push(make(item));
    return true;
  });
  return made;
}
