import { createHash, randomBytes, randomUUID } from "node:crypto";

/** The source of chance for ids, secrets and simulated prices. */
export interface Chance {
  bytes(count: number): Uint8Array;
  uuid(): string;
}

/** The cryptographic random numbers of the runtime. */
export const systemChance: Chance = {
  bytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
};

/** A chance that gives the same bytes for the same seed. Real secrets need a secret seed of 256 random bits. */
export function createSeededChance(seed: string): Chance {
  let block = 0;
  let rest = Buffer.alloc(0);
  const bytes = (count: number): Uint8Array => {
    while (rest.length < count) {
      const next = createHash("sha256").update(`${seed}:${block}`).digest();
      block += 1;
      rest = Buffer.concat([rest, next]);
    }
    const taken = rest.subarray(0, count);
    rest = rest.subarray(count);
    return taken;
  };
  return { bytes, uuid: () => uuidFrom(bytes(16)) };
}

function uuidFrom(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-");
}
