/** Limits how many pieces of work run concurrently. The others wait, in the order of their calls. */
export interface Slots {
  run<Value>(work: () => Promise<Value>): Promise<Value>;
  /** How many pieces of work wait for a slot. */
  waiting(): number;
}

/** Makes slots for at most `max` concurrent pieces of work. */
export function createSlots(max: number): Slots {
  let working = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (working < max) working += 1;
      // Finished work passes its slot on to the next, so the count does not change.
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) working -= 1;
        else next();
      }
    },
    waiting: () => waiting.length,
  };
}
