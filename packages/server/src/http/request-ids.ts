import type { Chance } from "../random.ts";

const START_BYTES = 6;

/** Ids that find a request in the log again: a part of its own for every start, then a count. */
export function requestIds(chance: Chance): () => string {
  const start = Buffer.from(chance.bytes(START_BYTES)).toString("base64url");
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}
