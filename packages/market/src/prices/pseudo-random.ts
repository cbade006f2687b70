/** Pseudo-random numbers from a seed, for simulated prices. They must not be used for secrets. */
export interface PseudoRandom {
  /** A uniformly distributed number x with 0 ≤ x < 1. */
  uniform(): number;
  /** A normally distributed number with mean 0 and standard deviation 1. */
  normal(): number;
}

export function createPseudoRandom(seed: string): PseudoRandom {
  const next = createWordGenerator(seed);
  const uniform = () => next() / 2 ** 32;
  let spare: number | null = null;
  return {
    uniform,
    normal() {
      if (spare !== null) {
        const value = spare;
        spare = null;
        return value;
      }
      // The Box-Muller transform makes two normal numbers from two uniform ones; the second is kept for the next call.
      const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
      const angle = 2 * Math.PI * uniform();
      spare = radius * Math.sin(angle);
      return radius * Math.cos(angle);
    },
  };
}

/** A small, fast generator of 32-bit words, of the family "small fast counter". */
function createWordGenerator(seed: string): () => number {
  let a = hashSeed(seed, 1);
  let b = hashSeed(seed, 2);
  let c = hashSeed(seed, 3);
  let counter = 1;
  const next = () => {
    const word = (a + b + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = (b ^ (b >>> 9)) >>> 0;
    b = (c + (c << 3)) >>> 0;
    c = (((c << 21) | (c >>> 11)) + word) >>> 0;
    return word;
  };
  // The first words depend visibly on the seed, so they are skipped.
  for (let round = 0; round < 16; round += 1) next();
  return next;
}

function hashSeed(text: string, salt: number): number {
  let value = Math.imul(0x811c9dc5 ^ salt, 0x01000193);
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
