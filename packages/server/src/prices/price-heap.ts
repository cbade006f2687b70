/** A watched price in a heap. `place` is the heap's own: where the entry stands, −1 when it is out. */
export interface HeapEntry {
  readonly price: number;
  place: number;
}

/**
 * Prices in the order in which a moving market reaches them. Adding and removing cost the logarithm
 * of what rests; asking what a price reaches costs what it reaches.
 */
export interface PriceHeap<Entry extends HeapEntry> {
  readonly size: number;
  add(entry: Entry): void;
  remove(entry: Entry): void;
  /** Calls `visit` for every entry that the price reaches; they stay in the heap. */
  visitReached(price: number, visit: (entry: Entry) => void): void;
}

/** `rising`: lowest first, reached by a price at or above. `falling`: highest first, at or below. */
export function createPriceHeap<Entry extends HeapEntry>(
  side: "rising" | "falling",
): PriceHeap<Entry> {
  const entries: Entry[] = [];
  // What is compared lies side by side, lowest first: a look at each entry costs far more.
  const keys: number[] = [];
  const keyOf = (price: number) => (side === "rising" ? price : -price);

  const put = (place: number, entry: Entry, key: number) => {
    entries[place] = entry;
    keys[place] = key;
    entry.place = place;
  };
  const takeFrom = (from: number, place: number): boolean => {
    const entry = entries[from];
    const key = keys[from];
    if (entry === undefined || key === undefined) return false;
    put(place, entry, key);
    return true;
  };
  const keyAt = (place: number): number => keys[place] ?? Number.POSITIVE_INFINITY;
  const rise = (entry: Entry, key: number, from: number) => {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (key >= keyAt(above) || !takeFrom(above, place)) break;
      place = above;
    }
    put(place, entry, key);
  };
  const sink = (entry: Entry, key: number, from: number) => {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      const child = keyAt(left + 1) < keyAt(left) ? left + 1 : left;
      if (keyAt(child) >= key || !takeFrom(child, place)) break;
      place = child;
    }
    put(place, entry, key);
  };

  return {
    get size() {
      return entries.length;
    },
    add(entry) {
      const key = keyOf(entry.price);
      entries.push(entry);
      keys.push(key);
      rise(entry, key, entries.length - 1);
    },
    remove(entry) {
      const { place } = entry;
      const last = entries.pop();
      const key = keys.pop();
      entry.place = -1;
      if (last === undefined || key === undefined || last === entry) return;
      if (key < keyOf(entry.price)) rise(last, key, place);
      else sink(last, key, place);
    },
    visitReached(price, visit) {
      const reached = keyOf(price);
      if (keyAt(0) > reached) return;
      const waiting = [0];
      for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
        const entry = entries[place];
        if (entry === undefined || keyAt(place) > reached) continue;
        visit(entry);
        waiting.push(2 * place + 1, 2 * place + 2);
      }
    },
  };
}
