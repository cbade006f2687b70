import { type Chance, createSeededChance } from "./random.ts";

/**
 * A call that its client may repeat until it knows the answer. Every repetition draws the same chances, so that it
 * makes the same ids and secrets as the first. @rule D12.repeatedWrites
 */
export interface Act {
  /** A uuid of its own. The receipts of its commands have it, so each of them is carried out once. */
  readonly id: string;
  /** True when the call was begun before, and may have been carried out in whole or in part. */
  readonly isRepeat: boolean;
  /** Chances for one purpose, from the beginning at each call. */
  chance(purpose: string): Chance;
}

/** `seed`: at least 256 random bits, as a secret text. */
export function actFrom(seed: string, isRepeat: boolean): Act {
  const chance = (purpose: string): Chance => createSeededChance(`${seed} ${purpose}`);
  return { id: chance("id").uuid(), isRepeat, chance };
}
