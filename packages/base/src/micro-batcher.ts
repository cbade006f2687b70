/**
 * Collects items and runs them in batches. While the maximum number of batches is running, new items wait for the next
 * batch. Otherwise an item waits only for the other items of the same turn of the event loop.
 */
export interface MicroBatcher<Item, Answer> {
  /** Adds an item. Resolves with its answer; rejects, as for every item of its batch, with the error of `run`. */
  readonly submit: (item: Item) => Promise<Answer>;
  /** Resolves when every submitted item was answered. */
  readonly idle: () => Promise<void>;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (cause: unknown) => void;
}

/** Makes a queue of items that are run in batches. */
export function createMicroBatcher<Item, Answer>(options: {
  /** Maximum number of items in one batch. */
  readonly batchMax: number;
  /** Maximum number of concurrent batches. */
  readonly concurrentMax: number;
  /** Carries out a batch. Returns the answers in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Answer[]>;
}): MicroBatcher<Item, Answer> {
  const queue: Waiting<Item, Answer>[] = [];
  let running = 0;
  let scheduled = false;
  let onIdle: (() => void)[] = [];

  const carryOut = async (batch: readonly Waiting<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await options.run(batch.map((waiting) => waiting.item));
      if (answers.length !== batch.length) throw new Error("broken invariant: one answer per item");
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer);
    } catch (cause) {
      for (const waiting of batch) waiting.reject(cause);
    }
    running -= 1;
    next();
  };

  const next = (): void => {
    if (scheduled || queue.length === 0 || running >= options.concurrentMax) {
      if (running === 0 && queue.length === 0) release();
      return;
    }
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      const batch = queue.splice(0, options.batchMax);
      running += 1;
      void carryOut(batch);
      next();
    });
  };

  const release = (): void => {
    const waiting = onIdle;
    onIdle = [];
    for (const resolve of waiting) resolve();
  };

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        next();
      }),
    idle: () =>
      new Promise((resolve) => {
        onIdle.push(resolve);
        next();
      }),
  };
}
