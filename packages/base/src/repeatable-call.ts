import { type Chance, createSeededChance } from "./random.ts";

/**
 * A call that its client may repeat until it knows the answer. Every repetition draws the same random bytes, so that it
 * makes the same ids and secrets as the first call. @rule D12.repeatedWrites
 */
export interface RepeatableCall {
  /** The uuid of the call. The receipts of its commands contain it, so that each command is carried out only once. */
  readonly id: string;
  /** True when the call was begun before. It may then have been carried out in whole or in part. */
  readonly isRepeat: boolean;
  /** Makes the random bytes for one purpose. Each call with the same purpose gives the same sequence. */
  chance(purpose: string): Chance;
}

/**
 * Makes a call whose random bytes come from `seed`: a secret text with at least 256 random bits, the same for every
 * repetition of the call.
 */
export function createRepeatableCall(seed: string, isRepeat: boolean): RepeatableCall {
  const chance = (purpose: string): Chance => createSeededChance(`${seed} ${purpose}`);
  return { id: chance("id").uuid(), isRepeat, chance };
}
