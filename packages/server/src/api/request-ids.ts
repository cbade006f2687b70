import type { Chance } from "@propgate/base";

const START_BYTES = 6;

/** Ids that find a request in the log: a prefix for each start of the process, then a count. */
export function createRequestIds(chance: Chance): () => string {
  const start = Buffer.from(chance.bytes(START_BYTES)).toString("base64url");
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}
