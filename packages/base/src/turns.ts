/** Runs pieces of work one after the other, in the order of the calls. A failure does not stop the others. */
export interface Turns {
  take<Value>(work: () => Promise<Value>): Promise<Value>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
