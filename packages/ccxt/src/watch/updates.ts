import { putNewest } from "../put-newest.ts";

/** The symbols that a reader watches; null for all symbols. */
export type Symbols = readonly string[] | null;

/** How the updates of a topic are identified, filtered and bounded. */
export interface UpdatesOptions<Item> {
  /** The key of an item. An update replaces an earlier one with the same key that was not taken yet. */
  readonly keyOf: (item: Item) => string;
  /** The symbol of an item; undefined for an item that every reader gets. */
  readonly symbolOf: (item: Item) => string | undefined;
  /** True for a state. Its readers get the whole state first, by `begin`, and its changes afterwards. */
  readonly isState: boolean;
  /** How many updates are kept for each reader until it takes them. */
  readonly max: () => number;
  /** The error for a reader that missed updates, because it took none for too long. */
  readonly missedError: () => Error;
}

/** The updates of one topic, such as orders. Each reader takes them at its own pace. */
export interface Updates<Item> {
  /**
   * The updates that this reader has not taken yet, the newest of each key, oldest first. Waits until there is one. All
   * readers of the same symbols are one reader. Throws the error that was given to `fail`, or `missedError` when the
   * reader missed updates.
   */
  next(symbols: Symbols): Promise<readonly Item[]>;
  add(items: readonly Item[]): void;
  /** Gives the present state to every reader of it that has not begun, even when the state is empty. */
  begin(items: readonly Item[]): void;
  /** Every reader's waiting call throws this error, or its next call when none waits. */
  fail(error: Error): void;
  /**
   * Ends the reader of these symbols, or all readers when `symbols` is undefined. Their waiting calls throw the error.
   */
  end(symbols: Symbols | undefined, error: Error): void;
  /** The symbols of each reader. */
  readonly watched: readonly Symbols[];
}

interface Reader<Item> {
  readonly symbols: Symbols;
  readonly unseen: Map<string, Item>;
  waiting: Waiting<Item> | null;
  failure: Error | null;
  hasMissed: boolean;
  /** False while a reader of a state has not received the state. */
  hasBegun: boolean;
}

interface Waiting<Item> {
  readonly promise: Promise<readonly Item[]>;
  readonly resolve: (items: readonly Item[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Creates the updates of a topic. ccxt's own caches return an update that came between two calls only together with the
 * next one. Here it is returned immediately, so a slow bot is late but misses none until `max` is reached.
 */
export function createUpdates<Item>(options: UpdatesOptions<Item>): Updates<Item> {
  const { keyOf, symbolOf, isState, max, missedError } = options;
  const readers = new Map<string, Reader<Item>>();

  const put = (reader: Reader<Item>, item: Item): void => {
    const symbol = symbolOf(item);
    if (reader.symbols !== null && symbol !== undefined && !reader.symbols.includes(symbol)) return;
    if (putNewest(reader.unseen, [keyOf(item), item], max())) reader.hasMissed = true;
  };
  const deliver = (reader: Reader<Item>): void => {
    const { waiting, unseen } = reader;
    if (waiting === null) return;
    const items = [...unseen.values()];
    unseen.clear();
    reader.waiting = null;
    waiting.resolve(items);
  };
  return {
    async next(symbols) {
      const name = nameOf(symbols);
      const reader = readers.get(name) ?? newReader<Item>(symbols, !isState);
      readers.set(name, reader);
      const { failure, hasMissed } = reader;
      [reader.failure, reader.hasMissed] = [null, false];
      if (failure !== null) throw failure;
      if (hasMissed) throw missedError();
      reader.waiting ??= newWaiting();
      const { promise } = reader.waiting;
      if (reader.unseen.size > 0) deliver(reader);
      return promise;
    },
    add(items) {
      for (const reader of readers.values()) {
        if (!reader.hasBegun) continue;
        for (const item of items) put(reader, item);
        if (reader.unseen.size > 0) deliver(reader);
      }
    },
    begin(items) {
      for (const reader of readers.values()) {
        if (reader.hasBegun) continue;
        reader.hasBegun = true;
        for (const item of items) put(reader, item);
        deliver(reader);
      }
    },
    fail(error) {
      for (const reader of readers.values()) {
        const { waiting } = reader;
        if (waiting === null) reader.failure = error;
        reader.waiting = null;
        waiting?.reject(error);
      }
    },
    end(symbols, error) {
      const names = symbols === undefined ? [...readers.keys()] : [nameOf(symbols)];
      for (const name of names) {
        readers.get(name)?.waiting?.reject(error);
        readers.delete(name);
      }
    },
    get watched() {
      return [...readers.values()].map((reader) => reader.symbols);
    },
  };
}

/** The name of a reader. The order of its symbols does not matter. */
function nameOf(symbols: Symbols): string {
  return symbols === null ? "*" : symbols.toSorted().join(",");
}

function newReader<Item>(symbols: Symbols, hasBegun: boolean): Reader<Item> {
  return {
    symbols,
    unseen: new Map<string, Item>(),
    waiting: null,
    failure: null,
    hasMissed: false,
    hasBegun,
  };
}

function newWaiting<Item>(): Waiting<Item> {
  let settle: Pick<Waiting<Item>, "resolve" | "reject"> | null = null;
  const promise = new Promise<readonly Item[]>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    promise,
    resolve: (items) => settle?.resolve(items),
    reject: (error) => settle?.reject(error),
  };
}
