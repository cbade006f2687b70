import { clientNetworkOf } from "@propgate/base";

/** Limits the memory for bodies that are being received. */
export interface BodyMemory {
  /** Reserves this many bytes more for the client's network; false when a limit would be exceeded. */
  reserve(address: string, bytes: number): boolean;
  release(address: string, bytes: number): void;
  readonly usedBytes: number;
}

/**
 * The shared memory for all concurrent bodies. One network may use at most `shareMax` bytes, so a client that uses up
 * its share leaves memory for clients of other networks.
 */
export function createBodyMemory(limits: {
  readonly bytesMax: number;
  readonly shareMax: number;
}): BodyMemory {
  const byNetwork = new Map<string, number>();
  let taken = 0;
  return {
    reserve(address, bytes) {
      const network = clientNetworkOf(address);
      const own = (byNetwork.get(network) ?? 0) + bytes;
      if (taken + bytes > limits.bytesMax || own > limits.shareMax) return false;
      taken += bytes;
      byNetwork.set(network, own);
      return true;
    },
    release(address, bytes) {
      const network = clientNetworkOf(address);
      const own = (byNetwork.get(network) ?? 0) - bytes;
      taken -= bytes;
      if (own > 0) byNetwork.set(network, own);
      else byNetwork.delete(network);
    },
    get usedBytes() {
      return taken;
    },
  };
}
