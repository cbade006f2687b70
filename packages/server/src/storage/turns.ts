/** Work that is carried out strictly one after the other, in the order in which it was asked for. */
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
