/** Runs pieces of work one after the other, in the order of the calls. A failure does not stop the others. */
export interface SerialQueue {
  run<Value>(work: () => Promise<Value>): Promise<Value>;
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
