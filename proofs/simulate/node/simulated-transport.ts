import type { ReceivedMessage, Transport } from "../../../packages/base/src/transport/transport.ts";
import type { Turn } from "../checker.ts";
import type { Faults } from "../faults.ts";
import type { RandomDraw } from "../random-draw.ts";

/** One life of a process, as the sender and receiver of messages. */
export interface MessageStation {
  /** The index of its node. */
  readonly node: number;
  /** True while the process is paused. Messages to it wait. */
  readonly isPaused: boolean;
}

/** The messages between the processes. The run decides when each arrives, and it loses, repeats and delays some. */
export interface BusMessages {
  connect(station: MessageStation): Transport;
  /** The number of links that have messages and whose receiver is not paused. */
  readonly ready: number;
  /** Delivers some messages of a random link, in the order in which they were sent. Returns their number. */
  deliver(): number;
  /** Cuts the node off until `mend`. Messages to and from it are lost meanwhile. */
  cut(node: number): void;
  /** True while any node is cut off. */
  readonly isCut: boolean;
  /** Connects the node again. False when it was not cut off. */
  mend(node: number): boolean;
  /** Closes the transports of a node that has ended. */
  forget(node: number): void;
  /** The last messages of all nodes, as a listener on the bus receives them. */
  readonly heard: readonly HeardMessage[];
  /** Sends a message of a stranger to all connected listeners of its subject. */
  inject(message: HeardMessage): void;
}

/** A message as a listener on the bus hears it. */
export interface HeardMessage {
  readonly subject: string;
  readonly text: string;
}

interface Listener {
  readonly pattern: RegExp;
  readonly call: (message: ReceivedMessage) => void;
}

interface Endpoint {
  readonly station: MessageStation;
  readonly listeners: Listener[];
  readonly connectListeners: (() => void)[];
  isClosed: boolean;
}

/** The link from one process to another, on which messages stay in order. */
interface MessagePath {
  readonly from: MessageStation;
  readonly to: Endpoint;
  readonly queue: ReceivedMessage[];
  /** The first turn in which a message may arrive. */
  notBefore: Turn;
}

const LOST_RATE = 0.01;
const TWICE_RATE = 0.01;
const LATE_RATE = 0.01;
const LATE_TURNS = 200;
const TOGETHER_MAX = 8;
const HEARD_MAX = 200;
/** The sender of forged messages, which has a connection and no key. */
const STRANGER: MessageStation = { node: -1, isPaused: false };

export function createBusMessages(need: {
  readonly draw: RandomDraw;
  readonly faults: Faults;
  readonly turn: () => Turn;
  /** Called for each fault that strikes a message. */
  readonly onFault: () => void;
}): BusMessages {
  const { draw, faults } = need;
  const endpoints: Endpoint[] = [];
  const cut = new Set<number>();
  let links: MessagePath[] = [];
  const heard: HeardMessage[] = [];

  const strikes = (name: string, rate: number): boolean => {
    const isStruck = faults.strikes("bus", name, rate);
    if (isStruck) need.onFault();
    return isStruck;
  };
  const linkOf = (from: MessageStation, to: Endpoint): MessagePath => {
    const known = links.find((link) => link.from === from && link.to === to);
    if (known !== undefined) return known;
    const link: MessagePath = { from, to, queue: [], notBefore: 0 };
    links.push(link);
    return link;
  };
  const send = (from: MessageStation, to: Endpoint, message: ReceivedMessage): void => {
    if (strikes("bus.lost", LOST_RATE)) return;
    const link = linkOf(from, to);
    link.queue.push(message);
    if (strikes("bus.twice", TWICE_RATE)) link.queue.push(message);
    if (strikes("bus.late", LATE_RATE)) link.notBefore = need.turn() + draw.below(LATE_TURNS);
  };
  const forget = (isGone: (link: MessagePath) => boolean): void => {
    links = links.filter((link) => !isGone(link));
  };
  const isConnected = ({ station, isClosed }: Endpoint): boolean =>
    !isClosed && !cut.has(station.node);
  const filled = (): readonly MessagePath[] =>
    links.filter(({ to, queue }) => queue.length > 0 && !to.station.isPaused);

  return {
    connect(station) {
      const endpoint: Endpoint = {
        station,
        listeners: [],
        connectListeners: [],
        isClosed: false,
      };
      endpoints.push(endpoint);
      return {
        get isConnected() {
          return isConnected(endpoint);
        },
        send(subject, text) {
          if (!isConnected(endpoint)) return;
          heard.push({ subject, text });
          if (heard.length > HEARD_MAX) heard.shift();
          const message = { subject, content: new TextEncoder().encode(text) };
          for (const to of endpoints) {
            if (isConnected(to) && listens(to, subject)) send(station, to, message);
          }
        },
        subscribe(subject, call) {
          const text = subject.replaceAll(".", "\\.").replaceAll("*", "[^.]+");
          endpoint.listeners.push({ pattern: new RegExp(`^${text}$`), call });
        },
        onConnect(listener) {
          endpoint.connectListeners.push(listener);
          if (isConnected(endpoint)) listener();
        },
        async close() {
          close(endpoint);
        },
      };
    },
    get ready() {
      return filled().length;
    },
    deliver() {
      const all = filled();
      const prompt = all.filter(({ notBefore }) => notBefore <= need.turn());
      // Late messages arrive when no prompt ones are left.
      const link = draw.pick(prompt.length === 0 ? all : prompt);
      const arrived = link.queue.splice(0, 1 + draw.below(TOGETHER_MAX));
      for (const message of arrived) {
        for (const { pattern, call } of link.to.listeners) {
          if (pattern.test(message.subject)) call(message);
        }
      }
      return arrived.length;
    },
    cut(node) {
      cut.add(node);
      forget(({ from, to }) => from.node === node || to.station.node === node);
    },
    get isCut() {
      return cut.size > 0;
    },
    mend(node) {
      if (!cut.delete(node)) return false;
      for (const { station, connectListeners } of endpoints) {
        if (station.node === node) for (const listener of connectListeners) listener();
      }
      return true;
    },
    heard,
    inject({ subject, text }) {
      const message = { subject, content: new TextEncoder().encode(text) };
      for (const to of endpoints) {
        if (isConnected(to) && listens(to, subject)) linkOf(STRANGER, to).queue.push(message);
      }
    },
    forget(node) {
      for (const endpoint of [...endpoints]) if (endpoint.station.node === node) close(endpoint);
    },
  };

  function close(endpoint: Endpoint): void {
    endpoint.isClosed = true;
    forget(({ to }) => to === endpoint);
    const at = endpoints.indexOf(endpoint);
    if (at !== -1) endpoints.splice(at, 1);
  }
}

function listens({ listeners }: Endpoint, subject: string): boolean {
  return listeners.some(({ pattern }) => pattern.test(subject));
}
