import { yieldToEventLoop } from "./clock.ts";

/**
 * The number of items after which the event loop does other work. So few items take less time than the answer to a
 * short request.
 */
const ITEMS_PER_TURN = 16;

/**
 * Calls `work` with each item for as long as it returns true. After every few items it lets the event loop do other
 * work, because a long list would otherwise delay all requests by its whole duration. @rule D12.share
 */
export async function forEachYielding<Item>(
  items: Iterable<Item>,
  work: (item: Item) => boolean,
): Promise<void> {
  let done = 0;
  for (const item of items) {
    if (!work(item)) return;
    done += 1;
    if (done % ITEMS_PER_TURN === 0) await yieldToEventLoop();
  }
}

/** Makes a result for each item, in the order of the items. The event loop does other work in between. */
export async function mapYielding<From, To>(
  items: Iterable<From>,
  make: (item: From) => To,
): Promise<readonly To[]> {
  const made: To[] = [];
  await forEachYielding(items, (item) => {
    made.push(make(item));
    return true;
  });
  return made;
}
