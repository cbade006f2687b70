import type { Socket } from "node:net";
import { networkOf } from "./client-network.ts";

/**
 * Room for the connections of a listener. While it lasts, one network may use all of it. When it is full, the largest
 * network loses an idle connection to a smaller one, so that no network shuts the others out.
 * @rule D11.connections
 */
export interface ConnectionRoom {
  /** False when there is no room; else the connection has its place until it closes. */
  take(socket: Socket): boolean;
  /** The connections that have a place, the oldest first. */
  readonly open: ReadonlySet<Socket>;
}

export function createConnectionRoom(options: {
  readonly max: number;
  /** True when no request of this connection is unanswered. */
  readonly isIdle: (socket: Socket) => boolean;
}): ConnectionRoom {
  const open = new Set<Socket>();
  const byNetwork = new Map<string, Set<Socket>>();

  const leave = (network: string, socket: Socket): void => {
    open.delete(socket);
    const own = byNetwork.get(network);
    own?.delete(socket);
    if (own?.size === 0) byNetwork.delete(network);
  };
  /** False unless an idle connection of another network, which has more, was ended. @rule D11.connections decides */
  const makeRoom = (newcomer: string): boolean => {
    let largest = newcomer;
    const count = (network: string): number => byNetwork.get(network)?.size ?? 0;
    for (const network of byNetwork.keys()) if (count(network) > count(largest)) largest = network;
    if (count(largest) <= count(newcomer) + 1) return false;
    for (const socket of byNetwork.get(largest) ?? []) {
      if (!options.isIdle(socket)) continue;
      leave(largest, socket);
      socket.destroy();
      return true;
    }
    return false;
  };

  return {
    open,
    take(socket) {
      const network = networkOf(socket.remoteAddress ?? "");
      if (open.size >= options.max && !makeRoom(network)) return false;
      open.add(socket);
      const own = byNetwork.get(network) ?? new Set();
      byNetwork.set(network, own.add(socket));
      socket.once("close", () => leave(network, socket));
      return true;
    },
  };
}
