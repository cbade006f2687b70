import { clientNetworkOf } from "@propgate/base";

/** Limits the memory for bodies that are being received. */
export interface BodyRoom {
  /** Takes bytes of the room; false when this many more do not fit. */
  take(address: string, bytes: number): boolean;
  give(address: string, bytes: number): void;
  readonly takenBytes: number;
}

/**
 * Room for all concurrent bodies. One network may use at most `shareMax` bytes, so a client that fills its share leaves
 * room for the others.
 */
export function createBodyRoom(limits: {
  readonly bytesMax: number;
  readonly shareMax: number;
}): BodyRoom {
  const byNetwork = new Map<string, number>();
  let taken = 0;
  return {
    take(address, bytes) {
      const network = clientNetworkOf(address);
      const own = (byNetwork.get(network) ?? 0) + bytes;
      if (taken + bytes > limits.bytesMax || own > limits.shareMax) return false;
      taken += bytes;
      byNetwork.set(network, own);
      return true;
    },
    give(address, bytes) {
      const network = clientNetworkOf(address);
      const own = (byNetwork.get(network) ?? 0) - bytes;
      taken -= bytes;
      if (own > 0) byNetwork.set(network, own);
      else byNetwork.delete(network);
    },
    get takenBytes() {
      return taken;
    },
  };
}
