/**
 * Prices in the order in which a moving market reaches them. Adding, moving and removing take logarithmic time. The
 * time to find the reached prices depends only on their number.
 */
export interface PriceHeap<Owner> {
  readonly size: number;
  /** Adds a price of the owner. The returned handle identifies the entry until it is removed. */
  add(owner: Owner, price: number): number;
  priceOf(handle: number): number;
  /** Moves the entry to another price. A small move is fast. */
  move(handle: number, price: number): void;
  remove(handle: number): void;
  /** Calls `visit` for every entry that the price reaches. The entries stay in the heap. */
  visitReached(price: number, visit: (owner: Owner) => void): void;
}

/**
 * The number of children of an entry. Their keys are on one or two cache lines, and the heap has a third of the depth
 * of a binary one.
 */
const CHILDREN = 8;
const FIRST_CAPACITY = 8;
const NO_KEY = Number.POSITIVE_INFINITY;

/**
 * With `rising` the lowest price is first, and a price at or above an entry reaches it. With `falling` the highest is
 * first, and a price at or below reaches it.
 *
 * The entries are in arrays of numbers. A hundred thousand accounts have a million entries, and each step of a move
 * would be a cache miss if the entries were objects.
 */
export function createPriceHeap<Owner>(side: "rising" | "falling"): PriceHeap<Owner> {
  const sign = side === "rising" ? 1 : -1;
  // `keys` and `handles` are indexed by the position in the heap. The key of a free position is infinite, so a position
  // without children needs no check.
  let keys = new Float64Array(FIRST_CAPACITY).fill(NO_KEY);
  let handles = new Int32Array(FIRST_CAPACITY);
  // `places` and `owners` are indexed by handle.
  let places = new Int32Array(FIRST_CAPACITY);
  const owners: (Owner | undefined)[] = [];
  const freeHandles: number[] = [];
  let size = 0;

  const grow = (): void => {
    const capacity = keys.length * 2;
    const [formerKeys, formerHandles, formerPlaces] = [keys, handles, places];
    keys = new Float64Array(capacity).fill(NO_KEY);
    handles = new Int32Array(capacity);
    places = new Int32Array(capacity);
    keys.set(formerKeys);
    handles.set(formerHandles);
    places.set(formerPlaces);
  };
  const put = (place: number, handle: number, key: number): void => {
    keys[place] = key;
    handles[place] = handle;
    places[handle] = place;
  };
  const firstChildOf = (place: number): number => {
    const start = CHILDREN * place + 1;
    let first = start;
    let firstKey = keys[start] ?? NO_KEY;
    for (let child = start + 1; child < start + CHILDREN; child += 1) {
      const key = keys[child] ?? NO_KEY;
      if (key < firstKey) {
        first = child;
        firstKey = key;
      }
    }
    return first;
  };
  /**
   * Puts the entry at the position that its key requires. The search begins at `from`, a free position or the entry's
   * own, and moves other entries out of the way.
   */
  const settle = (handle: number, key: number, from: number): void => {
    let place = from;
    while (place > 0) {
      const above = Math.floor((place - 1) / CHILDREN);
      const keyAbove = keys[above] ?? NO_KEY;
      if (key >= keyAbove) break;
      put(place, handles[above] ?? 0, keyAbove);
      place = above;
    }
    for (;;) {
      const child = firstChildOf(place);
      const childKey = keys[child] ?? NO_KEY;
      if (childKey >= key) break;
      put(place, handles[child] ?? 0, childKey);
      place = child;
    }
    put(place, handle, key);
  };

  return {
    get size() {
      return size;
    },
    add(owner, price) {
      if (size === keys.length) grow();
      const handle = freeHandles.pop() ?? owners.length;
      owners[handle] = owner;
      size += 1;
      settle(handle, sign * price, size - 1);
      return handle;
    },
    priceOf: (handle) => sign * (keys[places[handle] ?? 0] ?? NO_KEY),
    move(handle, price) {
      settle(handle, sign * price, places[handle] ?? 0);
    },
    remove(handle) {
      const place = places[handle] ?? 0;
      size -= 1;
      const last = handles[size] ?? 0;
      const key = keys[size] ?? NO_KEY;
      keys[size] = NO_KEY;
      owners[handle] = undefined;
      freeHandles.push(handle);
      if (last !== handle) settle(last, key, place);
    },
    visitReached(price, visit) {
      const reached = sign * price;
      const isReached = (place: number) => (keys[place] ?? NO_KEY) <= reached;
      const waiting = isReached(0) ? [0] : [];
      for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
        const owner = owners[handles[place] ?? 0];
        if (owner !== undefined) visit(owner);
        const start = CHILDREN * place + 1;
        for (let child = start; child < start + CHILDREN; child += 1) {
          if (isReached(child)) waiting.push(child);
        }
      }
    },
  };
}
