import { createHash } from "node:crypto";

/** Draws all random choices of a run. The same seed gives the same choices. */
export interface RandomDraw {
  /** A number of at least 0 and below 1. */
  unit(): number;
  /** An integer of at least 0 and below `count`. */
  below(count: number): number;
  /** A number of at least `min` and below `max`. */
  between(min: number, max: number): number;
  /** Like `between`, but every order of magnitude is equally likely. */
  magnitude(min: number, max: number): number;
  /** A nearly normal deviate with mean 0 and standard deviation 1. */
  normal(): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** One of the keys, with a probability in proportion to its weight. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key;
}

const TWO_TO_32 = 4_294_967_296;
const NORMAL_OF = 12;

/** Creates the random choices that the seed determines. */
export function createSeededDraw(seed: string): RandomDraw {
  const start = createHash("sha256").update(seed).digest();
  const words = Uint32Array.from([0, 4, 8, 12], (at) => start.readUInt32LE(at));
  const unit = (): number => nextWord(words) / TWO_TO_32;
  const below = (count: number): number => Math.floor(unit() * count);
  const between = (min: number, max: number): number => min + unit() * (max - min);
  return {
    unit,
    below,
    between,
    magnitude: (min, max) => Math.exp(between(Math.log(min), Math.log(max))),
    normal() {
      let sum = -NORMAL_OF / 2;
      for (let count = 0; count < NORMAL_OF; count += 1) sum += unit();
      return sum;
    },
    chance: (probability) => unit() < probability,
    pick<Item>(items: readonly Item[]): Item {
      const [item] = items.slice(below(items.length));
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
      const entries = Object.entries<number>(weights);
      let left = unit() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const key in weights) {
        left -= weights[key];
        if (left < 0) return key;
      }
      throw new Error("no weight to draw from");
    },
  };
}

/** The generator sfc32. It is small, fast and good enough for values that are not secret. */
function nextWord(words: Uint32Array): number {
  const [a = 0, b = 0, c = 0, count = 0] = words;
  const sum = (a + b + count) | 0;
  words[0] = b ^ (b >>> 9);
  words[1] = (c + (c << 3)) | 0;
  words[2] = ((c << 21) | (c >>> 11)) + sum;
  words[3] = count + 1;
  return sum >>> 0;
}
