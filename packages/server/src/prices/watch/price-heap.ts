/** A watched price in a heap. The heap keeps its position here: −1 when it is not in the heap. */
export interface HeapEntry {
  price: number;
  place: number;
}

/**
 * Prices in the order in which a moving market reaches them. Adding, moving and removing take
 * logarithmic time; finding the reached prices takes time only for those.
 */
export interface PriceHeap<Entry extends HeapEntry> {
  readonly size: number;
  add(entry: Entry): void;
  /** Moves the entry to another price; a small step is cheap. */
  move(entry: Entry, price: Entry["price"]): void;
  remove(entry: Entry): void;
  /** Calls `visit` for every entry that the price reaches; the entries stay in the heap. */
  visitReached(price: number, visit: (entry: Entry) => void): void;
}

/** Children of a node: four keys share a cache line, and the heap is half as deep as with two. */
const CHILDREN = 4;

/** `rising`: lowest first, reached by a price at or above. `falling`: highest first, at or below. */
export function createPriceHeap<Entry extends HeapEntry>(
  side: "rising" | "falling",
): PriceHeap<Entry> {
  const entries: Entry[] = [];
  // The compared keys are in one array, lowest first: reading each entry would be slower.
  const keys: number[] = [];
  const keyOf = (price: number) => (side === "rising" ? price : -price);
  const keyAt = (place: number): number => keys[place] ?? Number.POSITIVE_INFINITY;

  const put = (place: number, entry: Entry, key: number) => {
    entries[place] = entry;
    keys[place] = key;
    entry.place = place;
  };
  /** Moves the entry at `from` to `place`. */
  const shift = (from: number, place: number): void => {
    const entry = entries[from];
    if (entry !== undefined) put(place, entry, keyAt(from));
  };
  const firstChildOf = (place: number): number => {
    const start = CHILDREN * place + 1;
    let first = start;
    for (let child = start + 1; child < start + CHILDREN; child += 1) {
      if (keyAt(child) < keyAt(first)) first = child;
    }
    return first;
  };
  /** Moves the entry to where its key belongs, from a free place. */
  const settle = (entry: Entry, key: number, from: number) => {
    let place = from;
    while (place > 0) {
      const above = Math.floor((place - 1) / CHILDREN);
      if (key >= keyAt(above)) break;
      shift(above, place);
      place = above;
    }
    for (let child = firstChildOf(place); keyAt(child) < key; child = firstChildOf(place)) {
      shift(child, place);
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
      settle(entry, key, entries.length - 1);
    },
    move(entry, price) {
      entry.price = price;
      settle(entry, keyOf(price), entry.place);
    },
    remove(entry) {
      const { place } = entry;
      const last = entries.pop();
      const key = keys.pop();
      entry.place = -1;
      if (last !== undefined && key !== undefined && last !== entry) settle(last, key, place);
    },
    visitReached(price, visit) {
      const reached = keyOf(price);
      if (keyAt(0) > reached) return;
      const waiting = [0];
      for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
        const entry = entries[place];
        if (entry === undefined || keyAt(place) > reached) continue;
        visit(entry);
        for (let child = 1; child <= CHILDREN; child += 1) waiting.push(CHILDREN * place + child);
      }
    },
  };
}
