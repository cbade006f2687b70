import type { Socket } from "node:net";
import { createAddressFilter } from "./address-block.ts";
import { wideClientNetworkOf } from "./client-network.ts";
import { systemTimer } from "./clock.ts";

/**
 * Limits the open connections of a listener. One wide network (an IPv4 /24 or IPv6 /56) may have a quarter of them. Its
 * further connections wait, and are not read, until one of its connections ends. An exempt network, such as that of a
 * proxy, has no such share. When the maximum of the listener is reached, an idle connection of the network with the
 * most connections is closed for a new connection of a network with fewer. So a few networks cannot keep the others
 * out.
 * @rule D13.connections
 */
export interface ConnectionLimiter {
  /**
   * Serves the connection now or when its turn comes, or refuses it. A served connection counts as open until it
   * closes.
   */
  admit(socket: Socket): void;
  /** The connections that are being served, oldest first. */
  readonly openConnections: ReadonlySet<Socket>;
  /** Closes the waiting connections. */
  closeWaiting(): void;
}

export interface ConnectionLimiterOptions {
  readonly max: number;
  /** Addresses and blocks whose networks may have more than a quarter of the connections, such as those of proxies. */
  readonly exempt: readonly string[];
  /** The maximum wait of a connection in milliseconds, after which it is refused. */
  readonly waitMsMax: number;
  /** Whether every request of this connection was answered. */
  readonly isIdle: (socket: Socket) => boolean;
  readonly serve: (socket: Socket) => void;
  readonly refuse: (socket: Socket) => void;
}

/** The addresses of programs on the machine itself. */
export const LOOPBACK_BLOCKS: readonly string[] = ["127.0.0.0/8", "::1"];

/** The share of all connections that one network may have open. As many further connections of the network may wait. */
const NETWORK_SHARE = 1 / 4;

interface Network {
  readonly name: string;
  readonly isExempt: boolean;
  readonly open: Set<Socket>;
  /** The waiting connections, each with the function that ends its wait. */
  readonly waiting: Map<Socket, () => void>;
}

/** Makes the limiter of one listener, at first without any connection. */
export function createConnectionLimiter(options: ConnectionLimiterOptions): ConnectionLimiter {
  const { max, exempt } = options;
  const share = Math.max(1, Math.floor(max * NETWORK_SHARE));
  const isExempt = exempt.length === 0 ? (): boolean => false : createAddressFilter(exempt);
  const open = new Set<Socket>();
  const networks = new Map<string, Network>();
  let waiting = 0;

  const enter = (address: string): Network => {
    const exempted = isExempt(address);
    const name = `${wideClientNetworkOf(address)}${exempted ? " exempt" : ""}`;
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
    // A connection that was closed to make room is removed twice: here, and again when its socket closes. In between,
    // the map may have got a new entry for the same network, which must stay.
    if (isEmpty && networks.get(network.name) === network) networks.delete(network.name);
  };
  const hasShare = (network: Network): boolean => network.isExempt || network.open.size < share;
  /**
   * The network with the most connections, one of which may be closed for a connection of the newcomer. An exempt
   * network loses a connection only to an exempt newcomer, because a proxy's connections serve many clients.
   */
  const largestFor = (newcomer: Network): Network => {
    let largest = newcomer;
    for (const network of networks.values()) {
      const isLarger = network.open.size > largest.open.size;
      if (isLarger && (newcomer.isExempt || !network.isExempt)) largest = network;
    }
    return largest;
  };
  /**
   * Makes room by closing an idle connection of the network with the most connections, if that network has more than
   * the newcomer's network would have. False when it closes none. @rule D13.fullListener decides
   */
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
  const serve = (network: Network, socket: Socket): void => {
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
        serve(network, socket);
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
    openConnections: open,
    admit(socket) {
      const network = enter(socket.remoteAddress ?? "");
      socket.on("error", () => socket.destroy());
      socket.once("close", () => {
        leave(network, socket);
        serveWaiting();
      });
      // A further connection of a network that has its quarter waits until one of its connections ends.
      // @rule D13.connections decides
      if (!hasShare(network)) wait(network, socket);
      else if (open.size < max || makeRoom(network)) serve(network, socket);
      else options.refuse(socket);
    },
    closeWaiting() {
      for (const network of networks.values()) {
        for (const [socket, end] of network.waiting) {
          end();
          socket.destroy();
        }
      }
    },
  };
}
