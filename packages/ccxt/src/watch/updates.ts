import { putNewest } from "../put-newest.ts";

/** The watched symbols; null for all. */
export type Symbols = readonly string[] | null;

export interface UpdatesOptions<Item> {
  /** An update replaces an unseen one with the same key. */
  readonly keyOf: (item: Item) => string;
  /** Undefined for an item that belongs to every symbol. */
  readonly symbolOf: (item: Item) => string | undefined;
  /** True for a state: its readers get the whole of it first, by `begin`, and then its changes. */
  readonly isState: boolean;
  /** How many unseen updates are kept for each reader. */
  readonly max: () => number;
  /** The error of a reader that missed updates because it took none for too long. */
  readonly missedError: () => Error;
}

/** The updates of one topic, such as orders, for readers that take them at their own pace. */
export interface Updates<Item> {
  /**
   * The newest update of each key that this reader has not taken yet, oldest first. Waits until there is one. Readers
   * of the same symbols are one reader. Throws the error that `fail` was given.
   */
  next(symbols: Symbols): Promise<readonly Item[]>;
  add(items: readonly Item[]): void;
  /** Gives every new reader of a state the present one, even if it is empty. */
  begin(items: readonly Item[]): void;
  /** Every reader's next call throws this. */
  fail(error: Error): void;
  /** Ends the reader of these symbols, or all readers, and rejects their waiting calls. */
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
  /** False while a reader of a state has not got it. */
  hasBegun: boolean;
}

interface Waiting<Item> {
  readonly promise: Promise<readonly Item[]>;
  readonly resolve: (items: readonly Item[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * ccxt's own caches give an update that came between two calls only together with the next one. Here it is returned
 * immediately, so a slow bot is late but misses nothing.
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

/** Readers of the same symbols in another order are the same reader. */
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
