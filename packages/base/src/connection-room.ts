import type { Socket } from "node:net";
import { addressFilter } from "./address-block.ts";
import { wideNetworkOf } from "./client-network.ts";
import { systemTimer } from "./clock.ts";

/**
 * Room for the connections of a listener. One network (an IPv4 /24, an IPv6 /56) has a quarter of it, and its further
 * connections wait, unread, until one of its own ends. When there is no room at all, the largest network loses an idle
 * connection to a smaller one, so that no few networks shut the others out.
 * @rule D13.connections
 */
export interface ConnectionRoom {
  /** Serves the connection now or in its turn, or refuses it. It has its place until it closes. */
  take(socket: Socket): void;
  /** The connections that have a place, the oldest first. */
  readonly open: ReadonlySet<Socket>;
  /** Closes the connections that wait. */
  endWaiting(): void;
}

export interface ConnectionRoomOptions {
  readonly max: number;
  /** Addresses and blocks whose connections are not counted together, such as those of proxies. */
  readonly exempt: readonly string[];
  /** How long a connection waits before it is refused. */
  readonly waitMsMax: number;
  /** True when no request of this connection is unanswered. */
  readonly isIdle: (socket: Socket) => boolean;
  readonly serve: (socket: Socket) => void;
  readonly refuse: (socket: Socket) => void;
}

/** Programs of the machine itself. */
export const LOOPBACK: readonly string[] = ["127.0.0.0/8", "::1"];

/** The part of all connections that one network may have open; as many of it wait. */
const SHARE = 1 / 4;

interface Network {
  readonly name: string;
  readonly isExempt: boolean;
  readonly open: Set<Socket>;
  /** With what ends each one's wait. */
  readonly waiting: Map<Socket, () => void>;
}

export function createConnectionRoom(options: ConnectionRoomOptions): ConnectionRoom {
  const { max, exempt } = options;
  const share = Math.max(1, Math.floor(max * SHARE));
  const isExempt = exempt.length === 0 ? (): boolean => false : addressFilter(exempt);
  const open = new Set<Socket>();
  const networks = new Map<string, Network>();
  let waiting = 0;

  const enter = (address: string): Network => {
    const exempted = isExempt(address);
    const name = `${wideNetworkOf(address)}${exempted ? " exempt" : ""}`;
    const known = networks.get(name);
    if (known !== undefined) return known;
    const made: Network = { name, isExempt: exempted, open: new Set(), waiting: new Map() };
    networks.set(name, made);
    return made;
  };
  const leave = (network: Network, socket: Socket): void => {
    open.delete(socket);
    network.open.delete(socket);
    network.waiting.get(socket)?.();
    const isEmpty = network.open.size + network.waiting.size === 0;
    // A connection that gave up its place leaves once more when it closes, when its network may have been made anew.
    if (isEmpty && networks.get(network.name) === network) networks.delete(network.name);
  };
  const hasShare = (network: Network): boolean => network.isExempt || network.open.size < share;
  /** The network with most connections. What a proxy holds open is of many clients, so no client ends it. */
  const largestFor = (newcomer: Network): Network => {
    let largest = newcomer;
    for (const network of networks.values()) {
      const isLarger = network.open.size > largest.open.size;
      if (isLarger && (newcomer.isExempt || !network.isExempt)) largest = network;
    }
    return largest;
  };
  /** False unless an idle connection of another network, which has more, was ended. @rule D13.connections decides */
  const makeRoom = (newcomer: Network): boolean => {
    const largest = largestFor(newcomer);
    if (largest.open.size <= newcomer.open.size + 1) return false;
    for (const socket of largest.open) {
      if (!options.isIdle(socket)) continue;
      leave(largest, socket);
      socket.destroy();
      return true;
    }
    return false;
  };
  const place = (network: Network, socket: Socket): void => {
    open.add(socket);
    network.open.add(socket);
    options.serve(socket);
  };
  const serveWaiting = (): void => {
    if (waiting === 0) return;
    for (const network of networks.values()) {
      for (const [socket, end] of network.waiting) {
        if (open.size >= max || !hasShare(network)) break;
        end();
        place(network, socket);
      }
    }
  };
  const wait = (network: Network, socket: Socket): void => {
    if (network.waiting.size >= share || waiting >= max) {
      options.refuse(socket);
      return;
    }
    waiting += 1;
    const cancel = systemTimer.after(options.waitMsMax, () => {
      end();
      options.refuse(socket);
    });
    const end = (): void => {
      cancel();
      if (network.waiting.delete(socket)) waiting -= 1;
    };
    network.waiting.set(socket, end);
  };

  return {
    open,
    take(socket) {
      const network = enter(socket.remoteAddress ?? "");
      socket.on("error", () => socket.destroy());
      socket.once("close", () => {
        leave(network, socket);
        serveWaiting();
      });
      if (!hasShare(network)) wait(network, socket);
      else if (open.size < max || makeRoom(network)) place(network, socket);
      else options.refuse(socket);
    },
    endWaiting() {
      for (const network of networks.values()) {
        for (const [socket, end] of network.waiting) {
          end();
          socket.destroy();
        }
      }
    },
  };
}
