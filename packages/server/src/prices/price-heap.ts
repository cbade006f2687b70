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
  const comesFirst =
    side === "rising" ? (a: number, b: number) => a < b : (a: number, b: number) => a > b;

  const put = (entry: Entry, place: number) => {
    entries[place] = entry;
    entry.place = place;
  };
  const rise = (entry: Entry, from: number) => {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = entries[above];
      if (parent === undefined || !comesFirst(entry.price, parent.price)) break;
      put(parent, place);
      place = above;
    }
    put(entry, place);
  };
  const firstChild = (place: number): Entry | undefined => {
    const left = entries[2 * place + 1];
    const right = entries[2 * place + 2];
    if (left === undefined || right === undefined) return left;
    return comesFirst(right.price, left.price) ? right : left;
  };
  const sink = (entry: Entry, from: number) => {
    let place = from;
    for (;;) {
      const child = firstChild(place);
      if (child === undefined || !comesFirst(child.price, entry.price)) break;
      const below = child.place;
      put(child, place);
      place = below;
    }
    put(entry, place);
  };

  return {
    get size() {
      return entries.length;
    },
    add(entry) {
      entries.push(entry);
      rise(entry, entries.length - 1);
    },
    remove(entry) {
      const place = entry.place;
      const last = entries.pop();
      entry.place = -1;
      if (last === undefined || last === entry) return;
      if (comesFirst(last.price, entry.price)) rise(last, place);
      else sink(last, place);
    },
    visitReached(price, visit) {
      const first = entries[0];
      if (first === undefined || comesFirst(price, first.price)) return;
      const waiting = [0];
      for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
        const entry = entries[place];
        if (entry === undefined || comesFirst(price, entry.price)) continue;
        visit(entry);
        waiting.push(2 * place + 1, 2 * place + 2);
      }
    },
  };
}
