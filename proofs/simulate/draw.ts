import { createHash } from "node:crypto";

/** Everything in a run that could have been otherwise is drawn here: one seed, one run. */
export interface Draw {
  /** From 0 to below 1. */
  unit(): number;
  /** A whole number from 0 to below `count`. */
  below(count: number): number;
  /** From `least` to below `most`. */
  between(least: number, most: number): number;
  /** As `between`, but every order of magnitude is as likely as another. */
  magnitude(least: number, most: number): number;
  /** Around 0, nearly always within 3. */
  normal(): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** A key, as often as its weight says. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key;
}

const TWO_TO_32 = 4_294_967_296;
const NORMAL_OF = 12;

export function seededDraw(seed: string): Draw {
  const start = createHash("sha256").update(seed).digest();
  const words = Uint32Array.from([0, 4, 8, 12], (at) => start.readUInt32LE(at));
  const unit = (): number => nextWord(words) / TWO_TO_32;
  const below = (count: number): number => Math.floor(unit() * count);
  const between = (least: number, most: number): number => least + unit() * (most - least);
  return {
    unit,
    below,
    between,
    magnitude: (least, most) => Math.exp(between(Math.log(least), Math.log(most))),
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

/** The generator sfc32: small, quick and good enough for what is no secret. */
function nextWord(words: Uint32Array): number {
  const [a = 0, b = 0, c = 0, count = 0] = words;
  const sum = (a + b + count) | 0;
  words[0] = b ^ (b >>> 9);
  words[1] = (c + (c << 3)) | 0;
  words[2] = ((c << 21) | (c >>> 11)) + sum;
  words[3] = count + 1;
  return sum >>> 0;
}
